//! Sorts pairs by distance, then by `a`, then by `b`: the order that all screens and files use.
//!
//! Pairs are collected as they are found, and sorted at the end on all cores. Memory: 12 bytes for each pair, and as
//! many again while the list grows.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::Pair;
use crate::progress::{Cancelled, Progress};

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
    most: usize,
    /// The pairs taken so far, unless there were too many.
    taken: Mutex<Option<Vec<Pair>>>,
}

impl PairSorter {
    /// A sorter for at most `most` pairs.
    pub(super) fn new(most: usize) -> Self {
        Self { most, taken: Mutex::new(Some(Vec::new())) }
    }

    /// Takes `pairs`, unless there are then too many: then it drops all pairs, ignores later ones, and returns
    /// `Break`.
    pub(super) fn take(&self, pairs: &[Pair]) -> ControlFlow<()> {
        // A panic while the lock is held has already ended the search.
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.take_if(|taken| taken.len() + pairs.len() > self.most);
        let Some(taken) = &mut *taken else { return ControlFlow::Break(()) };
        taken.extend_from_slice(pairs);
        ControlFlow::Continue(())
    }

    /// All pairs, sorted; `None` if there were too many.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled; not checked while it sorts.
    pub(super) fn sorted(self, progress: &Progress) -> Result<Option<Vec<Pair>>, Cancelled> {
        let mut taken = self.taken.into_inner().unwrap_or_else(PoisonError::into_inner);
        progress.check()?;
        if let Some(taken) = &mut taken {
            taken.shrink_to_fit();
            taken.par_sort_unstable();
        }
        progress.check()?;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

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
            let ordered = PairSorter::new(expected.len());
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
    }
}
