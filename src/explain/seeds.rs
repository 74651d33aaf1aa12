//! A pair under many hash functions. The distance of a pair depends on the hash function, and a recipe has one
//! of many.
//!
//! Over hash functions each bit of a pair differs independently with probability theta / pi. Under one hash
//! function the distance of the pair is fixed.

use crate::simhash::{FeatureVotes, Recipe, WeightedFeature, hash::FeatureHash};

/// The distance of two texts under the hash functions of `n` seeds, the seed of the recipe first. Costs two
/// fingerprints for each seed.
fn distances_by_seed(
    one: &FeatureVotes,
    other: &FeatureVotes,
    recipe: &Recipe,
    n: u64,
) -> Vec<u32> {
    let distance = |step: u64| {
        // A hash without seeds is also one of many hash functions.
        let function = if step == 0 { recipe.hash } else { recipe.hash.for_many_seeds() };
        let hash = FeatureHash::new(function, recipe.seed.wrapping_add(step), recipe.bits);
        let of = |votes: &FeatureVotes| voted(&votes.features, &hash, recipe);
        of(one).distance(of(other))
    };
    (0..n).map(distance).collect()
}

/// The spread of a pair's distances under many hash functions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeedSpread {
    /// The number of hash functions.
    pub n: u64,
    /// The mean distance.
    pub mean: f64,
    /// The interval that holds the distances of 95 of 100 hash functions; as many are nearer as are farther.
    pub middle: [u32; 2],
}

impl SeedSpread {
    /// The spread for two texts; costs two fingerprints for each seed.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn new(one: &FeatureVotes, other: &FeatureVotes, recipe: &Recipe, n: u64) -> Self {
        let mut distances = distances_by_seed(one, other, recipe, n);
        distances.sort_unstable();
        let cut = distances.len() / 40;
        let middle = [distances[cut], distances[distances.len() - 1 - cut]];
        let sum: u64 = distances.iter().map(|&distance| u64::from(distance)).sum();
        Self { n, mean: sum as f64 / n as f64, middle }
    }
}

fn voted(
    features: &[WeightedFeature],
    hash: &FeatureHash,
    recipe: &Recipe,
) -> crate::simhash::Fingerprint {
    let mask = u128::MAX >> (128 - recipe.bits);
    let hashed = features.iter().map(|feature| WeightedFeature {
        hash: hash.hash(feature.shingle.as_bytes()) & mask,
        ..feature.clone()
    });
    FeatureVotes::of(hashed.collect(), recipe.bits).votes.fingerprint(recipe.tie)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        evaluate::angle,
        simhash::{Fingerprinter, hash::HashFunction},
    };

    #[test]
    fn the_recipes_own_seed_comes_first_and_the_mean_is_that_of_the_angle() {
        let recipe: Recipe = "words:1 tf bits=64 seed=7".parse().unwrap();
        assert_eq!(recipe.hash, HashFunction::SipHash13);
        let fingerprinter = Fingerprinter::new(&recipe).unwrap();
        let text = |from: usize| {
            let words: Vec<String> = (from..from + 200).map(|n| format!("word{n}")).collect();
            fingerprinter.feature_votes(&words.join(" "))
        };
        let (one, other) = (text(0), text(20));
        let own = one.fingerprint(&recipe).unwrap().distance(other.fingerprint(&recipe).unwrap());
        let all = distances_by_seed(&one, &other, &recipe, 400);
        assert_eq!((all.len(), all[0]), (400, own));
        let mean = f64::from(all.iter().sum::<u32>()) / 400.0;
        // Cosine 0.9; four standard errors of the mean of 400 draws of 64 coins.
        let expected = angle::expected_distance(0.9, 64);
        assert!(
            (mean - expected).abs() < 4.0 * (64.0 * 0.1436 * 0.8564_f64 / 400.0).sqrt() + 0.1,
            "{mean} {expected}"
        );
    }
}
