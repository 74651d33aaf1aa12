//! CPU time around a call, runs by turns, medians and ratios.
//!
//! CPU time of the process, so that other work on the machine counts little; the two sides take
//! turns, so that what it still does (caches, clocks) meets both. A ratio is the median of the
//! ratios of the turns, with the smallest and the largest.

use std::fmt;
use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};

/// Runs `work`: what it returns and the CPU seconds of all threads meanwhile.
///
/// Its return value is dropped by the caller, outside the time.
pub(crate) fn cpu<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let now = || {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
    };
    let start = now();
    let result = work();
    (result, now() - start)
}

/// Runs `work`: what it returns and the seconds that pass.
pub(crate) fn wall<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

/// Seconds that the repeats of one row may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget(pub(crate) f64);

/// Times of two sides that took turns.
#[derive(Clone, Debug)]
pub(crate) struct Turns {
    ours: Vec<f64>,
    theirs: Vec<f64>,
}

impl Turns {
    /// Runs the two by turns, as often as fits the budget, at most 15 times.
    ///
    /// Each returns its seconds. `first` is what they took when their answers were checked; it counts
    /// as the only turn if there is no time for another, and is a warm-up otherwise.
    pub(crate) fn take(
        budget: Budget,
        first: (f64, f64),
        mut ours: impl FnMut() -> f64,
        mut theirs: impl FnMut() -> f64,
    ) -> Self {
        let n = (budget.0 / (first.0 + first.1)).min(15.0) as usize;
        if n == 0 {
            return Self { ours: vec![first.0], theirs: vec![first.1] };
        }
        let (ours, theirs) = (0..n).map(|_| (ours(), theirs())).unzip();
        Self { ours, theirs }
    }

    /// The median of our times.
    pub(crate) fn ours(&self) -> f64 {
        median(&self.ours)
    }

    /// The median of the other times.
    pub(crate) fn theirs(&self) -> f64 {
        median(&self.theirs)
    }

    /// Our time over theirs.
    pub(crate) fn ratio(&self) -> Spread {
        let ratios = self.ours.iter().zip(&self.theirs).map(|(ours, theirs)| ours / theirs);
        Spread::of(&ratios.collect::<Vec<_>>())
    }
}

/// A median, and the least and the most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    least: f64,
    most: f64,
}

impl Spread {
    /// The spread of some numbers, at least one.
    pub(crate) fn of(numbers: &[f64]) -> Self {
        let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self { median: median(numbers), least, most }
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { median, least, most } = self;
        if least == most {
            write!(f, "{median:.2}")
        } else {
            write!(f, "{median:.2} ({least:.2} to {most:.2})")
        }
    }
}

/// The middle number, or the mean of the middle two.
pub(crate) fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        sorted[middle]
    } else {
        f64::midpoint(sorted[middle - 1], sorted[middle])
    }
}
