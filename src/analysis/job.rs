//! A running analysis as its watcher sees it: the stage, the progress, and a way to stop it.

use std::{
    sync::atomic::{AtomicU8, Ordering},
    time::{Duration, Instant},
};

use crate::{choice::choice, progress::Progress};

choice! {
    /// The stage of an analysis.
    pub enum Stage, "stage" {
        /// Reading documents and, unless weights need the whole corpus first, fingerprinting them.
        #[default]
        Read = "reading",
        /// Counting the documents that contain each feature.
        Count = "counting",
        /// Fingerprinting documents that were read before.
        Fingerprint = "fingerprinting",
        /// Sorting the permuted tables.
        Index = "indexing",
        /// Finding every near-duplicate pair.
        Pair = "pairing",
        /// Making vectors of the texts.
        Weigh = "making vectors",
        /// Finding every pair of texts with a large cosine.
        Join = "comparing texts",
        /// Holding a layout against what is true.
        Try = "trying layouts",
        /// Reading texts again, to find equal ones and judged ones.
        Compare = "comparing",
        /// Looking for words and fields in documents.
        Search = "searching",
    }
}

/// Does some work, and returns the time it took.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = Instant::now();
    let done = work();
    (done, begun.elapsed())
}

/// The moment so long from now.
pub fn deadline(within: Duration) -> Instant {
    Instant::now() + within
}

/// Stage and progress of one analysis, shared between worker and watcher.
#[derive(Debug, Default)]
pub struct Job {
    stage: AtomicU8,
    /// Steps of the present stage: bytes while reading, else documents, rows or fingerprints.
    pub progress: Progress,
}

impl Job {
    /// A job at its start.
    pub fn new() -> Self {
        Self::default()
    }

    /// A job that begins with this stage, which a watcher sees before the work itself sets one.
    pub fn to_begin(stage: Stage) -> Self {
        let job = Self::default();
        job.enter(stage, 0);
        job
    }

    /// The present stage.
    pub fn stage(&self) -> Stage {
        Stage::ALL[self.stage.load(Ordering::Relaxed) as usize]
    }

    /// Enters a stage of `total` steps.
    pub(crate) fn enter(&self, stage: Stage, total: u64) {
        self.progress.begin(total);
        self.stage.store(stage as u8, Ordering::Relaxed);
    }
}
