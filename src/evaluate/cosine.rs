//! The cosine of two texts from integers, and the test whether it reaches tau.
//!
//! Weights are integers, so the product of two texts and their squared lengths are exact. The cosine computed
//! from these sums has an error of a few units in the last place of an `f64`: at most 1e-15. Two texts of five
//! words that share four have a cosine of exactly 4/5, but the nearest `f64` to 0.8 lies above 4/5. So a cosine
//! reaches tau if it is at least tau - [`TOLERANCE`]. Every part of the program that tests whether two texts
//! are similar uses [`reaches`].
//!
//! Texts as counted features, from which vectors are made; equal texts are kept once.
//!
//! A bag has no order of features, so equal bags are equal vectors under every weighting. Equal bags are
//! recognised by a 128-bit digest when they are added, so that a copy costs 16 bytes. A new bag costs 12 bytes
//! for each distinct feature.

use std::collections::HashSet;

/// A cosine that is less than tau by at most this much still reaches tau. This is far above all rounding
/// errors, and far below any difference that two texts of fewer than a hundred thousand features can have.
pub const TOLERANCE: f64 = 1e-12;

/// Whether a cosine reaches tau: it is at least tau, within [`TOLERANCE`].
///
/// ```
/// # use simscope::evaluate::cosine::{cosine, reaches};
/// // Five words each, four of them shared.
/// assert!(reaches(cosine(4, [5, 5]).unwrap(), 0.8));
/// ```
pub fn reaches(cosine: f64, tau: f64) -> bool {
    cosine >= tau - TOLERANCE
}

/// The cosine, 0 to 1, of two texts with this product and these squared lengths; `None` where one of them
/// has no features. Exactly 1 for equal texts.
pub fn cosine(product: i128, squares: [i128; 2]) -> Option<f64> {
    let lengths = (squares[0] as f64 * squares[1] as f64).sqrt();
    (lengths > 0.0).then(|| (product as f64 / lengths).min(1.0))
}

/// The distinct features of one text with their counts, in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bag {
    features: Vec<(u64, u32)>,
    digest: u128,
}

impl Bag {
    /// A bag of features, each given once: its 64-bit key and its number of occurrences, at least 1.
    pub fn new(features: impl IntoIterator<Item = (u64, u32)>) -> Self {
        let features: Vec<(u64, u32)> = features.into_iter().collect();
        // A sum does not depend on the order of the features.
        let digest = features.iter().fold(0_u128, |sum, &(key, count)| {
            let half = |salt: u64| mixed(key ^ mixed(u64::from(count) ^ salt));
            sum.wrapping_add(u128::from(half(0)) << 64 | u128::from(half(0x9e37_79b9_7f4a_7c15)))
        });
        Self { features, digest }
    }

    /// The identity of a text with these bags, one for each kind of features; `None` if the first has no features.
    pub fn identity(bags: &[Self]) -> Option<u128> {
        let (first, others) = bags.split_first().filter(|(first, _)| !first.features.is_empty())?;
        let join = |digest: u128, other: &Self| digest.rotate_left(1).wrapping_add(other.digest);
        Some(others.iter().fold(first.digest, join))
    }
}

/// The finalizer of splitmix64: every output bit depends on all input bits.
fn mixed(mut word: u64) -> u64 {
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// The bags of a corpus.
#[derive(Debug, Default)]
pub struct Bags {
    /// One for each document; `None` if it has no text or no features.
    pub(super) digests: Vec<Option<u128>>,
    /// Texts, including texts without features: the n of tf-idf.
    pub(super) n_texts: u64,
    seen: HashSet<u128>,
    /// The end of each distinct bag.
    ends: Vec<usize>,
    keys: Vec<u64>,
    counts: Vec<u32>,
}

impl Bags {
    /// The bags of no documents.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether any document had a text.
    pub fn has_texts(&self) -> bool {
        self.n_texts > 0
    }

    /// Adds the next document: its bag, or `None` if it has no text.
    pub fn push(&mut self, bag: Option<&Bag>) {
        self.push_as(bag, bag.and_then(|bag| Bag::identity(std::slice::from_ref(bag))));
    }

    /// Adds the next document with its [identity](Bag::identity). Documents of one identity are one text.
    pub fn push_as(&mut self, bag: Option<&Bag>, identity: Option<u128>) {
        self.n_texts += u64::from(bag.is_some());
        self.digests.push(identity);
        if let (Some(bag), Some(identity)) = (bag, identity)
            && self.seen.insert(identity)
        {
            self.keys.extend(bag.features.iter().map(|feature| feature.0));
            self.counts.extend(bag.features.iter().map(|feature| feature.1));
            self.ends.push(self.keys.len());
        }
    }

    /// Number of distinct bags.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The keys of all distinct bags, one after the other.
    pub(super) fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The features of a distinct bag; bags are numbered in the order of their first documents.
    pub(super) fn bag(&self, number: usize) -> impl Iterator<Item = (u64, u32)> + '_ {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        let range = start..self.ends[number];
        self.keys[range.clone()].iter().copied().zip(self.counts[range].iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn four_of_five_words_reach_four_fifths() {
        let found = cosine(4, [5, 5]).unwrap();
        assert!(reaches(found, 0.8) && !reaches(found, 0.800_001));
        // 16 of 25 words, all of the shorter text.
        assert!(reaches(cosine(16, [16, 25]).unwrap(), 0.8));
        assert_eq!((cosine(7, [7, 7]), cosine(0, [0, 7])), (Some(1.0), None));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        /// Compared with integers: the cosine is at least p/1000 exactly if 10^6 product^2 >= p^2 a b.
        #[test]
        fn reaches_agrees_with_integers(
            counts in prop::collection::vec((0..5_i128, 0..5_i128), 1..12),
            p in prop_oneof![1..=1000_i128, prop::sample::select(vec![500, 600, 800, 900, 960, 1000])],
        ) {
            let sum = |of: &dyn Fn(&(i128, i128)) -> i128| counts.iter().map(of).sum::<i128>();
            let (product, a, b) = (sum(&|c| c.0 * c.1), sum(&|c| c.0 * c.0), sum(&|c| c.1 * c.1));
            prop_assume!(a > 0 && b > 0);
            let exactly = 1_000_000 * product * product >= p * p * a * b;
            // Typed with three decimals, as a person does.
            let tau: f64 = format!("{}.{:03}", p / 1000, p % 1000).parse().unwrap();
            prop_assert_eq!(reaches(cosine(product, [a, b]).unwrap(), tau), exactly);
        }
    }

    #[test]
    fn equal_bags_are_kept_once_in_any_order() {
        let mut bags = Bags::new();
        bags.push(Some(&Bag::new([(1, 1), (2, 3)])));
        bags.push(None);
        bags.push(Some(&Bag::new([(2, 3), (1, 1)])));
        bags.push(Some(&Bag::new([(2, 1), (1, 3)])));
        bags.push(Some(&Bag::default()));
        assert_eq!((bags.len(), bags.n_texts, bags.keys().len()), (2, 4, 4));
        assert_eq!(bags.digests[0], bags.digests[2]);
        assert_ne!(bags.digests[0], bags.digests[3]);
        assert_eq!((bags.digests[1], bags.digests[4]), (None, None));
        assert_eq!(bags.bag(1).collect::<Vec<_>>(), [(2, 1), (1, 3)]);
    }
}
