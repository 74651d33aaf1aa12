//! Running an analysis: read, fingerprint, collapse, then sort tables or find pairs.
//!
//! One thread reads while the others fingerprint what was read before, some batches at a time. Under tf-idf the corpus goes
//! through twice: once to count in how many documents each feature stands, once to weigh. Progress and
//! cancellation go through a [`Job`]; snapshots go to `publish`, the first with the first batch.

use std::{
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use crossbeam_channel::{bounded, unbounded};
use rayon::current_num_threads;

use super::{
    Analysis, AnalysisError, Job, Settings, Shelf, Sketches, Stage,
    batch::{self, Problem, Problems},
    first_pass::{FirstPass, Room},
    in_order::in_order,
    kept::{self, Kept},
};
use crate::{
    corpus::{self, Batch, Corpus, Input, LoadOptions},
    id::DocId,
    simhash::{Scratch, Sketch},
};

#[cfg(test)]
mod tests;

/// Snapshots for a screen come no faster than this.
const PUBLISH_EVERY: Duration = Duration::from_millis(60);
/// Those for rows, which are written while the next documents are read, and not in the end.
const PUBLISH_ROWS_EVERY: Duration = Duration::from_millis(5);

/// Batches under way: cores that find no more to do in one go on with the next, and all do while a snapshot
/// is taken.
const BATCHES_AT_ONCE: usize = 3;
/// Portions under way on each core in the second pass.
const KEPT_AT_ONCE: usize = 4;

/// What is made of a batch.
enum Made {
    /// What the second pass needs.
    Kept(Vec<Kept>),
    /// All there is to make.
    Sketches(Vec<Result<Sketch, Problem>>),
}

/// What an analysis starts from.
#[derive(Debug)]
pub enum Work {
    /// Inputs still to be read.
    Load(Vec<Input>, LoadOptions),
    /// A corpus read before, under a new recipe.
    Refingerprint(Corpus),
    /// Fingerprints made before, under another k or layout.
    Reshelve(Arc<Analysis>),
}

/// How far an analysis goes, once fingerprints are there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// No farther.
    Sketches,
    /// To the distinct fingerprints, ready to be scanned and to stream pairs from.
    Shelf,
    /// To the pairs within k and their groups.
    Pairs,
    /// To these, and then to the pairs as far beyond k as they can be kept, so that k can be stepped.
    #[default]
    Ladder,
}

/// Runs an analysis to its end. Snapshots, each holding more than the one before, go to `publish`.
///
/// # Errors
/// [`AnalysisError`] if it was stopped, nothing could be read, or the settings cannot be used.
pub fn run(
    work: Work,
    settings: Settings,
    job: &Job,
    publish: &mut (dyn FnMut(Arc<Analysis>) + Send),
) -> Result<Arc<Analysis>, AnalysisError> {
    run_to(Depth::Ladder, work, settings, job, publish)
}

/// Runs an analysis as far as `depth`; what lies beyond stays `None`. Otherwise as [`run`].
///
/// # Errors
/// As [`run`].
pub fn run_to(
    depth: Depth,
    work: Work,
    settings: Settings,
    job: &Job,
    publish: &mut (dyn FnMut(Arc<Analysis>) + Send),
) -> Result<Arc<Analysis>, AnalysisError> {
    let mut run = AnalysisRun {
        analysis: Analysis::empty(settings)?,
        room: Room::default(),
        job,
        publish,
        published: None,
        publish_every: if depth == Depth::Sketches { PUBLISH_ROWS_EVERY } else { PUBLISH_EVERY },
    };
    match work {
        Work::Load(inputs, options) => run.load(&inputs, &options)?,
        Work::Refingerprint(corpus) => {
            run.analysis.corpus = corpus;
            run.fingerprint()?;
        }
        Work::Reshelve(before) => run.analysis = before.under(&run.analysis.settings)?,
    }
    match depth {
        Depth::Sketches => {}
        Depth::Shelf => drop(run.shelve()?),
        Depth::Pairs => run.pair()?,
        Depth::Ladder => {
            run.pair()?;
            run.widen()?;
        }
    }
    Ok(Arc::new(run.analysis))
}

struct AnalysisRun<'a> {
    analysis: Analysis,
    /// For what the first of two passes keeps.
    room: Room,
    job: &'a Job,
    publish: &'a mut (dyn FnMut(Arc<Analysis>) + Send),
    published: Option<Instant>,
    publish_every: Duration,
}

impl AnalysisRun<'_> {
    /// Reads the inputs; fingerprints on the way unless weights need the whole corpus first.
    fn load(&mut self, inputs: &[Input], options: &LoadOptions) -> Result<(), AnalysisError> {
        let two_passes = self.analysis.settings.recipe.weights.needs_frequencies();
        let job = self.job;
        job.enter(Stage::Read, 0);
        let mut first_pass = FirstPass::within(self.room);
        let mut problems = Problems::default();
        let corpus = thread::scope(|scope| {
            let (sender, receiver) = bounded(1);
            let reader = scope.spawn(move || {
                corpus::load(inputs, options, &job.progress, &mut |batch| {
                    // The receiver is gone only after a panic, which stops the reader below.
                    let _ = sender.send(batch);
                })
            });
            // Should fingerprinting panic, the reader must not go on to the end of a pipe.
            let guard = batch::CancelOnPanic(&job.progress);
            let fingerprinter = self.analysis.fingerprinter.clone();
            let work = |batch: Batch| {
                let made = if two_passes {
                    Made::Kept(kept::cut(&fingerprinter, &batch.contents, Ok, job))
                } else {
                    Made::Sketches(batch::sketch(&fingerprinter, &batch.contents, job))
                };
                (batch.corpus, batch.first, made)
            };
            in_order(&receiver, BATCHES_AT_ONCE, work, |(corpus, first, made)| {
                match made {
                    Made::Kept(kept) => first_pass.keep(kept, job),
                    // Some of them may be missing.
                    Made::Sketches(_) if job.progress.is_cancelled() => return,
                    Made::Sketches(made) => {
                        self.analysis.sketches.extend(problems.take(&corpus, first, made));
                    }
                }
                self.analysis.corpus = corpus;
                self.publish_now_and_then();
            });
            drop(guard);
            reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })?;
        // The reader may have ended before a stop that left its last batches without sketches.
        job.progress.check()?;
        self.analysis.corpus = corpus;
        self.analysis.problems = Arc::new(problems.into_list());
        self.publish_now();
        if two_passes {
            self.second_pass(first_pass)?;
        }
        Ok(())
    }

    /// Fingerprints a corpus read before.
    fn fingerprint(&mut self) -> Result<(), AnalysisError> {
        let mut first_pass = FirstPass::within(self.room);
        if self.analysis.settings.recipe.weights.needs_frequencies() {
            self.job.enter(Stage::Count, self.analysis.len() as u64);
            let corpus = self.analysis.corpus.clone();
            batch::reread(&corpus, 0, self.job, &mut |_, contents| {
                first_pass.take_reread(&self.analysis.fingerprinter, &contents, self.job);
            })?;
        }
        self.second_pass(first_pass)
    }

    /// Weighs what the first pass kept, then reads the rest of the corpus again.
    fn second_pass(&mut self, first_pass: FirstPass) -> Result<(), AnalysisError> {
        let job = self.job;
        job.enter(Stage::Fingerprint, self.analysis.len() as u64);
        self.analysis.sketches = Sketches::new();
        let mut problems = Problems::default();
        let corpus = self.analysis.corpus.clone();
        let (frequencies, kept) = first_pass.finish(job);
        if self.analysis.settings.recipe.weights.needs_frequencies() {
            let fingerprinter = self.analysis.fingerprinter.clone();
            self.analysis.fingerprinter = fingerprinter.with_frequencies(Arc::new(frequencies));
        }
        let fingerprinter = self.analysis.fingerprinter.clone();
        let weigh = |kept: Kept| kept.sketch(&fingerprinter, &mut Scratch::default(), job);
        let (sender, receiver) = unbounded();
        for kept in kept {
            // The receiver is there.
            let _ = sender.send(kept);
        }
        drop(sender);
        in_order(&receiver, KEPT_AT_ONCE * current_num_threads(), weigh, |made| {
            if job.progress.is_cancelled() {
                return;
            }
            let n = made.len() as u64;
            let first = DocId::from(self.analysis.sketches.len());
            self.analysis.sketches.extend(problems.take(&corpus, first, made));
            self.publish_now_and_then();
            job.progress.add(n);
        });
        job.progress.check()?;
        let start = self.analysis.sketches.len();
        batch::reread(&corpus, start, job, &mut |first, contents| {
            let made = batch::sketch_reread(&self.analysis.fingerprinter, &contents, job);
            if !job.progress.is_cancelled() {
                self.analysis.sketches.extend(problems.take(&corpus, first, made));
                self.publish_now_and_then();
            }
        })?;
        self.analysis.problems = Arc::new(problems.into_list());
        Ok(())
    }

    /// Collapses the fingerprints, if that is still to be done.
    fn shelve(&mut self) -> Result<Arc<Shelf>, AnalysisError> {
        if let Some(shelf) = &self.analysis.shelf {
            return Ok(Arc::clone(shelf));
        }
        let shelf =
            Arc::new(Shelf::build(&self.analysis.sketches, &self.analysis.settings, self.job)?);
        self.analysis.shelf = Some(Arc::clone(&shelf));
        self.publish_now();
        Ok(shelf)
    }

    /// Finds the pairs within k, if they are not there yet, and groups them.
    fn pair(&mut self) -> Result<(), AnalysisError> {
        let shelf = self.shelve()?;
        let settings = &self.analysis.settings;
        settings.check_pairs(shelf.n_distinct())?;
        let near = match &self.analysis.near {
            Some(near) if near.reach() >= settings.k => Arc::clone(near),
            _ => Arc::new(shelf.near(settings, self.job)?),
        };
        self.analysis.groups = Some(Arc::new(shelf.groups(&near, settings.k)));
        self.analysis.near = Some(near);
        Ok(())
    }

    /// Finds the pairs beyond k.
    fn widen(&mut self) -> Result<(), AnalysisError> {
        let shelf = self.shelve()?;
        self.publish_now();
        let near = shelf.ladder(&self.analysis.settings, self.job)?;
        self.analysis.near = Some(Arc::new(near));
        Ok(())
    }

    fn publish_now_and_then(&mut self) {
        if self.published.is_none_or(|when| when.elapsed() >= self.publish_every) {
            self.publish_now();
        }
    }

    fn publish_now(&mut self) {
        (self.publish)(Arc::new(self.analysis.clone()));
        self.published = Some(Instant::now());
    }
}
