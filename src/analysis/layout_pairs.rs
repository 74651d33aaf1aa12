//! The pairs behind the counts of an evaluated layout: true, false and missed pairs.
//!
//! For true and false pairs the exact cosine of every pair that the layout finds is computed, about half a
//! microsecond each. Missed pairs are taken from the true pairs, all of which must be known.

use std::{
    cmp::Ordering,
    ops::ControlFlow,
    sync::{Mutex, PoisonError},
};

use super::{AnalysisError, Job, LayoutChoice, SettingsError, Stage, TextFingerprints, Truth};
use crate::{choice::choice, id::DocId, index::Pair, number::grouped};

/// The most pairs of texts that are listed: 32 bytes each.
const MOST_PAIRS: usize = 10_000_000;

choice! {
    /// The outcome of a layout for a pair of documents.
    pub enum PairOutcome, "outcome of pairs" {
        /// A true pair that the layout does not find.
        #[default]
        Missed = "missed",
        /// A pair that the layout finds and that is not true.
        False = "false",
        /// A true pair that the layout finds.
        True = "true",
    }
}

/// Two texts with different features, by their first documents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvaluatedPair {
    /// The texts, by their numbers in the truth.
    pub texts: [u32; 2],
    /// The first document of each text.
    pub documents: [DocId; 2],
    /// Their exact cosine.
    pub cosine: f64,
    /// Bits in which their fingerprints differ.
    pub distance: u32,
}

impl EvaluatedPair {
    /// The highest cosine first, then in the order of the corpus.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        other.cosine.total_cmp(&self.cosine).then(self.documents.cmp(&other.documents))
    }
}

impl Truth {
    /// The pairs of texts for which a layout has this outcome, the highest cosine first. Documents with equal
    /// features are not listed: see [`Truth::copies`].
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, if the layout cannot be cut from the width, if missed pairs are asked
    /// for and the truth is sampled, or if there are more than ten million pairs.
    pub fn pairs(
        &self,
        outcome: PairOutcome,
        fingerprints: &TextFingerprints,
        layout: LayoutChoice,
        k: u32,
        job: &Job,
    ) -> Result<Vec<EvaluatedPair>, AnalysisError> {
        job.enter(Stage::Try, 0);
        let layout = layout.layout(self.n_texts(), fingerprints.width(), k)?;
        let mut found = if outcome == PairOutcome::Missed {
            let known = self.known.as_ref().ok_or(SettingsError::SampledTruth)?;
            let is_missed = |a, b| !fingerprints.is_candidate(a, b, &layout, k);
            known
                .iter()
                .filter(|pair| is_missed(pair.a, pair.b))
                .map(|pair| self.found_pair(pair.a, pair.b, pair.cosine, fingerprints))
                .collect()
        } else {
            let found = Mutex::new(Vec::new());
            let take = |pairs: &[Pair]| {
                let of_outcome = |pair: &Pair| {
                    let cosine = self.vectors.cosine(pair.a, pair.b);
                    let reached = self.vectors.reached(pair.a, pair.b, cosine, self.alike.tau);
                    (reached.is_some() == (outcome == PairOutcome::True)).then(|| {
                        self.found_pair(pair.a, pair.b, reached.unwrap_or(cosine), fingerprints)
                    })
                };
                let some: Vec<EvaluatedPair> = pairs.iter().filter_map(of_outcome).collect();
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                found.extend(some);
                if found.len() > MOST_PAIRS || job.progress.is_cancelled() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            fingerprints.visit(&layout, k, job, &take)?;
            job.progress.check()?;
            found.into_inner().unwrap_or_else(PoisonError::into_inner)
        };
        if found.len() > MOST_PAIRS {
            let (layout, most) = (layout.name(), grouped(MOST_PAIRS as u64));
            return Err(SettingsError::TooManyToList { layout, most }.into());
        }
        found.sort_unstable_by(EvaluatedPair::order);
        Ok(found)
    }

    /// A pair of texts with the distance of their fingerprints.
    pub(super) fn found_pair(
        &self,
        a: u32,
        b: u32,
        cosine: f64,
        fingerprints: &TextFingerprints,
    ) -> EvaluatedPair {
        let documents = [a, b].map(|text| self.documents(text)[0]);
        EvaluatedPair { texts: [a, b], documents, cosine, distance: fingerprints.distance(a, b) }
    }
}
