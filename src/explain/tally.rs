//! Voting feature by feature: the totals so far, and the bits that the remaining votes cannot flip.
//!
//! A bit is decided once its sum outweighs all votes still to come. Costs one addition for each bit and
//! feature. Any order of the features gives the same totals; the order here is that of first occurrence.

use crate::simhash::{FeatureVotes, TieRule, WeightedFeature};

/// The totals after some features have voted, in units of 2^-20 of weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoteTally {
    totals: Vec<i64>,
    left: i64,
    tie: TieRule,
}

impl VoteTally {
    /// The totals after the first `n_cast` features of `feature_votes`, or after all if it has fewer.
    pub fn after(feature_votes: &FeatureVotes, n_cast: usize, tie: TieRule) -> Self {
        let (cast, waiting) =
            feature_votes.features.split_at(n_cast.min(feature_votes.features.len()));
        let mut totals = vec![0; feature_votes.votes.width() as usize];
        for feature in cast {
            for (bit, total) in totals.iter_mut().enumerate() {
                *total += vote(feature, bit as u32);
            }
        }
        Self { totals, left: waiting.iter().map(|feature| feature.weight.0).sum(), tie }
    }

    /// The number of bits voted on.
    pub fn width(&self) -> u32 {
        self.totals.len() as u32
    }

    /// The total of a bit: positive for 1.
    ///
    /// # Panics
    /// If there is no such bit, as in all functions here.
    pub fn total(&self, bit: u32) -> i64 {
        self.totals[bit as usize]
    }

    /// The weight of the votes still to come.
    pub fn left(&self) -> i64 {
        self.left
    }

    /// The value of the bit if voting ended here.
    pub fn bit(&self, bit: u32) -> bool {
        let total = self.total(bit);
        total > 0 || total == 0 && self.tie == TieRule::One
    }

    /// Whether the remaining votes cannot flip the bit, even all together.
    pub fn is_decided(&self, bit: u32) -> bool {
        let (total, against) = (self.total(bit), self.left);
        let worst = if self.bit(bit) { total - against } else { total + against };
        let stays = Self { totals: vec![worst], left: 0, tie: self.tie };
        stays.bit(0) == self.bit(bit)
    }

    /// The bits that differ from `before`.
    pub fn flipped_since(&self, before: &Self) -> Vec<u32> {
        (0..self.width()).rev().filter(|&bit| self.bit(bit) != before.bit(bit)).collect()
    }
}

/// The vote of a feature on a bit: its weight, positive where its hash has a 1.
pub fn vote(feature: &WeightedFeature, bit: u32) -> i64 {
    if feature.hash >> bit & 1 == 1 { feature.weight.0 } else { -feature.weight.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simhash::{Fingerprinter, Recipe};

    fn feature_votes(text: &str, recipe: &Recipe) -> FeatureVotes {
        Fingerprinter::new(recipe).unwrap().feature_votes(text)
    }

    #[test]
    fn the_last_feature_leaves_the_votes_themselves() {
        for line in ["words:1 tf bits=64", "words:2 log-tf bits=9 tie=zero", "chars:3 bits=128"] {
            let recipe: Recipe = line.parse().unwrap();
            let feature_votes = feature_votes("the tide and the pool and the crab", &recipe);
            let tally = VoteTally::after(&feature_votes, usize::MAX, recipe.tie);
            assert_eq!(tally.left(), 0);
            for bit in 0..recipe.bits {
                assert_eq!(tally.total(bit), feature_votes.votes.fixed(bit));
                assert!(tally.is_decided(bit));
                let fingerprint = feature_votes.fingerprint(&recipe).unwrap();
                assert_eq!(tally.bit(bit), fingerprint.bit(bit));
            }
        }
    }

    #[test]
    fn a_decided_bit_never_flips_and_an_open_one_could() {
        for tie in [TieRule::One, TieRule::Zero] {
            let recipe = Recipe { tie, ..("words:1 tf bits=64").parse().unwrap() };
            let feature_votes =
                feature_votes("crab pool crab tide sand rope kelp kelp kelp buoy", &recipe);
            let n = feature_votes.features.len();
            for cast in 0..=n {
                let tally = VoteTally::after(&feature_votes, cast, tie);
                for bit in 0..64 {
                    // The worst case: all remaining features vote against the bit.
                    let sign = if tally.bit(bit) { -1 } else { 1 };
                    let worst: i64 =
                        feature_votes.features[cast..].iter().map(|v| sign * v.weight.0).sum();
                    let end = tally.total(bit) + worst;
                    let ends_one = end > 0 || end == 0 && tie == TieRule::One;
                    assert_eq!(tally.is_decided(bit), ends_one == tally.bit(bit));
                }
            }
        }
    }

    #[test]
    fn the_flipped_bits_are_reported() {
        let recipe: Recipe = "words:1 binary bits=8 tie=zero".parse().unwrap();
        let feature_votes = feature_votes("hello world simhash", &recipe);
        let none = VoteTally::after(&feature_votes, 0, recipe.tie);
        let one = VoteTally::after(&feature_votes, 1, recipe.tie);
        let ones: Vec<u32> =
            (0..8).rev().filter(|&bit| feature_votes.features[0].hash >> bit & 1 == 1).collect();
        assert_eq!(one.flipped_since(&none), ones);
    }
}
