//! The recipe: everything that decides a fingerprint, in one line that can be printed and parsed.
//!
//! ```text
//! words:3 log-tf siphash13 seed=0 bits=64 tie=one norm=nfc case=lower stop=none
//! ```
//!
//! Every exported file contains it, so that anyone can recompute every fingerprint of the file. Stop words from a
//! file are also identified by their content: `stop=list.txt#` and a digest of the words. The manual's page about
//! recipes (`simscope help recipe`) specifies each step and has test vectors, which `tests/simhash` checks.

use std::fmt;
use std::str::FromStr;

use super::fingerprint::MAX_WIDTH;
use super::{FrequencyFile, HashFunction, StopWordChoice, TemplateFile, TieRule};
use crate::choice::ValueError;
use crate::feature::{FrequencyCut, Shingling, ShortTexts, Weighting};
use crate::text::{Case, NormalForm, Split, Stem, TokenRule};

/// Everything that decides a fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Recipe {
    /// The shingling: the kind of feature.
    pub features: Shingling,
    /// The weighting of features.
    pub weights: Weighting,
    /// The hash function of features.
    pub hash: HashFunction,
    /// The first word of the hash's key; the second is 0.
    pub seed: u64,
    /// Width of the fingerprint: 1 to 128.
    pub bits: u32,
    /// The value of a bit whose votes balance.
    pub tie: TieRule,
    /// The Unicode normal form.
    pub form: NormalForm,
    /// The treatment of upper and lower case.
    pub case: Case,
    /// The words to remove.
    pub stop: StopWordChoice,
    /// The rule by which a text is cut into tokens.
    pub split: Split,
    /// The stemmer, which is applied after stop words are removed.
    pub stem: Stem,
    /// The features of a text that has fewer tokens than a shingle.
    pub short: ShortTexts,
    /// The document frequencies of tf-idf: those of this file, with which a text has the same fingerprint in every
    /// corpus. Without it they are those of the corpus, so that one more document changes the fingerprints of all.
    pub frequencies: Option<FrequencyFile>,
    /// The range of document frequencies in which a feature has a weight.
    pub cut: FrequencyCut,
    /// A text whose features are left out of all texts: menus, licences, signatures.
    pub ignore: Option<TemplateFile>,
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            features: Shingling::default(),
            weights: Weighting::default(),
            hash: HashFunction::default(),
            seed: 0,
            bits: 64,
            tie: TieRule::default(),
            form: NormalForm::default(),
            case: Case::default(),
            stop: StopWordChoice::default(),
            split: Split::default(),
            stem: Stem::default(),
            short: ShortTexts::default(),
            frequencies: None,
            cut: FrequencyCut::default(),
            ignore: None,
        }
    }
}

/// The number of fields of the line.
const N_FIELDS: usize = 16;
/// The number of fields that are always printed.
const N_ALWAYS: usize = 9;

/// The error for a line that is not a recipe, or a recipe that cannot be used: a message that names what is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RecipeError(pub(super) String);

impl RecipeError {
    /// The error for a recipe that depends on a file whose content it was not given.
    pub(super) fn not_read(field: &str, path: &str, content: &str) -> Self {
        let remedy = format!("give its {content} to the recipe first");
        Self(format!("{field}: the file {path:?} was not read; {remedy}"))
    }
}

impl From<ValueError> for RecipeError {
    fn from(error: ValueError) -> Self {
        Self(format!("recipe: {error}"))
    }
}

impl Recipe {
    /// Checks that the fields are compatible.
    ///
    /// # Errors
    /// [`RecipeError`] names the fields that are not.
    pub fn check(&self) -> Result<(), RecipeError> {
        let Self { hash, seed, bits, .. } = *self;
        let of_chars = matches!(self.features, Shingling::Chars(_));
        let tf_idf = self.weights == Weighting::TfIdf;
        let (usual, stems) = (FrequencyCut::default(), self.stem != Stem::None);
        let needs_tf_idf =
            |it: &str| format!("{it} needs tf-idf weights; use tf-idf (`weights`), or remove {it}");
        let needs_words = |it: &str| format!("{it} needs word features; use words:N");
        let wrong = [
            (!(1..=MAX_WIDTH).contains(&bits), no_bits(&bits.to_string())),
            (
                of_chars && self.stop != StopWordChoice::None,
                "stop words need word features; use words:N, or stop=none (`stop-words` none)".into(),
            ),
            (
                bits > hash.max_bits(),
                format!(
                    "the hash {hash} has 64 bits, fewer than {bits}; use siphash13, siphash24 or fewer bits (`hash`, \
                     `bits`)"
                ),
            ),
            (
                seed > hash.largest_seed(),
                format!(
                    "the hash {hash} takes seeds up to {}, not {seed}; use another seed or hash (`hash`, `seed`)",
                    hash.largest_seed()
                ),
            ),
            (!tf_idf && self.frequencies.is_some(), needs_tf_idf("df")),
            (!tf_idf && self.cut.least != usual.least, needs_tf_idf("min-df")),
            (!tf_idf && self.cut.most != usual.most, needs_tf_idf("max-df")),
            (of_chars && self.split.needs_words(), needs_words(&format!("split={}", self.split))),
            (of_chars && stems, needs_words("a stemmer")),
            (of_chars && hash == HashFunction::Gaoya, needs_words("the hash gaoya")),
            (
                self.split.is_by_phrases() && !cfg!(feature = "phrases"),
                "this build cannot cut phrases (it was built without the feature `phrases`); use split=unicode".into(),
            ),
            (
                stems && !cfg!(feature = "stem"),
                "this build has no stemmers (it was built without the feature `stem`); use stem=none".into(),
            ),
            (
                stems && self.case != Case::Lower,
                "stems need words in lower case; use case=lower or stem=none".into(),
            ),
        ];
        let first = wrong.into_iter().find(|(is_wrong, _)| *is_wrong);
        first.map_or(Ok(()), |(_, problem)| Err(RecipeError(problem)))
    }

    /// Whether weights need the document frequencies of the corpus, which are counted in a separate pass.
    pub fn counts_frequencies(&self) -> bool {
        self.weights.needs_frequencies() && self.frequencies.is_none()
    }

    /// The recipe with default values for every field that does not affect features and their hashes. Two recipes
    /// with the same result have the same document frequencies.
    #[must_use]
    pub fn of_features(&self) -> Self {
        let usual = Self::default();
        Self {
            weights: usual.weights,
            // Above 64 bits the hashes are different.
            bits: if self.bits > 64 { MAX_WIDTH } else { usual.bits },
            tie: usual.tie,
            frequencies: usual.frequencies,
            cut: usual.cut,
            ..self.clone()
        }
    }

    /// The rules for turning a text into tokens.
    pub fn token_rule(&self) -> TokenRule {
        TokenRule { form: self.form, case: self.case, split: self.split, stem: self.stem }
    }

    /// The line without the fields that have their default value, but always with features and weights: these two
    /// decide most.
    pub fn short(&self) -> String {
        self.line(2)
    }

    /// The line with the first `n_always` fields, and with the others if they do not have their default value.
    fn line(&self, n_always: usize) -> String {
        let fields = self.fields().into_iter().zip(Self::default().fields()).enumerate();
        let shown = fields.filter(|(at, (ours, usual))| *at < n_always || ours != usual);
        shown.map(|(_, (ours, _))| ours).collect::<Vec<_>>().join(" ")
    }

    fn fields(&self) -> [String; N_FIELDS] {
        [
            self.features.to_string(),
            self.weights.to_string(),
            self.hash.to_string(),
            format!("seed={}", self.seed),
            format!("bits={}", self.bits),
            format!("tie={}", self.tie),
            format!("norm={}", self.form),
            format!("case={}", self.case),
            format!("stop={}", self.stop),
            format!("split={}", self.split),
            format!("stem={}", self.stem),
            format!("short={}", self.short),
            format!(
                "df={}",
                self.frequencies.as_ref().map_or("corpus".into(), ToString::to_string)
            ),
            format!("min-df={}", self.cut.least),
            format!("max-df={}", self.cut.most),
            format!("ignore={}", self.ignore.as_ref().map_or("none".into(), ToString::to_string)),
        ]
    }

    /// Sets the field that one word of a line gives; returns the name of the field.
    fn set<'w>(&mut self, word: &'w str) -> Result<&'w str, RecipeError> {
        let refused = |problem: String| RecipeError::from(ValueError(problem));
        let unknown = || {
            refused(format!(
                "{word:?} is not a field of a recipe; `simscope help recipe` lists the fields"
            ))
        };
        if let Some((key, value)) = word.split_once('=') {
            match key {
                "seed" => {
                    let no_seed = || {
                        format!(
                            "seed {value:?} is not a number from 0 to 18446744073709551615 (`seed`)"
                        )
                    };
                    self.seed = value.parse().map_err(|_| RecipeError(no_seed()))?;
                }
                "bits" => {
                    self.bits = value.parse().map_err(|_| RecipeError(no_bits(value)))?;
                }
                "tie" => self.tie = value.parse()?,
                "norm" => self.form = value.parse()?,
                "case" => self.case = value.parse()?,
                "stop" => self.stop = StopWordChoice::parse(value),
                "split" => self.split = value.parse()?,
                "stem" => self.stem = value.parse()?,
                "short" => self.short = value.parse()?,
                "df" if value == "corpus" => self.frequencies = None,
                "df" => self.frequencies = Some(FrequencyFile::parse(value)),
                "min-df" => {
                    let least = value.parse().ok().filter(|least| *least > 0);
                    self.cut.least = least.ok_or_else(|| {
                        refused(format!(
                            "{value:?} is not a number of documents; write a number from 1 up (`min-df`)"
                        ))
                    })?;
                }
                "max-df" => {
                    let no_share = |it: ValueError| refused(format!("{it} (`max-df`)"));
                    self.cut.most = value.parse().map_err(no_share)?;
                }
                "ignore" if value == "none" => self.ignore = None,
                "ignore" => self.ignore = Some(TemplateFile::parse(value)),
                _ => return Err(unknown()),
            }
            return Ok(key);
        }
        if let Ok(weights) = word.parse::<Weighting>() {
            self.weights = weights;
            Ok("the weighting")
        } else if let Ok(hash) = word.parse::<HashFunction>() {
            self.hash = hash;
            Ok("the hash")
        } else if word.starts_with("words") || word.starts_with("chars") {
            self.features = word.parse()?;
            Ok("the features")
        } else {
            Err(unknown())
        }
    }
}

/// The problem of a width outside 1 to 128.
fn no_bits(found: &str) -> String {
    format!("{found:?} is not a number of bits; a fingerprint has 1 to {MAX_WIDTH} bits (`bits`)")
}

impl fmt::Display for Recipe {
    /// The whole line; the last seven fields only if they do not have their default value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line(N_ALWAYS))
    }
}

impl FromStr for Recipe {
    type Err = RecipeError;

    /// Reads fields in any order, each at most once; missing fields have their default value. Lines after the first that
    /// begin with `#` are comments on how rows were made.
    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let mut recipe = Self::default();
        let mut seen = Vec::new();
        let lines =
            line.lines().enumerate().filter(|(at, line)| *at == 0 || !line.starts_with('#'));
        for word in lines.flat_map(|(_, line)| line.split_whitespace()) {
            let field = recipe.set(word)?;
            if seen.contains(&field) {
                return Err(RecipeError(format!("recipe: {field} is given twice; remove one")));
            }
            seen.push(field);
        }
        recipe.check()?;
        Ok(recipe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simhash::StopWordFile;

    #[test]
    fn the_default_prints_as_the_contract_says_and_reads_back() {
        let line = "words:3 log-tf siphash13 seed=0 bits=64 tie=one norm=nfc case=lower stop=none";
        assert_eq!(Recipe::default().to_string(), line);
        assert_eq!(line.parse(), Ok(Recipe::default()));
        assert_eq!("".parse(), Ok(Recipe::default()));
        assert_eq!(format!("{line}\n# simscope pairs\n").parse(), Ok(Recipe::default()));
        assert!("# a note".parse::<Recipe>().is_err());
        assert!("words:3\nnotes".parse::<Recipe>().is_err());
        assert_eq!(Recipe::default().short(), "words:3 log-tf");
    }

    #[test]
    fn fields_come_in_any_order_and_defaults_may_be_left_out() {
        let recipe: Recipe = "bits=90 stop=my%20words%25.txt binary words:1".parse().unwrap();
        assert_eq!((recipe.bits, recipe.weights), (90, Weighting::Binary));
        let of = |path: &str, digest| StopWordChoice::File(StopWordFile::new(path, digest));
        assert_eq!(recipe.stop, of("my words%.txt", None));
        assert_eq!(recipe.to_string().parse(), Ok(recipe.clone()));
        let named: Recipe = "stop=my%20words%23.txt#00000000000000ff".parse().unwrap();
        assert_eq!(named.stop, of("my words#.txt", Some(255)));
        assert!(named.to_string().ends_with(" stop=my%20words%23.txt#00000000000000ff"));
        assert_eq!(named.to_string().parse(), Ok(named));
        let short: Recipe = "stop=list#12".parse().unwrap();
        assert_eq!(short.stop, of("list#12", None));
        assert_eq!(recipe.short().parse(), Ok(recipe));
    }

    #[test]
    fn parts_of_other_programs_are_printed_where_they_are_not_usual() {
        let line = "words:3 binary xxh3 seed=42 bits=64 tie=zero norm=none case=lower stop=none \
                    split=word short=drop:5";
        let recipe: Recipe = line.parse().unwrap();
        assert_eq!(recipe.to_string(), line);
        assert_eq!(recipe.short().parse(), Ok(recipe));
    }

    #[test]
    fn frozen_frequencies_are_named_by_their_file_and_digest() {
        let line = "words:1 tf-idf df=a%20b.tsv#00000000000000ff min-df=2 max-df=0.25";
        let recipe: Recipe = line.parse().unwrap();
        assert_eq!(recipe.short(), line);
        assert!(!recipe.counts_frequencies() && recipe.of_features().short() == "words:1 log-tf");
    }

    #[cfg(feature = "stem")]
    #[test]
    fn stems_are_those_of_words_in_lower_case() {
        let message = |line: &str| line.parse::<Recipe>().unwrap_err().to_string();
        assert!(message("stem=english case=keep").contains("use case=lower"));
        assert!(message("stem=english chars:3").contains("a stemmer needs word features"));
        assert_eq!(
            "stem=english".parse::<Recipe>().unwrap().short(),
            "words:3 log-tf stem=english"
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        let message = |line: &str| line.parse::<Recipe>().unwrap_err().to_string();
        assert!(message("bits=129").contains("1 to 128 bits (`bits`)"));
        assert!(message("bits=0").contains("1 to 128"));
        assert!(message("tie=maybe").contains("choose one of one, zero"));
        assert!(message("words:0").contains("words:N"));
        assert!(message("tf binary").contains("the weighting is given twice"));
        assert!(message("colour=red").contains("colour=red"));
        assert!(message("chars:4 stop=english").contains("word features"));
        assert!(message("md5 bits=90").contains("md5 has 64 bits, fewer than 90"));
        assert!(message("md5 seed=7").contains("md5 takes seeds up to 0, not 7"));
        assert!(message("chars:4 gaoya").contains("the hash gaoya needs word features"));
        assert!(message("chars:4 split=ascii").contains("split=ascii needs word features"));
        assert!(message("min-df=2").contains("min-df needs tf-idf weights"));
        assert!(message("tf-idf max-df=2").contains("at most 1 (`max-df`)"));
        assert!(message("short=never").contains("whole, empty, drop or drop:N"));
    }
}
