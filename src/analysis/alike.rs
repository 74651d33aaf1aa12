//! Whether two texts are *alike*, judged by the texts themselves and not by the recipe under test.
//!
//! A recipe that weighs a feature too much makes unlike texts near, and the cosine of its own weights then says that
//! they are alike. So the evidence for k, a layout or a recipe, and the check before a document is dropped, come from
//! features that the recipe does not choose: the set of word shingles of each text, each shingle once, whatever its
//! count.
//!
//! ```text
//! alike    cosine of the sets |A and B| / sqrt(|A| |B|) >= tau     evidence for k, layouts, recipes
//! shared   containment        |A and B| / min(|A|, |B|)            check of a drop
//! ```

use std::{collections::HashMap, sync::Arc};

use super::{Analysis, AnalysisError, Job, Stage, batch, triage::FirstPass};
use crate::{
    choice::choice,
    corpus::{Content, Corpus},
    feature::{Shingling, Weighting},
    id::DocId,
    progress::Progress,
    simhash::{Fingerprinter, Recipe, Scratch},
};

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
        let mut first_pass = FirstPass::new(0);
        job.enter(Stage::Count, analysis.len() as u64);
        batch::reread(&analysis.corpus, 0, job, &mut |_, contents| {
            first_pass.add_reread(&fingerprinter, &contents, job);
        })?;
        Ok(fingerprinter.with_frequencies(Arc::new(first_pass.finish().0)))
    }
}

/// The share of the smaller of two sets that the other one has, 0 to 1: |A and B| / min(|A|, |B|). Both sets are ascending
/// and without repetition. 0 if one is empty.
///
/// Costs one step for each element.
pub fn containment(a: &[u64], b: &[u64]) -> f64 {
    let (mut i, mut j, mut shared) = (0, 0, 0_usize);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        shared += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    shared as f64 / a.len().min(b.len()).max(1) as f64
}

/// The sets of shingles of some texts, by which a drop is checked. A text is read when it is first asked for. Kept are
/// sets of [`MOST_KEPT`] shingles together; a larger number of texts is read again.
pub(super) struct ShingleSets<'a> {
    corpus: &'a Corpus,
    fingerprinter: &'a Fingerprinter,
    scratch: Scratch,
    sets: HashMap<DocId, Option<Arc<[u64]>>>,
    n_kept: usize,
}

impl<'a> ShingleSets<'a> {
    pub(super) fn new(corpus: &'a Corpus, fingerprinter: &'a Fingerprinter) -> Self {
        let sets = HashMap::new();
        Self { corpus, fingerprinter, scratch: Scratch::default(), sets, n_kept: 0 }
    }

    /// The share of text that two documents have in common, 0 to 1; `None` if a text is not known.
    pub(super) fn shared(&mut self, one: DocId, other: DocId) -> Option<f64> {
        Some(containment(&self.set(one)?, &self.set(other)?))
    }

    fn set(&mut self, document: DocId) -> Option<Arc<[u64]>> {
        if let Some(known) = self.sets.get(&document) {
            return known.clone();
        }
        if self.n_kept > MOST_KEPT {
            self.sets.clear();
            self.n_kept = 0;
        }
        let set = self.read(document);
        self.n_kept += set.as_ref().map_or(1, |set| set.len());
        self.sets.insert(document, set.clone());
        set
    }

    fn read(&mut self, document: DocId) -> Option<Arc<[u64]>> {
        let Ok(Content::Text(text)) = self.corpus.read(document) else { return None };
        let features = self.fingerprinter.try_features(&text, &mut self.scratch, &Progress::new());
        let mut keys = features.ok()?.keys().to_vec();
        keys.sort_unstable();
        Some(keys.into())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use proptest::prelude::*;

    use super::*;
    use crate::{
        analysis::{AnalysisDepth, AnalysisInput, Settings, dedup::DropRule, run_to},
        corpus::{Input, LoadOptions},
    };

    #[test]
    fn shares_of_sets_are_those_by_hand() {
        assert_eq!(containment(&[1, 2, 3, 9], &[2, 9]), 1.0);
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
            let mut rows = String::new();
            for (text, n) in repeats.iter().enumerate() {
                let phrase = (0..p).map(|word| format!("same{word} ")).collect::<Vec<_>>().concat();
                let own = (0..2 * p + 6 + more).map(|word| format!("own{text}x{word} ")).collect::<Vec<_>>().concat();
                writeln!(rows, "{{\"text\": \"{}{own}\"}}", phrase.repeat(*n)).unwrap();
            }
            let bytes = rows.into_bytes().leak();
            let work = AnalysisInput::Load(vec![Input::Bundled { name: "rows.jsonl", bytes }], LoadOptions::default());
            let settings = Settings { recipe: format!("words:3 {weights}").parse().unwrap(), k, ..Settings::default() };
            let job = Job::new();
            let analysis = run_to(AnalysisDepth::Pairs, work, settings, &job, &mut |_| {}).unwrap();
            let (index, near) = (analysis.index.as_deref().unwrap(), analysis.near.as_deref().unwrap());
            let decisions = analysis.decide(&index.groups(near, k), &DropRule::default(), &job).unwrap();
            prop_assert!(decisions.dropped.is_empty(), "{:?}", decisions.dropped);
        }
    }
}
