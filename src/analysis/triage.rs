//! Documents that will mislead, found in two passes over a corpus: one counts in how many documents each
//! feature stands, one weighs what each document is made of.
//!
//! The features of the first pass are kept for the second as long as there is room, as under tf-idf.

use rayon::{current_num_threads, prelude::*};

use super::{Analysis, Job, Stage, batch, first_pass::FirstPass, kept::Kept};
use crate::{
    corpus::{Content, ReadError},
    explain::{
        standing::{dominance, is_dominated},
        triage::{Facts, Finding, Limits, findings},
    },
    feature::{DocumentFrequencies, FixedWeight, Weighting},
    id::DocId,
    progress::Cancelled,
    simhash::{Features, Occurring, Scratch},
};

impl Analysis {
    /// Judges every document in order; what misleads about it goes to `each`, documents without a finding
    /// left out. Documents that carry a fingerprint without text are not judged, nor those that cannot be
    /// read, which the corpus then names ([`Corpus::unread`](crate::corpus::Corpus::unread)).
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
        let (frequencies, kept) = first_pass.finish(job);
        let stop = || job.progress.is_cancelled();
        let judge = Judge { analysis: self, limits, frequencies };
        job.enter(Stage::Fingerprint, corpus.len() as u64);
        let mut start = 0;
        let mut pass_on = |first: usize, found: Vec<Vec<Finding>>| {
            for (at, found) in found.into_iter().enumerate().filter(|(_, found)| !found.is_empty())
            {
                let document = DocId::from(first + at);
                // Without its text not everything would be known of it.
                if !corpus.is_unread(document) {
                    each(document, found);
                }
            }
        };
        // What is judged gives its memory back, and what waits is much.
        let mut kept = kept.into_iter();
        while kept.len() > 0 {
            let mut end = start;
            let portions = kept.by_ref().take(current_num_threads()).map(|kept| {
                let first = end;
                end += kept.len();
                (first, kept)
            });
            let portions: Vec<(usize, Kept)> = portions.collect();
            let judged = portions.into_par_iter().flat_map_iter(|(first, kept)| {
                let features = kept.features(&judge.frequencies, &stop).enumerate();
                let judge = |(at, features): (usize, Option<Vec<Occurring>>)| {
                    judge.judge(DocId::from(first + at), features.as_deref())
                };
                features.map(judge).collect::<Vec<_>>()
            });
            let judged = judged.collect();
            // Some features may be missing.
            job.progress.check()?;
            pass_on(start, judged);
            job.progress.add((end - start) as u64);
            start = end;
        }
        batch::reread(corpus, start, job, &mut |first, contents| {
            let judged = contents.par_iter().enumerate().map_init(
                Scratch::default,
                |scratch, (at, content)| {
                    let features = judge.features(content, scratch);
                    judge.judge(DocId::from(first.index() + at), features.as_deref())
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
    ) -> Option<Vec<Occurring>> {
        let Ok(Content::Text(text)) = content else { return None };
        let features = self.analysis.fingerprinter.features_unless(text, scratch, &|| false)?;
        let occurring =
            |(key, count)| Occurring { key, count, n_documents: self.frequencies.of(key) };
        Some(features.counted().map(occurring).collect())
    }

    fn judge(&self, document: DocId, features: Option<&[Occurring]>) -> Vec<Finding> {
        let recipe = &self.analysis.settings.recipe;
        let sketch = self.analysis.sketch(document).filter(|sketch| !sketch.unreadable);
        let Some(sketch) = sketch else { return Vec::new() };
        let empty = Facts::empty(recipe.bits, recipe.features);
        let facts = match features {
            _ if sketch.fingerprint.is_none() => empty,
            None => return Vec::new(),
            Some(features) => {
                let weigh = |feature: &Occurring| {
                    let Occurring { count, n_documents, .. } = *feature;
                    weigh(recipe.weights, &self.frequencies, count, || n_documents)
                };
                let weights: Vec<FixedWeight> = features.iter().map(weigh).collect();
                let most_rare = self.limits.most_rare(self.frequencies.n_documents());
                let common = features.iter().zip(&weights);
                let common = common.filter(|(feature, _)| feature.n_documents > most_rare);
                let common = common.map(|(_, weight)| weight);
                let squares = |weights: &mut dyn Iterator<Item = &FixedWeight>| {
                    weights.map(|weight| i128::from(weight.0).pow(2)).sum::<i128>() as f64
                };
                let share = squares(&mut { common }) / squares(&mut weights.iter()).max(1.0);
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
