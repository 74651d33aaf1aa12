//! Fingerprints a batch of documents, and reads a corpus again in batches.
//!
//! Batches are bounded in bytes as well as in documents, so that memory holds a few megabytes of text whatever the
//! size of the documents. A cancel is noticed between two documents and within a long document.

use std::ops::Range;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

use crossbeam_channel::bounded;
use rayon::prelude::*;

use super::{Job, Stage};
use crate::corpus::{Content, Corpus, DIAGNOSTICS_KEPT, Diagnostic, ReadError};
use crate::feature::{DocumentFrequencies, FrequencyCounter};
use crate::id::DocId;
use crate::number::counted;
use crate::progress::{Cancelled, Progress};
use crate::simhash::{Features, Fingerprint, FingerprintRecord, Fingerprinter, Scratch};
use crate::text::fits_normalized;

/// The most documents and bytes of a corpus read again at a time. A larger document is read alone.
const RUN: (usize, u64) = (2048, 2 << 20);

/// The most bytes of a text after normalisation, unless it was longer before: one letter of three bytes can become
/// 33.
const MOST_NORMALIZED: usize = 64 << 20;

/// Bytes of long texts that all cores work on at once; a longer one is alone. Their features take up to 28 times as
/// much.
const MOST_AT_WORK: usize = 64 << 20;
/// Shorter texts are not counted: one for each core takes little.
const FEWEST_COUNTED: usize = 1 << 20;

/// The fewest documents that a core takes at once, so that its buffers are used for more than one document.
const FEWEST_DOCUMENTS: usize = 16;

/// The record of a document, or the reason why it has none although it should have one.
pub(super) type MadeRecord = Result<FingerprintRecord, String>;

/// The problems of an analysis: the first [`DIAGNOSTICS_KEPT`], and the number of the others.
#[derive(Default)]
pub(super) struct ProblemList {
    list: Vec<Diagnostic>,
    n_unlisted: u64,
}

impl ProblemList {
    /// Adds problems that were listed before.
    pub(super) fn extend(&mut self, problems: &[Diagnostic]) {
        self.list.extend_from_slice(problems);
    }

    /// The problems in document order. If there are more, the last element gives their number.
    pub(super) fn into_list(mut self) -> Vec<Diagnostic> {
        if self.n_unlisted > 0 {
            let more =
                format!("{} like these are not listed", counted(self.n_unlisted, "more problem"));
            self.list.push(Diagnostic::new("and", &more, ""));
        }
        self.list
    }

    /// Adds the problems of the documents from `first` on. A document with a problem gets a record that marks it as
    /// unreadable.
    pub(super) fn take(
        &mut self,
        corpus: &Corpus,
        first: DocId,
        made: Vec<MadeRecord>,
    ) -> impl Iterator<Item = FingerprintRecord> {
        made.into_iter().enumerate().map(move |(at, record)| {
            record.unwrap_or_else(|problem| {
                if self.list.len() >= DIAGNOSTICS_KEPT {
                    self.n_unlisted += 1;
                } else {
                    let place = corpus.place(DocId::from(first.index() + at));
                    // A read error begins with its place.
                    let problem = problem.strip_prefix(&format!("{place}: ")).unwrap_or(&problem);
                    self.list.push(Diagnostic::new(&place, problem, ""));
                }
                FingerprintRecord::unreadable()
            })
        })
    }
}

/// Cancels the job when it is dropped during a panic.
pub(super) struct CancelOnPanic<'a>(pub(super) &'a Progress);

impl Drop for CancelOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.cancel();
        }
    }
}

/// A document after the first of two passes: its features, without weights; or its record, if it carries a fingerprint or
/// cannot have one, so that no features need weights.
pub(super) type PreparedDocument = Result<Features, MadeRecord>;

/// The memory that it takes, in bytes.
pub(super) fn bytes_of(document: &PreparedDocument) -> usize {
    size_of::<PreparedDocument>() + document.as_ref().map_or(0, Features::bytes)
}

/// Fingerprints documents on all cores: [`prepare`] and [`weigh`] in one, which keeps no features. `read` returns the
/// content of a document, or the reason why it has none. After a cancel the result is incomplete: call
/// `progress.check()` before you use it.
pub(super) fn record<'a, T: Sync>(
    fingerprinter: &Fingerprinter,
    documents: &'a [T],
    read: impl Fn(&'a T) -> Result<&'a Content, &'a ReadError> + Send + Sync,
    job: &Job,
) -> Vec<MadeRecord> {
    for_each_text(fingerprinter, documents, read, |text, scratch| {
        let record = match text {
            Ok(text) => fingerprinter.try_record(text, scratch, &job.progress),
            Err(done) => return done,
        };
        Ok(record.unwrap_or_else(|_| FingerprintRecord::unreadable()))
    })
}

/// Cuts documents into features on all cores, as [`record`] does first.
pub(super) fn prepare<'a, T: Sync>(
    fingerprinter: &Fingerprinter,
    documents: &'a [T],
    read: impl Fn(&'a T) -> Result<&'a Content, &'a ReadError> + Send + Sync,
    job: &Job,
) -> Vec<PreparedDocument> {
    for_each_text(fingerprinter, documents, read, |text, scratch| {
        let features = fingerprinter.try_features(text?, scratch, &job.progress);
        features.map_err(|_| Ok(FingerprintRecord::unreadable()))
    })
}

/// Makes something of the text of every document, or of what it has in place of a text, on all cores.
fn for_each_text<'a, T: Sync, R: Send>(
    fingerprinter: &Fingerprinter,
    documents: &'a [T],
    read: impl Fn(&'a T) -> Result<&'a Content, &'a ReadError> + Send + Sync,
    make: impl Fn(Result<&'a str, MadeRecord>, &mut Scratch) -> R + Send + Sync,
) -> Vec<R> {
    let work = |scratch: &mut Scratch, document: &'a T| {
        let content = read(document);
        let bytes = content.ok().and_then(Content::text).map_or(0, str::len);
        let share = share_of_long_texts(bytes);
        let made = make(text(fingerprinter, content), scratch);
        if share.is_some() {
            *scratch = Scratch::default();
        }
        made
    };
    documents.par_iter().with_min_len(FEWEST_DOCUMENTS).map_init(Scratch::default, work).collect()
}

/// Weighs features on all cores, which makes fingerprints of them.
pub(super) fn weigh(
    fingerprinter: &Fingerprinter,
    documents: &[PreparedDocument],
    job: &Job,
) -> Vec<MadeRecord> {
    let weigh = |document: &PreparedDocument| match document {
        Ok(features) => {
            let record = fingerprinter.record_features(features, &job.progress);
            Ok(record.unwrap_or_else(|_| FingerprintRecord::unreadable()))
        }
        Err(done) => done.clone(),
    };
    documents.par_iter().with_min_len(FEWEST_DOCUMENTS).map(weigh).collect()
}

/// A share of the budget for a text of so many bytes, if it is long; waits while other threads have too much.
pub(super) fn share_of_long_texts(bytes: usize) -> Option<impl Drop> {
    (bytes >= FEWEST_COUNTED).then(|| LONG_TEXTS.take(bytes))
}

/// The long texts that are worked on, of all threads. Work on a document must not wait for work on another.
static LONG_TEXTS: ByteBudget = ByteBudget { taken: Mutex::new(0), freed: Condvar::new() };

/// Bytes that threads may take together; one of them may always take what it needs.
struct ByteBudget {
    taken: Mutex<usize>,
    freed: Condvar,
}

impl ByteBudget {
    /// Takes these bytes until the result is dropped; waits while others have too many.
    fn take(&self, bytes: usize) -> impl Drop {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let is_over = |taken: &mut usize| *taken > 0 && *taken + bytes > MOST_AT_WORK;
        let mut taken =
            self.freed.wait_while(taken, is_over).unwrap_or_else(PoisonError::into_inner);
        *taken += bytes;
        Taken { budget: self, bytes }
    }
}

struct Taken<'b> {
    budget: &'b ByteBudget,
    bytes: usize,
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        *self.budget.taken.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        self.budget.freed.notify_all();
    }
}

/// The text of a document, or the result for a document without text: the fingerprint it carries or that its hashes
/// make, or the reason why it has none.
fn text<'a>(
    fingerprinter: &Fingerprinter,
    content: Result<&'a Content, &ReadError>,
) -> Result<&'a str, MadeRecord> {
    Err(match content {
        Ok(Content::Text(text)) => {
            let form = fingerprinter.recipe().form;
            if fits_normalized(text, form, MOST_NORMALIZED.max(text.len())) {
                return Ok(text);
            }
            Err(format!(
                "its text grows beyond {} MiB in the normal form {form}; use another `norm`, or leave it out",
                MOST_NORMALIZED >> 20
            ))
        }
        Ok(Content::Fingerprint(None)) => Ok(FingerprintRecord::carried(None)),
        Ok(Content::Fingerprint(Some(hex))) => {
            Fingerprint::parse(hex.trim(), fingerprinter.recipe().bits)
                .map(|fingerprint| FingerprintRecord::carried(Some(fingerprint)))
                .map_err(|error| format!("fingerprint {hex:?}: {error}"))
        }
        Ok(Content::Hashes(_)) if fingerprinter.recipe().bits > 64 => {
            let bits = fingerprinter.recipe().bits;
            Err(format!("hashes of 64 bits make no fingerprint of {bits}; take `bits` 64 or fewer"))
        }
        Ok(Content::Hashes(hashes)) => Ok(fingerprinter.record_hashes(hashes)),
        Err(error) => Err(error.to_string()),
    })
}

/// Reads a corpus again, from document `start` to the last, in batches. A second thread reads ahead.
///
/// # Errors
/// [`Cancelled`] if cancelled.
pub(super) fn reread(
    corpus: &Corpus,
    start: usize,
    job: &Job,
    each: &mut (dyn FnMut(DocId, Vec<Result<Content, ReadError>>) + Send),
) -> Result<(), Cancelled> {
    thread::scope(|scope| {
        let (sender, receiver) = bounded(2);
        scope.spawn(move || {
            for run in ranges(corpus, start..corpus.len(), RUN) {
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

/// The most documents of a range that one core reads, and the most bytes, except those of a larger document alone.
const RANGE: (usize, u64) = (512, 1 << 20);

/// Calls `read` with ranges of the documents for which `is_wanted` holds, on all cores, and returns all that it made, in
/// order; `job` counts the documents.
///
/// # Errors
/// [`Cancelled`] if cancelled.
pub(super) fn read_ranges<T: Send>(
    corpus: &Corpus,
    is_wanted: impl Fn(DocId) -> bool,
    job: &Job,
    read: impl Fn(Range<usize>) -> Vec<T> + Sync,
) -> Result<Vec<T>, Cancelled> {
    let ranges = ranges_of(corpus, is_wanted);
    job.enter(Stage::Compare, ranges.iter().map(|range| range.len() as u64).sum());
    let read = |range: Range<usize>| {
        job.progress.check()?;
        let n = range.len() as u64;
        let made = read(range);
        job.progress.add(n);
        Ok(made)
    };
    let made = ranges.into_par_iter().map(read).collect::<Result<Vec<_>, Cancelled>>()?;
    Ok(made.into_iter().flatten().collect())
}

/// The documents for which `is_wanted` holds, as ranges of bounded size.
pub(super) fn ranges_of(corpus: &Corpus, is_wanted: impl Fn(DocId) -> bool) -> Vec<Range<usize>> {
    ranges(corpus, (0..corpus.len()).filter(|&at| is_wanted(DocId::from(at))), RANGE)
}

/// Ranges of these documents, which are ascending: each of at most so many documents and bytes, or a larger document
/// alone.
fn ranges(
    corpus: &Corpus,
    documents: impl Iterator<Item = usize>,
    (most, most_bytes): (usize, u64),
) -> Vec<Range<usize>> {
    let (mut ranges, mut bytes) = (Vec::<Range<usize>>::new(), 0);
    for at in documents {
        let length = u64::from(corpus.document(DocId::from(at)).length);
        match ranges.last_mut() {
            Some(last) if last.end == at && last.len() < most && bytes < most_bytes => {
                last.end += 1;
                bytes += length;
            }
            _ => {
                ranges.push(at..at + 1);
                bytes = length;
            }
        }
    }
    ranges
}

/// The most bytes of kept features, except for the last batch: half a gigabyte, or some 60 million words.
pub(super) const MOST_KEPT: usize = 512 << 20;

/// The first of two passes over a corpus: it counts document frequencies, and keeps features for the second.
///
/// With tf-idf, the weights of the first document depend on the whole corpus. So the features of the first
/// documents are kept: 8 bytes for each word with words:3, and some 100 bytes for each document. Memory is bounded:
/// if the kept features take [`MOST_KEPT`] bytes, the second pass reads the other documents again. The table of
/// frequencies takes another 16 to 32 bytes for each distinct feature.
pub(super) struct FirstPass {
    most_kept: usize,
    counter: FrequencyCounter,
    /// The first documents of the corpus, in batches.
    kept: Vec<Vec<PreparedDocument>>,
    kept_bytes: usize,
}

impl FirstPass {
    /// A first pass that keeps batches until they take `most_kept` bytes.
    pub(super) fn new(most_kept: usize) -> Self {
        Self { most_kept, counter: FrequencyCounter::new(), kept: Vec::new(), kept_bytes: 0 }
    }

    /// Counts the next documents of the corpus, and keeps them if the limit allows it.
    pub(super) fn add(&mut self, batch: Vec<PreparedDocument>, job: &Job) {
        let features = batch.iter().flatten();
        let keys: Vec<&[u64]> = features.map(Features::keys).collect();
        self.counter.count(&keys, &job.progress);
        // Once this is false it stays false, so that the documents kept have no gap.
        if self.kept_bytes < self.most_kept {
            self.kept_bytes += batch.iter().map(bytes_of).sum::<usize>();
            self.kept.push(batch);
        }
    }

    /// The first pass over a corpus that was read before.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub(super) fn over(
        corpus: &Corpus,
        most_kept: usize,
        fingerprinter: &Fingerprinter,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        job.enter(Stage::Count, corpus.len() as u64);
        let mut first_pass = Self::new(most_kept);
        reread(corpus, 0, job, &mut |_, contents| {
            first_pass.add(prepare(fingerprinter, &contents, Result::as_ref, job), job);
        })?;
        Ok(first_pass)
    }

    /// The document frequencies, and the kept documents in batches. Both are incomplete after a cancel.
    pub(super) fn finish(self) -> (DocumentFrequencies, Vec<Vec<PreparedDocument>>) {
        (self.counter.finish(), self.kept)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::SeqCst;

    use super::*;

    #[test]
    fn long_texts_are_worked_on_within_one_budget() {
        let (at_work, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let mib = [20_usize, 40, 70, 30, 1, 90, 25].map(|n| n << 20);
        thread::scope(|scope| {
            for bytes in mib {
                let (at_work, most) = (&at_work, &most);
                scope.spawn(move || {
                    let share = LONG_TEXTS.take(bytes);
                    let now = at_work.fetch_add(bytes, SeqCst) + bytes;
                    most.fetch_max(if now == bytes { 0 } else { now }, SeqCst);
                    thread::sleep(std::time::Duration::from_millis(5));
                    at_work.fetch_sub(bytes, SeqCst);
                    drop(share);
                });
            }
        });
        assert!(most.into_inner() <= MOST_AT_WORK);
    }
}
