//! Random hyperplanes in two dimensions: lines through the origin that separate two vectors or not.
//!
//! A random line separates two vectors at angle theta with probability theta / pi: this is the idea of SimHash
//! in one picture. In the plane a random hyperplane is a line of random direction. Source: Charikar (STOC
//! 2002),
//! section 3; Goemans and Williamson (1995), lemma 3.2.
//!
//! Three hashes of two texts for comparison: an ordinary one, MinHash and SimHash.
//!
//! An ordinary hash of the whole text shows whether two texts are equal, and nothing else. MinHash keeps the
//! smallest hash of any feature for each of n hash functions. The share of hash functions for which two texts
//! have the same smallest hash is an unbiased estimate of their Jaccard similarity. `SimHash` estimates the
//! cosine with one bit for each direction.
//! Sources: Broder, "On the resemblance and containment of documents" (1997); Leskovec, Rajaraman and Ullman,
//! "Mining of massive datasets", section 3.3.
//!
//! Over hash functions each bit of a pair differs independently with probability theta / pi. Under one hash
//! function the distance of the pair is fixed.

use std::f64::consts::{PI, TAU};

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::simhash::HashFunction;
use crate::simhash::hash::FeatureHash;

/// The random lines so far, and two vectors at angle 0 and at `theta`.
#[derive(Clone, Debug)]
pub struct Hyperplanes {
    /// The angle between the vectors, 0 to pi.
    pub theta: f64,
    /// The direction of each line, 0 to 2 pi; the opposite direction is the same line with exchanged sides.
    lines: Vec<f64>,
}

impl Hyperplanes {
    /// The first `n` lines of `seed`, with vectors at this cosine. A larger `n` adds lines and keeps the first
    /// ones.
    pub fn new(cosine: f64, n: usize, seed: u64) -> Self {
        let theta = cosine.clamp(-1.0, 1.0).acos();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        Self { theta, lines: (0..n).map(|_| random.random::<f64>() * TAU).collect() }
    }

    /// The direction of each line, 0 to 2 pi, the side of it on which the vector at angle 0 lies, and the side of the
    /// vector at `theta`: one bit in each of two fingerprints. The line separates the vectors if the sides differ.
    pub fn lines(&self) -> impl Iterator<Item = (f64, [bool; 2])> + '_ {
        self.lines.iter().map(|&line| (line, [side(0.0, line), side(self.theta, line)]))
    }

    /// The number of lines.
    pub fn n(&self) -> u32 {
        self.lines.len() as u32
    }

    /// The number of lines that separate the vectors: the Hamming distance of two fingerprints with one bit for
    /// each line.
    pub fn n_separating(&self) -> u32 {
        self.lines().filter(|(_, sides)| sides[0] != sides[1]).count() as u32
    }
}

/// The side of a line on which a vector lies: the sign of the sine of the angle between them.
fn side(vector: f64, line: f64) -> bool {
    (vector - line).rem_euclid(TAU) < PI
}

/// The MinHash signature of the features of a text: the smallest hash under each of `n` hash functions; `None` if there
/// are no features. Costs a hash for each feature and function.
pub fn min_hash<'a>(
    features: &(impl Iterator<Item = &'a str> + Clone),
    n: u64,
) -> Option<Vec<u64>> {
    let smallest = |seed: u64| {
        let hash = FeatureHash::new(HashFunction::SipHash13, seed, 64);
        features.clone().map(|feature| hash.hash(feature.as_bytes()) as u64).min()
    };
    (0..n).map(smallest).collect()
}

/// The number of each word, from 1 on, in the order of one of the hash functions of [`min_hash`].
pub fn order(words: &[&str], seed: u64) -> Vec<usize> {
    let hash = FeatureHash::new(HashFunction::SipHash13, seed, 64);
    let hashes: Vec<u128> = words.iter().map(|word| hash.hash(word.as_bytes())).collect();
    hashes.iter().map(|hash| hashes.iter().filter(|other| *other <= hash).count()).collect()
}

/// A word of two texts: the texts that have it, and its number in each of some orders.
pub type OrderedWord<'a> = (&'a str, [bool; 2], Vec<usize>);

/// The MinHash signatures of both texts: the smallest number of each in each order; `None` if one has no word.
pub fn signatures(words: &[OrderedWord<'_>]) -> Option<[Vec<usize>; 2]> {
    let n_orders = words.first()?.2.len();
    let kept = |side: usize| -> Option<Vec<usize>> {
        let least = |at: usize| words.iter().filter(|it| it.1[side]).map(|it| it.2[at]).min();
        (0..n_orders).map(least).collect()
    };
    Some([kept(0)?, kept(1)?])
}

/// An ordinary hash of the bytes of a text: 64 bits that all change if any byte changes.
pub fn brittle(text: &str) -> u64 {
    FeatureHash::new(HashFunction::SipHash24, 0, 64).hash(text.as_bytes()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_number_of_an_order_is_the_smallest_hash() {
        let (one, two) = (["rain", "shell", "boat", "wave"], ["rain", "shell", "moon", "gull"]);
        let all = ["rain", "shell", "boat", "wave", "moon", "gull"];
        let kept = |text: &[&str], seed| {
            let numbers = order(&all, seed);
            assert_eq!((1..=6).filter(|number| numbers.contains(number)).count(), 6);
            let of = |word: &&str| numbers[all.iter().position(|it| it == word).unwrap()];
            text.iter().map(of).min()
        };
        let values = [one, two].map(|text| min_hash(&text.into_iter(), 200).unwrap());
        let mut n_equal = 0;
        for seed in 0..200 {
            let is_equal = values[0][seed as usize] == values[1][seed as usize];
            assert_eq!(kept(&one, seed) == kept(&two, seed), is_equal);
            n_equal += u32::from(is_equal);
        }
        assert!((50..84).contains(&n_equal), "a third of 200 on average: {n_equal}");
    }

    #[test]
    fn lines_separate_the_vectors_as_often_as_the_angle_says() {
        for cosine in [1.0, 0.95, 0.8, 0.5, 0.0, -0.5, -1.0] {
            let planes = Hyperplanes::new(cosine, 20_000, 3);
            let expected = cosine.acos() / PI;
            let found = f64::from(planes.n_separating()) / f64::from(planes.n());
            assert!((found - expected).abs() < 0.015, "{cosine}: {found} is not {expected}");
        }
    }

    #[test]
    fn more_lines_keep_those_before() {
        let (few, many) = (Hyperplanes::new(0.8, 10, 5), Hyperplanes::new(0.8, 50, 5));
        assert!(few.lines().eq(many.lines().take(10)));
    }

    #[test]
    fn the_share_of_equal_minima_is_the_jaccard_similarity() {
        let one: Vec<String> = (0..40).map(|n| n.to_string()).collect();
        for shared in [0, 10, 20, 30, 40] {
            let other: Vec<String> = (40 - shared..80 - shared).map(|n| n.to_string()).collect();
            let exact = shared as f64 / (80 - shared) as f64;
            let n = 4000;
            let signatures =
                [&one, &other].map(|of| min_hash(&of.iter().map(String::as_str), n).unwrap());
            let equal =
                signatures[0].iter().zip(&signatures[1]).filter(|(one, other)| one == other);
            let found = equal.count() as f64 / n as f64;
            // Four standard deviations.
            let off = 4.0 * (exact * (1.0 - exact) / n as f64).sqrt();
            assert!((found - exact).abs() <= off, "{found} is not {exact}");
        }
        assert_eq!(min_hash(&std::iter::empty(), 4), None);
    }

    #[test]
    fn a_comma_changes_half_of_an_ordinary_hash() {
        let bits = (brittle("the tide came in") ^ brittle("the tide came, in")).count_ones();
        assert!((16..=48).contains(&bits), "{bits}");
        assert_eq!(brittle("a"), brittle("a"));
    }
}
