//! Labelling: the pairs of an analysis as strata, and the judgements of people in them.
//!
//! ```text
//! corpus --one pass--> texts: which documents have equal texts, and the documents of the texts in labels
//! pairs ------count--> strata: the number of pairs at each distance, and the pair of each number
//! labels, truth -----> the judgements in these strata, and the judgements outside of them
//! ```
//!
//! Equal texts are judged once: one judgement of two texts counts for all pairs of documents with these texts. The
//! pass over the corpus takes as long as reading it. Everything else is fast enough to run after each label.

mod assessment;
mod batch;
mod import;
mod judged_strata;
mod strata;
mod text_scan;

use std::{collections::HashSet, sync::Arc};

pub use assessment::Assessment;
pub use batch::{AssessedLabels, BATCH, MOST_BYTES, PairWithTexts};
pub(super) use import::documents;
pub use import::{ImportedLabels, labels_of};
pub use judged_strata::{JudgedStrata, JudgementCounts};

use super::{Analysis, AnalysisError, FingerprintIndex, Job, PairsByDistance};
use crate::{
    evaluate::{
        labels::Stratum,
        sample::{Pick, Sampler},
    },
    id::DocId,
    index::DocumentPair,
    text::Digest,
};
use strata::Strata;
use text_scan::TextScan;

/// The pairs of an analysis, ready to be judged.
#[derive(Clone, Debug)]
pub struct Labelling {
    analysis: Arc<Analysis>,
    index: Arc<FingerprintIndex>,
    near: Arc<PairsByDistance>,
    texts: TextScan,
    strata: Strata,
}

impl Labelling {
    /// Prepares the pairs of an analysis, and finds the texts with these digests. Reads the corpus once.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, or if a document cannot be read again.
    ///
    /// # Panics
    /// If the pairs are not searched yet.
    pub fn new(
        analysis: Arc<Analysis>,
        names: &HashSet<Digest>,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        let index = Arc::clone(analysis.index.as_ref().expect("fingerprints come before pairs"));
        let near = Arc::clone(analysis.near.as_ref().expect("pairs come before their labels"));
        let texts = TextScan::read(&analysis.corpus, &index, names, job)?;
        AnalysisError::require_all_read(&analysis.corpus)?;
        let strata = Strata::new(&index, &near, &texts, &job.progress)?;
        Ok(Self { analysis, index, near, texts, strata })
    }

    /// The analysis with these pairs.
    pub fn analysis(&self) -> &Arc<Analysis> {
        &self.analysis
    }

    /// The strata without judgements: by distance, at least one for each up to the window.
    pub fn strata(&self) -> &[Stratum] {
        &self.strata.list
    }

    /// The window: the largest distance of kept pairs. Recall is measured among the pairs within it.
    pub fn window(&self) -> u32 {
        self.near.reach()
    }

    /// The documents of a pick.
    ///
    /// # Panics
    /// If its stratum has fewer pairs.
    pub fn pair(&self, pick: Pick) -> DocumentPair {
        let Self { index, near, texts, strata, .. } = self;
        let (a, b) = strata.pair(index, near, texts, pick.stratum, pick.number);
        DocumentPair { a, b, distance: strata.list[pick.stratum].distance }
    }

    /// The next `n` pairs to judge, and some that are shown again, in the order to show them. Pairs without texts,
    /// and pairs whose texts were judged, are left out.
    pub fn batch(&self, judged: &JudgedStrata, sampler: &mut Sampler, n: u32) -> Vec<Pick> {
        let flags = |document| self.analysis.corpus.flags(document);
        let mut met = HashSet::new();
        sampler.batch(&judged.strata, n, &mut |pick| {
            let pair = self.pair(pick);
            let texts = self.texts_of(pair.a, pair.b);
            let can_be_read = !flags(pair.a).lacks_text() && !flags(pair.b).lacks_text();
            can_be_read && !judged.texts.contains(&texts) && met.insert(texts)
        })
    }

    /// Records that a document has the text with this digest, so that labels of this text are found.
    pub fn name(&mut self, name: Digest, document: DocId) {
        self.texts.name(&self.index, name, document);
    }

    /// Two texts, each by its first document with the same fingerprint.
    fn texts_of(&self, one: DocId, other: DocId) -> (DocId, DocId) {
        let first = |document| {
            self.texts.copies(&self.index, document).first().copied().unwrap_or(document)
        };
        let (one, other) = (first(one), first(other));
        (one.min(other), one.max(other))
    }
}

#[cfg(test)]
mod tests;
