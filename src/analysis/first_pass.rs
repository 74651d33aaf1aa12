//! The first of two passes: what it counts, and what it keeps for the second.
//!
//! Weights of tf-idf need the whole corpus before the first document can be weighed. The features of the
//! documents are kept meanwhile, 10 bytes a word for words:3 and some 80 a document, and counted all at
//! once at the end; past a [`Room`] the documents are read and hashed again instead, and their features
//! counted as they come.

use super::{
    Job,
    kept::{self, Kept},
};
use crate::{
    corpus::{Content, ReadError},
    feature::{DocumentFrequencies, FrequencyCounter, Parted},
    simhash::{Fingerprinter, Portion},
};

/// Bytes that features may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Of the first documents: no more are kept once they take so many.
    pub(super) kept: usize,
    /// Of the others: those that wait are counted once they take more.
    pub(super) waiting: usize,
}

impl Default for Room {
    /// Half a gigabyte is kept, or some 50 million words.
    fn default() -> Self {
        Self { kept: 512 << 20, waiting: 64 << 20 }
    }
}

/// A first pass under way.
#[derive(Default)]
pub(super) struct FirstPass {
    room: Room,
    counter: FrequencyCounter,
    /// The first documents, some at a time.
    kept: Vec<Kept>,
    kept_bytes: usize,
    /// Others, to be counted.
    waiting: Vec<Portion>,
    waiting_bytes: usize,
}

impl FirstPass {
    /// One that keeps no more than this.
    pub(super) fn within(room: Room) -> Self {
        Self { room, ..Self::default() }
    }

    /// Counts the next documents, which [`kept::cut`] has cut.
    pub(super) fn keep(&mut self, cut: Vec<Kept>, job: &Job) {
        // Once full it stays full, so that what is kept has no gap.
        if self.kept_bytes < self.room.kept {
            self.kept_bytes += cut.iter().map(Kept::bytes).sum::<usize>();
            self.kept.extend(cut);
            return;
        }
        self.waiting_bytes += cut.iter().map(Kept::bytes).sum::<usize>();
        self.waiting.extend(cut.into_iter().map(|kept| kept.portion));
        if self.waiting_bytes > self.room.waiting {
            self.count_waiting(job);
        }
    }

    /// Cuts and counts documents read again, some of which may be gone.
    pub(super) fn take_reread(
        &mut self,
        fingerprinter: &Fingerprinter,
        contents: &[Result<Content, ReadError>],
        job: &Job,
    ) {
        self.keep(kept::cut(fingerprinter, contents, Result::as_ref, job), job);
    }

    /// The document frequencies, and what is left to do of the first documents, in order. Incomplete after a
    /// stop.
    pub(super) fn finish(mut self, job: &Job) -> (DocumentFrequencies, Vec<Kept>) {
        self.count_waiting(job);
        let keys: Vec<&Parted> = self.kept.iter().map(|kept| kept.portion.keys()).collect();
        let frequencies = self.counter.finish(&keys, &|| job.progress.is_cancelled());
        (frequencies, self.kept)
    }

    fn count_waiting(&mut self, job: &Job) {
        let waiting = std::mem::take(&mut self.waiting);
        self.waiting_bytes = 0;
        let keys: Vec<&Parted> = waiting.iter().map(Portion::keys).collect();
        self.counter.count(&keys, &|| job.progress.is_cancelled());
    }
}
