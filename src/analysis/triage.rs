//! Documents that will mislead, found in two passes over a corpus: one counts in how many documents each
//! feature stands, one weighs what each document is made of.
//!
//! The features of the first pass are kept for the second as long as there is room, as under tf-idf.

use rayon::prelude::*;

use super::{
    Analysis, Job, Stage,
    batch::{self, Kept},
    first_pass::FirstPass,
};
use crate::{
    corpus::{Content, ReadError},
    explain::{
        standing::{dominance, is_dominated},
        triage::{Facts, Finding, Limits, findings},
    },
    feature::{DocumentFrequencies, FixedWeight, Weighting},
    id::DocId,
    progress::Cancelled,
    simhash::{Features, Scratch},
};

impl Analysis {
    /// Judges every document in order; what misleads about it goes to `each`, documents without a finding
    /// left out. Documents that cannot be read, or carry a fingerprint without text, are not judged.
    ///
    /// # Errors
    /// [`Cancelled`] if told to stop.
    pub fn triage(
        &self,
        limits: &Limits,
        job: &Job,
        each: &mut (dyn FnMut(DocId, Vec<Finding>) + Send),
    ) -> Result<(), Cancelled> {
        let (fingerprinter, corpus) = (&self.fingerprinter, &self.corpus);
        job.enter(Stage::Count, corpus.len() as u64);
        let mut first_pass = FirstPass::default();
        batch::reread(corpus, 0, job, &mut |_, contents| {
            first_pass.take_reread(fingerprinter, &contents, job);
        })?;
        let (frequencies, kept) = first_pass.finish();
        let judge = Judge { analysis: self, limits, frequencies };
        job.enter(Stage::Fingerprint, corpus.len() as u64);
        let mut start = 0;
        let mut pass_on = |first: usize, found: Vec<Vec<Finding>>| {
            let found = found.into_iter().enumerate().filter(|(_, found)| !found.is_empty());
            found.for_each(|(at, found)| each(DocId::from(first + at), found));
        };
        for documents in kept {
            job.progress.check()?;
            let judged = |(at, kept): (usize, &Kept)| judge.kept(DocId::from(start + at), kept);
            pass_on(start, documents.par_iter().enumerate().map(judged).collect());
            job.progress.add(documents.len() as u64);
            start += documents.len();
        }
        batch::reread(corpus, start, job, &mut |first, contents| {
            let judged = contents.par_iter().enumerate().map_init(
                Scratch::default,
                |scratch, (at, content)| {
                    let features = judge.features(content, scratch);
                    judge.judge(DocId::from(first.index() + at), features.as_ref())
                },
            );
            pass_on(first.index(), judged.collect());
        })
    }
}

/// What documents are judged by.
struct Judge<'a> {
    analysis: &'a Analysis,
    limits: &'a Limits,
    frequencies: DocumentFrequencies,
}

impl Judge<'_> {
    fn features(
        &self,
        content: &Result<Content, ReadError>,
        scratch: &mut Scratch,
    ) -> Option<Features> {
        match content {
            Ok(Content::Text(text)) => {
                self.analysis.fingerprinter.features_unless(text, scratch, &|| false)
            }
            _ => None,
        }
    }

    fn kept(&self, document: DocId, kept: &Kept) -> Vec<Finding> {
        match kept {
            Kept::Features(features) => self.judge(document, Some(features)),
            Kept::Done(_) => self.judge(document, None),
        }
    }

    fn judge(&self, document: DocId, features: Option<&Features>) -> Vec<Finding> {
        let recipe = &self.analysis.settings.recipe;
        let sketch = self.analysis.sketch(document).filter(|sketch| !sketch.unreadable);
        let Some(sketch) = sketch else { return Vec::new() };
        let empty = Facts::empty(recipe.bits, recipe.features);
        let facts = match features {
            _ if sketch.fingerprint.is_none() => empty,
            None => return Vec::new(),
            Some(features) => {
                let weights = weights(features, recipe.weights, &self.frequencies);
                let most_rare = self.limits.most_rare(self.frequencies.n_documents());
                let common =
                    weights.iter().filter(|(key, _)| self.frequencies.of(*key) > most_rare);
                let squares = |weights: &mut dyn Iterator<Item = &(u64, FixedWeight)>| {
                    weights.map(|(_, weight)| i128::from(weight.0).pow(2)).sum::<i128>() as f64
                };
                let share = squares(&mut { common }) / squares(&mut weights.iter()).max(1.0);
                let weights: Vec<FixedWeight> = weights.iter().map(|(_, weight)| *weight).collect();
                Facts {
                    n_features: sketch.n_features,
                    n_ties: u32::from(sketch.n_ties),
                    is_dominated: is_dominated(&weights),
                    dominance: Some(dominance(&weights)),
                    common: Some(share),
                    ..empty
                }
            }
        };
        findings(&facts, self.limits)
    }
}

/// The features of a document by key, each with the weight it has under these document frequencies.
pub(super) fn weights(
    features: &Features,
    weighting: Weighting,
    frequencies: &DocumentFrequencies,
) -> Vec<(u64, FixedWeight)> {
    let weigh = |(key, count): (u64, u32)| {
        let weight = if weighting.needs_frequencies() {
            frequencies.weight(frequencies.of(key), count)
        } else {
            weighting.weigh(count, 1.0)
        };
        (key, weight)
    };
    features.counted().map(weigh).collect()
}
