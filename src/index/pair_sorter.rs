//! Sorts pairs into the contract's order: nearest first, then by `a`, then by `b`.
//!
//! Pairs are collected by distance as they are found. In the end the pairs of a distance are partitioned into
//! stretches, by runs of `a`, and each stretch is sorted. Parallel over small distances and over stretches.
//!
//! Costs 12 ns a pair. Memory: 8 bytes a pair until all are found. Then distances go one after the other,
//! or small ones together, and what was kept of one is given back before the next: 12 bytes for the
//! pairs in order and 8 for the others.

use std::{
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
};

use rayon::prelude::*;

use super::{pair::Pair, partition::RadixPartition};
use crate::progress::{Cancelled, Progress};

/// Pairs of a distance that are kept together, at least.
const BATCH: usize = 1 << 14;
/// Pairs of a stretch, about.
const STRETCH: usize = 1 << 5;
/// The most stretches of a distance: as many places are written to at once.
const MOST_STRETCHES: usize = 1 << 16;
/// Pairs that are put in order together, at least: distances that have fewer go with the next. Where
/// memory grows, small memory is copied and large is not.
const PORTION: usize = 1 << 21;

/// The order of pairs cut into stretches: by distance, then by runs of `a`.
pub(super) struct PairRanges {
    /// A run of `a` has 2^run members.
    run: u32,
    /// Runs there are.
    runs: usize,
    k: u32,
}

impl PairRanges {
    /// About `wanted` of them, but at least one for each distance up to `k`.
    pub(super) fn new(n_values: usize, k: u32, wanted: usize) -> Self {
        let most_runs = (wanted / (k as usize + 1)).max(1);
        let run = n_values.div_ceil(most_runs).max(1).next_power_of_two().trailing_zeros();
        Self { run, runs: (n_values >> run) + 1, k }
    }

    pub(super) fn count(&self) -> usize {
        (self.k as usize + 1) * self.runs
    }

    #[inline]
    pub(super) fn of(&self, pair: &Pair) -> usize {
        // A run may have 2^32 members.
        pair.distance as usize * self.runs + (u64::from(pair.a) >> self.run) as usize
    }
}

/// Takes pairs in any order, from any thread, and returns them in order in the end.
pub(super) struct PairSorter {
    n_values: usize,
    taken: Mutex<TakenPairs>,
}

/// The pairs taken so far, by distance. The key of a pair is one number: `a` above `b`.
#[derive(Default)]
struct TakenPairs {
    n: usize,
    recent: Vec<Vec<u64>>,
    batches: Vec<Vec<Vec<u64>>>,
}

impl PairSorter {
    /// For pairs of `n_values` values at most `k` apart.
    pub(super) fn new(n_values: usize, k: u32) -> Self {
        let (recent, batches) = (0..=k).map(|_| (Vec::new(), Vec::new())).unzip();
        Self { n_values, taken: Mutex::new(TakenPairs { n: 0, recent, batches }) }
    }

    /// Takes `pairs` and returns true, unless there are then more than `most`: then it drops all pairs, takes
    /// none any more, and returns false.
    pub(super) fn take(&self, pairs: &[Pair], most: usize) -> bool {
        if pairs.is_empty() {
            return true;
        }
        let TakenPairs { n, recent, batches } = &mut *self.lock();
        *n += pairs.len();
        if *n > most {
            recent.fill(Vec::new());
            batches.fill(Vec::new());
            return false;
        }
        for pair in pairs {
            recent[pair.distance as usize].push(u64::from(pair.a) << 32 | u64::from(pair.b));
        }
        for (recent, batches) in recent.iter_mut().zip(batches) {
            if recent.len() >= BATCH {
                // A copy has no room that is not used.
                batches.push(recent.clone());
                recent.clear();
            }
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, TakenPairs> {
        // A panic while the lock is held has already ended the search.
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All pairs in order.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub(super) fn sorted(self, progress: &Progress) -> Result<Vec<Pair>, Cancelled> {
        let TakenPairs { n: mut left, recent, batches } = mem::take(&mut *self.lock());
        let mut sorted = Vec::new();
        let (mut portion, mut n) = (Vec::new(), 0);
        for ((distance, recent), mut batches) in (0..).zip(recent).zip(batches) {
            batches.push(recent);
            n += batches.iter().map(Vec::len).sum::<usize>();
            portion.push((distance, batches));
            if n >= PORTION.min(left) {
                let partition = |(distance, batches): (u32, Vec<Vec<u64>>)| {
                    Ok((distance, self.partition(&batches, progress)?))
                };
                let distances: Vec<_> = mem::take(&mut portion)
                    .into_par_iter()
                    .map(partition)
                    .collect::<Result<_, Cancelled>>()?;
                let from = sorted.len();
                sorted.reserve_exact(n);
                sorted.par_extend(rayon::iter::repeat_n(Pair::default(), n));
                sort(distances, &mut sorted[from..], progress)?;
                left -= mem::take(&mut n);
            }
        }
        Ok(sorted)
    }

    /// Partitions the keys of a distance by stretch.
    fn partition(
        &self,
        batches: &[Vec<u64>],
        progress: &Progress,
    ) -> Result<RadixPartition<u64>, Cancelled> {
        let n: usize = batches.iter().map(Vec::len).sum();
        let order = PairRanges::new(self.n_values, 0, (n / STRETCH).min(MOST_STRETCHES));
        let stretch = |&key: &u64| ((key >> u32::BITS >> order.run) as usize, key);
        let keys = || batches.iter().map(|batch| batch.iter().map(stretch));
        RadixPartition::new(order.runs, keys, progress)
    }
}

/// Sorts each stretch, and puts all in `pairs`, which has room for just as many.
fn sort(
    mut distances: Vec<(u32, RadixPartition<u64>)>,
    mut pairs: &mut [Pair],
    progress: &Progress,
) -> Result<(), Cancelled> {
    let mut stretches = Vec::new();
    for (distance, keys) in &mut distances {
        for stretch in keys.parts_mut() {
            let (of_stretch, others) = pairs.split_at_mut(stretch.len());
            stretches.push((stretch, of_stretch, *distance));
            pairs = others;
        }
    }
    stretches.into_par_iter().try_for_each(|(keys, pairs, distance)| {
        keys.sort_unstable();
        for (pair, key) in pairs.iter_mut().zip(keys) {
            *pair = Pair { a: (*key >> u32::BITS) as u32, b: *key as u32, distance };
        }
        progress.check()
    })
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    proptest! {
        #[test]
        fn pairs_come_in_order_whatever_they_are_taken_in(
            // Many or few of each, in all and with one `a`.
            n_values in prop_oneof![2..5_u32, 10..2000_u32, Just(u32::MAX)],
            some in vec((any::<u32>(), any::<u32>(), 0..=5_u32), 0..300),
            n_copies in 1..200_u32,
        ) {
            let copies = (0..n_copies).flat_map(|copy| some.iter().map(move |&(a, b, distance)| {
                let a = if a % 3 == 0 { a } else { a.wrapping_add(copy.wrapping_mul(0x9e37_79b9)) };
                Pair { a: a % n_values, b: b.wrapping_add(copy), distance }
            }));
            let mut expected: Vec<Pair> = copies.collect();
            let ordered = PairSorter::new(n_values as usize, 5);
            expected.par_chunks(777).for_each(|pairs| assert!(ordered.take(pairs, usize::MAX)));
            expected.sort_unstable();
            prop_assert_eq!(ordered.sorted(&Progress::new()).unwrap(), expected);
        }
    }

    #[test]
    fn the_order_has_room_for_every_entry_there_can_be() {
        let order = PairRanges::new(u32::MAX as usize, 3, 1);
        let last = Pair { a: u32::MAX - 1, b: u32::MAX, distance: 3 };
        assert!(order.of(&last) < order.count());
        let ordered = PairSorter::new(u32::MAX as usize, 3);
        assert!(ordered.take(&[last], 1));
        assert_eq!(ordered.sorted(&Progress::new()).unwrap(), [last]);
    }
}
