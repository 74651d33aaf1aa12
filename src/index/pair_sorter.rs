//! Sorts pairs by distance, then by `a`, then by `b`: the order that all screens and files use.
//!
//! Pairs are collected by distance as they are found. At the end the pairs of a distance are partitioned into
//! ranges of `a`, and each range is sorted. Parallel over small distances and over ranges.
//!
//! Costs 12 ns for each pair. Memory: 8 bytes for each pair until all are found. Then the distances are sorted
//! one after the other, or several small ones together, and the memory of each is released before the next: 12
//! bytes for each sorted pair and 8 for each other pair.

use std::{
    mem,
    ops::ControlFlow,
    sync::{Mutex, MutexGuard, PoisonError},
};

use rayon::prelude::*;

use super::{Pair, partition::RadixPartition};
use crate::progress::{Cancelled, Progress};

/// The smallest number of pairs of a distance that are stored as a batch.
const BATCH: usize = 1 << 14;
/// The approximate number of pairs of a range.
const RANGE: usize = 1 << 5;
/// The largest number of ranges of a distance: the number of destinations written to at once.
const MOST_RANGES: usize = 1 << 16;
/// The smallest number of pairs sorted together: distances with fewer pairs are sorted with the next one. When a
/// vector grows, small memory is copied and large memory is not.
const SORTED_AT_ONCE: usize = 1 << 21;

/// Ranges of the order of pairs: by distance, then by `a`.
pub(super) struct PairRanges {
    /// A range has `2^log2_size` values of `a`.
    log2_size: u32,
    /// The number of ranges for each distance.
    n_ranges: usize,
    k: u32,
}

impl PairRanges {
    /// About `wanted` ranges, but at least one for each distance up to `k`.
    pub(super) fn new(n_values: usize, k: u32, wanted: usize) -> Self {
        let most = (wanted / (k as usize + 1)).max(1);
        let log2_size = n_values.div_ceil(most).max(1).next_power_of_two().trailing_zeros();
        Self { log2_size, n_ranges: (n_values >> log2_size) + 1, k }
    }

    pub(super) fn count(&self) -> usize {
        (self.k as usize + 1) * self.n_ranges
    }

    #[inline]
    pub(super) fn of(&self, pair: &Pair) -> usize {
        // A range may have 2^32 values, so the shift needs 64 bits.
        pair.distance as usize * self.n_ranges + (u64::from(pair.a) >> self.log2_size) as usize
    }
}

/// Takes pairs in any order, from any thread, and returns them sorted at the end.
pub(super) struct PairSorter {
    n_values: usize,
    most: usize,
    taken: Mutex<TakenPairs>,
}

/// The pairs taken so far, by distance. The key of a pair is one number, with `a` in the high bits and `b` in the
/// low bits.
#[derive(Default)]
struct TakenPairs {
    n: usize,
    recent: Vec<Vec<u64>>,
    batches: Vec<Vec<Vec<u64>>>,
}

impl PairSorter {
    /// A sorter for at most `most` pairs of `n_values` values at most `k` apart.
    pub(super) fn new(n_values: usize, k: u32, most: usize) -> Self {
        let (recent, batches) = (0..=k).map(|_| (Vec::new(), Vec::new())).unzip();
        Self { n_values, most, taken: Mutex::new(TakenPairs { n: 0, recent, batches }) }
    }

    /// Takes `pairs`, unless there are then too many: then it drops all pairs, ignores later ones, and returns
    /// `Break`.
    pub(super) fn take(&self, pairs: &[Pair]) -> ControlFlow<()> {
        let TakenPairs { n, recent, batches } = &mut *self.lock();
        *n += pairs.len();
        if *n > self.most {
            recent.fill(Vec::new());
            batches.fill(Vec::new());
            return ControlFlow::Break(());
        }
        for pair in pairs {
            recent[pair.distance as usize].push(u64::from(pair.a) << 32 | u64::from(pair.b));
        }
        for (recent, batches) in recent.iter_mut().zip(batches) {
            if recent.len() >= BATCH {
                // A copy has no unused capacity.
                batches.push(recent.clone());
                recent.clear();
            }
        }
        ControlFlow::Continue(())
    }

    fn lock(&self) -> MutexGuard<'_, TakenPairs> {
        // A panic while the lock is held has already ended the search.
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All pairs, sorted; `None` if there were too many.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub(super) fn sorted(self, progress: &Progress) -> Result<Option<Vec<Pair>>, Cancelled> {
        let TakenPairs { n: mut left, recent, batches } = mem::take(&mut *self.lock());
        if left > self.most {
            return Ok(None);
        }
        let mut sorted = Vec::new();
        let (mut waiting, mut n) = (Vec::new(), 0);
        for ((distance, recent), mut batches) in (0..).zip(recent).zip(batches) {
            batches.push(recent);
            n += batches.iter().map(Vec::len).sum::<usize>();
            waiting.push((distance, batches));
            if n >= SORTED_AT_ONCE.min(left) {
                let partition = |(distance, batches): (u32, Vec<Vec<u64>>)| {
                    Ok((distance, self.partition(&batches, progress)?))
                };
                let distances: Vec<_> = mem::take(&mut waiting)
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
        Ok(Some(sorted))
    }

    /// Partitions the keys of a distance by range.
    fn partition(
        &self,
        batches: &[Vec<u64>],
        progress: &Progress,
    ) -> Result<RadixPartition<u64>, Cancelled> {
        let n: usize = batches.iter().map(Vec::len).sum();
        let order = PairRanges::new(self.n_values, 0, (n / RANGE).min(MOST_RANGES));
        let range = |&key: &u64| ((key >> u32::BITS >> order.log2_size) as usize, key);
        let keys = || batches.iter().map(|batch| batch.iter().map(range));
        RadixPartition::new(order.n_ranges, keys, progress)
    }
}

/// Sorts each range and writes all pairs to `pairs`, whose length is their number.
fn sort(
    mut distances: Vec<(u32, RadixPartition<u64>)>,
    mut pairs: &mut [Pair],
    progress: &Progress,
) -> Result<(), Cancelled> {
    let mut ranges = Vec::new();
    for (distance, keys) in &mut distances {
        for range in keys.parts_mut() {
            let (of_range, others) = pairs.split_at_mut(range.len());
            ranges.push((range, of_range, *distance));
            pairs = others;
        }
    }
    ranges.into_par_iter().try_for_each(|(keys, pairs, distance)| {
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
            // Many or few pairs of each distance, with any `a` and with one `a`.
            n_values in prop_oneof![2..5_u32, 10..2000_u32, Just(u32::MAX)],
            some in vec((any::<u32>(), any::<u32>(), 0..=5_u32), 0..300),
            n_copies in 1..200_u32,
        ) {
            let copies = (0..n_copies).flat_map(|copy| some.iter().map(move |&(a, b, distance)| {
                let a = if a % 3 == 0 { a } else { a.wrapping_add(copy.wrapping_mul(0x9e37_79b9)) };
                Pair { a: a % n_values, b: b.wrapping_add(copy), distance }
            }));
            let mut expected: Vec<Pair> = copies.collect();
            let ordered = PairSorter::new(n_values as usize, 5, expected.len());
            expected.par_chunks(777).for_each(|pairs| assert!(ordered.take(pairs).is_continue()));
            expected.sort_unstable();
            prop_assert_eq!(ordered.sorted(&Progress::new()).unwrap(), Some(expected));
        }
    }

    #[test]
    fn the_order_has_room_for_every_entry_there_can_be() {
        let order = PairRanges::new(u32::MAX as usize, 3, 1);
        let last = Pair { a: u32::MAX - 1, b: u32::MAX, distance: 3 };
        assert!(order.of(&last) < order.count());
        let ordered = PairSorter::new(u32::MAX as usize, 3, 1);
        assert!(ordered.take(&[last]).is_continue());
        assert_eq!(ordered.sorted(&Progress::new()).unwrap(), Some(vec![last]));
    }
}
