//! Applies a recipe: text in, fingerprint out.
//!
//! Costs one pass over the text, then a hash, a look-up in a small table and the votes for each shingle.
//! [`Fingerprinter::feature_votes`] does the same work and keeps the names of features, for explanations; a test
//! compares the two. Weights that need document frequencies take two passes over a corpus. [`Features`] keeps the
//! features of a document between them, so that the second pass need not read the text again.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::count::FeatureCounter;
use super::fingerprint::mask;
use super::hash::FeatureHash;
use super::{
    FeatureVotes, Features, Fingerprint, FingerprintRecord, Recipe, RecipeError, WeightedFeature,
    weighing,
};
use crate::feature::{DocumentFrequencies, FixedWeight, FrequencyCounter, Shingling};
use crate::kernel::Slices;
use crate::progress::{Cancelled, Progress};
use crate::text::token::whole_characters;
use crate::text::{StopWords, Tokens};

/// Buffers that are reused for the next document.
#[derive(Debug, Default)]
pub struct Scratch {
    tokens: Tokens,
    counter: FeatureCounter,
}

/// A recipe with its stop words and document frequencies, ready to fingerprint.
#[derive(Clone, Debug)]
pub struct Fingerprinter {
    recipe: Recipe,
    stop_words: StopWords,
    hash: FeatureHash,
    frequencies: Option<Arc<DocumentFrequencies>>,
    /// The low words of the hashes of features that are left out.
    ignored: Arc<HashSet<u64>>,
}

impl Fingerprinter {
    /// Prepares a complete recipe.
    ///
    /// Costs microseconds; reuse it for all texts.
    ///
    /// ```
    /// use simscope::{Fingerprinter, Recipe};
    ///
    /// let recipe: Recipe = "words:1 stop=english".parse()?;
    /// let fingerprinter = Fingerprinter::new(&recipe)?;
    /// let fingerprint = fingerprinter.fingerprint("the tide and the pool");
    /// assert_eq!(fingerprint, fingerprinter.fingerprint("tide pool"));
    /// # Ok::<(), simscope::RecipeError>(())
    /// ```
    ///
    /// # Errors
    /// [`RecipeError`] if the recipe contradicts itself, if it names a file that was not read, or if
    /// its weights need document frequencies; then use [`Fingerprinter::for_texts`].
    pub fn new(recipe: &Recipe) -> Result<Self, RecipeError> {
        if recipe.counts_frequencies() {
            recipe.check()?;
            let problem = "tf-idf needs the document frequencies of a corpus; count them, or use other weights";
            return Err(RecipeError(problem.to_owned()));
        }
        Self::before_frequencies(recipe)
    }

    /// Prepares a recipe before document frequencies are counted. Under tf-idf its features are the input of that
    /// count; before [`Fingerprinter::with_frequencies`] every feature has the inverse document frequency 1.
    ///
    /// # Errors
    /// [`RecipeError`] if the recipe contradicts itself, or if its stop words are in a file that was not read.
    pub fn before_frequencies(recipe: &Recipe) -> Result<Self, RecipeError> {
        recipe.check()?;
        let stop_words = recipe.stop.words()?;
        let hash = FeatureHash::new(recipe.hash, recipe.seed, recipe.bits);
        let (frequencies, ignored) = (None, Arc::default());
        let mut prepared = Self { recipe: recipe.clone(), stop_words, hash, frequencies, ignored };
        if let Some(file) = &recipe.ignore {
            let not_read = || RecipeError::not_read("ignore", file.path(), "text");
            let template = &file.content().ok_or_else(not_read)?.0;
            let mut scratch = Scratch::default();
            // It is never cancelled.
            let features = prepared.try_features(template, &mut scratch, &Progress::new());
            let keys = features.iter().flat_map(Features::keys).copied();
            prepared.ignored = Arc::new(keys.collect());
        }
        let Some(file) = &recipe.frequencies else { return Ok(prepared) };
        let not_read = || RecipeError::not_read("frequencies", file.path(), "content");
        Ok(prepared.with_frequencies(file.content().cloned().ok_or_else(not_read)?))
    }

    /// Prepares a recipe for a corpus. If its weights need document frequencies, they are counted in these texts:
    /// each text is then split into features once more than by [`Fingerprinter::new`], on one core, and each
    /// distinct feature takes 16 to 32 bytes.
    ///
    /// ```
    /// use simscope::{Fingerprinter, Recipe};
    ///
    /// let texts = ["the tide", "the pool", "the crab"];
    /// let recipe: Recipe = "words:1 tf-idf".parse()?;
    /// let fingerprinter = Fingerprinter::for_texts(&recipe, texts)?;
    /// // "the" is in each text: "tide" outweighs it.
    /// assert_eq!(fingerprinter.fingerprint("the tide"), fingerprinter.fingerprint("tide"));
    /// # Ok::<(), simscope::RecipeError>(())
    /// ```
    ///
    /// # Errors
    /// [`RecipeError`] if the recipe contradicts itself, or if its stop words are in a file that was not read.
    pub fn for_texts<T: AsRef<str>>(
        recipe: &Recipe,
        texts: impl IntoIterator<Item = T>,
    ) -> Result<Self, RecipeError> {
        let fingerprinter = Self::before_frequencies(recipe)?;
        if !recipe.counts_frequencies() {
            return Ok(fingerprinter);
        }
        let (mut counter, mut scratch) = (FrequencyCounter::new(), Scratch::default());
        let progress = Progress::new();
        for text in texts {
            let features = fingerprinter.try_features(text.as_ref(), &mut scratch, &progress);
            // Always `Ok`, because `progress` is never cancelled.
            if let Ok(features) = features {
                counter.count(&[features.keys()], &progress);
            }
        }
        Ok(fingerprinter.with_frequencies(Arc::new(counter.finish())))
    }

    /// The recipe.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Whether it can fingerprint: tf-idf needs the corpus's document frequencies.
    pub fn is_ready(&self) -> bool {
        self.frequencies.is_some() || !self.recipe.weights.needs_frequencies()
    }

    /// The document frequencies, if it has any.
    pub fn frequencies(&self) -> Option<&DocumentFrequencies> {
        self.frequencies.as_deref()
    }

    /// The same recipe with these document frequencies.
    #[must_use]
    pub fn with_frequencies(mut self, mut frequencies: Arc<DocumentFrequencies>) -> Self {
        if frequencies.cut() != self.recipe.cut {
            Arc::make_mut(&mut frequencies).set_cut(self.recipe.cut);
        }
        self.frequencies = Some(frequencies);
        self
    }

    /// The fingerprint of a text and the numbers stored with it.
    pub fn record(&self, text: &str, scratch: &mut Scratch) -> FingerprintRecord {
        let record = self.try_record(text, scratch, &Progress::new());
        record.unwrap_or_else(|_| FingerprintRecord::unreadable())
    }

    /// [`Fingerprinter::record`] with a check for cancellation every few milliseconds, however long the text (but
    /// cutting a text into characters is one step).
    ///
    /// # Errors
    /// [`Cancelled`] after [`Progress::cancel`].
    pub fn try_record(
        &self,
        text: &str,
        scratch: &mut Scratch,
        progress: &Progress,
    ) -> Result<FingerprintRecord, Cancelled> {
        let Scratch { tokens, counter } = scratch;
        let features = self.count(text, tokens, counter, progress)?;
        self.record_features(features, progress)
    }

    /// The first half of [`Fingerprinter::try_record`]: the work that needs no document frequencies.
    ///
    /// # Errors
    /// [`Cancelled`] after [`Progress::cancel`].
    pub fn try_features(
        &self,
        text: &str,
        scratch: &mut Scratch,
        progress: &Progress,
    ) -> Result<Features, Cancelled> {
        self.count(text, &mut scratch.tokens, &mut scratch.counter, progress).cloned()
    }

    /// The second half of [`Fingerprinter::try_record`]. `features` must come from a fingerprinter of the same
    /// recipe.
    ///
    /// # Errors
    /// [`Cancelled`] after [`Progress::cancel`].
    pub fn record_features(
        &self,
        features: &Features,
        progress: &Progress,
    ) -> Result<FingerprintRecord, Cancelled> {
        weighing::fingerprint(&self.recipe, self.table(), features, progress)
    }

    /// The record of features that another program hashed, 64 bits and a weight each; a hash that comes again weighs
    /// more. Of the recipe only width, up to 64 bits, and tie rule count. Weights are at least 0, and add up to less
    /// than 2^42.
    ///
    /// # Panics
    /// If the recipe has more than 64 bits.
    pub fn record_hashes(&self, hashes: &[(u64, f64)]) -> FingerprintRecord {
        assert!(self.recipe.bits <= 64, "a hash has 64 bits");
        weighing::of_hashes(&self.recipe, hashes)
    }

    /// The fingerprint of a text; `None` if it has no features.
    pub fn fingerprint(&self, text: &str) -> Option<Fingerprint> {
        self.record(text, &mut Scratch::default()).fingerprint
    }

    /// Every feature of a text with its name, hash, weight and votes.
    pub fn feature_votes(&self, text: &str) -> FeatureVotes {
        let tokens = self.tokens(text);
        let mut features: Vec<WeightedFeature> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        let shingles = self.shingles(&tokens);
        let keys: Vec<u64> = match &*self.ignored {
            none if none.is_empty() => Vec::new(),
            _ => shingles.iter().map(|it| self.key(it)).collect(),
        };
        let is_kept = self.kept(&keys);
        for (at, shingle) in shingles.iter().map(whole_characters).enumerate() {
            if is_kept.get(at) == Some(&false) {
                continue;
            }
            let at = *places.entry(shingle).or_insert_with(|| {
                let (hash, weight) = (self.hash.hash(shingle.as_bytes()), FixedWeight::default());
                features.push(WeightedFeature {
                    shingle: shingle.to_owned(),
                    count: 0,
                    hash,
                    weight,
                });
                features.len() - 1
            });
            features[at].count += 1;
        }
        for feature in &mut features {
            feature.weight = self.weigh(feature.hash as u64, feature.count);
            feature.hash &= mask(self.recipe.bits);
        }
        let n_tokens = tokens.len() as u32;
        FeatureVotes { n_tokens, ..FeatureVotes::of(features, self.recipe.bits) }
    }

    /// The tokens of a text.
    fn tokens(&self, text: &str) -> Tokens {
        let mut tokens = Tokens::default();
        // It is never cancelled.
        let _ = self.tokenize(text, &mut tokens, &Progress::new());
        tokens
    }

    /// Fills `tokens` with the tokens of a text.
    fn tokenize(
        &self,
        text: &str,
        tokens: &mut Tokens,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        let rule = self.recipe.token_rule();
        match self.recipe.features {
            Shingling::Words(_) => tokens.take_words(text, rule, &self.stop_words, progress),
            Shingling::Chars(_) => {
                tokens.take_characters(text, rule);
                Ok(())
            }
        }
    }

    fn shingles<'a>(&self, tokens: &'a Tokens) -> Slices<'a> {
        self.recipe.short.shingles(tokens, self.recipe.features.size())
    }

    /// Counts the features of a text.
    fn count<'a>(
        &self,
        text: &str,
        tokens: &mut Tokens,
        counter: &'a mut FeatureCounter,
        progress: &Progress,
    ) -> Result<&'a Features, Cancelled> {
        self.tokenize(text, tokens, progress)?;
        counter.features.n_tokens = tokens.len() as u32;
        let shingles = self.shingles(tokens);
        let (low, high) = counter.begin();
        low.reserve(shingles.len());
        for some in shingles.chunks(CHECK_INTERVAL) {
            progress.check()?;
            // One loop for each function, so that the inner loop does not choose one.
            if let FeatureHash::Sip13(sip) = &self.hash {
                sip.hash_each(some, low);
                continue;
            }
            for hash in some.iter().map(|it| self.hash.hash(it)) {
                low.push(hash as u64);
                high.extend((self.recipe.bits > u64::BITS).then_some((hash >> 64) as u64));
            }
        }
        if !self.ignored.is_empty() {
            let is_kept = self.kept(counter.features.keys());
            counter.keep(&is_kept);
        }
        counter.count(progress)?;
        Ok(&counter.features)
    }

    /// For each shingle of a text, given by the low words of their hashes, whether it is a feature: none of the template is,
    /// and no other that shares a word with one of these, so that what is left has the features that it has alone.
    /// Characters are shared by chance, so under them only the template's own shingles go.
    fn kept(&self, low: &[u64]) -> Vec<bool> {
        let mut is_kept = vec![true; low.len()];
        let reach = match self.recipe.features {
            Shingling::Words(size) => size - 1,
            Shingling::Chars(_) => 0,
        };
        for (at, _) in low.iter().enumerate().filter(|(_, key)| self.ignored.contains(key)) {
            let end = (at + reach + 1).min(low.len());
            is_kept[at.saturating_sub(reach)..end].fill(false);
        }
        is_kept
    }

    /// For each line of a text whether all its words lie in shingles of the template. None does under features of
    /// characters.
    pub fn ignored_lines(&self, lines: &[String]) -> Vec<bool> {
        if self.ignored.is_empty() || !matches!(self.recipe.features, Shingling::Words(_)) {
            return vec![false; lines.len()];
        }
        let all = self.tokens(&lines.join("\n"));
        let (mut is_ignored, size) = (vec![false; all.len()], self.recipe.features.size());
        for (at, shingle) in self.shingles(&all).iter().enumerate() {
            if self.ignored.contains(&self.key(shingle)) {
                let end = (at + size).min(is_ignored.len());
                is_ignored[at..end].fill(true);
            }
        }
        let mut start = 0;
        let is_line_ignored = |line: &String| {
            let end = start + self.tokens(line).len();
            let here = is_ignored.get(start..end).unwrap_or_default();
            start = end;
            !here.is_empty() && !here.contains(&false)
        };
        lines.iter().map(is_line_ignored).collect()
    }

    /// The low word of a shingle's hash.
    fn key(&self, shingle: &[u8]) -> u64 {
        self.hash.hash(whole_characters(shingle).as_bytes()) as u64
    }

    /// The document frequencies, if the weights use them.
    fn table(&self) -> Option<&DocumentFrequencies> {
        self.frequencies.as_deref().filter(|_| self.recipe.weights.needs_frequencies())
    }

    pub(crate) fn weigh(&self, key: u64, count: u32) -> FixedWeight {
        let idf = self.table().map_or(1.0, |table| table.inverse(key));
        self.recipe.weights.weigh(count, idf)
    }
}

/// Shingles between two checks for cancellation.
const CHECK_INTERVAL: usize = 1 << 17;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::Weighting;

    fn fingerprinter(line: &str) -> Fingerprinter {
        Fingerprinter::before_frequencies(&line.parse().unwrap()).unwrap()
    }

    #[test]
    fn no_features_is_a_state_and_not_fingerprint_zero() {
        for text in ["", "  \n", "... !?"] {
            let record = fingerprinter("words:3").record(text, &mut Scratch::default());
            assert_eq!(
                (record.fingerprint, record.n_features, record.n_ties),
                (None, 0, 0),
                "{text:?}"
            );
        }
    }

    #[test]
    fn a_long_text_stops_when_told_to() {
        let text = "the tide and the pool ".repeat(200_000);
        // There are checks after 5 portions of words, 8 of shingles that are hashed and 8 that are counted: the
        // job stops at each of them, or ends.
        for (most, stops) in (1..=21).map(|most| (most, true)).chain([(100, false)]) {
            let progress = Progress::cancelled_at_check(most);
            let record =
                fingerprinter("words:3").try_record(&text, &mut Scratch::default(), &progress);
            assert_eq!(record.is_err(), stops);
            assert!(if stops { progress.n_checks() == most } else { progress.n_checks() > 21 });
        }
    }

    /// The job can be stopped at every check.
    #[test]
    fn weighing_a_long_document_stops_when_asked_to() {
        let words: Vec<String> = (0..200_000).map(|n| format!("w{n}")).collect();
        let words = words.join(" ") + " w1 w2";
        for line in ["words:1 tf", "words:1 tf-idf", "words:1 tf-idf bits=128"] {
            let mut weighing = fingerprinter(line);
            let mut scratch = Scratch::default();
            let features = weighing.try_features(&words, &mut scratch, &Progress::new()).unwrap();
            let mut counter = FrequencyCounter::new();
            counter.count(&[features.keys()], &Progress::new());
            weighing = weighing.with_frequencies(Arc::new(counter.finish()));
            // Four portions of features, one of repeats.
            for (most, stops) in [(1, true), (4, true), (5, true), (6, false)] {
                let progress = Progress::cancelled_at_check(most);
                let found = weighing.record_features(&features, &progress);
                let n_checks = progress.n_checks();
                assert_eq!((found.is_err(), n_checks), (stops, most.min(5)), "{line}");
            }
        }
    }

    #[test]
    fn features_that_no_document_of_the_corpus_holds_are_the_rarest() {
        let counting = fingerprinter("words:1 tf-idf");
        let mut scratch = Scratch::default();
        let text = "the tide and the pool";
        let features = counting.try_features(text, &mut scratch, &Progress::new()).unwrap();
        let mut counter = FrequencyCounter::new();
        counter.count(&[features.keys()], &Progress::new());
        let weighing = counting.with_frequencies(Arc::new(counter.finish()));
        let (record, feature_votes) =
            (weighing.record("the crab", &mut scratch), weighing.feature_votes("the crab"));
        assert_eq!(record.fingerprint, feature_votes.fingerprint(weighing.recipe()));
        assert!(feature_votes.features[1].weight > feature_votes.features[0].weight);
    }

    #[test]
    fn repeated_shingles_are_counted_once_with_their_number() {
        let found = fingerprinter("words:2").feature_votes("The tide, the TIDE").features;
        let counted: Vec<_> = found.iter().map(|it| (it.shingle.as_str(), it.count)).collect();
        assert_eq!(counted, [("the tide", 2), ("tide the", 1)]);
    }

    #[test]
    fn one_short_text_has_the_hash_of_its_only_shingle() {
        let expected = siphasher::sip::SipHasher13::new_with_keys(0, 0).hash(b"the tide");
        let found = fingerprinter("words:3").fingerprint("The TIDE!").unwrap();
        assert_eq!(found.bits(), u128::from(expected));
    }

    #[test]
    fn a_feature_heavier_than_the_rest_together_dominates() {
        let weighty = fingerprinter("words:1");
        let record = weighty.record("tide tide tide pool crab", &mut Scratch::default());
        assert!(record.dominated);
        assert_eq!(record.fingerprint, weighty.fingerprint("tide"));
        assert!(!weighty.record("tide pool", &mut Scratch::default()).dominated);
        assert!(weighty.record("tide", &mut Scratch::default()).dominated, "the only one");
    }

    fn ignoring(line: &str, template: &str) -> Fingerprinter {
        let mut recipe: Recipe = line.parse().unwrap();
        let mut file = crate::simhash::TemplateFile::new("menu.txt", None);
        file.read(crate::simhash::Template(template.into())).unwrap();
        recipe.ignore = Some(file);
        Fingerprinter::before_frequencies(&recipe).unwrap()
    }

    /// The features of a template are no features, by the fast path and by the named one.
    #[test]
    fn a_text_among_templates_has_the_features_that_none_of_them_has() {
        let (menu, text) = ("Home | About | Contact us", "the tide and the pool");
        for line in ["words:1", "words:2 binary", "words:3 bits=90", "chars:4", "words:2 tf-idf"] {
            let ignoring = ignoring(line, menu);
            let recipe = ignoring.recipe();
            for text in [text.to_owned(), format!("{menu}\n{text}\n{menu}"), menu.to_owned()] {
                let named = ignoring.feature_votes(&text);
                let record = ignoring.record(&text, &mut Scratch::default());
                assert_eq!(named.fingerprint(recipe), record.fingerprint, "{line} {text}");
                assert_eq!(named.features.len(), record.n_features as usize, "{line} {text}");
            }
            assert_eq!(ignoring.fingerprint(menu), None, "{line}");
            assert_eq!(ignoring.fingerprint(text), fingerprinter(line).fingerprint(text), "{line}");
            let among = ignoring.fingerprint(&format!("{menu}\n{text}\n{menu}"));
            assert!(among == ignoring.fingerprint(text) || line == "chars:4", "{line}");
        }
        let words = ignoring("words:1", menu);
        assert!(words.recipe().to_string().contains(" ignore=menu.txt#"), "{}", words.recipe());
    }

    #[test]
    fn lines_whose_words_lie_in_a_template_are_known() {
        let lines = ["Home", "About us", "the tide and the pool", "", "Home | About us"];
        let lines = lines.map(str::to_owned);
        let found = ignoring("words:2", "home about us").ignored_lines(&lines);
        assert_eq!(found, [true, true, false, false, true]);
        let found = ignoring("words:1", "home about us").ignored_lines(&lines);
        assert_eq!(found, [true, true, false, false, true]);
        assert_eq!(fingerprinter("words:1").ignored_lines(&lines), [false; 5]);
    }

    #[test]
    fn the_named_ballot_agrees_with_the_fast_path() {
        let text = "The cat sat on the mat, and the cat sat on the log. Éa e\u{301}a";
        for features in [Shingling::Words(1), Shingling::Words(3), Shingling::Chars(4)] {
            for &weights in Weighting::ALL {
                for bits in [1, 17, 64, 65, 90, 128] {
                    let recipe = Recipe { features, weights, bits, ..Recipe::default() };
                    let fingerprinter = Fingerprinter::before_frequencies(&recipe).unwrap();
                    let record = fingerprinter.record(text, &mut Scratch::default());
                    let feature_votes = fingerprinter.feature_votes(text);
                    assert_eq!(feature_votes.fingerprint(&recipe), record.fingerprint, "{recipe}");
                    assert_eq!(feature_votes.features.len(), record.n_features as usize);
                    assert_eq!(feature_votes.votes.ties(), u32::from(record.n_ties));
                }
            }
        }
    }
}
