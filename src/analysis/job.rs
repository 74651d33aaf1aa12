//! The state of a running job: its stage, its progress, and a way to cancel it.

use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use crate::choice::choice;
use crate::progress::Progress;

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
        /// Collapsing equal fingerprints.
        Index = "indexing",
        /// Finding every near-duplicate pair.
        Pair = "pairing",
        /// Making vectors of the texts.
        Weigh = "making vectors",
        /// Finding every pair of texts with a large cosine.
        Join = "comparing texts",
        /// Evaluating layouts against the true pairs.
        Try = "trying layouts",
        /// Reading texts again, to find equal ones and judged ones.
        Compare = "comparing",
        /// Looking for words and fields in documents.
        Search = "searching",
    }
}

/// The time after this duration from now.
pub fn deadline(within: Duration) -> Instant {
    Instant::now() + within
}

/// Stage and progress of one analysis, shared between worker and watcher.
#[derive(Debug, Default)]
pub struct Job {
    stage: AtomicU8,
    /// Steps of the present stage: bytes for [`Stage::Read`]; documents, rows or fingerprints for other stages.
    pub progress: Progress,
}

impl Job {
    /// A job at its start.
    pub fn new() -> Self {
        Self::default()
    }

    /// A job that begins with this stage. The screen shows it until the work sets another stage.
    pub fn to_begin(stage: Stage) -> Self {
        let job = Self::default();
        job.enter(stage, 0);
        job
    }

    /// The present stage.
    pub fn stage(&self) -> Stage {
        Stage::ALL[self.stage.load(Ordering::Relaxed) as usize]
    }

    /// The present stage and its share that is done, in words.
    pub fn told(&self) -> String {
        match self.progress.percent() {
            None => format!("{} ..", self.stage()),
            Some(percent) => format!("{} {percent}%", self.stage()),
        }
    }

    /// Enters a stage of `total` steps.
    pub(crate) fn enter(&self, stage: Stage, total: u64) {
        self.progress.begin(total);
        self.stage.store(stage as u8, Ordering::Relaxed);
    }
}
