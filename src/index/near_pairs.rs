//! All near pairs by the planned method: as a stream, counted, or in order.
//!
//! The order is the contract's: nearest first, then by `a` and `b`. What does not fit in memory at
//! once comes in several searches, each of which lists all pairs and keeps those of one stretch of that
//! order: memory does not grow with the answer, but time does, by a whole search for each portion.

use std::{
    ops::{ControlFlow, Range},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use rayon::prelude::*;

use super::{
    join,
    pair::{Pair, Take, unless_cancelled},
    plan::{Method, Plan},
    scan,
};
use crate::{
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// Stretches that an answer is counted by before it is known to fit.
const MOST_STRETCHES: usize = 1 << 16;
/// Pairs of a stretch that is sorted for itself.
const STRETCH: usize = 1 << 5;

/// Passes every pair of `values` within the plan's k to `take`, each once, `a < b`, in no order, until it
/// says stop.
///
/// Exact. Equal values are reported at distance 0; collapse them first if there are many.
///
/// # Errors
/// [`Cancelled`] if told to stop; noticed within milliseconds.
///
/// # Panics
/// If there are 2^32 values or more, or if the plan was made for others that have less variety.
pub fn visit_pairs<B: Bits>(
    values: &[B],
    plan: &Plan,
    progress: &Progress,
    take: Take<'_>,
) -> Result<(), Cancelled> {
    let (values, width) = plan.compress(values);
    unless_cancelled(match &plan.method {
        Method::Holes(holes) => join::visit(&values, width, holes, progress, take),
        Method::Scan => scan::visit(&values, plan.k(), progress, take),
    })
}

/// How many pairs of `values` there are at each distance from 0 to the plan's k. Constant memory.
///
/// # Errors
/// As [`visit_pairs`].
///
/// # Panics
/// As [`visit_pairs`].
pub fn count_pairs<B: Bits>(
    values: &[B],
    plan: &Plan,
    progress: &Progress,
) -> Result<Vec<u64>, Cancelled> {
    let counts: Vec<AtomicU64> = (0..=plan.k()).map(|_| AtomicU64::new(0)).collect();
    visit_pairs(values, plan, progress, &|pairs| {
        // An addition that all threads see costs more than finding the pair.
        let mut some = vec![0; counts.len()];
        for pair in pairs {
            some[pair.distance as usize] += 1;
        }
        for (count, some) in counts.iter().zip(some).filter(|(_, some)| *some > 0) {
            count.fetch_add(some, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    })?;
    Ok(counts.into_iter().map(AtomicU64::into_inner).collect())
}

/// Every pair of `values` within the plan's k, in order. Memory: 20 bytes a pair, in the end 12.
///
/// # Errors
/// As [`visit_pairs`].
///
/// # Panics
/// As [`visit_pairs`].
pub fn near_pairs<B: Bits>(
    values: &[B],
    plan: &Plan,
    progress: &Progress,
) -> Result<Vec<Pair>, Cancelled> {
    let found = near_pairs_up_to(values, plan, usize::MAX, progress)?;
    Ok(found.expect("no number is more than the most there are"))
}

/// The same if there are at most `most`, else `None`, as soon as that is known.
///
/// Memory: that of `most` pairs, whatever the fingerprints.
///
/// # Errors
/// As [`visit_pairs`].
///
/// # Panics
/// As [`visit_pairs`].
pub fn near_pairs_up_to<B: Bits>(
    values: &[B],
    plan: &Plan,
    most: usize,
    progress: &Progress,
) -> Result<Option<Vec<Pair>>, Cancelled> {
    let found = Mutex::new((Vec::new(), 0));
    visit_pairs(values, plan, progress, &|pairs| {
        let (batches, n) = &mut *lock(&found);
        *n += pairs.len();
        if *n <= most {
            batches.push(pairs.to_vec());
            ControlFlow::Continue(())
        } else {
            *batches = Vec::new();
            ControlFlow::Break(())
        }
    })?;
    let (batches, n) = into_inner(found);
    if n > most {
        return Ok(None);
    }
    sorted(batches, values.len(), progress).map(Some)
}

/// Passes every pair of `values` within the plan's k to `each`, in order, about `most` at a time, until
/// it says stop.
///
/// More than `most` pairs cost one search for each `most` of them, and up to two more. Each search lists
/// all pairs and keeps its own: the time grows with the square of the answer once that is what takes time.
///
/// # Errors
/// As [`visit_pairs`].
///
/// # Panics
/// As [`visit_pairs`].
pub fn ordered_pairs<B: Bits>(
    values: &[B],
    plan: &Plan,
    most: usize,
    progress: &Progress,
    each: &mut dyn FnMut(&[Pair]) -> ControlFlow<()>,
) -> Result<(), Cancelled> {
    let order = Stretches::new(values.len(), plan.k(), MOST_STRETCHES);
    let sizes: Vec<AtomicU64> = (0..order.count()).map(|_| AtomicU64::new(0)).collect();
    let found = Mutex::new((Vec::new(), 0));
    visit_pairs(values, plan, progress, &|pairs| {
        for pair in pairs {
            sizes[order.of(pair)].fetch_add(1, Ordering::Relaxed);
        }
        let (batches, n) = &mut *lock(&found);
        *n += pairs.len();
        if *n <= most {
            batches.push(pairs.to_vec());
        } else {
            // Too many: this search only counts.
            batches.clear();
        }
        ControlFlow::Continue(())
    })?;
    let (batches, n) = into_inner(found);
    if n <= most {
        let _ = each(&sorted(batches, values.len(), progress)?);
        return Ok(());
    }
    let mut begin = 0;
    while begin < order.count() {
        // At least `most`, but for the last, and less than a stretch more: so searches are few.
        let mut end = begin;
        let mut n = 0;
        while end < order.count() && n < most.max(1) as u64 {
            n += sizes[end].load(Ordering::Relaxed);
            end += 1;
        }
        if n == 0 {
            break;
        }
        let wanted = begin..end;
        let found = Mutex::new(Vec::new());
        visit_pairs(values, plan, progress, &|pairs| {
            let ours = |pair: &&Pair| wanted.contains(&order.of(pair));
            let kept: Vec<Pair> = pairs.iter().filter(ours).copied().collect();
            if !kept.is_empty() {
                lock(&found).push(kept);
            }
            ControlFlow::Continue(())
        })?;
        if each(&order.sorted(into_inner(found), wanted, progress)?).is_break() {
            return Ok(());
        }
        begin = end;
    }
    Ok(())
}

/// The pairs of all batches in order.
pub(super) fn sorted(
    batches: Vec<Vec<Pair>>,
    n_values: usize,
    progress: &Progress,
) -> Result<Vec<Pair>, Cancelled> {
    let farthest = batches.iter().flatten().map(|pair| pair.distance).max().unwrap_or(0);
    let n: usize = batches.iter().map(Vec::len).sum();
    let order = Stretches::new(n_values, farthest, (n / STRETCH).min(MOST_STRETCHES));
    order.sorted(batches, 0..order.count(), progress)
}

/// The order of pairs cut into stretches: by distance, then by runs of `a`.
struct Stretches {
    /// A run of `a` has 2^run members.
    run: u32,
    runs: usize,
    k: u32,
}

impl Stretches {
    /// About `wanted` of them, but at least one for each distance up to `k`.
    fn new(n_values: usize, k: u32, wanted: usize) -> Self {
        let most_runs = (wanted / (k as usize + 1)).max(1);
        let run = n_values.div_ceil(most_runs).max(1).next_power_of_two().trailing_zeros();
        Self { run, runs: (n_values >> run) + 1, k }
    }

    fn count(&self) -> usize {
        (self.k as usize + 1) * self.runs
    }

    #[inline]
    fn of(&self, pair: &Pair) -> usize {
        // A run may have 2^32 members.
        pair.distance as usize * self.runs + (u64::from(pair.a) >> self.run) as usize
    }

    /// The pairs of all batches, which lie in the stretches `within`, in order.
    ///
    /// Distributed to their stretches, then each stretch sorted, in parallel.
    fn sorted(
        &self,
        batches: Vec<Vec<Pair>>,
        within: Range<usize>,
        progress: &Progress,
    ) -> Result<Vec<Pair>, Cancelled> {
        let mut ends = vec![0_usize; within.len()];
        for batch in &batches {
            progress.check()?;
            for pair in batch {
                ends[self.of(pair) - within.start] += 1;
            }
        }
        let mut n = 0;
        for end in &mut ends {
            n += std::mem::replace(end, n);
        }
        // In a stretch all distances are the same, and `a` and `b` make one number.
        let mut keys = vec![0_u64; n];
        for batch in batches {
            progress.check()?;
            for pair in batch {
                let place = &mut ends[self.of(&pair) - within.start];
                keys[*place] = u64::from(pair.a) << 32 | u64::from(pair.b);
                *place += 1;
            }
        }
        let mut pairs = vec![Pair::default(); n];
        let mut stretches = Vec::with_capacity(ends.len());
        let (mut rest, mut rest_of_pairs, mut begin) = (&mut keys[..], &mut pairs[..], 0);
        for (end, number) in ends.into_iter().zip(within.start..) {
            let (stretch, others) = rest.split_at_mut(end - begin);
            let (pairs, other_pairs) = rest_of_pairs.split_at_mut(end - begin);
            stretches.push((stretch, pairs, (number / self.runs) as u32));
            (rest, rest_of_pairs, begin) = (others, other_pairs, end);
        }
        stretches.into_par_iter().try_for_each(|(keys, pairs, distance)| {
            keys.sort_unstable();
            for (pair, key) in pairs.iter_mut().zip(keys) {
                *pair = Pair { a: (*key >> 32) as u32, b: *key as u32, distance };
            }
            progress.check()
        })?;
        Ok(pairs)
    }
}

// A panic while the lock is held has already ended the search.

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        index::{choose, naive},
        kernel::hamming,
    };

    #[test]
    fn too_many_pairs_are_not_kept() {
        let values: Vec<u64> = (0..600).map(|n| n * 37 % 1024).collect();
        let progress = Progress::new();
        let all = naive::all_pairs(&values, 3, &progress).unwrap();
        for plan in [Plan::by_blocks(values.len(), 64, 3, 4), choose(&values, 64, 3)] {
            let found = |most| near_pairs_up_to(&values, &plan, most, &progress).unwrap();
            assert_eq!(found(all.len()).as_ref(), Some(&all));
            for most in [0, 1, all.len() - 1] {
                assert_eq!(found(most), None);
            }
        }
    }

    /// All values of `bits` bits spread over a word, in an order that jumps about.
    fn cube(bits: u32) -> impl Iterator<Item = u64> {
        let corner = move |n: u64| {
            let n = n.wrapping_mul(0x9e37_79b9) & ((1 << bits) - 1);
            (0..bits)
                .fold(0x1234_5678_9abc_def0, |value, at| value ^ (n >> at & 1) << (at * 29 % 64))
        };
        (0..1 << bits).map(corner)
    }

    #[test]
    fn a_cube_takes_no_more_comparisons_than_all_there_are() {
        let random = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ n << 40;
        let alone: Vec<u64> = cube(13).collect();
        let among: Vec<u64> = cube(13).chain((1..20_000).map(random)).collect();
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        for k in [3, 4, 6, 9] {
            for values in [&alone, &among] {
                let most = scan::n_pairs(values.len());
                let plan = choose(values, 64, k);
                let (counts, compared) = one_thread.install(|| {
                    hamming::effort::take();
                    let counts = count_pairs(values, &plan, &Progress::new()).unwrap();
                    (counts, hamming::effort::take())
                });
                let n: u64 = counts.iter().sum();
                assert!(
                    compared <= most,
                    "k = {k}: {compared} comparisons for {n} pairs by {plan}"
                );
            }
        }
    }

    #[test]
    fn searches_are_few_and_portions_small() {
        let values: Vec<u64> = cube(10).collect();
        let plan = Plan::scan(values.len(), 64, 4);
        for most in [500, 10_000, 100_000] {
            let (mut portions, mut n) = (0, 0);
            let mut each = |pairs: &[Pair]| {
                (portions, n) = (portions + 1, n + pairs.len());
                assert!(pairs.len() < most + 1024);
                ControlFlow::Continue(())
            };
            ordered_pairs(&values, &plan, most, &Progress::new(), &mut each).unwrap();
            // One search before them.
            assert!(portions <= n / most + 1, "{portions} portions of {n} pairs");
        }
    }

    #[test]
    fn the_order_has_room_for_every_entry_there_can_be() {
        let order = Stretches::new(u32::MAX as usize, 3, 1);
        let last = Pair { a: u32::MAX - 1, b: u32::MAX, distance: 3 };
        assert!(order.of(&last) < order.count());
    }
}
