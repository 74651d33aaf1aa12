//! Running an analysis: read, fingerprint, shelve, pair.
//!
//! One thread reads while the others fingerprint what was read before. Under tf-idf the corpus goes
//! through twice: once to count in how many documents each feature stands, once to weigh. Progress and
//! cancellation go through a [`Job`]; snapshots go to `publish`, the first with the first batch.

use std::{
    ops::Range,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use crossbeam_channel::bounded;
use rayon::prelude::*;

use super::{Analysis, Job, Near, Settings, SettingsError, Shelf, Sketches, Stage};
use crate::{
    corpus::{self, Content, Corpus, CorpusError, Diagnostic, Input, LoadOptions, ReadError},
    feature::DocumentFrequencies,
    id::DocId,
    index::LayoutError,
    progress::Cancelled,
    simhash::{Fingerprint, Fingerprinter, RecipeError, Scratch, Sketch},
};

/// Documents read again at a time.
const RUN: usize = 2048;
/// Snapshots come no faster than this.
const PUBLISH_EVERY: Duration = Duration::from_millis(60);

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

/// How far an analysis goes: each depth includes those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// To the fingerprints.
    Sketches,
    /// To the sorted tables, ready for queries.
    Tables,
    /// To the pairs and groups: all there is.
    #[default]
    Pairs,
}

/// Why an analysis ended without a result.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// It was told to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Nothing could be read.
    #[error(transparent)]
    Corpus(CorpusError),
    /// The settings contradict themselves.
    #[error(transparent)]
    Settings(#[from] SettingsError),
}

impl From<CorpusError> for AnalysisError {
    fn from(error: CorpusError) -> Self {
        match error {
            CorpusError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            other => Self::Corpus(other),
        }
    }
}

impl From<LayoutError> for AnalysisError {
    fn from(error: LayoutError) -> Self {
        Self::Settings(error.into())
    }
}

impl From<RecipeError> for AnalysisError {
    fn from(error: RecipeError) -> Self {
        Self::Settings(error.into())
    }
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
    run_to(Depth::Pairs, work, settings, job, publish)
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
    let mut mill = Mill { analysis: Analysis::empty(settings)?, job, publish, published: None };
    match work {
        Work::Load(inputs, options) => mill.load(&inputs, &options)?,
        Work::Refingerprint(corpus) => {
            mill.analysis.corpus = corpus;
            if mill.analysis.settings.recipe.weights.needs_frequencies() {
                mill.count()?;
            }
            mill.fingerprint()?;
        }
        Work::Reshelve(before) => {
            let settings = mill.analysis.settings.clone();
            mill.analysis = Analysis { settings, shelf: None, near: None, ..(*before).clone() };
        }
    }
    if depth >= Depth::Tables {
        mill.shelve()?;
    }
    if depth >= Depth::Pairs {
        mill.pair()?;
    }
    Ok(Arc::new(mill.analysis))
}

struct Mill<'a> {
    analysis: Analysis,
    job: &'a Job,
    publish: &'a mut (dyn FnMut(Arc<Analysis>) + Send),
    published: Option<Instant>,
}

impl Mill<'_> {
    /// Reads the inputs; fingerprints on the way unless weights need the whole corpus first.
    fn load(&mut self, inputs: &[Input], options: &LoadOptions) -> Result<(), AnalysisError> {
        let two_passes = self.analysis.settings.recipe.weights.needs_frequencies();
        let job = self.job;
        job.enter(Stage::Read, 0);
        let mut frequencies = DocumentFrequencies::new();
        let mut problems = Vec::new();
        let corpus = thread::scope(|scope| {
            let (sender, receiver) = bounded(2);
            let reader = scope.spawn(move || {
                corpus::load(inputs, options, &job.progress, &mut |batch| {
                    // The receiver is gone only after a panic, which the join below passes on.
                    let _ = sender.send(batch);
                })
            });
            for batch in receiver {
                if two_passes {
                    count(&self.analysis.fingerprinter, &batch.contents, &mut frequencies);
                } else {
                    let fingerprinter = &self.analysis.fingerprinter;
                    let made: Vec<_> = batch
                        .contents
                        .par_iter()
                        .map_init(Scratch::default, |scratch, content| {
                            sketch(fingerprinter, content, scratch)
                        })
                        .collect();
                    let (corpus, first) = (&batch.corpus, batch.first.index());
                    take(made, &mut self.analysis.sketches, &mut problems, |at| {
                        corpus.place(DocId::from(first + at))
                    });
                }
                self.analysis.corpus = batch.corpus;
                self.publish_now_and_then();
            }
            reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })?;
        self.analysis.corpus = corpus;
        self.analysis.problems = Arc::new(problems);
        self.publish_now();
        if two_passes {
            self.freeze(frequencies);
            self.fingerprint()?;
        }
        Ok(())
    }

    /// Counts document frequencies over a corpus read before.
    fn count(&mut self) -> Result<(), AnalysisError> {
        let n = self.analysis.len();
        self.job.enter(Stage::Read, n as u64);
        let mut frequencies = DocumentFrequencies::new();
        for run in runs(n) {
            self.job.progress.check()?;
            let contents: Vec<Content> = self
                .analysis
                .corpus
                .read_many(run.clone())
                .into_iter()
                .filter_map(Result::ok)
                .collect();
            count(&self.analysis.fingerprinter, &contents, &mut frequencies);
            self.job.progress.add(run.len() as u64);
        }
        self.freeze(frequencies);
        Ok(())
    }

    fn freeze(&mut self, frequencies: DocumentFrequencies) {
        let fingerprinter = self.analysis.fingerprinter.clone();
        self.analysis.fingerprinter = fingerprinter.with_frequencies(Arc::new(frequencies));
    }

    /// Fingerprints a corpus read before.
    fn fingerprint(&mut self) -> Result<(), AnalysisError> {
        let n = self.analysis.len();
        self.job.enter(Stage::Fingerprint, n as u64);
        self.analysis.sketches = Sketches::new();
        let mut problems = Vec::new();
        for run in runs(n) {
            self.job.progress.check()?;
            let (corpus, fingerprinter) = (&self.analysis.corpus, &self.analysis.fingerprinter);
            let contents = corpus.read_many(run.clone());
            let made: Vec<_> = contents
                .into_par_iter()
                .map_init(Scratch::default, |scratch, content| match content {
                    Ok(content) => sketch(fingerprinter, &content, scratch),
                    Err(error) => Err(Problem::Read(error)),
                })
                .collect();
            let first = run.start;
            take(made, &mut self.analysis.sketches, &mut problems, |at| {
                corpus.place(DocId::from(first + at))
            });
            self.job.progress.add(run.len() as u64);
            self.publish_now_and_then();
        }
        self.analysis.problems = Arc::new(problems);
        Ok(())
    }

    /// Sorts the tables.
    fn shelve(&mut self) -> Result<(), AnalysisError> {
        let settings = &self.analysis.settings;
        let fingerprints: Vec<Option<Fingerprint>> =
            self.analysis.sketches.fingerprints().collect();
        let shelf = Arc::new(Shelf::build(&fingerprints, settings, self.job)?);
        drop(fingerprints);
        self.analysis.shelf = Some(shelf);
        self.publish_now();
        Ok(())
    }

    /// Finds the pairs.
    fn pair(&mut self) -> Result<(), AnalysisError> {
        if let Some(shelf) = &self.analysis.shelf {
            let near: Near = shelf.near(&self.analysis.settings, self.job)?;
            self.analysis.near = Some(Arc::new(near));
        }
        Ok(())
    }

    fn publish_now_and_then(&mut self) {
        if self.published.is_none_or(|when| when.elapsed() >= PUBLISH_EVERY) {
            self.publish_now();
        }
    }

    fn publish_now(&mut self) {
        (self.publish)(Arc::new(self.analysis.clone()));
        self.published = Some(Instant::now());
    }
}

/// Why a document has no sketch of its own.
enum Problem {
    Read(ReadError),
    Fingerprint(String),
}

fn sketch(
    fingerprinter: &Fingerprinter,
    content: &Content,
    scratch: &mut Scratch,
) -> Result<Sketch, Problem> {
    match content {
        Content::Text(text) => Ok(fingerprinter.sketch(text, scratch)),
        Content::Fingerprint(None) => Ok(Sketch::carried(None)),
        Content::Fingerprint(Some(hex)) => {
            Fingerprint::parse(hex.trim(), fingerprinter.recipe().bits)
                .map(|fingerprint| Sketch::carried(Some(fingerprint)))
                .map_err(|error| Problem::Fingerprint(format!("fingerprint {hex:?}: {error}")))
        }
    }
}

/// Adds sketches in order; a document with a problem gets a sketch without a fingerprint.
fn take(
    made: Vec<Result<Sketch, Problem>>,
    sketches: &mut Sketches,
    problems: &mut Vec<Diagnostic>,
    place: impl Fn(usize) -> String,
) {
    let sound = made.into_iter().enumerate().map(|(at, sketch)| {
        sketch.unwrap_or_else(|problem| {
            let place = place(at);
            let problem = match problem {
                Problem::Read(error) => error.to_string(),
                Problem::Fingerprint(problem) => problem,
            };
            // A read error begins with its place.
            let problem = problem.strip_prefix(&format!("{place}: ")).unwrap_or(&problem);
            problems.push(Diagnostic::new(&place, problem, ""));
            Sketch::carried(None)
        })
    });
    sketches.extend(sound);
}

/// Counts in how many of these documents each feature stands.
fn count(
    fingerprinter: &Fingerprinter,
    contents: &[Content],
    frequencies: &mut DocumentFrequencies,
) {
    let parts = contents.par_chunks(64).map_init(Scratch::default, |scratch, part| {
        let mut keys = Vec::new();
        for text in part.iter().filter_map(Content::text) {
            keys.extend(fingerprinter.keys(text, scratch));
        }
        keys
    });
    let keys: Vec<Vec<u64>> = parts.collect();
    let n_texts = contents.iter().filter(|content| content.text().is_some()).count();
    frequencies.add(n_texts as u64, &keys);
}

fn runs(n: usize) -> impl Iterator<Item = Range<usize>> {
    (0..n).step_by(RUN).map(move |start| start..(start + RUN).min(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_analysis_goes_as_far_as_asked() {
        for (depth, has_tables, has_pairs) in [
            (Depth::Sketches, false, false),
            (Depth::Tables, true, false),
            (Depth::Pairs, true, true),
        ] {
            let input = Input::Bundled { name: "two.txt", bytes: b"one two three" };
            let work = Work::Load(vec![input], LoadOptions::default());
            let analysis =
                run_to(depth, work, Settings::default(), &Job::new(), &mut |_| {}).unwrap();
            assert!(analysis.fingerprint(DocId(0)).is_some());
            assert_eq!(
                (analysis.shelf.is_some(), analysis.near.is_some()),
                (has_tables, has_pairs)
            );
        }
    }
}
