//! The votes of one document, counted fast: the same sums as [`Votes`], without the names.
//!
//! Votes of one weight are counted in bytes: byte b of lane l counts bit 8 b + l, so that a feature costs
//! eight additions. Votes of different weights below [`LIGHT`], which are all but those of features that occur
//! over and over, are added up bit by bit in 32 bits, which the compiler does for many bits at once. A
//! property test holds both to [`Votes`].
//!
//! [`Votes`]: super::Votes

use super::{
    fingerprint::{Bits, Fingerprint, mask},
    votes::TieRule,
};
use crate::feature::FixedWeight;

/// Votes that bytes can count.
const MOST_IN_LANES: usize = u8::MAX as usize;
const EACH_BYTE: u64 = 0x0101_0101_0101_0101;
/// Votes added up at a time.
const AT_ONCE: usize = 64;
/// So many votes below this stay within 32 bits.
const LIGHT: i64 = (1 << 32) / AT_ONCE as i64;

/// Signed sums per bit, in the making.
#[derive(Clone, Debug)]
pub(super) struct Poll {
    width: u32,
    /// Weights for a 1, by bit.
    for_one: [i64; 128],
    total: i64,
}

impl Poll {
    /// No votes on `width` bits, 1 to 128.
    pub(super) fn new(width: u32) -> Self {
        Self { width, for_one: [0; 128], total: 0 }
    }

    /// Forgets all votes.
    pub(super) fn clear(&mut self) {
        self.for_one.fill(0);
        self.total = 0;
    }

    /// So many of these features vote with the same weight each; the others are 0, and do not vote.
    pub(super) fn add_equal<H: Bits>(&mut self, hashes: &[H], n: usize, weight: FixedWeight) {
        for hashes in hashes.chunks(MOST_IN_LANES) {
            for (word, for_one) in self.words().enumerate() {
                add_to_lanes(hashes.iter().map(|hash| part(*hash, word)), weight, for_one);
            }
        }
        self.total += n as i64 * weight.0;
    }

    /// Features vote with these weights, one each, all below [`LIGHT`] and none below 0.
    pub(super) fn add_light<H: Bits>(&mut self, hashes: &[H], weights: &[u32]) {
        debug_assert!(weights.iter().all(|weight| i64::from(*weight) < LIGHT), "light ones only");
        for (hashes, weights) in hashes.chunks(AT_ONCE).zip(weights.chunks(AT_ONCE)) {
            for (word, for_one) in self.words().enumerate() {
                add_up(hashes.iter().map(|hash| part(*hash, word)), weights, for_one);
            }
            self.total += weights.iter().map(|weight| i64::from(*weight)).sum::<i64>();
        }
    }

    /// Turns the votes so far to what they leave of those that features with these numbers of ones by bit
    /// have, if each votes with this weight.
    pub(super) fn rest_of(&mut self, ones: &[u32; 128], n_features: u32, weight: FixedWeight) {
        for (sum, n_ones) in self.for_one.iter_mut().zip(ones) {
            *sum = i64::from(*n_ones) * weight.0 - *sum;
        }
        self.total = i64::from(n_features) * weight.0 - self.total;
    }

    /// How many features there were for a 1, by bit, if all votes weighed [`FixedWeight`] 1.
    pub(super) fn ones(&self) -> impl Iterator<Item = u32> {
        self.for_one[..self.width as usize].iter().map(|sum| *sum as u32)
    }

    /// One feature votes with this weight.
    #[inline]
    pub(super) fn add<H: Bits>(&mut self, hash: H, weight: FixedWeight) {
        for (word, for_one) in self.words().enumerate() {
            let hash = part(hash, word);
            for (bit, sum) in for_one.iter_mut().enumerate() {
                *sum += if hash >> bit & 1 == 1 { weight.0 } else { 0 };
            }
        }
        self.total += weight.0;
    }

    /// How many bits are voted on.
    pub(super) fn width(&self) -> u32 {
        self.width
    }

    /// What all weigh together.
    pub(super) fn total(&self) -> i64 {
        self.total
    }

    /// The fingerprint these votes decide, and how many bits balance exactly.
    pub(super) fn close(&self, tie: TieRule) -> (Fingerprint, u32) {
        // A 1 where the votes are above this.
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

    /// The sums of each 64 bits that are voted on.
    fn words(&mut self) -> impl Iterator<Item = &mut [i64; 64]> {
        let n_words = self.width.div_ceil(64) as usize;
        self.for_one.as_chunks_mut().0.iter_mut().take(n_words)
    }
}

/// The 64 bits of a hash that `word` numbers, the lowest first.
#[inline]
fn part<H: Bits>(hash: H, word: usize) -> u64 {
    (hash.to_wide() >> (64 * word)) as u64
}

/// Adds the weight to the bits that are 1 in each of at most [`MOST_IN_LANES`] words.
#[inline]
fn add_to_lanes(words: impl Iterator<Item = u64>, weight: FixedWeight, sums: &mut [i64; 64]) {
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

/// Adds its weight to the bits that are 1 in each of at most [`AT_ONCE`] words.
#[inline]
fn add_up(words: impl Iterator<Item = u64>, weights: &[u32], sums: &mut [i64; 64]) {
    let mut light = [0u32; 64];
    for (word, &weight) in words.zip(weights) {
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
        /// Also past where bytes would overflow, and 32 bits.
        #[test]
        fn it_counts_what_one_addition_a_bit_does(
            equal in proptest::collection::vec(any::<u128>(), 0..600),
            weight in 1..1i64 << 40,
            light in proptest::collection::vec((any::<u128>(), 0..LIGHT as u32), 0..300),
            heavy in proptest::collection::vec((any::<u128>(), 1..1i64 << 40), 0..20),
            width in 1..=128u32,
        ) {
            let (mut poll, mut votes) = (Poll::new(width), Votes::new(width));
            for _ in 0..2 {
                poll.clear();
                votes.clear();
                // Among others, which are 0 and do not vote.
                let others = equal.iter().flat_map(|&hash| [0, hash]).collect::<Vec<_>>();
                poll.add_equal(&others, equal.len(), FixedWeight(weight));
                for &hash in &equal {
                    votes.add(hash, FixedWeight(weight));
                }
                let (hashes, weights): (Vec<u128>, Vec<u32>) = light.iter().copied().unzip();
                poll.add_light(&hashes, &weights);
                for (hash, weight) in light.iter().copied() {
                    votes.add(hash, FixedWeight(i64::from(weight)));
                }
                for &(hash, weight) in &heavy {
                    poll.add(hash, FixedWeight(weight));
                    votes.add(hash, FixedWeight(weight));
                }
                for tie in [TieRule::One, TieRule::Zero] {
                    prop_assert_eq!(poll.close(tie), (votes.fingerprint(tie), votes.ties()));
                }
                // All vote with one weight, but for some that weigh less.
                poll.clear();
                votes.clear();
                let all = [&*equal, &hashes].concat();
                poll.add_equal(&all, all.len(), FixedWeight(1));
                let mut ones = [0; 128];
                ones.iter_mut().zip(poll.ones()).for_each(|(n, found)| *n = found);
                poll.clear();
                poll.add_light(&hashes, &weights);
                poll.rest_of(&ones, all.len() as u32, FixedWeight(LIGHT));
                for (at, hash) in all.into_iter().enumerate() {
                    let less = at.checked_sub(equal.len()).map_or(0, |at| weights[at]);
                    votes.add(hash, FixedWeight(LIGHT - i64::from(less)));
                }
                prop_assert_eq!(poll.total(), LIGHT * (equal.len() + light.len()) as i64
                    - light.iter().map(|(_, less)| i64::from(*less)).sum::<i64>());
                for tie in [TieRule::One, TieRule::Zero] {
                    prop_assert_eq!(poll.close(tie), (votes.fingerprint(tie), votes.ties()));
                }
            }
        }
    }
}
