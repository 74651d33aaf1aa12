//! Flags documents whose distances may mislead, in two passes over a corpus. The first pass counts the documents
//! that contain each feature, the second flags each document by its features.
//!
//! As with tf-idf, the features of the first pass are kept for the second up to a limit.
//!
//! The flags of a corpus: one byte for each document, and 16 more if it is boilerplate. The sentence about a flag is
//! not kept; [`findings`] makes it from the document.

use rayon::prelude::*;

use super::batch::{self, FirstPass, MOST_KEPT, PreparedDocument};
use super::{Analysis, Job, Stage};
use crate::explain::bit_margins::{dominance, is_dominated};
use crate::explain::triage::{Finding, Flag, TriageFacts, findings, most_rare};
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

/// The flags of every document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CorpusFlags {
    /// For each document, one bit for each flag.
    of: Vec<u8>,
    /// For each boilerplate document, in order, the share of `||w||^2` that common features have.
    common: Vec<(DocId, f64)>,
    counts: [u64; Flag::ALL.len()],
    /// The number of documents with any flag.
    pub n_flagged: u64,
    /// The number of documents that could not be read again, so that their flags are not known.
    pub n_unread: u64,
}

impl CorpusFlags {
    /// Whether a document has a flag.
    pub fn has(&self, document: DocId, flag: Flag) -> bool {
        self.of.get(document.index()).is_some_and(|bits| bits >> flag as u8 & 1 == 1)
    }

    /// The share of `||w||^2` that common features have, 0 to 1; `None` if the document is not boilerplate.
    pub fn common(&self, document: DocId) -> Option<f64> {
        let at = self.common.binary_search_by_key(&document, |(document, _)| *document).ok()?;
        Some(self.common[at].1)
    }

    /// The number of documents with a flag.
    pub fn count(&self, flag: Flag) -> u64 {
        self.counts[flag as usize]
    }
}

impl Analysis {
    /// Flags every document. All documents must be fingerprinted.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn flag(&self, job: &Job) -> Result<CorpusFlags, Cancelled> {
        let mut flags = CorpusFlags { of: vec![0; self.len()], ..CorpusFlags::default() };
        self.triage(job, &mut |document, findings| {
            flags.n_flagged += 1;
            for finding in findings {
                flags.of[document.index()] |= 1 << finding.flag as u8;
                flags.counts[finding.flag as usize] += 1;
                if finding.flag == Flag::Boilerplate {
                    flags.common.push((document, finding.value));
                }
            }
        })?;
        flags.n_unread = self.corpus.n_unread();
        Ok(flags)
    }
}

#[cfg(test)]
mod tests {
    use std::slice;
    use std::sync::Arc;

    use super::*;
    use crate::analysis::{AnalysisDepth, AnalysisInput, Settings, run_to};
    use crate::corpus::{Content, Input, LoadOptions, ReadError, ReadFault};
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

    #[test]
    fn what_is_kept_is_what_triage_finds() {
        let bytes = include_bytes!("../../assets/sample.jsonl");
        let inputs = vec![Input::Bundled { name: "sample.jsonl", bytes }];
        let work = AnalysisInput::Load(inputs, LoadOptions::default(), None);
        let settings = Settings { k: 3, ..Settings::default() };
        let analysis =
            run_to(AnalysisDepth::Fingerprints, work, settings, &Job::new(), &mut |_| {}).unwrap();
        let flags = analysis.flag(&Job::new()).unwrap();
        let mut found = Vec::new();
        let mut each = |document, findings| found.push((document, findings));
        analysis.triage(&Job::new(), &mut each).unwrap();
        assert!(!found.is_empty());
        assert_eq!(flags.n_flagged, found.len() as u64);
        for flag in Flag::ALL {
            let bearing = |document: &DocId| flags.has(*document, *flag);
            let all = (0..analysis.len()).map(DocId::from);
            assert_eq!(all.filter(bearing).count() as u64, flags.count(*flag), "{flag}");
        }
        for (document, findings) in &found {
            assert!(!findings.is_empty());
            for flag in Flag::ALL {
                let finding = findings.iter().find(|finding| finding.flag == *flag);
                assert_eq!(flags.has(*document, *flag), finding.is_some());
                if *flag == Flag::Boilerplate {
                    assert_eq!(flags.common(*document), finding.map(|finding| finding.value));
                }
            }
        }
        let job = Job::new();
        job.progress.cancel();
        assert_eq!(analysis.flag(&job), Err(Cancelled));
    }
}
