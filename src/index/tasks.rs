//! Distributes tasks to all threads: a thread that has finished takes the next task.
//!
//! Rayon divides a loop into halves of halves, and idle threads take pieces that have not started. If tasks reuse
//! memory, these pieces must be few, and a slow piece keeps one thread busy when all others have finished. Here
//! each thread allocates its memory once, and at the end the other threads wait for at most one task. Costs one
//! atomic addition for each task.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;

/// Calls `work` with each number below `n` and with the memory of its thread, which `memory` creates.
///
/// # Errors
/// An error that `work` returns; tasks that have not started are then dropped.
pub(super) fn for_each_task<M, E: Send>(
    n: usize,
    memory: impl Fn() -> M + Sync,
    work: impl Fn(&mut M, usize) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let threads = (0..rayon::current_num_threads().min(n)).into_par_iter().with_max_len(1);
    threads.try_for_each(|_| {
        let mut memory = memory();
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= n {
                return Ok(());
            }
            work(&mut memory, number).inspect_err(|_| next.store(n, Relaxed))?;
        }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn each_task_is_done_once_and_none_after_an_error() {
        for n in [0, 1, 2, 1000] {
            let done = Mutex::new(Vec::new());
            let work = |count: &mut usize, number| {
                *count += 1;
                done.lock().unwrap().push(number);
                if *count == 600 { Err(number) } else { Ok(()) }
            };
            let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            let outcome = one_thread.install(|| for_each_task(n, || 0, work));
            assert_eq!(outcome, if n < 600 { Ok(()) } else { Err(599) });
            assert_eq!(done.into_inner().unwrap(), (0..n.min(600)).collect::<Vec<_>>());

            let done: Vec<AtomicUsize> = (0..n).map(|_| AtomicUsize::new(0)).collect();
            let count = |(): &mut (), number: usize| {
                done[number].fetch_add(1, Relaxed);
                Ok::<(), ()>(())
            };
            assert_eq!(for_each_task(n, || (), count), Ok(()));
            assert!(done.iter().all(|times| times.load(Relaxed) == 1));
        }
    }
}
