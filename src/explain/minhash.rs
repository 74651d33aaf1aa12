//! Three hashes of the same two texts, side by side: a usual one, MinHash and SimHash.
//!
//! A usual hash of the whole text says whether two texts are equal, and nothing else. MinHash keeps, for each of n
//! hash functions, the smallest hash of any feature; the share of places where two texts keep the same is their
//! Jaccard similarity on average. `SimHash` estimates the cosine in one bit a direction.
//! Sources: Broder, "On the resemblance and containment of documents" (1997); Leskovec, Rajaraman and Ullman,
//! "Mining of massive datasets", section 3.3.

use std::collections::HashSet;

use crate::simhash::hash::{FeatureHash, HashFunction};

/// The smallest hashes of a text's features under so many hash functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinHash(Vec<u64>);

impl MinHash {
    /// The signature of some features under `n` hash functions; `None` where there are none. Costs a hash for each
    /// feature and function.
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

    /// The number of places where two signatures of one length agree.
    pub fn n_equal(&self, other: &Self) -> usize {
        self.0.iter().zip(&other.0).filter(|(one, other)| one == other).count()
    }
}

/// The share of the features of either text that both have, 0 to 1; `None` where there are none.
pub fn jaccard<'a>(
    one: impl Iterator<Item = &'a str>,
    other: impl Iterator<Item = &'a str>,
) -> Option<f64> {
    let (one, other): (HashSet<_>, HashSet<_>) = (one.collect(), other.collect());
    let n_all = one.union(&other).count();
    (n_all > 0).then(|| one.intersection(&other).count() as f64 / n_all as f64)
}

/// A usual hash of the bytes of a text: 64 bits that all change with any of them.
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
    fn a_comma_changes_half_of_a_usual_hash() {
        let bits = (brittle("the tide came in") ^ brittle("the tide came, in")).count_ones();
        assert!((16..=48).contains(&bits), "{bits}");
        assert_eq!(brittle("a"), brittle("a"));
    }
}
