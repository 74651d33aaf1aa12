//! A batch of documents at a time: fingerprinting it, reading it again.
//!
//! Batches are bounded in bytes as well as in documents, so that memory holds a few megabytes of text
//! whatever the documents' size; a stop is noticed between any two documents and within a long one.

use std::{ops::Range, thread};

use crossbeam_channel::bounded;
use rayon::prelude::*;

use super::Job;
use crate::{
    corpus::{Content, Corpus, DIAGNOSTICS_KEPT, Diagnostic, ReadError},
    id::DocId,
    number::counted,
    progress::{Cancelled, Progress},
    simhash::{Fingerprint, Fingerprinter, Scratch, Sketch},
};

/// Documents read again at a time, at most.
const RUN_DOCUMENTS: usize = 2048;
/// Bytes read again at a time, but for a document larger than that.
const RUN_BYTES: u64 = 2 << 20;

/// Documents a core takes at least, so that its buffers serve more than one.
const FEWEST_DOCUMENTS: usize = 16;

/// Why a document has no fingerprint though it should.
pub(super) enum Problem {
    /// It could not be read again.
    Read(ReadError),
    /// What it carries is no fingerprint of the recipe's width.
    Fingerprint(String),
}

/// The problems of an analysis: as many as are listed for a corpus, the rest counted.
#[derive(Default)]
pub(super) struct Problems {
    list: Vec<Diagnostic>,
    n_unlisted: u64,
}

impl Problems {
    /// The problems in document order; a last one says how many more there were.
    pub(super) fn into_list(mut self) -> Vec<Diagnostic> {
        if self.n_unlisted > 0 {
            let more =
                format!("{} like these are not listed", counted(self.n_unlisted, "more problem"));
            self.list.push(Diagnostic::new("and", &more, ""));
        }
        self.list
    }

    /// Notes what went wrong with the documents from `first` on; those get a sketch that says so.
    pub(super) fn take(
        &mut self,
        corpus: &Corpus,
        first: DocId,
        made: Vec<Result<Sketch, Problem>>,
    ) -> impl Iterator<Item = Sketch> {
        made.into_iter().enumerate().map(move |(at, sketch)| {
            sketch.unwrap_or_else(|problem| {
                if self.list.len() >= DIAGNOSTICS_KEPT {
                    self.n_unlisted += 1;
                } else {
                    self.list
                        .push(diagnostic(&corpus.place(DocId::from(first.index() + at)), &problem));
                }
                Sketch::unreadable()
            })
        })
    }
}

fn diagnostic(place: &str, problem: &Problem) -> Diagnostic {
    let problem = match problem {
        Problem::Read(error) => error.to_string(),
        Problem::Fingerprint(problem) => problem.clone(),
    };
    // A read error begins with its place.
    let problem = problem.strip_prefix(&format!("{place}: ")).unwrap_or(&problem);
    Diagnostic::new(place, problem, "")
}

/// Stops a job when a panic unwinds past it.
pub(super) struct CancelOnPanic<'a>(pub(super) &'a Progress);

impl Drop for CancelOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.cancel();
        }
    }
}

/// Fingerprints a batch on all cores. After a stop the answer is incomplete: look before using it.
pub(super) fn sketch(
    fingerprinter: &Fingerprinter,
    contents: &[Content],
    job: &Job,
) -> Vec<Result<Sketch, Problem>> {
    contents
        .par_iter()
        .with_min_len(FEWEST_DOCUMENTS)
        .map_init(Scratch::default, |scratch, content| one(fingerprinter, content, scratch, job))
        .collect()
}

/// The same for documents read again, some of which may be gone.
pub(super) fn sketch_reread(
    fingerprinter: &Fingerprinter,
    contents: &[Result<Content, ReadError>],
    job: &Job,
) -> Vec<Result<Sketch, Problem>> {
    contents
        .par_iter()
        .with_min_len(FEWEST_DOCUMENTS)
        .map_init(Scratch::default, |scratch, content| match content {
            Ok(content) => one(fingerprinter, content, scratch, job),
            Err(error) => Err(Problem::Read(error.clone())),
        })
        .collect()
}

/// Fingerprints a document, or says why it has no fingerprint.
pub(super) fn one(
    fingerprinter: &Fingerprinter,
    content: &Content,
    scratch: &mut Scratch,
    job: &Job,
) -> Result<Sketch, Problem> {
    if job.progress.is_cancelled() {
        return Ok(Sketch::unreadable());
    }
    match content {
        Content::Text(text) => {
            let stop = || job.progress.is_cancelled();
            let sketch = fingerprinter.sketch_unless(text, scratch, &stop);
            Ok(sketch.unwrap_or_else(Sketch::unreadable))
        }
        Content::Fingerprint(None) => Ok(Sketch::carried(None)),
        Content::Fingerprint(Some(hex)) => {
            Fingerprint::parse(hex.trim(), fingerprinter.recipe().bits)
                .map(|fingerprint| Sketch::carried(Some(fingerprint)))
                .map_err(|error| Problem::Fingerprint(format!("fingerprint {hex:?}: {error}")))
        }
    }
}

/// Reads a corpus again from document `start` to its last, batch by batch, one thread ahead.
///
/// # Errors
/// [`Cancelled`] if told to stop.
pub(super) fn reread(
    corpus: &Corpus,
    start: usize,
    job: &Job,
    each: &mut (dyn FnMut(DocId, Vec<Result<Content, ReadError>>) + Send),
) -> Result<(), Cancelled> {
    thread::scope(|scope| {
        let (sender, receiver) = bounded(2);
        scope.spawn(move || {
            for run in runs(corpus, start) {
                if job.progress.is_cancelled() {
                    return;
                }
                let contents = corpus.read_many(run.clone());
                if sender.send((run.start, contents)).is_err() {
                    return;
                }
            }
        });
        for (first, contents) in receiver {
            job.progress.check()?;
            let n = contents.len() as u64;
            each(DocId::from(first), contents);
            job.progress.add(n);
        }
        job.progress.check()
    })
}

/// Runs of documents, each of bounded number and bytes.
fn runs(corpus: &Corpus, mut start: usize) -> impl Iterator<Item = Range<usize>> {
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let mut end = start;
        while end < corpus.len()
            && end - start < RUN_DOCUMENTS
            && (bytes < RUN_BYTES || end == start)
        {
            bytes += u64::from(corpus.document(DocId::from(end)).length);
            end += 1;
        }
        let run = start..end;
        start = end;
        (!run.is_empty()).then_some(run)
    })
}
