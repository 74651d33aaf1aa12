//! Starts the threads of a run before any work, so that a refusal by the system is reported once.

use std::{io, thread};

use anyhow::Context;

use super::args::SearchArgs;

/// Threads beside the workers: one that reads, one that finds files; in the explorer one for each kind of query.
const MOST_OTHERS: usize = 32;

/// Starts the worker threads.
pub(super) fn set_threads(search: &SearchArgs) -> anyhow::Result<()> {
    const REMEDY: &str = "the system gives no more threads; allow more processes (ulimit -u), or use a \
                          smaller --threads if it is large";
    let n_cores = thread::available_parallelism().map_or(1, usize::from);
    let n_threads = search.threads.map_or(n_cores, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
    pool.build_global().context(REMEDY)?;
    try_threads(MOST_OTHERS).context(REMEDY)
}

/// Starts `n` threads at once, and ends them.
fn try_threads(n: usize) -> io::Result<()> {
    thread::scope(|scope| {
        let (hold, held) = crossbeam_channel::bounded::<()>(0);
        let outcome = (0..n).try_for_each(|_| {
            let held = held.clone();
            // Ends when the other end is dropped.
            let wait = move || held.recv().is_ok();
            thread::Builder::new().spawn_scoped(scope, wait).map(drop)
        });
        drop(hold);
        outcome
    })
}
