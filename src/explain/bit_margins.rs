//! The margins of a fingerprint: how clearly each bit was decided, weak bits, ties, domination.
//!
//! Over hash functions the votes `V_i` of a bit have mean 0 and variance `||w||^2`, so the margin `|V_i| /
//! ||w||` has the distribution of the absolute value of a standard normal: about 5 of 64 bits are below 0.1. A
//! bit of small margin flips first when the text is edited; [`angle::flips`] gives the probability. Costs one
//! step for each bit; [`flips_without`] costs that for each feature. Source: Sood and Loguinov, "Probabilistic
//! near-duplicate detection using simhash" (2011).

use crate::evaluate::angle;
use crate::feature::FixedWeight;
use crate::simhash::{FeatureVotes, TieRule, Votes};

/// Bits whose margin is below this are weak.
pub const WEAK: f64 = 0.1;

/// The margin of one bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BitMargin {
    /// The bit, 0 the least significant.
    pub bit: u32,
    /// Its value.
    pub value: bool,
    /// `V_i`: positive for 1, negative for 0.
    pub votes: FixedWeight,
    /// `|V_i| / ||w||`, at least 0; 0 is a tie.
    pub margin: f64,
}

impl BitMargin {
    /// The margin of a bit of votes, by a tie rule.
    pub(super) fn new(votes: &Votes, bit: u32, tie: TieRule) -> Self {
        let (fixed, margin) = (votes.fixed(bit), votes.margin(bit));
        Self { bit, value: tie.decide(fixed), votes: FixedWeight(fixed), margin }
    }

    /// The chance that the bit differs in another text at this cosine, 0 to 1/2.
    pub fn flips(&self, cosine: f64) -> f64 {
        angle::flips(self.margin, cosine)
    }
}

/// The margins of a fingerprint.
#[derive(Clone, Debug, PartialEq)]
pub struct BitMargins {
    /// Every bit, from 0 up.
    pub bits: Vec<BitMargin>,
    /// The heaviest feature, the first if there are several; `None` if there are no features.
    pub heaviest: Option<usize>,
    /// `w_max^2 / ||w||^2`: the share of the heaviest feature in the squared norm, 0 to 1.
    pub dominance: f64,
    /// Whether the heaviest feature outweighs all others together, or is the only one. Then the fingerprint is
    /// its hash.
    pub is_dominated: bool,
}

impl BitMargins {
    /// The margins of all bits of feature votes, by a tie rule.
    pub fn new(feature_votes: &FeatureVotes, tie: TieRule) -> Self {
        let votes = &feature_votes.votes;
        let weights = feature_votes.weights();
        let heaviest = (0..weights.len()).max_by_key(|&at| (weights[at], std::cmp::Reverse(at)));
        Self {
            bits: (0..votes.width()).map(|bit| BitMargin::new(votes, bit, tie)).collect(),
            heaviest,
            dominance: dominance(&weights),
            is_dominated: is_dominated(&weights),
        }
    }

    /// The bits that the tie rule decided.
    pub fn n_ties(&self) -> u32 {
        self.bits.iter().filter(|bit| bit.votes.0 == 0).count() as u32
    }

    /// All bits, the weakest first; the most significant first if margins are equal.
    pub fn weakest_first(&self) -> Vec<BitMargin> {
        let mut bits: Vec<BitMargin> = self.bits.iter().rev().copied().collect();
        bits.sort_by_key(|bit| bit.votes.0.abs());
        bits
    }

    /// The bits whose margin is below [`WEAK`], the weakest first.
    pub fn weak(&self) -> Vec<BitMargin> {
        let bits = self.weakest_first();
        bits.into_iter().take_while(|bit| bit.margin < WEAK).collect()
    }

    /// The expected number of differing bits in a text at this cosine, given these margins. The mean over many
    /// documents is width times theta / pi.
    pub fn expected_flips(&self, cosine: f64) -> f64 {
        self.bits.iter().map(|bit| bit.flips(cosine)).sum()
    }
}

/// `w_max^2 / ||w||^2`, 0 to 1; 0 without weights.
pub fn dominance(weights: &[FixedWeight]) -> f64 {
    let square = |weight: &FixedWeight| i128::from(weight.0).pow(2);
    let heaviest = weights.iter().map(square).max().unwrap_or(0);
    let all: i128 = weights.iter().map(square).sum();
    if all == 0 { 0.0 } else { heaviest as f64 / all as f64 }
}

/// Whether one weight exceeds the sum of the others; true for a single weight.
pub fn is_dominated(weights: &[FixedWeight]) -> bool {
    let heaviest = weights.iter().map(|weight| weight.0).max().unwrap_or(0);
    let all: i64 = weights.iter().map(|weight| weight.0).sum();
    heaviest > all - heaviest
}

/// The bits that would flip if the text did not have this feature. No bits if it is the only feature, because a
/// text without features has no fingerprint.
///
/// # Panics
/// If there is no such feature.
pub fn flips_without(feature_votes: &FeatureVotes, feature: usize, tie: TieRule) -> u128 {
    let left = &feature_votes.features[feature];
    if feature_votes.features.len() == 1 {
        return 0;
    }
    let votes = &feature_votes.votes;
    (0..votes.width()).fold(0, |flipped, bit| {
        let before = votes.fixed(bit);
        let after = before - vote(left.hash, bit) * left.weight.0;
        flipped | u128::from(tie.decide(before) != tie.decide(after)) << bit
    })
}

/// The features that decide bits alone: the index of each feature and the bits that would flip without it, most
/// bits first. Costs as much as counting the votes.
pub fn alone(feature_votes: &FeatureVotes, tie: TieRule) -> Vec<(usize, u128)> {
    let flips = |feature| (feature, flips_without(feature_votes, feature, tie));
    let mut alone: Vec<(usize, u128)> = (0..feature_votes.features.len()).map(flips).collect();
    alone.retain(|(_, bits)| *bits != 0);
    alone.sort_by_key(|(_, bits)| std::cmp::Reverse(bits.count_ones()));
    alone
}

/// The numbers of the bits that are 1, most significant first.
pub fn bit_numbers(bits: u128) -> Vec<u32> {
    (0..128).rev().filter(|&bit| bits >> bit & 1 == 1).collect()
}

/// 1 if the hash votes for 1 at this bit, otherwise -1.
pub fn vote(hash: u128, bit: u32) -> i64 {
    if hash >> bit & 1 == 1 { 1 } else { -1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simhash::Fingerprinter;

    fn feature_votes(text: &str, recipe: &str) -> FeatureVotes {
        let recipe = recipe.parse().unwrap();
        Fingerprinter::new(&recipe).unwrap().feature_votes(text)
    }

    #[test]
    fn margins_follow_from_the_votes() {
        let feature_votes = feature_votes("tide tide tide pool crab", "words:1 tf");
        let margins = BitMargins::new(&feature_votes, TieRule::One);
        assert_eq!((margins.heaviest, margins.is_dominated), (Some(0), true));
        assert!((margins.dominance - 9.0 / 11.0).abs() < 1e-12);
        assert_eq!(margins.n_ties(), 0);
        for bit in &margins.bits {
            assert_eq!(
                bit.value,
                feature_votes.features[0].hash >> bit.bit & 1 == 1,
                "the heaviest decides"
            );
        }
        // Votes of 3, 1 and 1 are odd and from 1 up, over a norm of root 11: no bit is weak.
        assert!(margins.weak().is_empty());
        assert!(margins.weakest_first().is_sorted_by_key(|bit| bit.votes.0.abs()));
    }

    #[test]
    fn the_only_feature_dominates_and_no_feature_does_not() {
        let one = FixedWeight::from_f64(1.0);
        assert!(is_dominated(&[one]) && !is_dominated(&[one, one]) && !is_dominated(&[]));
    }

    #[test]
    fn a_text_without_features_has_no_margins() {
        let margins = BitMargins::new(&feature_votes("", "words:1"), TieRule::One);
        assert_eq!((margins.heaviest, margins.dominance), (None, 0.0));
        assert!(!margins.is_dominated && margins.n_ties() == 64);
    }

    #[test]
    fn leaving_a_feature_out_flips_what_a_recount_flips() {
        for recipe in ["words:1", "words:2 tie=zero bits=90", "chars:2 binary bits=17"] {
            let parsed: crate::simhash::Recipe = recipe.parse().unwrap();
            let feature_votes = feature_votes("the tide and the pool and the crab", recipe);
            let width = feature_votes.votes.width();
            let whole = feature_votes.votes.fingerprint(parsed.tie).bits();
            for left in 0..feature_votes.features.len() {
                let rest = feature_votes.features.iter().enumerate().filter(|(at, _)| *at != left);
                let rest = rest.map(|(_, feature)| (feature.hash, feature.weight));
                let recount = Votes::of(width, rest).fingerprint(parsed.tie).bits();
                assert_eq!(flips_without(&feature_votes, left, parsed.tie), whole ^ recount);
            }
        }
        assert_eq!(flips_without(&feature_votes("tide", "words:1"), 0, TieRule::Zero), 0);
    }

    #[test]
    fn flip_chances_follow_the_published_table() {
        // Rows are cosines, columns margins 0, .05, .1, .2, .5, 1.
        let table = [
            (0.90, [0.5, 0.459, 0.418, 0.340, 0.151, 0.020]),
            (0.95, [0.5, 0.440, 0.381, 0.271, 0.064, 0.0012]),
            (0.99, [0.5, 0.363, 0.241, 0.080, 0.0002, 0.0]),
        ];
        for (cosine, row) in table {
            for (margin, expected) in [0.0, 0.05, 0.1, 0.2, 0.5, 1.0].into_iter().zip(row) {
                let margins =
                    BitMargin { bit: 0, value: true, votes: FixedWeight::default(), margin };
                let found = margins.flips(cosine);
                assert!((found - expected).abs() < 6e-4, "{cosine} {margin}: {found}");
            }
        }
    }

    #[test]
    fn over_all_margins_a_bit_flips_with_chance_theta_over_pi() {
        // The folded normal, summed up in small steps.
        let step = 1e-3;
        let density = |z: f64| (2.0 / std::f64::consts::PI).sqrt() * (-z * z / 2.0).exp();
        let margins = || (0..8000).map(|n| (f64::from(n) + 0.5) * step);
        let mean: f64 = margins().map(|z| density(z) * step * angle::flips(z, 0.95)).sum();
        assert!((mean - 0.101_082_6).abs() < 1e-6, "{mean}");
        for (margin, share) in [(0.05, 0.040), (0.1, 0.080), (0.2, 0.159), (0.5, 0.383)] {
            let below: f64 = margins().take_while(|z| *z < margin).map(|z| density(z) * step).sum();
            assert!((below - share).abs() < 6e-4, "{margin}: {below}");
        }
    }

    /// Few features, ties and domination: the cases in which theta / pi is wrong, and by how much. Each pattern
    /// of the features' hash bits counts once.
    #[test]
    fn short_texts_differ_less_than_the_angle_says() {
        // (weights of a, weights of b, chance that a bit differs, what the angle says)
        let ten: Vec<f64> = (0..11).map(|at| f64::from(at < 10)).collect();
        let other_ten: Vec<f64> = (0..11).map(|at| f64::from(at != 9)).collect();
        let table: [(&[f64], &[f64], f64, f64); 4] = [
            (&[1.0, 1.0, 1.0, 0.0], &[1.0, 1.0, 0.0, 1.0], 0.25, 0.2677),
            (&[1.0, 1.0, 0.0], &[1.0, 0.0, 1.0], 0.25, 0.3333),
            (&ten, &other_ten, 0.1230, 0.1436),
            (&[5.0, 1.0, 1.0, 0.0, 0.0], &[5.0, 0.0, 0.0, 1.0, 1.0], 0.0, 0.1233),
        ];
        for (a, b, expected, by_angle) in table {
            let votes = |weights: &[f64], pattern: u32| -> i64 {
                let signed = |(at, weight): (usize, &f64)| {
                    vote(u128::from(pattern), at as u32) * FixedWeight::from_f64(*weight).0
                };
                weights.iter().enumerate().map(signed).sum()
            };
            let bit = |weights: &[f64], pattern| TieRule::One.decide(votes(weights, pattern));
            let patterns = 1u32 << a.len();
            let differ = (0..patterns).filter(|&at| bit(a, at) != bit(b, at)).count();
            let found = differ as f64 / f64::from(patterns);
            assert!((found - expected).abs() < 6e-5, "{found} is not {expected}");
            let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
            let cosine = dot(a, b) / (dot(a, a) * dot(b, b)).sqrt();
            assert!((angle::bit_differs(cosine) - by_angle).abs() < 6e-5);
        }
    }
}
