//! Three hashes of two texts for comparison: an ordinary one, MinHash and SimHash.
//!
//! An ordinary hash of the whole text shows whether two texts are equal, and nothing else. MinHash keeps the
//! smallest hash of any feature for each of n hash functions. The share of hash functions for which two texts
//! have the same smallest hash is an unbiased estimate of their Jaccard similarity. `SimHash` estimates the
//! cosine with one bit for each direction.
//! Sources: Broder, "On the resemblance and containment of documents" (1997); Leskovec, Rajaraman and Ullman,
//! "Mining of massive datasets", section 3.3.

use std::collections::HashSet;

use crate::simhash::hash::{FeatureHash, HashFunction};

/// The smallest hashes of the features of a text under several hash functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinHash(Vec<u64>);

impl MinHash {
    /// The signature of some features under `n` hash functions; `None` if there are no features. Costs a hash
    /// for each feature and function.
    pub fn new<'a>(features: &(impl Iterator<Item = &'a str> + Clone), n: u64) -> Option<Self> {
        let smallest = |seed: u64| {
            let hash = FeatureHash::new(HashFunction::SipHash13, seed, 64);
            features.clone().map(|feature| hash.hash(feature.as_bytes()) as u64).min()
        };
        (0..n).map(smallest).collect::<Option<Vec<_>>>().map(Self)
    }

    /// The values.
    pub fn values(&self) -> &[u64] {
        &self.0
    }

    /// The number of equal values at the same place of two signatures of equal length.
    pub fn n_equal(&self, other: &Self) -> usize {
        self.0.iter().zip(&other.0).filter(|(one, other)| one == other).count()
    }
}

/// The share of features that both texts have, among the features of either text, 0 to 1; `None` if there are
/// none.
pub fn jaccard<'a>(
    one: impl Iterator<Item = &'a str>,
    other: impl Iterator<Item = &'a str>,
) -> Option<f64> {
    let (one, other): (HashSet<_>, HashSet<_>) = (one.collect(), other.collect());
    let n_all = one.union(&other).count();
    (n_all > 0).then(|| one.intersection(&other).count() as f64 / n_all as f64)
}

/// An ordinary hash of the bytes of a text: 64 bits that all change if any byte changes.
pub fn brittle(text: &str) -> u64 {
    FeatureHash::new(HashFunction::SipHash24, 0, 64).hash(text.as_bytes()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_equal_minima_is_the_jaccard_similarity() {
        let one: Vec<String> = (0..40).map(|n| n.to_string()).collect();
        for shared in [0, 10, 20, 30, 40] {
            let other: Vec<String> = (40 - shared..80 - shared).map(|n| n.to_string()).collect();
            let exact = jaccard(one.iter().map(String::as_str), other.iter().map(String::as_str));
            let exact = exact.unwrap();
            assert!((exact - shared as f64 / (80 - shared) as f64).abs() < 1e-12);
            let n = 4000;
            let signatures =
                [&one, &other].map(|of| MinHash::new(&of.iter().map(String::as_str), n).unwrap());
            let found = signatures[0].n_equal(&signatures[1]) as f64 / n as f64;
            // Four standard deviations.
            let off = 4.0 * (exact * (1.0 - exact) / n as f64).sqrt();
            assert!((found - exact).abs() <= off, "{found} is not {exact}");
        }
        assert_eq!(MinHash::new(&std::iter::empty(), 4), None);
    }

    #[test]
    fn a_comma_changes_half_of_an_ordinary_hash() {
        let bits = (brittle("the tide came in") ^ brittle("the tide came, in")).count_ones();
        assert!((16..=48).contains(&bits), "{bits}");
        assert_eq!(brittle("a"), brittle("a"));
    }
}
