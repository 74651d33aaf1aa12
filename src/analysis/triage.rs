//! Flags documents whose distances may mislead, in two passes over a corpus. The first pass counts the documents
//! that contain each feature, the second flags each document by its features.
//!
//! As with tf-idf, the features of the first pass are kept for the second up to a limit.

use rayon::prelude::*;

use super::{
    Analysis, Job, Stage,
    batch::{self, PreparedDocument},
    first_pass::{FirstPass, MOST_KEPT},
};
use crate::{
    explain::{
        bit_margins::{dominance, is_dominated},
        triage::{Finding, FlagLimits, TriageFacts, findings},
    },
    feature::{DocumentFrequencies, FixedWeight, Weighting},
    id::DocId,
    progress::Cancelled,
    simhash::Features,
};

impl Analysis {
    /// Calls `each` with the findings of every document that has any, in order. Documents that carry a fingerprint
    /// without text are left out, and so are documents that cannot be read;
    /// [`Corpus::unread`](crate::corpus::Corpus::unread) lists these.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn triage(
        &self,
        limits: &FlagLimits,
        job: &Job,
        each: &mut (dyn FnMut(DocId, Vec<Finding>) + Send),
    ) -> Result<(), Cancelled> {
        let (fingerprinter, corpus) = (&self.fingerprinter, &self.corpus);
        job.enter(Stage::Count, corpus.len() as u64);
        let mut first_pass = FirstPass::new(MOST_KEPT);
        batch::reread(corpus, 0, job, &mut |_, contents| {
            first_pass.add_reread(fingerprinter, &contents, job);
        })?;
        let (frequencies, kept) = first_pass.finish();
        let flagger = Flagger { analysis: self, limits, frequencies };
        job.enter(Stage::Fingerprint, corpus.len() as u64);
        let mut pass_on = |first: usize, documents: &[PreparedDocument]| {
            for (at, found) in flagger.all(first, documents).into_iter().enumerate() {
                let document = DocId::from(first + at);
                // Skip a document that could not be read again: some of its flags are unknown.
                if !found.is_empty() && !corpus.is_unread(document) {
                    each(document, found);
                }
            }
        };
        let mut start = 0;
        for documents in kept {
            // After a cancel some features are missing.
            job.progress.check()?;
            pass_on(start, &documents);
            job.progress.add(documents.len() as u64);
            start += documents.len();
        }
        batch::reread(corpus, start, job, &mut |first, contents| {
            let documents = batch::prepare(fingerprinter, &contents, Result::as_ref, job);
            if !job.progress.is_cancelled() {
                pass_on(first.index(), &documents);
            }
        })
    }
}

/// The inputs of flagging.
struct Flagger<'a> {
    analysis: &'a Analysis,
    limits: &'a FlagLimits,
    frequencies: DocumentFrequencies,
}

impl Flagger<'_> {
    /// The findings of the documents from `first` on, on all cores.
    fn all(&self, first: usize, documents: &[PreparedDocument]) -> Vec<Vec<Finding>> {
        let findings = |(at, document): (usize, &PreparedDocument)| {
            self.findings(DocId::from(first + at), document.features())
        };
        documents.par_iter().enumerate().map(findings).collect()
    }

    fn findings(&self, document: DocId, features: Option<&Features>) -> Vec<Finding> {
        let recipe = &self.analysis.settings.recipe;
        let record = self.analysis.record(document).filter(|record| !record.unreadable);
        let Some(record) = record else { return Vec::new() };
        let empty = TriageFacts::empty(recipe.bits, recipe.features);
        let facts = match features {
            _ if record.fingerprint.is_none() => empty,
            None => return Vec::new(),
            Some(features) => {
                let most_rare = self.limits.most_rare(self.frequencies.n_documents());
                let square = |weight: FixedWeight| i128::from(weight.0).pow(2);
                let mut frequencies = Vec::with_capacity(features.keys().len());
                self.frequencies.for_each(features.keys(), |df| frequencies.push(df));
                let (mut weights, mut common, mut all) = (Vec::new(), 0, 0);
                for ((_, count), df) in features.counted().zip(frequencies) {
                    let weight = weigh(recipe.weights, &self.frequencies, count, || df);
                    common += if df > most_rare { square(weight) } else { 0 };
                    all += square(weight);
                    weights.push(weight);
                }
                TriageFacts {
                    n_features: record.n_features,
                    n_ties: u32::from(record.n_ties),
                    is_dominated: is_dominated(&weights),
                    dominance: Some(dominance(&weights)),
                    common: Some(common as f64 / (all as f64).max(1.0)),
                    ..empty
                }
            }
        };
        findings(&facts, self.limits)
    }
}

/// The features of a document by key, each with its weight under these document frequencies.
pub(super) fn weights(
    features: &Features,
    weighting: Weighting,
    frequencies: &DocumentFrequencies,
) -> Vec<(u64, FixedWeight)> {
    let weigh = |(key, count): (u64, u32)| {
        (key, weigh(weighting, frequencies, count, || frequencies.of(key)))
    };
    features.counted().map(weigh).collect()
}

fn weigh(
    weighting: Weighting,
    frequencies: &DocumentFrequencies,
    count: u32,
    n_documents: impl FnOnce() -> u32,
) -> FixedWeight {
    if weighting.needs_frequencies() {
        frequencies.weight(n_documents(), count)
    } else {
        weighting.weigh(count, 1.0)
    }
}
