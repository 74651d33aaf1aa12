//! The ballot: each feature votes on every bit, with its weight, for 1 or for 0.
//!
//! `V_i = sum of w_j where bit i of feature j's hash is 1, minus the sum where it is 0`. The sign of
//! `V_i` is bit i of the fingerprint; its size, in units of `||w||`, is the bit's margin: how far the
//! bit is from flipping. Sums are integers, so any order of features gives the same votes.
//!
//! Sources: Charikar, "Similarity estimation techniques from rounding algorithms" (2002), section 3;
//! margins: Sood and Loguinov, "Probabilistic near-duplicate detection using simhash" (2011).

use super::fingerprint::Fingerprint;
use crate::{choice::choice, feature::FixedWeight};

choice! {
    /// What becomes of a bit whose votes balance exactly.
    pub enum TieRule, "tie rule" {
        /// The bit is 1: V >= 0 decides.
        #[default]
        One = "one",
        /// The bit is 0: V > 0 decides.
        Zero = "zero",
    }
}

/// Signed sums per bit, with the weights that went in.
///
/// Votes of weight 1, nearly all there are, are counted in bytes: byte b of lane l counts bit 8 b + l,
/// so that one feature costs eight additions. Before a byte can overflow all are added to the sums.
#[derive(Clone, Debug)]
pub struct Votes {
    /// Per bit, the weight of the features whose hash has a 1 there, but for those in the lanes.
    for_one: Vec<i64>,
    /// Counts not yet added: eight lanes for the low word, eight for the high one.
    lanes: [u64; 16],
    /// Votes in the lanes, at most 255.
    n_in_lanes: u8,
    total: i64,
    /// The sum of squared weights, in squared units of [`FixedWeight::ONE`].
    squares: f64,
}

impl Votes {
    /// No votes on `width` bits.
    pub fn new(width: u32) -> Self {
        Self {
            for_one: vec![0; width as usize],
            lanes: [0; 16],
            n_in_lanes: 0,
            total: 0,
            squares: 0.0,
        }
    }

    /// Forgets all votes.
    pub fn clear(&mut self) {
        self.for_one.fill(0);
        (self.lanes, self.n_in_lanes) = ([0; 16], 0);
        self.total = 0;
        self.squares = 0.0;
    }

    /// One feature votes on every bit. Costs eight additions for weight 1, else the width.
    #[inline]
    pub fn add(&mut self, hash: u128, weight: FixedWeight) {
        let words = [hash as u64, (hash >> 64) as u64];
        if weight.0 == FixedWeight::ONE {
            self.add_to_lanes(words);
        } else {
            for (word, chunk) in words.into_iter().zip(self.for_one.chunks_mut(64)) {
                for (bit, sum) in chunk.iter_mut().enumerate() {
                    // All ones where the bit is set, else nothing: no branch, so that it vectorises.
                    *sum += weight.0 & ((word >> bit & 1) as i64).wrapping_neg();
                }
            }
        }
        self.total += weight.0;
        self.squares += weight.to_f64().powi(2);
    }

    #[inline]
    fn add_to_lanes(&mut self, [low, high]: [u64; 2]) {
        const EACH_BYTE: u64 = 0x0101_0101_0101_0101;
        if self.n_in_lanes == u8::MAX {
            self.empty_lanes();
        }
        for (lane, count) in self.lanes[..8].iter_mut().enumerate() {
            *count += low >> lane & EACH_BYTE;
        }
        if self.for_one.len() > 64 {
            for (lane, count) in self.lanes[8..].iter_mut().enumerate() {
                *count += high >> lane & EACH_BYTE;
            }
        }
        self.n_in_lanes += 1;
    }

    fn empty_lanes(&mut self) {
        for bit in 0..self.for_one.len() {
            self.for_one[bit] += self.in_lanes(bit) * FixedWeight::ONE;
        }
        (self.lanes, self.n_in_lanes) = ([0; 16], 0);
    }

    /// Votes for 1 on a bit that are still in the lanes.
    fn in_lanes(&self, bit: usize) -> i64 {
        let (word, bit) = (bit / 64, bit % 64);
        (self.lanes[word * 8 + bit % 8] >> (bit / 8 * 8) & 0xff) as i64
    }

    /// How many bits are voted on.
    pub fn width(&self) -> u32 {
        self.for_one.len() as u32
    }

    /// `V_i` as an integer in units of 2^-20.
    pub fn fixed(&self, bit: u32) -> i64 {
        let bit = bit as usize;
        2 * (self.for_one[bit] + self.in_lanes(bit) * FixedWeight::ONE) - self.total
    }

    /// `V_i`: positive for 1, negative for 0.
    pub fn value(&self, bit: u32) -> f64 {
        FixedWeight(self.fixed(bit)).to_f64()
    }

    /// `||w||`: the root of the sum of squared weights.
    pub fn norm(&self) -> f64 {
        self.squares.sqrt()
    }

    /// `|V_i| / ||w||`: 0 is a tie; over the bits of unlike texts it spreads like a folded normal.
    pub fn margin(&self, bit: u32) -> f64 {
        if self.squares == 0.0 { 0.0 } else { self.value(bit).abs() / self.norm() }
    }

    /// Bits whose votes balance exactly, so that the tie rule decides them.
    pub fn ties(&self) -> u32 {
        (0..self.width()).filter(|&bit| self.fixed(bit) == 0).count() as u32
    }

    /// The fingerprint these votes decide.
    pub fn fingerprint(&self, tie: TieRule) -> Fingerprint {
        let bits = (0..self.width()).fold(0u128, |bits, bit| {
            let votes = self.fixed(bit);
            let one = votes > 0 || votes == 0 && tie == TieRule::One;
            bits | u128::from(one) << bit
        });
        Fingerprint::new(bits, self.width())
    }
}

impl PartialEq for Votes {
    /// Equal sums, wherever they are kept.
    fn eq(&self, other: &Self) -> bool {
        self.width() == other.width()
            && (0..self.width()).all(|bit| self.fixed(bit) == other.fixed(bit))
            && self.squares == other.squares
    }
}

#[cfg(test)]
mod tests {
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

    /// text-dedup's own example: of two hashes under `tie=zero` the common ones stay.
    #[test]
    fn two_equal_votes_under_tie_zero_are_their_common_ones() {
        let mut votes = Votes::new(64);
        for hash in [13_352_372_148_217_134_600, 5_020_219_685_658_847_592] {
            votes.add(hash, FixedWeight::from_f64(1.0));
        }
        assert_eq!(votes.fingerprint(TieRule::Zero).bits(), 74_633_958_390_507_528);
    }

    /// The lanes against one addition a bit, past where bytes would overflow.
    #[test]
    fn counting_in_bytes_is_adding_one_by_one() {
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
}
