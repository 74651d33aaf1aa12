//! Processes items on all cores as they arrive, and takes the results in the order of the items.
//!
//! Several items are processed at the same time, so that an idle core can start the next item. Results are taken
//! while other items are still being processed.

use std::collections::VecDeque;
use std::time::Duration;

use crossbeam_channel::{Receiver, bounded, never, select};
use rayon::{Scope, in_place_scope};

/// Calls `work` on every item, on at most `at_once` items at a time. Passes each result to `take` as soon as it
/// and all earlier results are ready, and `None` when nothing came for `patience`. Returns when `items` has ended and
/// all results are taken. On a thread of a rayon pool it processes one item after the other, and waits for each.
///
/// # Errors
/// The first error of `take`; later results are not passed to it.
///
/// # Panics
/// If `work` or `take` panics.
pub(crate) fn in_order<T: Send, R: Send, E>(
    items: &Receiver<T>,
    at_once: usize,
    patience: Duration,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(Option<R>) -> Result<(), E>,
) -> Result<(), E> {
    // This thread may be the only one of its pool: if it waited for the others, nobody would do the work.
    if rayon::current_thread_index().is_some() {
        return items.iter().try_for_each(|item| take(Some(work(item))));
    }
    in_place_scope(|scope| spread(scope, items, (at_once, patience), &work, take))
}

/// Does [`in_order`] with calls of `work` on the threads of `scope`. The calling thread only waits and takes.
fn spread<'s, T: Send + 's, R: Send + 's, E>(
    scope: &Scope<'s>,
    items: &Receiver<T>,
    (at_once, patience): (usize, Duration),
    work: &'s (impl Fn(T) -> R + Sync),
    mut take: impl FnMut(Option<R>) -> Result<(), E>,
) -> Result<(), E> {
    let (nothing, no_result) = (never(), never());
    let mut has_ended = false;
    let mut under_way: VecDeque<Receiver<R>> = VecDeque::new();
    while !has_ended || !under_way.is_empty() {
        let is_full = has_ended || under_way.len() >= at_once;
        let next = if is_full { &nothing } else { items };
        let first = under_way.front().unwrap_or(&no_result);
        select! {
            recv(first) -> result => match result {
                Ok(result) => {
                    under_way.pop_front();
                    take(Some(result))?;
                }
                // `work` panicked; the scope panics too when it ends.
                Err(_) => return Ok(()),
            },
            recv(next) -> item => match item {
                Ok(item) => {
                    let (sender, receiver) = bounded(1);
                    under_way.push_back(receiver);
                    // The receiver is gone if `take` failed or panicked; then the result is dropped.
                    scope.spawn(move |_| drop(sender.send(work(item))));
                }
                Err(_) => has_ended = true,
            },
            default(patience) => take(None)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    use crossbeam_channel::unbounded;

    use super::*;

    const LONG: Duration = Duration::from_mins(1);

    fn items(n: u64) -> Receiver<u64> {
        let (sender, items) = unbounded();
        (0..n).for_each(|item| sender.send(item).unwrap());
        items
    }

    #[test]
    fn results_come_in_order_and_few_are_under_way() {
        let under_way = AtomicUsize::new(0);
        let work = |item: u64| {
            assert!(under_way.fetch_add(1, Ordering::Relaxed) < 3);
            // Later items finish sooner.
            thread::sleep(Duration::from_millis(5 - item % 5));
            under_way.fetch_sub(1, Ordering::Relaxed);
            item
        };
        let mut taken = Vec::new();
        let outcome = in_order(&items(20), 3, LONG, work, |item| {
            taken.extend(item);
            if item < Some(19) { Ok(()) } else { Err("the last") }
        });
        assert_eq!(outcome, Err("the last"));
        assert!(taken.into_iter().eq(0..20));
    }

    #[test]
    fn two_threads_work_side_by_side() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        // Each of the two items waits for the other.
        let (sender, receiver) = bounded(0);
        let work = |item: u64| match item {
            0 => sender.send_timeout((), LONG).is_ok(),
            _ => receiver.recv_timeout(LONG).is_ok(),
        };
        let mut met = Vec::new();
        let take = |it| -> Result<(), ()> {
            met.extend(it);
            Ok(())
        };
        pool.in_place_scope(|scope| spread(scope, &items(2), (2, LONG), &work, take)).unwrap();
        assert_eq!(met, [true, true]);
    }

    #[test]
    fn a_result_is_taken_though_the_next_item_is_long_in_coming() {
        let (sender, items) = bounded(0);
        let (taken, seen) = unbounded();
        thread::scope(|scope| {
            scope.spawn(|| {
                let patience = Duration::from_millis(1);
                in_order(&{ items }, 4, patience, |item: u32| item, |it| taken.send(it)).unwrap();
            });
            sender.send(1).unwrap();
            let mut seen = seen.iter().skip_while(Option::is_none);
            assert_eq!(seen.next(), Some(Some(1)));
            // Nothing comes for a while.
            assert_eq!(seen.next(), Some(None));
            drop(sender);
        });
    }

    #[test]
    fn a_pool_may_do_it_and_a_panic_passes_through() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let mut n = 0;
        let take = |item| {
            n += 1;
            if item < Some(5) { Ok(()) } else { Err(item) }
        };
        let found = pool.install(|| in_order(&items(9), 2, LONG, |item| item, take));
        assert_eq!(found, Err(Some(5)));
        assert_eq!(n, 6);
        let work = |item| assert_ne!(item, 5, "planted");
        let take = |_| Ok::<_, ()>(());
        let outcome = catch_unwind(AssertUnwindSafe(|| in_order(&items(9), 2, LONG, work, take)));
        assert!(outcome.is_err());
    }
}
