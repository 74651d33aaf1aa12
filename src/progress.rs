//! Progress of a job that can be watched and stopped: two counters and a flag, shared by reference.
//!
//! Long loops in every layer take a [`Progress`], add to it, and return early when it is cancelled. It uses no
//! clock and no thread; a screen or a progress bar reads it whenever it draws.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The steps done, the total number of steps, and whether the job should stop.
#[derive(Debug, Default)]
pub struct Progress {
    shared: Arc<Shared>,
    /// Whether this part of the job should stop, though the job goes on.
    stopped: AtomicBool,
}

/// The counters and the flag of a job and its parts.
#[derive(Debug, Default)]
struct Shared {
    done: AtomicU64,
    total: AtomicU64,
    cancelled: AtomicBool,
    /// The number of checks so far, for tests.
    #[cfg(test)]
    n_checks: AtomicU64,
    /// The check at which a test cancels the job; 0 for never.
    #[cfg(test)]
    last_check: AtomicU64,
}

/// The job was cancelled before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped before it was done")]
pub struct Cancelled;

impl Progress {
    /// A job of unknown length at its start.
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins a stage of `total` steps at 0; a total of 0 means "not known".
    pub fn begin(&self, total: u64) {
        self.shared.done.store(0, Ordering::Relaxed);
        self.shared.total.store(total, Ordering::Relaxed);
    }

    /// Sets the expected number of steps of this stage.
    pub fn set_total(&self, total: u64) {
        self.shared.total.store(total, Ordering::Relaxed);
    }

    /// Counts `steps` more as done.
    pub fn add(&self, steps: u64) {
        self.shared.done.fetch_add(steps, Ordering::Relaxed);
    }

    /// Steps done and steps in all; a total of 0 means "not known".
    pub fn get(&self) -> (u64, u64) {
        (self.shared.done.load(Ordering::Relaxed), self.shared.total.load(Ordering::Relaxed))
    }

    /// The part that is done in percent, from 0 to 100; `None` while the number of steps is not known.
    pub fn percent(&self) -> Option<u64> {
        let (done, total) = self.get();
        (100 * done).checked_div(total).map(|percent| percent.min(100))
    }

    /// Asks the job to stop; it does so at its next check.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// A part of the job, which counts its steps here, and can be stopped alone.
    pub(crate) fn part(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), stopped: AtomicBool::new(false) }
    }

    /// Asks this part of the job to stop, but not the job.
    pub(crate) fn stop_part(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the job was asked to stop.
    pub fn is_cancelled(&self) -> bool {
        #[cfg(test)]
        if self.shared.n_checks.fetch_add(1, Ordering::Relaxed) + 1
            == self.shared.last_check.load(Ordering::Relaxed)
        {
            self.cancel();
        }
        self.stopped.load(Ordering::Relaxed) || self.shared.cancelled.load(Ordering::Relaxed)
    }

    /// [`Cancelled`] if the job was asked to stop: `progress.check()?` in a loop.
    ///
    /// # Errors
    /// [`Cancelled`] after [`Progress::cancel`].
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

#[cfg(test)]
impl Progress {
    /// A job that is cancelled when it checks for the `n`th time.
    pub(crate) fn cancelled_at_check(n: u64) -> Self {
        let shared = Shared { last_check: n.into(), ..Shared::default() };
        Self { shared: shared.into(), ..Self::default() }
    }

    /// The number of checks so far.
    pub(crate) fn n_checks(&self) -> u64 {
        self.shared.n_checks.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_counts_in_its_job_and_stops_alone() {
        let job = Progress::new();
        let part = job.part();
        part.begin(9);
        part.add(4);
        part.stop_part();
        assert_eq!(job.get(), (4, 9));
        assert!(part.is_cancelled() && !job.is_cancelled());
        // A cancel of the job is one of its parts, and is not taken back by them.
        let other = job.part();
        job.cancel();
        assert!(other.is_cancelled() && job.is_cancelled());
    }
}
