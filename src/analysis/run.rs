//! Runs an analysis: read, fingerprint, collapse, find pairs.
//!
//! One thread reads while the others fingerprint the documents read before, several batches at once. tf-idf takes
//! two passes: the first counts the documents that contain each feature, the second computes weights. A [`Job`]
//! carries progress and cancellation. Snapshots go to `publish`, from the first batch on.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::bounded;

use super::batch::{self, FirstPass, MOST_KEPT, MadeRecord, PreparedDocument, ProblemList};
use super::index_file::kept_records;
use super::settings::MOST_ACCIDENTAL_PAIRS;
use super::{
    Analysis, AnalysisError, FingerprintColumn, FingerprintIndex, Job, Settings, SimilarTexts,
    Stage,
};
use crate::corpus::{Batch, Corpus, Input, KeptCorpus, LoadOptions, load_kept};
use crate::id::DocId;
use crate::in_order::in_order;
use crate::simhash::FingerprintRecord;

#[cfg(test)]
mod tests;

/// The shortest time between two snapshots for a screen.
const PUBLISH_EVERY: Duration = Duration::from_millis(60);
/// The shortest time between two snapshots for rows, which are written while the next documents are read.
const PUBLISH_ROWS_EVERY: Duration = Duration::from_millis(5);

/// The number of batches that are processed at once, so that a core that finishes one batch continues with the
/// next, and all cores work while a snapshot is taken.
const BATCHES_AT_ONCE: usize = 3;

/// The documents of a batch, after the work of the pass that reads them.
enum BatchResult {
    /// After the first of two passes.
    Prepared(Vec<PreparedDocument>),
    /// The documents come from an index.
    Kept(Vec<FingerprintRecord>),
    /// After the only pass.
    Records(Vec<MadeRecord>),
}

/// The input of an analysis.
#[derive(Debug)]
pub enum AnalysisInput {
    /// Inputs that are not read yet, and an index that may stand for them, if its recipe is that of the run.
    Load(Vec<Input>, LoadOptions, Option<Arc<KeptCorpus>>),
    /// A corpus that was read before, with a new recipe, and the judge of similar texts, if a similarity is asked for.
    Refingerprint(Corpus, Option<Arc<SimilarTexts>>),
    /// Fingerprints that were made before, with another k or layout.
    Reindex(Arc<Analysis>),
}

/// The last step of an analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnalysisDepth {
    /// Stop after the fingerprints.
    Fingerprints,
    /// Also collapse equal fingerprints, so that they can be scanned and pairs can be streamed.
    Index,
    /// Also find the pairs within k and their groups.
    Pairs,
    /// Also find pairs beyond k, so that k can change without a new search.
    #[default]
    PairsByDistance,
}

/// Runs an analysis to `depth`; later results stay `None`. Snapshots, each holding more than the one before, go to
/// `publish`.
///
/// # Errors
/// [`AnalysisError`] if it was stopped, nothing could be read, or the settings cannot be used.
pub fn run_to(
    depth: AnalysisDepth,
    work: AnalysisInput,
    settings: Settings,
    job: &Job,
    publish: &mut (dyn FnMut(Arc<Analysis>) + Send),
) -> Result<Arc<Analysis>, AnalysisError> {
    let mut run = AnalysisRun {
        analysis: Analysis::empty(settings)?,
        most_kept: MOST_KEPT,
        job,
        publish,
        published: None,
        n_published: 0,
        publish_every: if depth == AnalysisDepth::Fingerprints {
            PUBLISH_ROWS_EVERY
        } else {
            PUBLISH_EVERY
        },
    };
    match work {
        AnalysisInput::Load(inputs, options, index) => {
            run.load(&inputs, &options, index.as_deref())?
        }
        AnalysisInput::Refingerprint(corpus, similar_texts) => {
            AnalysisError::require_recipe(&corpus, &run.analysis.settings.recipe)?;
            (run.analysis.corpus, run.analysis.similar_texts) = (corpus, similar_texts);
            run.fingerprint()?;
        }
        AnalysisInput::Reindex(before) => run.analysis = before.under(&run.analysis.settings)?,
    }
    match depth {
        AnalysisDepth::Fingerprints => {}
        AnalysisDepth::Index => drop(run.build_index()?),
        AnalysisDepth::Pairs => run.pair()?,
        AnalysisDepth::PairsByDistance => {
            run.pair()?;
            run.widen()?;
        }
    }
    Ok(Arc::new(run.analysis))
}

/// Fingerprints a corpus that was read before under other settings.
///
/// # Errors
/// As [`run_to`].
pub(super) fn refingerprinted(
    corpus: &Corpus,
    settings: Settings,
    job: &Job,
) -> Result<Arc<Analysis>, AnalysisError> {
    let work = AnalysisInput::Refingerprint(corpus.clone(), None);
    run_to(AnalysisDepth::Fingerprints, work, settings, job, &mut |_| {})
}

struct AnalysisRun<'a> {
    analysis: Analysis,
    /// The most bytes of features that the first of two passes keeps for the second.
    most_kept: usize,
    job: &'a Job,
    publish: &'a mut (dyn FnMut(Arc<Analysis>) + Send),
    published: Option<Instant>,
    /// Documents that the last snapshot has.
    n_published: usize,
    publish_every: Duration,
}

impl AnalysisRun<'_> {
    /// Reads the inputs, and fingerprints the documents unless weights need the whole corpus first.
    fn load(
        &mut self,
        inputs: &[Input],
        options: &LoadOptions,
        index: Option<&KeptCorpus>,
    ) -> Result<(), AnalysisError> {
        let index = index.filter(|index| index.of.is_of(&self.analysis.settings.recipe));
        let two_passes = self.analysis.settings.recipe.counts_frequencies();
        let job = self.job;
        job.enter(Stage::Read, 0);
        let mut first_pass = FirstPass::new(self.most_kept);
        let mut problems = ProblemList::default();
        let reading = &job.progress.part();
        let corpus = thread::scope(|scope| {
            let (sender, receiver) = bounded(1);
            let reader = scope.spawn(move || {
                // The receiver is gone only after a panic or a refusal, which stops the reader.
                let mut send = |batch| drop(sender.send(batch));
                load_kept(inputs, options, index, reading, &mut send)
            });
            // If fingerprinting panics, the reader must stop, because a pipe may have no end.
            let guard = batch::CancelOnPanic(&job.progress);
            let fingerprinter = self.analysis.fingerprinter.clone();
            let work = |batch: Batch| {
                let contents = &batch.contents;
                let result = if let Some(kept) = index.filter(|_| contents.is_empty()) {
                    let n = batch.corpus.len() - batch.first.index();
                    BatchResult::Kept(kept_records(kept, n))
                } else if two_passes {
                    BatchResult::Prepared(batch::prepare(&fingerprinter, contents, Ok, job))
                } else {
                    BatchResult::Records(batch::record(&fingerprinter, contents, Ok, job))
                };
                (batch.corpus, batch.first, result)
            };
            let patience = self.publish_every;
            let outcome = in_order(&{ receiver }, BATCHES_AT_ONCE, patience, work, |batch| {
                let Some((corpus, first, result)) = batch else {
                    // Documents may have come since the last snapshot.
                    if self.n_published < self.analysis.corpus.len() {
                        self.publish_now();
                    }
                    return Ok(());
                };
                let n_known = self.analysis.corpus.carried_recipes().len();
                if corpus.carried_recipes().len() > n_known {
                    AnalysisError::require_recipe(&corpus, &self.analysis.settings.recipe)?;
                }
                match result {
                    BatchResult::Prepared(documents) => first_pass.add(documents, job),
                    BatchResult::Kept(records) => {
                        self.analysis.records.extend(records);
                        problems.extend(index.map_or(&[], |index| &*index.of.problems));
                    }
                    BatchResult::Records(records) => {
                        // After a cancel some records are missing.
                        job.progress.check()?;
                        self.analysis.records.extend(problems.take(&corpus, first, records));
                    }
                }
                self.analysis.corpus = corpus;
                self.publish_now_and_then();
                Ok::<(), AnalysisError>(())
            });
            drop(guard);
            let wait = || reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            if let Err(AnalysisError::OtherRecipe(_)) = outcome {
                reading.stop_part();
                let _ = wait();
                return outcome.map(|()| Corpus::default());
            }
            let read = wait()?;
            outcome.map(|()| read)
        })?;
        // The reader may have ended before a cancel that left its last batches without records.
        job.progress.check()?;
        self.analysis.corpus = corpus;
        self.analysis.problems = Arc::new(problems.into_list());
        self.publish_now();
        if two_passes {
            self.second_pass(first_pass)?;
        }
        Ok(())
    }

    /// Fingerprints a corpus that was read before.
    fn fingerprint(&mut self) -> Result<(), AnalysisError> {
        let Analysis { corpus, fingerprinter, settings, .. } = &self.analysis;
        let first_pass = if settings.recipe.counts_frequencies() {
            FirstPass::over(corpus, self.most_kept, fingerprinter, self.job)?
        } else {
            FirstPass::new(self.most_kept)
        };
        self.second_pass(first_pass)
    }

    /// Computes the weights of the documents that the first pass kept, then reads the rest of the corpus again.
    fn second_pass(&mut self, first_pass: FirstPass) -> Result<(), AnalysisError> {
        let job = self.job;
        let Analysis { corpus, settings, .. } = &self.analysis;
        AnalysisError::require_texts_of_reference(corpus, &settings.recipe)?;
        job.enter(Stage::Fingerprint, self.analysis.len() as u64);
        self.analysis.records = FingerprintColumn::new();
        let mut problems = ProblemList::default();
        let corpus = self.analysis.corpus.clone();
        let (frequencies, kept) = first_pass.finish();
        if self.analysis.settings.recipe.counts_frequencies() {
            let fingerprinter = self.analysis.fingerprinter.clone();
            self.analysis.fingerprinter = fingerprinter.with_frequencies(Arc::new(frequencies));
        }
        let fingerprinter = self.analysis.fingerprinter.clone();
        for documents in kept {
            let records = batch::weigh(&fingerprinter, &documents, job);
            job.progress.check()?;
            let first = DocId::from(self.analysis.records.len());
            self.analysis.records.extend(problems.take(&corpus, first, records));
            self.publish_now_and_then();
            job.progress.add(documents.len() as u64);
        }
        let start = self.analysis.records.len();
        batch::reread(&corpus, start, job, &mut |first, contents| {
            let records = batch::record(&fingerprinter, &contents, Result::as_ref, job);
            if !job.progress.is_cancelled() {
                self.analysis.records.extend(problems.take(&corpus, first, records));
                self.publish_now_and_then();
            }
        })?;
        self.analysis.problems = Arc::new(problems.into_list());
        Ok(())
    }

    /// Collapses equal fingerprints, unless there is an index.
    fn build_index(&mut self) -> Result<Arc<FingerprintIndex>, AnalysisError> {
        if let Some(index) = &self.analysis.index {
            return Ok(Arc::clone(index));
        }
        let Analysis { records, settings, corpus, .. } = &self.analysis;
        let index =
            Arc::new(FingerprintIndex::build(records, corpus.reference(), settings, self.job)?);
        self.analysis.index = Some(Arc::clone(&index));
        self.publish_now();
        Ok(index)
    }

    /// Finds the pairs within k, unless they are known, and groups them.
    fn pair(&mut self) -> Result<(), AnalysisError> {
        let index = self.build_index()?;
        let settings = &self.analysis.settings;
        settings.check_pairs(index.n_distinct(), MOST_ACCIDENTAL_PAIRS)?;
        let near = match &self.analysis.near {
            Some(near) if near.reach() >= settings.k => Arc::clone(near),
            _ => self.analysis.similar_pairs_of(index.near(settings, self.job)?, self.job)?,
        };
        self.analysis.groups = Some(Arc::new(index.groups(&near, settings.k)));
        self.analysis.near = Some(near);
        Ok(())
    }

    /// Finds the pairs beyond k.
    fn widen(&mut self) -> Result<(), AnalysisError> {
        let index = self.build_index()?;
        self.publish_now();
        let near = index.pairs_by_distance(&self.analysis.settings, self.job)?;
        self.analysis.near = Some(self.analysis.similar_pairs_of(near, self.job)?);
        Ok(())
    }

    fn publish_now_and_then(&mut self) {
        if self.published.is_none_or(|when| when.elapsed() >= self.publish_every) {
            self.publish_now();
        }
    }

    fn publish_now(&mut self) {
        self.n_published = self.analysis.corpus.len();
        (self.publish)(Arc::new(self.analysis.clone()));
        self.published = Some(Instant::now());
    }
}
