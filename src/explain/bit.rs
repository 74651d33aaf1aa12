//! The explanation of one bit: the features that pushed it, and the smallest set whose removal would flip it.
//!
//! Each feature pushes a bit up or down by its weight; the bit is the sign of the sum `V`. Only removing
//! features on the bit's side can flip it, and the heaviest of them change `V` most. So the smallest set is the
//! heaviest features whose sum is above `|V|`. Inverting a feature's vote counts twice. The tie rule decides a
//! sum of zero, so if the sum is exactly `|V|`, the bit flips only if the tie rule is against it. All sums are
//! integers. Costs a sort of the features.

use super::bit_margins::{BitMargin, vote};
use crate::feature::FixedWeight;
use crate::simhash::{FeatureVotes, TieRule};

/// The push of one feature on a bit, and the sum with all heavier features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitPush {
    /// The index of the feature.
    pub feature: usize,
    /// Its addition to the sum: positive for 1, negative for 0.
    pub push: FixedWeight,
    /// The sum up to this feature; the last sum is `V`.
    pub sum: FixedWeight,
}

/// A bit and the votes that decided it.
#[derive(Clone, Debug, PartialEq)]
pub struct BitExplanation {
    /// Its value, its votes and its margin.
    pub bit: BitMargin,
    /// The waterfall: all features, heaviest first; equal ones in the order of the text.
    pub steps: Vec<BitPush>,
    /// The smallest set of features whose removal would flip the bit, heaviest first. `None` if there is none:
    /// if all features agree, no removal flips the bit, because a text without features has no fingerprint.
    pub removal: Option<Vec<usize>>,
    /// The smallest set of features that would flip the bit if they voted the other way, heaviest first; empty
    /// only if there are no features.
    pub inversion: Vec<usize>,
}

impl BitExplanation {
    /// Explains one bit of feature votes by a tie rule.
    ///
    /// # Panics
    /// If there is no such bit.
    pub fn new(feature_votes: &FeatureVotes, bit: u32, tie: TieRule) -> Self {
        let margin = BitMargin::new(&feature_votes.votes, bit, tie);
        let mut order: Vec<usize> = (0..feature_votes.features.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(feature_votes.features[at].weight));
        let mut sum = 0;
        let steps: Vec<BitPush> = order
            .into_iter()
            .map(|feature| {
                let push = vote(feature_votes.features[feature].hash, bit)
                    * feature_votes.features[feature].weight.0;
                sum += push;
                BitPush { feature, push: FixedWeight(push), sum: FixedWeight(sum) }
            })
            .collect();
        let side = if margin.value { 1 } else { -1 };
        let supporters: Vec<&BitPush> =
            steps.iter().filter(|step| side * step.push.0 > 0).collect();
        let weights = |times: i64| supporters.iter().map(move |step| times * side * step.push.0);
        let named = |count: usize| supporters[..count].iter().map(|step| step.feature).collect();
        let needed = side * margin.votes.0;
        let flips_at_tie = tie.decide(0) != margin.value;
        let removal = fewest(weights(1), needed, flips_at_tie)
            .filter(|&count| count < steps.len())
            .map(named);
        let inversion = fewest(weights(2), needed, flips_at_tie).map(named).unwrap_or_default();
        Self { bit: margin, steps, removal, inversion }
    }

    /// The weight of the features that voted for 1, and of those that voted for 0.
    pub fn sides(&self) -> (FixedWeight, FixedWeight) {
        let sum = |sign: i64| {
            let pushes = self.steps.iter().map(|step| sign * step.push.0);
            FixedWeight(pushes.filter(|push| *push > 0).sum())
        };
        (sum(1), sum(-1))
    }
}

/// The number of these weights, heaviest first, whose sum exceeds `needed`, or equals it if `flips_at_tie`;
/// `None` if all together are not enough.
///
/// No other set of this size has a larger sum, so no smaller set is enough.
fn fewest(weights: impl Iterator<Item = i64>, needed: i64, flips_at_tie: bool) -> Option<usize> {
    let is_enough = |sum: i64| sum > needed || flips_at_tie && sum == needed;
    let mut sum = 0;
    weights.enumerate().find_map(|(at, weight)| {
        sum += weight;
        is_enough(sum).then_some(at + 1)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::simhash::{Fingerprinter, Votes, WeightedFeature};

    /// Votes on one bit: positive weights vote for 1, negative ones for 0.
    fn feature_votes(pushes: &[i64]) -> FeatureVotes {
        let mut votes = Votes::new(1);
        let features = pushes.iter().enumerate().map(|(at, &push)| {
            let (hash, weight) = (u128::from(push > 0), FixedWeight(push.abs()));
            votes.add(hash, weight);
            WeightedFeature { shingle: format!("f{at}"), count: 1, hash, weight }
        });
        let features = features.collect();
        FeatureVotes { features, votes, n_tokens: pushes.len() as u32 }
    }

    /// The bit after an edit, counted again from the start; `None` if no feature is left.
    fn recounted(
        feature_votes: &FeatureVotes,
        edit: &[usize],
        inverts: bool,
        tie: TieRule,
    ) -> Option<bool> {
        let kept = feature_votes.features.iter().enumerate().filter_map(|(at, feature)| {
            let chosen = edit.contains(&at);
            match (chosen, inverts) {
                (true, false) => None,
                (chosen, _) => Some((feature.hash ^ u128::from(chosen), feature.weight)),
            }
        });
        let kept: Vec<_> = kept.collect();
        (!kept.is_empty()).then(|| Votes::of(1, kept).fingerprint(tie).bit(0))
    }

    #[test]
    fn the_published_case_takes_three_to_remove_and_one_to_invert() {
        // Features for the bit: 5, 3, 3, 2, 1, 1; against it 6 in all: V = 9.
        let explanation =
            BitExplanation::new(&feature_votes(&[1, 5, 3, -4, 3, 2, -2, 1]), 0, TieRule::One);
        assert_eq!(explanation.bit.votes, FixedWeight(9));
        assert_eq!(explanation.removal, Some(vec![1, 2, 4]));
        assert_eq!(explanation.inversion, [1]);
        assert_eq!(explanation.sides(), (FixedWeight(15), FixedWeight(6)));
        let sums: Vec<i64> = explanation.steps.iter().map(|step| step.sum.0).collect();
        assert_eq!(sums, [5, 1, 4, 7, 9, 7, 8, 9]);
    }

    #[test]
    fn the_tie_rule_decides_what_is_enough() {
        // V = 3, and a feature of weight 3 for the bit.
        let even = feature_votes(&[3, 1, -1]);
        assert_eq!(BitExplanation::new(&even, 0, TieRule::Zero).removal, Some(vec![0]));
        assert_eq!(BitExplanation::new(&even, 0, TieRule::One).removal, Some(vec![0, 1]));
        // After a tie, removing a feature decides the bit for the other side.
        let tie = feature_votes(&[2, -2]);
        let one = BitExplanation::new(&tie, 0, TieRule::One);
        assert_eq!((one.bit.value, one.removal), (true, Some(vec![0])));
        let zero = BitExplanation::new(&tie, 0, TieRule::Zero);
        assert_eq!((zero.bit.value, zero.removal), (false, Some(vec![1])));
    }

    #[test]
    fn agreement_cannot_be_removed_but_inverted() {
        for tie in [TieRule::One, TieRule::Zero] {
            for pushes in [&[1, 2][..], &[-1, -2], &[4], &[-4]] {
                let explanation = BitExplanation::new(&feature_votes(pushes), 0, tie);
                assert_eq!(explanation.removal, None, "{pushes:?} {tie}");
                assert_eq!(explanation.inversion.len(), 1, "{pushes:?} {tie}");
            }
        }
        let nothing = BitExplanation::new(&feature_votes(&[]), 0, TieRule::One);
        assert!(nothing.removal.is_none() && nothing.inversion.is_empty());
    }

    proptest! {
        /// By brute force over all sets of features: the named sets flip the bit, and no smaller set does.
        #[test]
        fn named_sets_flip_the_bit_and_nothing_smaller_does(
            pushes in prop::collection::vec(prop_oneof![-6..=-1i64, 1..=6i64], 1..9),
            tie in prop::sample::select(TieRule::ALL.to_vec()),
        ) {
            let feature_votes = feature_votes(&pushes);
            let explanation = BitExplanation::new(&feature_votes, 0, tie);
            for (named, inverts) in
                [(explanation.removal.as_deref(), false), (Some(&explanation.inversion[..]), true)]
            {
                let flips = |edit: &[usize]| {
                    recounted(&feature_votes, edit, inverts, tie).is_some_and(|bit| bit != explanation.bit.value)
                };
                let sets = (0..1u32 << pushes.len()).map(|set| {
                    (0..pushes.len()).filter(|at| set >> at & 1 == 1).collect::<Vec<_>>()
                });
                let smallest = sets.filter(|set| flips(set)).map(|set| set.len()).min();
                prop_assert_eq!(named.map(<[usize]>::len), smallest);
                prop_assert!(named.is_none_or(flips));
            }
        }

        /// From texts, at full width: without the named features the bit of the fingerprint flips.
        #[test]
        fn a_recount_without_the_named_features_flips_the_bit(
            words in prop::collection::vec(prop::sample::select(
                vec!["tide", "pool", "crab", "gull", "kelp", "sand", "wave"]), 1..30),
            recipe in prop::sample::select(
                vec!["words:1", "words:2 log-tf tie=zero", "words:1 binary bits=90", "chars:2 bits=8"]),
        ) {
            let recipe: crate::simhash::Recipe = recipe.parse().unwrap();
            let fingerprinter = Fingerprinter::new(&recipe).unwrap();
            let feature_votes = fingerprinter.feature_votes(&words.join(" "));
            let fingerprint = feature_votes.fingerprint(&recipe).unwrap();
            for bit in 0..recipe.bits {
                let explanation = BitExplanation::new(&feature_votes, bit, recipe.tie);
                prop_assert_eq!(explanation.bit.value, fingerprint.bit(bit));
                prop_assert_eq!(explanation.steps.last().unwrap().sum, explanation.bit.votes);
                let Some(named) = &explanation.removal else { continue };
                let without = |left: &[usize]| {
                    let kept = feature_votes.features.iter().enumerate().filter(|(at, _)| !left.contains(at));
                    let kept = kept.map(|(_, feature)| (feature.hash, feature.weight));
                    Votes::of(recipe.bits, kept).fingerprint(recipe.tie).bit(bit)
                };
                prop_assert_ne!(without(named), explanation.bit.value);
                // Without the last named feature, the removal is not enough.
                prop_assert_eq!(without(&named[..named.len() - 1]), explanation.bit.value);
            }
        }
    }
}
