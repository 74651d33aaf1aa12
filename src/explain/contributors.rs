//! The contributors of a differing bit: features whose weights differ between the two documents.
//!
//! Features of equal weight in both documents cancel. Only features whose weights differ can make the bit
//! differ: if `s` is the sign of a feature's hash at the bit, `V_a - V_b` is the sum of `s (w_a - w_b)`. A
//! contributor of `a` is a feature that weighs more in `a` and pushes to the value of `a`; contributors of `b`
//! are defined in the same way. Features that push the other way make the difference smaller. Costs the number
//! of features times the number of differing bits.

use super::{aligned_feature::AlignedFeature, bit::decide, bit_margins::vote};
use crate::{
    feature::FixedWeight,
    simhash::{FeatureVotes, TieRule},
};

/// A feature and the additional votes with which it pushed a document to that document's value.
#[derive(Clone, Debug, PartialEq)]
pub struct Contributor {
    /// The feature.
    pub feature: AlignedFeature,
    /// Its weight in this document minus its weight in the other one.
    pub push: FixedWeight,
}

/// A bit in which two documents differ, and the features responsible.
#[derive(Clone, Debug, PartialEq)]
pub struct DifferingBit {
    /// The bit, 0 the least significant.
    pub bit: u32,
    /// Its value in each document.
    pub values: [bool; 2],
    /// `V` in each document.
    pub votes: [FixedWeight; 2],
    /// `|V| / ||w||` in each document.
    pub margins: [f64; 2],
    /// The features that pushed each document to its own value, heaviest first, up to the requested number.
    pub contributors: [Vec<Contributor>; 2],
    /// The sum of all such pushes in each document, including features that are not listed.
    pub pushed: [FixedWeight; 2],
    /// The sum of the pushes against the document's own value: `|V_a - V_b|` is the sum of `pushed` minus this.
    pub against: FixedWeight,
}

/// Explains every bit in which two fingerprints differ, most significant first, with at most `most` features
/// for each document and bit.
pub fn differing_bits(
    feature_votes: [&FeatureVotes; 2],
    features: &[AlignedFeature],
    tie: TieRule,
    most: usize,
) -> Vec<DifferingBit> {
    let value = |side: usize, bit| decide(feature_votes[side].votes.fixed(bit), tie);
    let differing: Vec<&AlignedFeature> =
        features.iter().filter(|feature| feature.weight(0) != feature.weight(1)).collect();
    let explain = |bit: u32| {
        let values = [value(0, bit), value(1, bit)];
        let mut contributors = [Vec::new(), Vec::new()];
        let (mut pushed, mut against) = ([0, 0], 0);
        for &feature in &differing {
            let weights = [feature.weight(0).0, feature.weight(1).0];
            let side = usize::from(weights[1] > weights[0]);
            let push = weights[side] - weights[1 - side];
            if values[side] == (vote(feature.hash, bit) > 0) {
                contributors[side].push((feature, FixedWeight(push)));
                pushed[side] += push;
            } else {
                against += push;
            }
        }
        let heaviest = |mut side: Vec<(&AlignedFeature, FixedWeight)>| -> Vec<Contributor> {
            side.sort_by_key(|(_, push)| std::cmp::Reverse(*push));
            let named = side.into_iter().take(most);
            named.map(|(feature, push)| Contributor { feature: feature.clone(), push }).collect()
        };
        DifferingBit {
            bit,
            values,
            votes: [0, 1].map(|side| FixedWeight(feature_votes[side].votes.fixed(bit))),
            margins: [0, 1].map(|side| feature_votes[side].votes.margin(bit)),
            contributors: contributors.map(heaviest),
            pushed: pushed.map(FixedWeight),
            against: FixedWeight(against),
        }
    };
    let width = feature_votes[0].votes.width();
    (0..width).rev().filter(|&bit| value(0, bit) != value(1, bit)).map(explain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        explain::aligned_feature::align,
        simhash::{Fingerprinter, Recipe},
    };

    #[test]
    fn contributors_make_up_the_whole_difference() {
        for recipe in ["words:1", "words:2 log-tf tie=zero bits=90", "chars:3"] {
            let recipe: Recipe = recipe.parse().unwrap();
            let fingerprinter = Fingerprinter::new(&recipe).unwrap();
            let a = fingerprinter.feature_votes("the tide came in and the pool was gone by nine");
            let b =
                fingerprinter.feature_votes("the tide came in and the crab and the pool were gone");
            let xor =
                a.fingerprint(&recipe).unwrap().bits() ^ b.fingerprint(&recipe).unwrap().bits();
            let features = align(&a, &b);
            let found = differing_bits([&a, &b], &features, recipe.tie, usize::MAX);
            assert!(!found.is_empty());
            assert_eq!(found.iter().fold(0, |bits, bit| bits | 1 << bit.bit), xor);
            for bit in &found {
                assert_ne!(bit.values[0], bit.values[1]);
                let gap = (bit.votes[0].0 - bit.votes[1].0).abs();
                let named: i64 =
                    bit.contributors.iter().flatten().map(|contributor| contributor.push.0).sum();
                assert_eq!(named, bit.pushed[0].0 + bit.pushed[1].0);
                assert_eq!(named - bit.against.0, gap, "{recipe} bit {}", bit.bit);
            }
            let few = differing_bits([&a, &b], &features, recipe.tie, 1);
            for (few, all) in few.iter().zip(&found) {
                assert_eq!(few.pushed, all.pushed);
                assert!(few.contributors.iter().all(|side| side.len() <= 1));
            }
        }
    }
}
