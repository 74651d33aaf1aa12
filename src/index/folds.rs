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
//!
//! The bits in which fingerprints differ: blocks are cut from these bits only.
//!
//! ```text
//! values      0110 1001    0111 1001    0110 1011
//! vary        ...x ..x.
//! compressed  00           10           01            distances are the same
//! ```
//!
//! All rows of a bucket agree in the bits of its block, and fingerprints of similar texts agree in many more
//! bits. The planner's formula holds only for bits that vary. The pass ends as soon as every bit has varied,
//! which takes a few rows of a typical corpus; otherwise it is one pass to find the bits and one to compress, at
//! a nanosecond for each value and gap.

use std::{borrow::Cow, ops::Range};

use super::{
    Block, ProbedBlock,
    runs::{Key, Runs},
};
use crate::{
    kernel::hamming::FOLD_LANES,
    progress::{Cancelled, Progress},
    simhash::{Bits, fingerprint::mask},
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
#[derive(Default)]
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

/// Values between two checks whether every bit has varied.
const RUN: usize = 1 << 8;

/// Keeps the bits in which some values differ, and removes the gaps between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BitCompaction {
    /// The bits in which all values agree, from the top down.
    gaps: Vec<Block>,
    /// The number of other bits, which vary.
    pub(super) width: u32,
}

impl BitCompaction {
    /// Keeps every bit of `width`.
    pub(super) fn all(width: u32) -> Self {
        Self { gaps: Vec::new(), width }
    }

    /// Keeps the bits of `width` in which `values` differ.
    pub(super) fn of<B: Bits>(values: &[B], width: u32) -> Self {
        let all = mask(width);
        let mut seen = 0;
        for run in values.chunks(RUN) {
            seen |= differing(values[0], run).to_wide();
            if seen & all == all {
                return Self::all(width);
            }
        }
        let mut gaps = Vec::new();
        let mut left = !seen & all;
        while left != 0 {
            let top = u128::BITS - left.leading_zeros();
            let run = (left << (u128::BITS - top)).leading_ones();
            gaps.push(Block { low: top - run, width: run });
            left &= mask(top - run);
        }
        let gap_bits: u32 = gaps.iter().map(|gap| gap.width).sum();
        Self { gaps, width: width - gap_bits }
    }

    /// Whether some bit does not vary.
    pub(super) fn has_gaps(&self) -> bool {
        !self.gaps.is_empty()
    }

    /// The varying bits of `values`, moved together.
    ///
    /// # Panics
    /// If the values differ in a gap: they are not the values of [`BitCompaction::of`].
    pub(super) fn compress<'a, B: Bits>(&self, values: &'a [B]) -> Cow<'a, [B]> {
        let (true, Some(&first)) = (self.has_gaps(), values.first()) else {
            return Cow::Borrowed(values);
        };
        let gaps = self.gaps.iter().fold(0, |mask, gap| mask | gap.mask());
        let differing = differing(first, values).to_wide();
        assert_eq!(differing & gaps, 0, "values that agree where the plan's did");
        let compress = |&value: &B| {
            self.gaps.iter().fold(value, |value, gap| value.without(gap.low, gap.width))
        };
        Cow::Owned(values.iter().map(compress).collect())
    }
}

/// The bits in which some of `values` differ from `first`.
fn differing<B: Bits>(first: B, values: &[B]) -> B {
    values.iter().fold(B::from_wide(0), |seen, value| seen | *value ^ first)
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    /// The rows of all parts, bucket by bucket.
    fn read(folds: &Folds) -> Vec<Vec<(u32, u32)>> {
        let mut part = Part::default();
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

    proptest! {
        #[test]
        fn compressed_values_are_as_far_apart_and_as_short_as_can_be(
            values in vec(any::<u128>(), 1..40), vary in any::<[u128; 2]>(), width in 1..=128_u32,
        ) {
            let vary = vary[0] & vary[1] & mask(width);
            let values: Vec<u128> =
                values.iter().map(|value| values[0] & mask(width) ^ value & vary).collect();
            let varying = BitCompaction::of(&values, width);
            let differ = values.iter().fold(0, |seen, value| seen | value ^ values[0]);
            prop_assert_eq!(varying.width, differ.count_ones());
            let short = varying.compress(&values);
            for (a, value) in values.iter().enumerate() {
                prop_assert_eq!(short[a] ^ short[a] & mask(varying.width), 0);
                prop_assert_eq!(short[a].distance(short[0]), value.distance(values[0]));
            }
        }
    }

    #[test]
    #[should_panic(expected = "values that agree where the plan's did")]
    fn other_values_are_refused() {
        BitCompaction::of(&[0b1010_u64, 0b0010], 4).compress(&[0b1010_u64, 0b0011]);
    }
}
