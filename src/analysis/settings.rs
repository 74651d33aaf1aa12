//! Everything an analysis depends on besides the corpus.
//!
//! The reason why an analysis ended without a result.

use std::str::FromStr;

use super::Alike;
use crate::corpus::{CarriedRecipe, Corpus, CorpusError, Diagnostic, ITS_METADATA};
use crate::evaluate::distances;
use crate::evaluate::truth::TruthError;
use crate::id::DocId;
use crate::index::{Layout, LayoutError, TooManyPartPairs, default_layout};
use crate::number::{counted, grouped};
use crate::progress::Cancelled;
use crate::simhash::fingerprint::MAX_WIDTH;
use crate::simhash::{Recipe, RecipeError};

/// The default of k, the largest distance that counts as near.
pub const DEFAULT_K: u32 = 3;

/// If chance alone brings more pairs than this, settings are refused where pairs are kept, as in the explorer:
/// these pairs are not near-duplicates, and at 12 bytes each they would fill the memory. If pairs are streamed, a
/// warning is given instead.
pub const MOST_ACCIDENTAL_PAIRS: f64 = 5e7;
/// If chance alone brings more pairs than this, settings are refused even where pairs are streamed: writing the
/// rows would take a day.
pub const MOST_STREAMED_PAIRS: f64 = 1e10;

/// The most pairs of different fingerprints that are kept. A million documents made from one form have more pairs,
/// without any by chance. During sorting a pair takes 24 bytes.
pub const MOST_KEPT_PAIRS: usize = 100_000_000;

/// The choice of the layout of tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LayoutChoice {
    /// The cheapest layout for the corpus's size and k, by the cost model.
    #[default]
    Auto,
    /// This many blocks; all but k of them are the key of a table, which guarantees k.
    Blocks(u32),
    /// Two levels: all but k of the outer blocks, then all but k of the blocks into which the rest is cut.
    TwoLevel {
        /// The number of blocks of the fingerprint.
        outer: u32,
        /// The number of blocks of the rest.
        inner: u32,
    },
    /// Bands of bits, which have a recall instead of a guarantee.
    Bands {
        /// Number of bands.
        bands: u32,
        /// Bits in each.
        bits: u32,
    },
}

impl LayoutChoice {
    /// The tables for `n` distinct fingerprints of `width` bits.
    ///
    /// # Errors
    /// [`LayoutError`] if the choice cannot be cut or cannot guarantee k.
    pub fn layout(self, n: usize, width: u32, k: u32) -> Result<Layout, LayoutError> {
        match self {
            Self::Auto => {
                // Checks the width first, because `default_layout` needs a valid width.
                Layout::blocks(width, 1, 1)?;
                Ok(default_layout(n, width, k))
            }
            Self::Blocks(m) => Layout::for_distance(width, m, k),
            Self::TwoLevel { outer, inner } => {
                // If there are too few blocks, return the error for one level.
                Layout::for_distance(width, outer.min(inner), k)?;
                let (outer_key, inner_key) = (outer - k, inner - k);
                Layout::two_level(width, outer, outer_key, inner, inner_key)
            }
            Self::Bands { bands, bits } => Layout::bands(width, bands, bits),
        }
    }
}

/// The text is not a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "write bands x bits, such as 5x12, blocks, such as 6, or two levels of blocks, such as 4/4"
)]
pub struct ParseLayoutError;

impl FromStr for LayoutChoice {
    type Err = ParseLayoutError;

    /// `5x12` bands, `6` blocks, `4/4` blocks in two levels, or `auto`; each number 1 to 128.
    fn from_str(text: &str) -> Result<Self, ParseLayoutError> {
        let number = |text: &str| {
            let number = text.trim().parse().ok();
            number.filter(|number| (1..=MAX_WIDTH).contains(number)).ok_or(ParseLayoutError)
        };
        if text == "auto" {
            return Ok(Self::Auto);
        }
        if let Some((bands, bits)) = text.split_once('x') {
            return Ok(Self::Bands { bands: number(bands)?, bits: number(bits)? });
        }
        match text.split_once('/') {
            Some((outer, inner)) => {
                Ok(Self::TwoLevel { outer: number(outer)?, inner: number(inner)? })
            }
            None => number(text).map(Self::Blocks),
        }
    }
}

/// The settings of one analysis.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The recipe: everything that decides a fingerprint.
    pub recipe: Recipe,
    /// The largest distance that counts as near.
    pub k: u32,
    /// The tables.
    pub layout: LayoutChoice,
    /// The texts that are alike: the evidence for k, recipes and layouts.
    pub alike: Alike,
}

impl Default for Settings {
    fn default() -> Self {
        let (recipe, alike) = (Recipe::default(), Alike::default());
        Self { recipe, k: DEFAULT_K, layout: LayoutChoice::Auto, alike }
    }
}

impl Settings {
    /// Checks the settings before any document is read.
    ///
    /// # Errors
    /// [`AnalysisError`] naming the setting to change.
    pub fn check(&self) -> Result<(), AnalysisError> {
        self.recipe.check()?;
        if self.k > self.recipe.bits {
            return Err(AnalysisError::Refused(format!(
                "distance {} is more than the {} bits of a fingerprint; use a smaller `k` or more `bits`",
                self.k, self.recipe.bits
            )));
        }
        self.layout(0)?;
        Ok(())
    }

    /// The expected number of pairs within k among `n` distinct fingerprints by chance alone.
    pub fn accidental_pairs(&self, n: usize) -> f64 {
        distances::expected_pairs(n as u64, self.k, self.recipe.bits)
    }

    /// Checks that chance alone does not bring more pairs than this among `n` distinct fingerprints:
    /// [`MOST_ACCIDENTAL_PAIRS`] to keep, or [`MOST_STREAMED_PAIRS`] to stream.
    ///
    /// # Errors
    /// [`AnalysisError::Refused`] if it brings more.
    pub fn check_pairs(&self, n: usize, most: f64) -> Result<(), AnalysisError> {
        let pairs = self.accidental_pairs(n);
        if pairs <= most {
            return Ok(());
        }
        Err(AnalysisError::Refused(format!(
            "distance {} would bring about {} pairs by chance alone; use a smaller `k` or more `bits`",
            self.k,
            grouped(pairs as u64)
        )))
    }

    /// The tables for `n` distinct fingerprints.
    ///
    /// # Errors
    /// [`LayoutError`] if the choice cannot be cut or cannot guarantee k.
    pub fn layout(&self, n: usize) -> Result<Layout, LayoutError> {
        self.layout.layout(n, self.recipe.bits, self.k)
    }
}

/// The reason why an analysis ended without a result.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// It was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The corpus could not be read.
    #[error(transparent)]
    Corpus(CorpusError),
    /// The recipe contradicts itself.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// The layout cannot be cut, or cannot guarantee k.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The corpus has too many near pairs to keep.
    #[error(
        "more than {most} pairs within {k} are too many to keep; use a smaller `k`, or run `simscope groups`"
    )]
    TooMuchAlike {
        /// The distance asked for.
        k: u32,
        /// Pairs of different fingerprints that can be kept.
        most: String,
    },
    /// Cosines need texts, and the corpus has no texts.
    #[error("the corpus holds no text to compare; evaluate one with text")]
    NoTexts,
    /// The exact join would take more than some minutes.
    #[error(
        "to find every true pair would take one core more than ten minutes; use a larger `tau`, or judged \
         pairs with `truth`"
    )]
    TruthOutOfReach,
    /// There are too many true pairs to keep.
    #[error(transparent)]
    Truth(TruthError),
    /// Another reason, which names the setting to change.
    #[error("{0}")]
    Refused(String),
    /// Some texts could not be read a second time.
    #[error(
        "{} cannot be read a second time ({}), so figures would be wrong; run it again when no program \
         writes to these files, or leave them out",
        counted(*.n_documents, "document"),
        .diagnostics[0]
    )]
    Unread {
        /// The number of documents.
        n_documents: u64,
        /// The reasons, one or more.
        diagnostics: Vec<Diagnostic>,
    },
    /// Fingerprints in the corpus were made under another recipe, or under different ones.
    #[error("{0}")]
    OtherRecipe(String),
    /// Complete linkage would take too much memory.
    #[error(transparent)]
    Linkage(#[from] TooManyPartPairs),
}

impl AnalysisError {
    /// Returns an error if a document could not be read again. Call it before a figure is reported that depends on
    /// the second reading.
    pub(crate) fn require_all_read(corpus: &Corpus) -> Result<(), Self> {
        match corpus.n_unread() {
            0 => Ok(()),
            n_documents => Err(Self::Unread { n_documents, diagnostics: corpus.unread() }),
        }
    }

    /// Returns an error if fingerprints in the corpus are known to be of another recipe than this one: their
    /// distances would mean nothing.
    pub(crate) fn require_recipe(corpus: &Corpus, ours: &Recipe) -> Result<(), Self> {
        let mut first: Option<(&CarriedRecipe, String)> = None;
        for carried in corpus.carried_recipes() {
            let CarriedRecipe { file, .. } = carried;
            let recipe = parsed(carried)?;
            match &first {
                Some((other, of_other)) if *of_other != recipe => {
                    return Err(Self::OtherRecipe(format!(
                        "{} and {file} hold fingerprints of different recipes, {of_other} and {recipe}; give files of \
                         one recipe",
                        other.file
                    )));
                }
                Some(_) => {}
                None => first = Some((carried, recipe)),
            }
        }
        match first {
            Some((CarriedRecipe { file, place, .. }, recipe)) if recipe != ours.to_string() => {
                let recipe = recipe.replace('\'', r"'\''");
                Err(Self::OtherRecipe(format!(
                    "{file}: its fingerprints are of another recipe, as {place} says; give `recipe` '{recipe}'"
                )))
            }
            _ => Ok(()),
        }
    }

    /// Returns an error if the reference holds fingerprints whose weights depend on the corpus that they were made
    /// with.
    pub(crate) fn require_texts_of_reference(corpus: &Corpus, ours: &Recipe) -> Result<(), Self> {
        if !ours.counts_frequencies() {
            return Ok(());
        }
        let mut reference = (corpus.n_first()..corpus.len()).map(DocId::from);
        match reference.find(|document| corpus.flags(*document).is_fingerprint_only()) {
            Some(document) => Err(Self::OtherRecipe(format!(
                "{}: fingerprints of the reference under {} depend on the corpus they were made with; name the texts \
                 instead",
                corpus.place(document),
                ours.weights
            ))),
            None => Ok(()),
        }
    }
}

/// The recipe that a place names, in full.
fn parsed(carried: &CarriedRecipe) -> Result<String, AnalysisError> {
    let CarriedRecipe { file, place, line } = carried;
    // Metadata has no path of its own.
    let file = if place == ITS_METADATA { format!("{file}: ") } else { String::new() };
    if line.is_empty() {
        return Err(AnalysisError::OtherRecipe(format!(
            "{file}{place}: no recipe can be read there; write it again, or move it away"
        )));
    }
    let recipe: Recipe = line.parse().map_err(|problem| {
        AnalysisError::OtherRecipe(format!("{file}{place}: {problem}; mend it, or move it away"))
    })?;
    Ok(recipe.to_string())
}

impl From<CorpusError> for AnalysisError {
    fn from(error: CorpusError) -> Self {
        match error {
            CorpusError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            other => Self::Corpus(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_alike_says_what_to_do_in_a_status_row() {
        let most = grouped(MOST_KEPT_PAIRS as u64);
        let refusal = AnalysisError::TooMuchAlike { k: 6, most };
        let expected = "more than 100,000,000 pairs within 6 are too many to keep; use a smaller `k`, or \
                        run `simscope groups`";
        assert_eq!(refusal.to_string(), expected);
    }

    #[test]
    fn streams_are_refused_later_than_what_is_kept() {
        let settings = |k, layout| Settings { k, layout, ..Settings::default() };
        let bands = LayoutChoice::Bands { bands: 4, bits: 16 };
        // (k, layout, kept, streamed) among ten million
        let table = [
            (8, LayoutChoice::Auto, true, true),
            (14, LayoutChoice::Auto, false, true),
            (14, bands, false, true),
            (20, bands, false, false),
            (20, LayoutChoice::Auto, false, false),
        ];
        for (k, layout, kept, streamed) in table {
            let settings = settings(k, layout);
            let found = [MOST_ACCIDENTAL_PAIRS, MOST_STREAMED_PAIRS]
                .map(|most| settings.check_pairs(10_000_000, most));
            assert_eq!(found.each_ref().map(Result::is_ok), [kept, streamed], "{k} {layout:?}");
            for refusal in found.into_iter().filter_map(Result::err) {
                let (text, start) =
                    (refusal.to_string(), format!("distance {k} would bring about "));
                assert!(text.starts_with(&start), "{text}");
                assert!(
                    text.ends_with("by chance alone; use a smaller `k` or more `bits`"),
                    "{text}"
                );
            }
        }
    }
}
