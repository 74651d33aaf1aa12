//! The votes of one document, summed fast: the same sums as in [`Votes`], without the names of features.
//!
//! Votes of equal weight are counted in bytes: byte b of lane l counts bit 8 b + l, so that a feature costs eight
//! additions. Votes of different weights below [`LIGHT`] are added up in 32 bits, in loops over the bits that the
//! compiler vectorises; only features that occur very often have a larger weight. A property test compares both
//! with [`Votes`].
//!
//! [`Votes`]: super::Votes

use super::{
    count::HashColumns,
    fingerprint::{Fingerprint, mask},
    votes::TieRule,
};
use crate::feature::FixedWeight;

/// The largest number of votes that a byte can count.
const MOST_IN_LANES: usize = u8::MAX as usize;
const EACH_BYTE: u64 = 0x0101_0101_0101_0101;
/// The number of votes added up in 32 bits.
const AT_ONCE: usize = 64;
/// The sum of [`AT_ONCE`] weights below this fits 32 bits.
const LIGHT: i64 = (1 << 32) / AT_ONCE as i64;

/// The sums of the votes so far, one for each bit.
#[derive(Clone, Debug)]
pub(super) struct VoteAccumulator {
    width: u32,
    /// For each bit, the weight of the votes for 1.
    for_one: [i64; 128],
    total: i64,
}

impl Default for VoteAccumulator {
    fn default() -> Self {
        Self { width: 0, for_one: [0; 128], total: 0 }
    }
}

impl VoteAccumulator {
    /// Removes all votes; the next votes are on `width` bits, 1 to 128.
    pub(super) fn clear(&mut self, width: u32) {
        self.width = width;
        self.for_one.fill(0);
        self.total = 0;
    }

    /// Adds the votes of features of the same weight.
    pub(super) fn add_equal(&mut self, hashes: HashColumns<'_>, weight: FixedWeight) {
        for (words, for_one) in hashes.words().into_iter().zip(self.words()) {
            for words in words.chunks(MOST_IN_LANES) {
                add_to_lanes(words, weight, for_one);
            }
        }
        self.total += hashes.len() as i64 * weight.0;
    }

    /// Adds the votes of features with a weight each, at least 0 and below [`LIGHT`].
    pub(super) fn add_light(&mut self, hashes: HashColumns<'_>, weights: &[u32]) {
        debug_assert!(weights.iter().all(|weight| i64::from(*weight) < LIGHT), "light ones only");
        for (words, for_one) in hashes.words().into_iter().zip(self.words()) {
            for (words, weights) in words.chunks(AT_ONCE).zip(weights.chunks(AT_ONCE)) {
                add_up(words, weights, for_one);
            }
        }
        self.total += weights.iter().map(|weight| i64::from(*weight)).sum::<i64>();
    }

    /// Adds the votes of one feature.
    #[inline]
    pub(super) fn add(&mut self, hash: u128, weight: FixedWeight) {
        for (word, for_one) in [hash as u64, (hash >> 64) as u64].into_iter().zip(self.words()) {
            for (bit, sum) in for_one.iter_mut().enumerate() {
                *sum += if word >> bit & 1 == 1 { weight.0 } else { 0 };
            }
        }
        self.total += weight.0;
    }

    /// The sum of the weights of all votes.
    pub(super) fn total(&self) -> i64 {
        self.total
    }

    /// The fingerprint that these votes decide, and the number of bits that balance exactly.
    pub(super) fn finish(&self, tie: TieRule) -> (Fingerprint, u32) {
        // A bit is 1 if its votes are above this.
        let above = if tie == TieRule::One { -1 } else { 0 };
        let (mut ones, mut balanced) = (0u128, 0u128);
        for (word, for_one) in self.for_one.as_chunks::<64>().0.iter().enumerate() {
            let (mut some_ones, mut some_balanced) = (0u64, 0u64);
            for (bit, sum) in for_one.iter().enumerate() {
                let votes = 2 * sum - self.total;
                some_ones |= u64::from(votes > above) << bit;
                some_balanced |= u64::from(votes == 0) << bit;
            }
            ones |= u128::from(some_ones) << (64 * word);
            balanced |= u128::from(some_balanced) << (64 * word);
        }
        let cut = mask(self.width);
        (Fingerprint::new(ones & cut, self.width), (balanced & cut).count_ones())
    }

    /// The sums of each 64 bits that have votes.
    fn words(&mut self) -> impl Iterator<Item = &mut [i64; 64]> {
        let n_words = self.width.div_ceil(64) as usize;
        self.for_one.as_chunks_mut().0.iter_mut().take(n_words)
    }
}

/// Adds the weight to the sum of each bit that is 1, for each of at most [`MOST_IN_LANES`] words.
#[inline]
fn add_to_lanes(words: &[u64], weight: FixedWeight, sums: &mut [i64; 64]) {
    let mut lanes = [0u64; 8];
    for word in words {
        for (lane, counts) in lanes.iter_mut().enumerate() {
            *counts += word >> lane & EACH_BYTE;
        }
    }
    for (bit, sum) in sums.iter_mut().enumerate() {
        *sum += (lanes[bit % 8] >> (bit / 8 * 8) & 0xff) as i64 * weight.0;
    }
}

/// Adds the weight of each of at most [`AT_ONCE`] words to the sum of each bit that is 1.
#[inline]
fn add_up(words: &[u64], weights: &[u32], sums: &mut [i64; 64]) {
    let mut light = [0u32; 64];
    for (&word, &weight) in words.iter().zip(weights) {
        let (low, high) = (word as u32, (word >> 32) as u32);
        for bit in 0..32 {
            light[bit] += if low & 1 << bit == 0 { 0 } else { weight };
            light[bit + 32] += if high & 1 << bit == 0 { 0 } else { weight };
        }
    }
    for (sum, light) in sums.iter_mut().zip(light) {
        *sum += i64::from(light);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::simhash::Votes;

    proptest! {
        /// Includes numbers of votes at which bytes, or 32 bits, would overflow.
        #[test]
        fn it_counts_what_one_addition_a_bit_does(
            equal in proptest::collection::vec(any::<u128>(), 0..600),
            weight in 1..1i64 << 40,
            light in proptest::collection::vec((any::<u128>(), 0..LIGHT as u32), 0..300),
            heavy in proptest::collection::vec((any::<u128>(), 1..1i64 << 40), 0..20),
            width in 1..=128u32,
        ) {
            /// The low and the high words of the hashes, for a recipe of this width.
            fn columns(hashes: &[u128], width: u32) -> (Vec<u64>, Vec<u64>) {
                let high = hashes.iter().filter(|_| width > 64).map(|hash| (hash >> 64) as u64);
                (hashes.iter().map(|&hash| hash as u64).collect(), high.collect())
            }
            let (mut fast, mut votes) = (VoteAccumulator::default(), Votes::new(width));
            for _ in 0..2 {
                fast.clear(width);
                votes.clear();
                let (low, high) = columns(&equal, width);
                fast.add_equal(HashColumns { low: &low, high: &high }, FixedWeight(weight));
                for &hash in &equal {
                    votes.add(hash, FixedWeight(weight));
                }
                let (hashes, weights): (Vec<u128>, Vec<u32>) = light.iter().copied().unzip();
                let (low, high) = columns(&hashes, width);
                fast.add_light(HashColumns { low: &low, high: &high }, &weights);
                for (hash, weight) in light.iter().copied() {
                    votes.add(hash, FixedWeight(i64::from(weight)));
                }
                for &(hash, weight) in &heavy {
                    fast.add(hash, FixedWeight(weight));
                    votes.add(hash, FixedWeight(weight));
                }
                for tie in [TieRule::One, TieRule::Zero] {
                    prop_assert_eq!(fast.finish(tie), (votes.fingerprint(tie), votes.ties()));
                }
            }
        }
    }
}
