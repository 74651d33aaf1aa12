//! The votes: each feature votes on every bit, with its weight, for 1 or for 0.
//!
//! `V_i = sum of w_j where bit i of feature j's hash is 1, minus the sum where it is 0`. The sign of `V_i` is bit
//! i of the fingerprint. Its absolute value, in units of `||w||`, is the bit's margin: the distance of the bit
//! from flipping. Sums are integers, so any order of features gives the same votes.
//!
//! Votes of equal weight are counted in bytes: byte b of lane l counts bit 8 b + l, so that a feature costs eight
//! additions. Votes of different weights below `LIGHT` are added up in 32 bits, in loops over the bits that the compiler
//! vectorises; only features that occur very often have a larger weight. A property test compares both with signed
//! additions.
//!
//! Sources: Charikar, "Similarity estimation techniques from rounding algorithms" (2002), section 3;
//! margins: Sood and Loguinov, "Probabilistic near-duplicate detection using simhash" (2011).
//!
//! Also here: the named features and the votes behind one document's fingerprint, for explanations.

use super::count::HashColumns;
use super::{Fingerprint, Recipe};
use crate::choice::choice;
use crate::feature::FixedWeight;

choice! {
    /// The value of a bit whose votes balance exactly.
    pub enum TieRule, "tie rule" {
        /// The bit is 1: V >= 0 decides.
        #[default]
        One = "one",
        /// The bit is 0: V > 0 decides.
        Zero = "zero",
    }
}

impl TieRule {
    /// The bit that results from votes.
    pub fn decide(self, votes: i64) -> bool {
        votes > 0 || votes == 0 && self == Self::One
    }
}

/// The sum of the votes on each bit, and the sums of the weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Votes {
    width: u32,
    /// For each bit, the weight of the features whose hash has a 1 there.
    for_one: [i64; 128],
    total: i64,
    /// The sum of the squared weights, in squared units of [`FixedWeight::ONE`].
    squares: f64,
}

impl Votes {
    /// No votes on `width` bits, at most 128.
    pub fn new(width: u32) -> Self {
        Self { width, for_one: [0; 128], total: 0, squares: 0.0 }
    }

    /// The votes of features on `width` bits, a hash and a weight each. Costs one addition for each feature and bit.
    pub fn of(width: u32, features: impl IntoIterator<Item = (u128, FixedWeight)>) -> Self {
        let mut votes = Self::new(width);
        features.into_iter().for_each(|(hash, weight)| votes.add(hash, weight));
        votes
    }

    /// Adds the votes of one feature. Costs one addition for each bit.
    #[inline]
    pub fn add(&mut self, hash: u128, weight: FixedWeight) {
        for (word, for_one) in [hash as u64, (hash >> 64) as u64].into_iter().zip(self.words()) {
            for (bit, sum) in for_one.iter_mut().enumerate() {
                *sum += if word >> bit & 1 == 1 { weight.0 } else { 0 };
            }
        }
        self.total += weight.0;
        self.squares += weight.to_f64().powi(2);
    }

    /// Adds the votes of features of the same weight.
    pub(super) fn add_equal(&mut self, hashes: HashColumns<'_>, weight: FixedWeight) {
        for (words, for_one) in hashes.words().into_iter().zip(self.words()) {
            for words in words.chunks(MOST_IN_LANES) {
                add_to_lanes(words, weight, for_one);
            }
        }
        self.total += hashes.len() as i64 * weight.0;
        self.squares += hashes.len() as f64 * weight.to_f64().powi(2);
    }

    /// Adds the votes of features with a weight each, at least 0 and below [`LIGHT`].
    pub(super) fn add_light(&mut self, hashes: HashColumns<'_>, weights: &[u32]) {
        debug_assert!(weights.iter().all(|weight| i64::from(*weight) < LIGHT), "light ones only");
        for (words, for_one) in hashes.words().into_iter().zip(self.words()) {
            for (words, weights) in words.chunks(AT_ONCE).zip(weights.chunks(AT_ONCE)) {
                add_up(words, weights, for_one);
            }
        }
        for weight in weights.iter().map(|weight| FixedWeight(i64::from(*weight))) {
            self.total += weight.0;
            self.squares += weight.to_f64().powi(2);
        }
    }

    /// The sums of each 64 bits that have votes.
    fn words(&mut self) -> impl Iterator<Item = &mut [i64; 64]> {
        let n_words = self.width.div_ceil(64) as usize;
        self.for_one.as_chunks_mut().0.iter_mut().take(n_words)
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The sum of the weights of all votes.
    pub(super) fn total(&self) -> i64 {
        self.total
    }

    /// `V_i` as an integer in units of 2^-20.
    pub fn fixed(&self, bit: u32) -> i64 {
        2 * self.for_one[bit as usize] - self.total
    }

    /// `V_i`: positive for 1, negative for 0.
    pub fn value(&self, bit: u32) -> f64 {
        FixedWeight(self.fixed(bit)).to_f64()
    }

    /// `||w||`: the square root of the sum of the squared weights.
    pub fn norm(&self) -> f64 {
        self.squares.sqrt()
    }

    /// `|V_i| / ||w||`: 0 is a tie; over the bits of unlike texts it spreads like a folded normal.
    pub fn margin(&self, bit: u32) -> f64 {
        if self.squares == 0.0 { 0.0 } else { self.value(bit).abs() / self.norm() }
    }

    /// The number of bits whose votes balance exactly, so that the tie rule decides them.
    pub fn ties(&self) -> u32 {
        let sums = self.for_one[..self.width as usize].iter();
        sums.filter(|sum| 2 * **sum == self.total).count() as u32
    }

    /// The fingerprint that these votes decide.
    pub fn fingerprint(&self, tie: TieRule) -> Fingerprint {
        let bit = |word: u64, (bit, sum): (u32, &i64)| {
            word | u64::from(tie.decide(2 * sum - self.total)) << bit
        };
        let word = |from| (0..64).zip(&self.for_one[from..from + 64]).fold(0, bit);
        Fingerprint::new(u128::from(word(64)) << 64 | u128::from(word(0)), self.width)
    }
}

/// A feature with its name, for explanations.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedFeature {
    /// The shingle.
    pub shingle: String,
    /// Occurrences in the document.
    pub count: u32,
    /// The hash, cut to the fingerprint's width.
    pub hash: u128,
    /// The weight of its votes.
    pub weight: FixedWeight,
}

/// The features and votes behind one document's fingerprint.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureVotes {
    /// The features in order of first occurrence.
    pub features: Vec<WeightedFeature>,
    /// The sums of their votes.
    pub votes: Votes,
    /// Tokens after stop words.
    pub n_tokens: u32,
}

impl FeatureVotes {
    /// The votes of these features on `width` bits.
    pub fn of(features: Vec<WeightedFeature>, width: u32) -> Self {
        let votes = Votes::of(width, features.iter().map(|it| (it.hash, it.weight)));
        let n_tokens = features.len() as u32;
        Self { features, votes, n_tokens }
    }

    /// The weight of each feature.
    pub fn weights(&self) -> Vec<FixedWeight> {
        self.features.iter().map(|feature| feature.weight).collect()
    }

    /// The fingerprint; `None` if no feature has a weight.
    pub fn fingerprint(&self, recipe: &Recipe) -> Option<Fingerprint> {
        let has_weight = self.features.iter().any(|feature| feature.weight.0 != 0);
        has_weight.then(|| self.votes.fingerprint(recipe.tie))
    }
}

/// The largest number of votes that a byte can count.
const MOST_IN_LANES: usize = u8::MAX as usize;
const EACH_BYTE: u64 = 0x0101_0101_0101_0101;
/// The number of votes added up in 32 bits.
pub(super) const AT_ONCE: usize = 64;
/// The sum of [`AT_ONCE`] weights below this fits 32 bits.
const LIGHT: i64 = (1 << 32) / AT_ONCE as i64;

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

    /// The lab's hand calculation: `bit` 0.4 and `coin` 1.2 on four bits give 1001.
    #[test]
    fn the_labs_hand_calculation_gives_1001() {
        let mut votes = Votes::new(4);
        votes.add(0b1111, FixedWeight::from_f64(0.4));
        votes.add(0b1001, FixedWeight::from_f64(1.2));
        let values: Vec<f64> = (0..4).rev().map(|bit| votes.value(bit)).collect();
        for (value, expected) in values.iter().zip([1.6, -0.8, -0.8, 1.6]) {
            assert!((value - expected).abs() < 1e-5, "{values:?}");
        }
        assert_eq!(votes.fingerprint(TieRule::One), Fingerprint::new(0b1001, 4));
    }

    /// The checklist's examples: one weight above the sum of the others, so the fingerprint is that
    /// feature's hash (here the low 64 bits of MD5), and texts that differ elsewhere are equal.
    #[test]
    fn a_dominating_feature_is_the_fingerprint() {
        const HELLO: u128 = 0xb971_9d91_1017_c592;
        const WORLD: u128 = 0x574b_0282_f2f4_35e7;
        const SIMHASH: u128 = 0xcf61_ca36_4114_6b86;
        const APPLE: u128 = 0xb3e3_1a0c_6728_957f;
        const BANANA: u128 = 0x7573_0123_efef_7c41;
        let fingerprint = |features: &[(u128, f64)]| {
            let mut votes = Votes::new(64);
            for &(hash, weight) in features {
                votes.add(hash, FixedWeight::from_f64(weight));
            }
            votes.fingerprint(TieRule::One).bits()
        };
        for weight in [5.0, 4.0] {
            let text = [(HELLO, 1.0), (WORLD, 1.0), (SIMHASH, weight)];
            assert_eq!(fingerprint(&text), SIMHASH);
        }
        assert_eq!(fingerprint(&[(APPLE, 1.0), (BANANA, 2.0)]), BANANA);
    }

    /// The worked example of this module's parent: "tide tide pool crab" on eight bits.
    #[test]
    fn the_lesson_by_hand_is_right() {
        let mut votes = Votes::new(8);
        for (hash, weight) in [(0b1011_0010, 2.0), (0b0110_0111, 1.0), (0b1100_1011, 1.0)] {
            votes.add(hash, FixedWeight::from_f64(weight));
        }
        let values: Vec<f64> = (0..8).rev().map(|bit| votes.value(bit)).collect();
        assert_eq!(values, [2.0, 0.0, 2.0, 0.0, -2.0, -2.0, 4.0, 0.0]);
        assert_eq!(votes.fingerprint(TieRule::One).to_string(), "f3");
    }

    /// The example of text-dedup: with two hashes and `tie=zero`, the common ones remain.
    #[test]
    fn two_equal_votes_under_tie_zero_are_their_common_ones() {
        let mut votes = Votes::new(64);
        for hash in [13_352_372_148_217_134_600, 5_020_219_685_658_847_592] {
            votes.add(hash, FixedWeight::from_f64(1.0));
        }
        assert_eq!(votes.fingerprint(TieRule::Zero).bits(), 74_633_958_390_507_528);
    }

    /// Compares with signed additions, one for each bit.
    #[test]
    fn sums_for_one_say_what_signed_sums_say() {
        for width in [1, 63, 64, 65, 128] {
            let (mut votes, mut slow) = (Votes::new(width), vec![0i64; width as usize]);
            let mut hash = 1u128;
            for n in 0..1000i64 {
                hash = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835).rotate_left(17)
                    + 1;
                let weight = if n % 7 == 0 { n * 1000 } else { FixedWeight::ONE };
                votes.add(hash, FixedWeight(weight));
                for (bit, sum) in slow.iter_mut().enumerate() {
                    *sum += if hash >> bit & 1 == 1 { weight } else { -weight };
                }
                if n % 50 == 0 {
                    let found: Vec<i64> = (0..width).map(|bit| votes.fixed(bit)).collect();
                    assert_eq!(found, slow, "width {width} after {n}");
                }
            }
        }
    }

    #[test]
    fn a_tie_is_decided_by_the_rule() {
        let mut votes = Votes::new(2);
        votes.add(0b01, FixedWeight::from_f64(1.0));
        votes.add(0b11, FixedWeight::from_f64(1.0));
        assert_eq!((votes.fixed(1), votes.ties(), votes.margin(1)), (0, 1, 0.0));
        assert_eq!(votes.fingerprint(TieRule::One).bits(), 0b11);
        assert_eq!(votes.fingerprint(TieRule::Zero).bits(), 0b01);
    }

    #[test]
    fn margins_are_in_units_of_the_norm() {
        let mut votes = Votes::new(1);
        votes.add(1, FixedWeight::from_f64(3.0));
        votes.add(1, FixedWeight::from_f64(4.0));
        assert!((votes.norm() - 5.0).abs() < 1e-12);
        assert!((votes.margin(0) - 1.4).abs() < 1e-12);
    }

    proptest! {
        /// Includes numbers of votes at which bytes, or 32 bits, would overflow.
        #[test]
        fn it_counts_what_one_addition_a_bit_does(
            equal in proptest::collection::vec(any::<u128>(), 0..600),
            weight in 1..1i64 << 40,
            light in proptest::collection::vec((any::<u128>(), 0..LIGHT as u32), 0..300),
            single in proptest::collection::vec((any::<u128>(), 0..1i64 << 40), 0..300),
            width in 1..=128u32,
        ) {
            /// The low and the high words of the hashes, for a recipe of this width.
            fn columns(hashes: &[u128], width: u32) -> (Vec<u64>, Vec<u64>) {
                let high = hashes.iter().filter(|_| width > 64).map(|hash| (hash >> 64) as u64);
                (hashes.iter().map(|&hash| hash as u64).collect(), high.collect())
            }
            let (low, high) = columns(&equal, width);
            let mut votes = Votes::new(width);
            votes.add_equal(HashColumns { low: &low, high: &high }, FixedWeight(weight));
            let (hashes, weights): (Vec<u128>, Vec<u32>) = light.iter().copied().unzip();
            let (low, high) = columns(&hashes, width);
            votes.add_light(HashColumns { low: &low, high: &high }, &weights);
            for &(hash, weight) in &single {
                votes.add(hash, FixedWeight(weight));
            }
            for bit in 0..width {
                let signed = |hash: u128, weight: i64| if hash >> bit & 1 == 1 { weight } else { -weight };
                let sum = equal.iter().map(|&hash| signed(hash, weight)).sum::<i64>()
                    + light.iter().map(|&(hash, weight)| signed(hash, weight.into())).sum::<i64>()
                    + single.iter().map(|&(hash, weight)| signed(hash, weight)).sum::<i64>();
                prop_assert_eq!(votes.fixed(bit), sum);
            }
        }
    }
}
