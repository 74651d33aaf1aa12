//! Whether two texts are *alike*, judged by the texts themselves and not by the recipe under test.
//!
//! A recipe that weighs a feature too much makes unlike texts near, and the cosine of its own weights then says that
//! they are alike. So the evidence for k, a layout or a recipe, and the check before a document is dropped, come from
//! features that the recipe does not choose: the set of word shingles of each text, each shingle once, whatever its
//! count.
//!
//! ```text
//! alike    cosine of the sets |A and B| / sqrt(|A| |B|) >= tau     evidence for k, layouts, recipes
//! shared   containment        |A and B| / |A|, A being the dropped   check of a drop
//! ```

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::batch::{self, FirstPass};
use super::{Analysis, AnalysisError, Job};
use crate::choice::choice;
use crate::corpus::{Content, Corpus};
use crate::feature::{Shingling, Weighting};
use crate::id::DocId;
use crate::index::{Distinct, DocumentPair};
use crate::progress::{Cancelled, Progress};
use crate::simhash::{Fingerprinter, Recipe, Scratch};

/// The default of tau, the least cosine of texts that are alike.
pub const DEFAULT_TAU: f64 = 0.8;
/// The most shingles of texts that [`ShingleSets`] keep, at 8 bytes each.
const MOST_KEPT: usize = 1 << 22;

choice! {
    /// The weights under which the cosine of two texts is taken.
    pub enum AlikeBy, "measure of alike texts" {
        /// Sets of word shingles: each shingle weighs 1, whatever the recipe.
        #[default]
        Set = "set",
        /// Single words weighted by tf-idf, as in the lab's table, whatever the recipe.
        TfIdf = "tf-idf",
        /// The features and weights of the recipe itself.
        Recipe = "recipe",
    }
}

/// The definition of texts that are alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alike {
    /// The weights of their features.
    pub by: AlikeBy,
    /// Their features; `None` for those that are usual for the weights.
    pub features: Option<Shingling>,
    /// The least cosine: above 0, at most 1.
    pub tau: f64,
}

impl Default for Alike {
    fn default() -> Self {
        Self { by: AlikeBy::default(), features: None, tau: DEFAULT_TAU }
    }
}

impl Alike {
    /// The recipe whose features and weights decide, if `own` is the recipe under test.
    pub fn recipe(&self, own: &Recipe) -> Recipe {
        let usual = Recipe::default();
        let recipe = match self.by {
            AlikeBy::Set => Recipe { weights: Weighting::Binary, ..usual },
            AlikeBy::TfIdf => {
                Recipe { weights: Weighting::TfIdf, features: Shingling::Words(1), ..usual }
            }
            AlikeBy::Recipe => own.clone(),
        };
        Recipe { features: self.features.unwrap_or(recipe.features), ..recipe }
    }

    /// Extracts the sets by which a drop is checked.
    ///
    /// # Panics
    /// Never: any shingling can be combined with a default recipe.
    pub(super) fn sets(&self) -> Fingerprinter {
        let recipe = Self { by: AlikeBy::Set, ..*self }.recipe(&Recipe::default());
        Fingerprinter::new(&recipe).expect("a default recipe")
    }

    /// The definition in words: `set cosine 0.8 or more of words:3`.
    pub fn describe(&self, own: &Recipe) -> String {
        let recipe = self.recipe(own);
        let weights = match self.by {
            AlikeBy::Set => "set".to_owned(),
            _ => recipe.weights.to_string(),
        };
        format!("{weights} cosine {} or more of {}", self.tau, recipe.features)
    }

    /// Extracts and weighs the features; under tf-idf the document frequencies are counted first, which reads the corpus
    /// once.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, or if the recipe cannot be used.
    pub(super) fn fingerprinter(
        &self,
        analysis: &Analysis,
        job: &Job,
    ) -> Result<Fingerprinter, AnalysisError> {
        if self.by == AlikeBy::Recipe && self.features.is_none() {
            return Ok(analysis.fingerprinter.clone());
        }
        let recipe = self.recipe(&analysis.settings.recipe);
        let fingerprinter = Fingerprinter::before_frequencies(&recipe)?;
        if !recipe.counts_frequencies() {
            return Ok(fingerprinter);
        }
        let first_pass = FirstPass::over(&analysis.corpus, 0, &fingerprinter, job)?;
        Ok(fingerprinter.with_frequencies(Arc::new(first_pass.finish().0)))
    }
}

/// Tells how similar two texts are.
#[derive(Debug)]
pub enum SimilarTexts {
    /// By the pairs that were measured: the different texts, and the cosine of every two of them that are at least as
    /// similar as asked for, the smaller number first.
    Measured(Distinct<u128>, HashMap<[u32; 2], f64>),
    /// By reading both texts and comparing these features.
    Compared(Fingerprinter),
}

impl SimilarTexts {
    /// The cosine of each pair, in order; `None` if a text is not known or has no features, or if they are known to be
    /// less similar than asked for.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn cosines(
        &self,
        analysis: &Analysis,
        pairs: &[DocumentPair],
        job: &Job,
    ) -> Result<Vec<Option<f64>>, Cancelled> {
        let (texts, known) = match self {
            Self::Compared(by) => return analysis.cosines_by(by, pairs, job),
            Self::Measured(texts, known) => (texts, known),
        };
        job.progress.check()?;
        let cosine = |pair: &DocumentPair| {
            let [a, b] = [texts.entry_of(pair.a)?, texts.entry_of(pair.b)?];
            if a == b { Some(1.0) } else { known.get(&[a.min(b), a.max(b)]).copied() }
        };
        Ok(pairs.par_iter().map(cosine).collect())
    }
}

/// The share of a set `a` that another one has, 0 to 1: |A and B| / |A|. Both are ascending and without repetition. 0 if
/// `a` is empty.
///
/// It is not the share of the smaller set: a text of one phrase shares all of that with any text that repeats the phrase,
/// and has none of its other words. Costs one step for each element.
///
/// Source: Broder, "On the resemblance and containment of documents" (1997).
pub fn containment(a: &[u64], b: &[u64]) -> f64 {
    let (mut i, mut j, mut shared) = (0, 0, 0_usize);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        shared += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    shared as f64 / a.len().max(1) as f64
}

impl Analysis {
    /// For each pair the share of the text of `b` that `a` has, 0 to 1; `None` if a text is not known or has no words.
    /// Reads both texts.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn shares(&self, pairs: &[DocumentPair], job: &Job) -> Result<Vec<Option<f64>>, Cancelled> {
        let by = self.settings.alike.sets();
        let share = |sets: &mut ShingleSets<'_>, pair: &DocumentPair| {
            job.progress.check().map(|()| sets.shared(pair.a, pair.b))
        };
        pairs.par_iter().map_init(|| ShingleSets::new(self, &by), share).collect()
    }

    /// The least similarity of the texts of a pair, if one is asked for.
    pub fn similarity(&self) -> Option<f64> {
        self.similar_texts.as_ref().map(|_| self.settings.alike.tau)
    }

    /// Whether the texts of two documents are similar; always, if none asked for that.
    pub(super) fn are_similar(&self, [a, b]: [DocId; 2]) -> bool {
        self.similar_texts.as_ref().is_none_or(|similar| {
            let pair = DocumentPair { a, b, distance: 0 };
            let cosine = similar.cosines(self, &[pair], &Job::new());
            self.is_similar(cosine.ok().and_then(|found| found[0]))
        })
    }

    /// Whether [`Analysis::are_similar`] reads no text.
    pub(super) fn has_measured_similarity(&self) -> bool {
        !matches!(self.similar_texts.as_deref(), Some(SimilarTexts::Compared(_)))
    }
}

/// The sets of shingles of some texts, by which a drop is checked. A text is read when it is first asked for. Sets are
/// kept until they have [`MOST_KEPT`] shingles together; then their texts are read again.
pub(super) struct ShingleSets<'a> {
    corpus: &'a Corpus,
    known: &'a KnownShares,
    fingerprinter: &'a Fingerprinter,
    scratch: Scratch,
    sets: HashMap<DocId, Option<Arc<[u64]>>>,
    n_kept: usize,
}

impl<'a> ShingleSets<'a> {
    pub(super) fn new(analysis: &'a Analysis, fingerprinter: &'a Fingerprinter) -> Self {
        let (corpus, known) = (&analysis.corpus, &*analysis.known_shares);
        let (scratch, sets) = (Scratch::default(), HashMap::new());
        Self { corpus, known, fingerprinter, scratch, sets, n_kept: 0 }
    }

    /// The share of the text of a document that a kept one has, 0 to 1; `None` if a text is not known or has no words.
    pub(super) fn shared(&mut self, kept: DocId, document: DocId) -> Option<f64> {
        let known = self.known;
        known.of([kept, document], || self.compare(kept, document))
    }

    fn compare(&mut self, kept: DocId, document: DocId) -> Option<f64> {
        let [set, other] = [self.set(kept)?, self.set(document)?];
        (!set.is_empty() && !other.is_empty()).then(|| containment(&other, &set))
    }

    fn set(&mut self, document: DocId) -> Option<Arc<[u64]>> {
        if let Some(known) = self.sets.get(&document) {
            return known.clone();
        }
        let set = self.read(document);
        if self.n_kept >= MOST_KEPT {
            self.sets.clear();
            self.n_kept = 0;
        }
        self.n_kept += set.as_ref().map_or(1, |set| set.len());
        self.sets.insert(document, set.clone());
        set
    }

    fn read(&mut self, document: DocId) -> Option<Arc<[u64]>> {
        let Ok(Content::Text(text)) = self.corpus.read(document) else { return None };
        let _share = batch::share_of_long_texts(text.len());
        let features = self.fingerprinter.try_features(&text, &mut self.scratch, &Progress::new());
        let mut keys = features.ok()?.keys().to_vec();
        keys.sort_unstable();
        Some(keys.into())
    }
}

/// The most pairs whose share of text is remembered, at some 40 bytes each.
const MOST_SHARES: usize = 1 << 20;

/// The share of the text of a document that a kept one has, for a million pairs at most.
#[derive(Debug, Default)]
pub struct KnownShares(Mutex<HashMap<[DocId; 2], Option<f64>>>);

impl KnownShares {
    /// The share for a pair; `compare` computes it if it is not known.
    pub(super) fn of(
        &self,
        pair: [DocId; 2],
        compare: impl FnOnce() -> Option<f64>,
    ) -> Option<f64> {
        let all = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&known) = all().get(&pair) {
            return known;
        }
        let share = compare();
        let mut known = all();
        if known.len() < MOST_SHARES {
            known.insert(pair, share);
        }
        share
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use proptest::prelude::*;

    use super::*;
    use crate::analysis::dedup::{Decisions, DropRule};
    use crate::analysis::{AnalysisDepth, AnalysisInput, Settings, run_to};
    use crate::corpus::{Input, LoadOptions};

    #[test]
    fn shares_of_sets_are_those_by_hand() {
        assert_eq!(containment(&[2, 9], &[1, 2, 3, 9]), 1.0);
        assert_eq!(containment(&[1, 2, 3, 9], &[2, 9]), 0.5);
        assert_eq!(containment(&[1, 2, 3, 9], &[2, 5, 7, 9]), 0.5);
        assert_eq!((containment(&[1], &[2]), containment(&[], &[2])), (0.0, 0.0));
    }

    #[test]
    fn a_definition_names_weights_and_features() {
        let own: Recipe = "chars:5 tf".parse().unwrap();
        let alike = |by| Alike { by, ..Alike::default() };
        let table = [
            (alike(AlikeBy::Set), "set cosine 0.8 or more of words:3"),
            (alike(AlikeBy::TfIdf), "tf-idf cosine 0.8 or more of words:1"),
            (alike(AlikeBy::Recipe), "tf cosine 0.8 or more of chars:5"),
        ];
        for (alike, expected) in table {
            assert_eq!(alike.describe(&own), expected);
        }
        let given = Alike { features: Some(Shingling::Words(2)), tau: 0.5, ..Alike::default() };
        assert_eq!(given.describe(&own), "set cosine 0.5 or more of words:2");
    }

    /// The decisions on these texts by these weights at k.
    fn decided(texts: impl Iterator<Item = String>, weights: &str, k: u32) -> Decisions {
        let mut rows = String::new();
        texts.for_each(|text| writeln!(rows, "{{\"text\": \"{text}\"}}").unwrap());
        let bytes = rows.into_bytes().leak();
        let input = Input::Bundled { name: "rows.jsonl", bytes };
        let work = AnalysisInput::Load(vec![input], LoadOptions::default(), None);
        let recipe = format!("words:3 {weights}").parse().unwrap();
        let (settings, job) = (Settings { recipe, k, ..Settings::default() }, Job::new());
        let analysis = run_to(AnalysisDepth::Pairs, work, settings, &job, &mut |_| {}).unwrap();
        let (index, near) = (analysis.index.as_deref().unwrap(), analysis.near.as_deref().unwrap());
        analysis.decide(&index.groups(near, k), &DropRule::default(), &job).unwrap()
    }

    /// A text of one phrase keeps no text that repeats the phrase and has words of its own.
    #[test]
    fn a_phrase_alone_stands_for_no_longer_text() {
        let own = |text: usize, n: usize| (0..n).map(move |word| format!("own{text}x{word} "));
        let phrase = "0x00 ".repeat(3000);
        for weights in ["log-tf", "tf"] {
            let texts = [0, 10, 20].map(|n| own(n, n).collect::<String>() + &phrase);
            let found = decided(texts.into_iter(), weights, 16);
            assert!(found.dropped.is_empty(), "{weights}: {:?}", found.dropped);
            assert_eq!(found.spared.len(), 2, "{weights}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        /// Texts of one phrase, and more than twice as many words of their own, are not dropped for one another, however
        /// often the phrase is repeated and whatever a feature weighs.
        #[test]
        fn a_repeated_phrase_drops_no_text(
            p in 1..8_usize,
            repeats in prop::collection::vec(1..10_000_usize, 2..5),
            more in 0..20_usize,
            weights in prop::sample::select(vec!["tf", "log-tf", "binary", "tf-idf"]),
            k in 0..33_u32,
        ) {
            let texts = repeats.iter().enumerate().map(|(text, n)| {
                let phrase = (0..p).map(|word| format!("same{word} ")).collect::<Vec<_>>().concat();
                let own = (0..2 * p + 6 + more).map(|word| format!("own{text}x{word} ")).collect::<Vec<_>>().concat();
                phrase.repeat(*n) + &own
            });
            let decisions = decided(texts, weights, k);
            prop_assert!(decisions.dropped.is_empty(), "{:?}", decisions.dropped);
        }
    }
}
