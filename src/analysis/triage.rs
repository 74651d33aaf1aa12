//! Flags documents whose distances may mislead, in two passes over a corpus. The first pass counts the documents
//! that contain each feature, the second flags each document by its features.
//!
//! As with tf-idf, the features of the first pass are kept for the second up to a limit.

use rayon::prelude::*;

use super::batch::{self, FirstPass, MOST_KEPT, PreparedDocument};
use super::{Analysis, Job, Stage};
use crate::explain::bit_margins::{dominance, is_dominated};
use crate::explain::triage::{Finding, TriageFacts, findings, most_rare};
use crate::feature::{DocumentFrequencies, FixedWeight};
use crate::id::DocId;
use crate::progress::Cancelled;
use crate::simhash::Features;

impl Analysis {
    /// Calls `each` with the findings of every document that has any, in order. Documents that carry a fingerprint
    /// without text are left out, and so are documents that cannot be read;
    /// [`Corpus::unread`](crate::corpus::Corpus::unread) lists these.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn triage(
        &self,
        job: &Job,
        each: &mut (dyn FnMut(DocId, Vec<Finding>) + Send),
    ) -> Result<(), Cancelled> {
        let (fingerprinter, corpus) = (&self.fingerprinter, &self.corpus);
        let first_pass = FirstPass::over(corpus, MOST_KEPT, fingerprinter, job)?;
        let (frequencies, kept) = first_pass.finish();
        job.enter(Stage::Fingerprint, corpus.len() as u64);
        let mut pass_on = |first: usize, documents: &[PreparedDocument]| {
            let findings = |(at, document): (usize, &PreparedDocument)| {
                let features = document.as_ref().ok();
                (first + at, self.findings(DocId::from(first + at), features, &frequencies))
            };
            let found: Vec<_> = documents.par_iter().enumerate().map(findings).collect();
            for (document, found) in found {
                let document = DocId::from(document);
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

    fn findings(
        &self,
        document: DocId,
        features: Option<&Features>,
        frequencies: &DocumentFrequencies,
    ) -> Vec<Finding> {
        let recipe = &self.settings.recipe;
        let record = self.record(document).filter(|record| !record.unreadable);
        let Some(record) = record else { return Vec::new() };
        let empty = TriageFacts::empty(recipe.bits, recipe.features);
        let facts = match features {
            _ if record.fingerprint.is_none() => empty,
            None => return Vec::new(),
            Some(features) => {
                let most_rare = most_rare(frequencies.n_documents());
                let square = |weight: FixedWeight| i128::from(weight.0).pow(2);
                let mut dfs = Vec::with_capacity(features.keys().len());
                frequencies.for_each(features.keys(), |df| dfs.push(df));
                let (mut weights, mut common, mut all) = (Vec::new(), 0, 0);
                for ((_, count), df) in features.counted().zip(dfs) {
                    let weight = if recipe.weights.needs_frequencies() {
                        frequencies.weight(df, count)
                    } else {
                        recipe.weights.weigh(count, 1.0)
                    };
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
        findings(&facts)
    }
}

#[cfg(test)]
mod tests {
    use std::slice;
    use std::sync::Arc;

    use super::*;
    use crate::corpus::{Content, ReadError, ReadFault};
    use crate::simhash::{Fingerprinter, Recipe};

    type Document = Result<Content, ReadError>;

    /// Texts, some of them empty, among documents that need no weights.
    fn documents() -> Vec<Document> {
        let text = |n: usize| {
            let words = (0..n).map(|word| format!("the tide {} ", word * word % 1_000));
            Ok(Content::Text(words.collect::<String>().into()))
        };
        let carried = |hex: &str| Ok(Content::Fingerprint(Some(hex.to_owned())));
        let gone =
            |n| Err(ReadError { place: format!("pool.jsonl:{n}"), fault: ReadFault::Vanished });
        vec![
            text(3),
            carried("00000000000000ff"),
            gone(1),
            text(25_000),
            carried("no hex"),
            Ok(Content::Fingerprint(None)),
            text(0),
            text(25_000),
            gone(2),
            gone(3),
            text(9),
        ]
    }

    /// Two passes over documents of all kinds, in every order, against one document at a time.
    #[test]
    fn documents_of_all_kinds_keep_their_places() {
        let recipe: Recipe = "words:2 tf-idf".parse().unwrap();
        let counting = Fingerprinter::before_frequencies(&recipe).unwrap();
        let job = Job::new();
        let forward = documents();
        let backward: Vec<Document> = forward.iter().rev().cloned().collect();
        for (turn, documents) in (0..forward.len()).flat_map(|n| [(n, &forward), (n, &backward)]) {
            let mut documents = documents.clone();
            documents.rotate_left(turn);
            let mut first_pass = FirstPass::new(MOST_KEPT);
            for documents in documents.chunks(4) {
                first_pass.add(batch::prepare(&counting, documents, Result::as_ref, &job), &job);
            }
            let (frequencies, kept) = first_pass.finish();
            assert_eq!(frequencies.n_documents(), 5);
            let weighing = counting.clone().with_frequencies(Arc::new(frequencies));
            let found = kept.iter().flat_map(|documents| batch::weigh(&weighing, documents, &job));
            let alone = documents.iter().flat_map(|document| {
                let prepared =
                    batch::prepare(&weighing, slice::from_ref(document), Result::as_ref, &job);
                batch::weigh(&weighing, &prepared, &job)
            });
            let found: Vec<_> = found.collect();
            assert_eq!(found, alone.collect::<Vec<_>>());
            assert_eq!(found.len(), documents.len());
        }
    }

    #[test]
    fn a_first_pass_keeps_no_more_than_it_may_and_one_batch() {
        let recipe: Recipe = "words:1 tf-idf".parse().unwrap();
        let counting = Fingerprinter::before_frequencies(&recipe).unwrap();
        let job = Job::new();
        let document = |n: usize| Ok(Content::Text(format!("tide {n} and {}", n / 2).into()));
        let documents: Vec<Document> = (0..400).map(document).collect();
        let mut first_pass = FirstPass::new(10_000);
        for documents in documents.chunks(5) {
            first_pass.add(batch::prepare(&counting, documents, Result::as_ref, &job), &job);
        }
        let (frequencies, kept) = first_pass.finish();
        assert_eq!(frequencies.n_documents(), 400);
        let bytes =
            |documents: &[PreparedDocument]| documents.iter().map(batch::bytes_of).sum::<usize>();
        let n_bytes: usize = kept.iter().map(|documents| bytes(documents)).sum();
        assert!(n_bytes >= 10_000 && n_bytes - bytes(&kept[kept.len() - 1]) < 10_000);
        // The documents kept are the first of the corpus.
        for (document, prepared) in documents.iter().zip(kept.iter().flatten()) {
            let document = slice::from_ref(document);
            let alone = batch::prepare(&counting, document, Result::as_ref, &job);
            assert_eq!(prepared.as_ref().unwrap().keys(), alone[0].as_ref().unwrap().keys());
        }
    }
}
