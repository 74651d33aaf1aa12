//! Rows of 8 bytes for small distances: the fold of a fingerprint to 32 bits, and the number of its entry.
//!
//! ```text
//! fingerprint  hhhh hhhh  llll llll          any width, in pieces of 32 bits
//! fold         hhhh hhhh rotated ^ llll llll differs in no more bits than the fingerprint
//! row          fold : 32 | key within its part : 16 | position in its run : 16
//! ```
//!
//! Folds are the filter for small distances: one of 800,000 pairs of random fingerprints has folds within 3 bits.
//! So comparisons use half as many bits, and rows have two thirds of the bytes, of whole fingerprints; the few
//! pairs that pass are looked up. Above [`MOST_K`] too many pairs pass.
//!
//! Costs 4 to 5 ns for each row and block. Memory: 8 bytes for each row; for the part that is read, 12 more for
//! each row and 4 for each bucket. Fingerprints constructed to have equal folds cost a look-up for each pair in a
//! bucket.

use std::ops::Range;

use super::{
    block::Block,
    block_plan::ProbedBlock,
    runs::{Key, Runs},
};
use crate::{
    kernel::hamming::FOLD_LANES,
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// The largest distance for which folds are used: one random pair in 100,000 has folds within 4 bits.
const MOST_K: u32 = 4;

/// Whether few enough random pairs have folds within `k` bits.
pub(super) fn are_selective(k: u32) -> bool {
    k <= MOST_K
}

/// Whether a search up to `k` compares the folds of this block's rows.
pub(super) fn are_used(probed: ProbedBlock, k: u32) -> bool {
    probed.radius == 0 && are_selective(k)
}

/// All rows, grouped by one block.
pub(super) struct Folds {
    runs: Runs<u64>,
    /// The key within a part.
    below: Key,
}

/// The rows of one part, sorted into buckets.
pub(super) struct Part {
    /// The fold and the entry of each row.
    rows: Vec<u64>,
    /// The folds of the rows, and padding so that a vector can be loaded at every row.
    folds: Vec<u32>,
    /// The end of each bucket.
    ends: Vec<u32>,
}

impl Folds {
    /// An empty grouping.
    pub(super) fn new() -> Self {
        Self { runs: Runs::new(0), below: Key::new(0, 0) }
    }

    /// Groups `values` by the leading bits of `block` into parts, and replaces the previous content.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled; the content is then unusable.
    ///
    /// # Panics
    /// If [`Runs::group`] or [`Key::split`] panics.
    pub(super) fn group<B: Bits>(
        &mut self,
        values: &[B],
        block: Block,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        let (leads, below) = Key::split(values.len(), block);
        self.below = below;
        let row = |value: B, place: u16| {
            u64::from(value.folded()) << 32 | (below.of(value) as u64) << 16 | u64::from(place)
        };
        self.runs.group(values, leads, row, progress)
    }

    /// The number of parts.
    pub(super) fn n_parts(&self) -> usize {
        self.runs.n_parts()
    }

    /// Reads the rows of part `number`, in the order of their buckets, into `part`.
    #[inline(never)]
    pub(super) fn read(&self, number: usize, part: &mut Part) {
        let n = self.runs.n_rows(number);
        part.ends.resize(self.below.count(), 0);
        part.rows.resize(n, 0);
        part.folds.resize(n + FOLD_LANES, 0);
        let key = |row: u64| (row >> 16 & 0xffff) as usize;
        // One store for each row; the folds are extracted by vectors.
        let rows = &mut part.rows;
        self.runs.order(number, &mut part.ends, key, |place, row, first| {
            rows[place] = row & !0xffff_ffff | u64::from(first) | row & 0xffff;
        });
        for (fold, row) in part.folds.iter_mut().zip(&part.rows) {
            *fold = (*row >> 32) as u32;
        }
    }
}

impl Part {
    pub(super) fn new() -> Self {
        Self { rows: Vec::new(), folds: Vec::new(), ends: Vec::new() }
    }

    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The rows of each bucket, including empty buckets.
    pub(super) fn buckets(&self) -> impl Iterator<Item = Range<usize>> {
        let mut from = 0;
        self.ends.iter().map(move |&end| std::mem::replace(&mut from, end as usize)..end as usize)
    }

    /// The folds of the rows from `row` on, and [`FOLD_LANES`] more.
    #[inline]
    pub(super) fn folds_from(&self, row: usize) -> &[u32] {
        &self.folds[row..]
    }

    /// The entry of a row.
    #[inline]
    pub(super) fn entry(&self, row: usize) -> u32 {
        self.rows[row] as u32
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The rows of all parts, bucket by bucket.
    fn read(folds: &Folds) -> Vec<Vec<(u32, u32)>> {
        let mut part = Part::new();
        let mut buckets = Vec::new();
        for number in 0..folds.n_parts() {
            folds.read(number, &mut part);
            buckets.extend(part.buckets().map(|rows| {
                let folds = part.folds_from(rows.start)[..rows.len()].iter().copied();
                folds.zip(rows.map(|row| part.entry(row))).collect::<Vec<_>>()
            }));
        }
        buckets
    }

    #[test]
    fn parts_hold_the_folds_of_each_bucket_in_order() {
        let mixed = |i: u128| i.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) >> (i % 90);
        let mut folds = Folds::new();
        for n in [150_000, 65_536, 20_000, 100, 1, 0] {
            let values: Vec<u128> = (0..n).map(mixed).collect();
            for (low, width) in [(0, 1), (112, 16), (20, 12), (75, 3), (42, 22)] {
                let mut expected = vec![Vec::new(); 1 << width];
                for (&value, entry) in values.iter().zip(0..) {
                    let key = value >> low & ((1 << width) - 1);
                    expected[key as usize].push((value.folded(), entry));
                }
                folds.group(&values, Block { low, width }, &Progress::new()).unwrap();
                assert_eq!(read(&folds), expected, "{n} values, {width} bits");
            }
        }
    }

    proptest! {
        #[test]
        fn folds_are_no_farther_apart_than_fingerprints(a in any::<u128>(), flips in any::<[u128; 4]>()) {
            let b = a ^ flips.iter().fold(u128::MAX, |bits, flip| bits & flip);
            prop_assert!((a.folded() ^ b.folded()).count_ones() <= (a ^ b).count_ones());
            let (a, b) = (a as u64, b as u64);
            prop_assert!((a.folded() ^ b.folded()).count_ones() <= (a ^ b).count_ones());
        }

        #[test]
        fn halves_that_repeat_are_told_apart(a: u32, b: u32) {
            let twice = |half: u32| u64::from(half) << 32 | u64::from(half);
            // Only differences that every rotation leaves unchanged cancel: all bits or none.
            prop_assume!((a ^ b).count_ones() % 32 != 0);
            prop_assert_ne!(twice(a).folded(), twice(b).folded());
        }
    }
}
