//! Two ways to shorten fingerprints before a search.
//!
//! The fold of a fingerprint to 32 bits is the filter for small distances:
//!
//! ```text
//! fingerprint  hhhh hhhh  llll llll          any width, in pieces of 32 bits
//! fold         hhhh hhhh rotated ^ llll llll differs in no more bits than the fingerprint
//! ```
//!
//! One of 800,000 pairs of random fingerprints has folds within 3 bits, so comparisons use half as many bits, and
//! the few pairs that pass are looked up. Above [`MOST_K`] too many pairs pass. Fingerprints constructed to have
//! equal folds cost a look-up for each pair in a bucket.
//!
//! Blocks are cut only from the bits in which fingerprints differ:
//!
//! ```text
//! values      0110 1001    0111 1001    0110 1011
//! vary        ...x ..x.
//! compressed  00           10           01            distances are the same
//! ```
//!
//! All rows of a bucket agree in the bits of its block, and fingerprints of similar texts agree in many more
//! bits. The planner's formula holds only for bits that vary. It is one pass to find the bits and, if some do not
//! vary, one to compress, at a nanosecond for each value and gap.

use std::borrow::Cow;

use super::{Block, ProbedBlock};
use crate::simhash::Bits;
use crate::simhash::fingerprint::mask;

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
        let seen = values.first().map_or(0, |&first| differing(first, values).to_wide());
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
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

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
