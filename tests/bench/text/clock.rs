//! A fair race: interleaved rounds, one clock, medians.

use std::hint::black_box;

use rustix::time::{ClockId, clock_gettime};

/// Seconds of CPU time this thread has had.
pub(crate) fn cpu_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Seconds on the wall.
pub(crate) fn wall_time() -> f64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Seconds of CPU time that ended child processes have had, to a hundredth; 0 where `/proc` is not.
pub(crate) fn children_cpu_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name in brackets, from 0: `cutime` and `cstime`, in ticks of a hundredth.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(13).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// The timed work; its answer keeps it from being optimised away.
type AnalysisInput<'a> = Box<dyn FnMut() -> u64 + Send + 'a>;

/// Works that are timed in turn.
pub(crate) struct Contest<'a> {
    clock: fn() -> f64,
    works: Vec<(&'static str, AnalysisInput<'a>)>,
}

impl<'a> Contest<'a> {
    /// Nobody entered yet.
    pub(crate) fn new(clock: fn() -> f64) -> Self {
        Self { clock, works: Vec::new() }
    }

    /// Enters a work.
    pub(crate) fn enter(&mut self, name: &'static str, work: impl FnMut() -> u64 + Send + 'a) {
        self.works.push((name, Box::new(work)));
    }

    /// Runs every work once to warm up, then `rounds` times in turn. The median seconds of each.
    pub(crate) fn run(mut self, rounds: usize) -> Vec<(&'static str, f64)> {
        let mut seconds = vec![Vec::with_capacity(rounds); self.works.len()];
        for round in 0..=rounds {
            for ((_, work), seconds) in self.works.iter_mut().zip(&mut seconds) {
                let start = (self.clock)();
                black_box(work());
                if round > 0 {
                    seconds.push((self.clock)() - start);
                }
            }
        }
        let names = self.works.iter().map(|(name, _)| *name);
        names.zip(seconds.iter_mut().map(|seconds| median(seconds))).collect()
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}
