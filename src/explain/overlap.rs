//! The similarity of two documents by their features, not by their fingerprints.
//!
//! The exact cosine of the weighted features is the quantity that a distance estimates. Jaccard and containment
//! count features without weights. An excerpt of a long page has a low cosine and containment 1, which no
//! distance shows.
//!
//! The features of two documents side by side, matched by their shingles.
//!
//! Every comparison of two documents starts here: the shared features, the contributors of a differing bit, the
//! edits that make the documents match. Costs a look-up and a copy for each feature, so that an explanation
//! does not borrow from the votes.
//!
//! The contributors of a differing bit: features whose weights differ between the two documents.
//!
//! Features of equal weight in both documents cancel. Only features whose weights differ can make the bit
//! differ: if `s` is the sign of a feature's hash at the bit, `V_a - V_b` is the sum of `s (w_a - w_b)`. A
//! contributor of `a` is a feature that weighs more in `a` and pushes to the value of `a`; contributors of `b`
//! are defined in the same way. Features that push the other way make the difference smaller. Costs the number
//! of features times the number of differing bits.

use std::collections::HashMap;
use std::sync::Arc;

use super::bit_margins::{BitMargin, vote};
use crate::evaluate::cosine::cosine;
use crate::feature::FixedWeight;
use crate::progress::{Cancelled, Progress};
use crate::simhash::{FeatureVotes, Fingerprinter, Scratch, TieRule, WeightedFeature};

/// The similarity of two documents by their features.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similarity {
    /// The exact cosine, 0 to 1; exactly 1 if the features are equal.
    pub cosine: f64,
    /// The Jaccard index, 0 to 1: the number of shared features divided by the number of all features, without
    /// weights.
    pub jaccard: f64,
    /// Whether both have the same features with the same weights.
    pub has_equal_features: bool,
    /// The share of the text of the other document that the first one has, 0 to 1; `None` if a text has no words.
    pub shared: Option<f64>,
}

/// The weighted features of a text, sorted by key.
#[derive(Debug, PartialEq)]
pub struct FeatureVector(pub Vec<(u64, FixedWeight)>);

impl FeatureVector {
    /// Weighs the features of a text.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn new(
        text: &str,
        fingerprinter: &Fingerprinter,
        scratch: &mut Scratch,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let features = fingerprinter.try_features(text, scratch, progress)?;
        let weighed = |(key, count)| (key, fingerprinter.weigh(key, count));
        let mut found: Vec<_> = features.counted().map(weighed).collect();
        found.sort_unstable_by_key(|(key, _)| *key);
        Ok(Self(found))
    }

    /// The similarity; `None` if one of the two has no features.
    pub fn similarity(&self, other: &Self) -> Option<Similarity> {
        let square = |features: &[(u64, FixedWeight)]| -> i128 {
            features.iter().map(|(_, weight)| i128::from(weight.0).pow(2)).sum()
        };
        let (a, b) = (&self.0, &other.0);
        let (mut i, mut j, mut product, mut n_shared) = (0, 0, 0_i128, 0_usize);
        while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
            if x.0 == y.0 {
                product += i128::from(x.1.0) * i128::from(y.1.0);
                n_shared += 1;
            }
            i += usize::from(x.0 <= y.0);
            j += usize::from(y.0 <= x.0);
        }
        Some(Similarity {
            cosine: cosine(product, [square(a), square(b)])?,
            jaccard: n_shared as f64 / (a.len() + b.len() - n_shared) as f64,
            has_equal_features: a == b,
            shared: None,
        })
    }
}

/// A feature that both documents have.
#[derive(Clone, Debug, PartialEq)]
pub struct Shared {
    /// The feature.
    pub feature: AlignedFeature,
    /// Its part of the cosine: `w_a w_b / (||a|| ||b||)`. The parts of all features sum to the cosine.
    pub contribution: f64,
}

/// A feature that only one document has.
#[derive(Clone, Debug, PartialEq)]
pub struct Only {
    /// The feature.
    pub feature: AlignedFeature,
    /// Its share of the document's squared norm: `w^2 / ||w||^2`.
    pub share: f64,
}

/// The features that two documents share, and the features that only one of them has.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlap {
    /// Features that both documents have, by contribution; equal ones in the order of the first text.
    pub shared: Vec<Shared>,
    /// Features that only one document has, by share.
    pub only: [Vec<Only>; 2],
    /// The number of features that both documents have.
    pub n_shared: usize,
    /// The number of features that only one document has.
    pub n_only: [usize; 2],
    /// The exact cosine, 0 to 1; `None` if a document has no features.
    pub cosine: Option<f64>,
}

impl Overlap {
    /// Compares aligned features. Sums are integers, so that equal documents have a cosine of exactly 1.
    pub fn new(features: &[AlignedFeature]) -> Self {
        let product = |feature: &AlignedFeature, x: usize, y: usize| {
            i128::from(feature.weight(x).0) * i128::from(feature.weight(y).0)
        };
        let sum = |x, y| features.iter().map(|feature| product(feature, x, y)).sum::<i128>();
        let squares = [sum(0, 0), sum(1, 1)];
        let norms = (squares[0] as f64 * squares[1] as f64).sqrt();
        let mut shared = Vec::new();
        let mut only = [Vec::new(), Vec::new()];
        for feature in features {
            match feature.weights {
                [Some(_), Some(_)] => {
                    let contribution = product(feature, 0, 1) as f64 / norms;
                    shared.push(Shared { feature: feature.clone(), contribution });
                }
                weights => {
                    let side = usize::from(weights[0].is_none());
                    let share = product(feature, side, side) as f64 / squares[side] as f64;
                    only[side].push(Only { feature: feature.clone(), share });
                }
            }
        }
        shared.sort_by(|x, y| y.contribution.total_cmp(&x.contribution));
        for side in &mut only {
            side.sort_by(|x, y| y.share.total_cmp(&x.share));
        }
        let (n_shared, n_only) = (shared.len(), [0, 1].map(|side| only[side].len()));
        Self { shared, only, n_shared, n_only, cosine: cosine(sum(0, 1), squares) }
    }

    /// Keeps the first `most` features of each list; counts stay.
    pub fn truncate(&mut self, most: usize) {
        self.shared.truncate(most);
        self.shared.shrink_to_fit();
        for only in &mut self.only {
            only.truncate(most);
            only.shrink_to_fit();
        }
    }

    /// Features of both divided by features of either, 0 to 1; `None` if neither has any.
    pub fn jaccard(&self) -> Option<f64> {
        let all = self.n_shared + self.n_only[0] + self.n_only[1];
        (all > 0).then(|| self.n_shared as f64 / all as f64)
    }

    /// Features of both divided by the features of the document that has fewer: 1 if it has no others. `None`
    /// if a document has none.
    pub fn containment(&self) -> Option<f64> {
        let fewer = self.n_shared + self.n_only[0].min(self.n_only[1]);
        (fewer > 0).then(|| self.n_shared as f64 / fewer as f64)
    }
}

/// A feature that one or both of two documents have.
#[derive(Clone, Debug, PartialEq)]
pub struct AlignedFeature {
    /// The shingle.
    pub shingle: Arc<str>,
    /// The hash, cut to the width of the fingerprint.
    pub hash: u128,
    /// Its weight in each document; `None` if the document does not have it. At least one document has it.
    pub weights: [Option<FixedWeight>; 2],
}

impl AlignedFeature {
    /// Its weight in a document, 0 if the document does not have it.
    pub fn weight(&self, side: usize) -> FixedWeight {
        self.weights[side].unwrap_or_default()
    }
}

/// Every feature of two documents once: the features of `a` in its order, then those that only `b` has, in its
/// order.
pub fn align(a: &FeatureVotes, b: &FeatureVotes) -> Vec<AlignedFeature> {
    let (mut found, mut places) = (Vec::<AlignedFeature>::new(), HashMap::new());
    for (side, votes) in [a, b].into_iter().enumerate() {
        for WeightedFeature { shingle, hash, weight, .. } in &votes.features {
            let at = *places.entry(&**shingle).or_insert(found.len());
            if at == found.len() {
                found.push(AlignedFeature {
                    shingle: (&**shingle).into(),
                    hash: *hash,
                    weights: [None; 2],
                });
            }
            found[at].weights[side] = Some(*weight);
        }
    }
    found
}

/// A bit in which two documents differ, and the features responsible.
#[derive(Clone, Debug, PartialEq)]
pub struct DifferingBit {
    /// The bit in each document.
    pub sides: [BitMargin; 2],
    /// The features that pushed each document to its own value, heaviest first, up to the requested number. Each has
    /// its push: its weight in this document minus its weight in the other one.
    pub contributors: [Vec<(AlignedFeature, FixedWeight)>; 2],
}

/// Explains every bit in which two fingerprints differ, most significant first, with at most `most` features
/// for each document and bit.
pub fn differing_bits(
    feature_votes: [&FeatureVotes; 2],
    features: &[AlignedFeature],
    tie: TieRule,
    most: usize,
) -> Vec<DifferingBit> {
    let differing: Vec<&AlignedFeature> =
        features.iter().filter(|feature| feature.weight(0) != feature.weight(1)).collect();
    let explain = |sides: [BitMargin; 2]| {
        let mut contributors = [Vec::new(), Vec::new()];
        for &feature in &differing {
            let weights = [feature.weight(0).0, feature.weight(1).0];
            let side = usize::from(weights[1] > weights[0]);
            if sides[side].value == (vote(feature.hash, sides[side].bit) > 0) {
                let push = FixedWeight(weights[side] - weights[1 - side]);
                contributors[side].push((feature, push));
            }
        }
        let heaviest = |mut side: Vec<(&AlignedFeature, FixedWeight)>| {
            side.sort_by_key(|(_, push)| std::cmp::Reverse(*push));
            side.into_iter().take(most).map(|(feature, push)| (feature.clone(), push)).collect()
        };
        DifferingBit { sides, contributors: contributors.map(heaviest) }
    };
    let sides = |bit| feature_votes.map(|it| BitMargin::new(&it.votes, bit, tie));
    let bits = (0..feature_votes[0].votes.width()).rev().map(sides);
    bits.filter(|[a, b]| a.value != b.value).map(explain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simhash::{FeatureVotes, Fingerprinter, Recipe};

    fn feature_votes(recipe: &str, texts: [&str; 2]) -> [FeatureVotes; 2] {
        let fingerprinter = Fingerprinter::new(&recipe.parse().unwrap()).unwrap();
        texts.map(|text| fingerprinter.feature_votes(text))
    }

    #[test]
    fn shares_equal_those_counted_by_hand() {
        let [a, b] = feature_votes("words:1 tf", ["tide tide pool crab", "tide pool pool gull"]);
        let features = align(&a, &b);
        let overlap = Overlap::new(&features);
        // (2, 1, 1, 0) and (1, 2, 0, 1): 4 over 6.
        assert!((overlap.cosine.unwrap() - 4.0 / 6.0).abs() < 1e-12);
        assert_eq!((overlap.jaccard(), overlap.containment()), (Some(0.5), Some(2.0 / 3.0)));
        let sum: f64 = overlap.shared.iter().map(|shared| shared.contribution).sum();
        assert!((sum - 4.0 / 6.0).abs() < 1e-12);
        let names = |side: &[Only]| {
            side.iter().map(|only| only.feature.shingle.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(
            (names(&overlap.only[0]), names(&overlap.only[1])),
            (vec!["crab".into()], vec!["gull".into()])
        );
        assert!((overlap.only[0][0].share - 1.0 / 6.0).abs() < 1e-12);
    }

    #[test]
    fn an_excerpt_is_contained_whatever_the_cosine() {
        let page = format!("the tide {}", "and so on it goes for long ".repeat(30));
        let [a, b] = feature_votes("words:1 tf", ["the tide", &page]);
        let features = align(&a, &b);
        let overlap = Overlap::new(&features);
        assert_eq!(overlap.containment(), Some(1.0));
        assert!(overlap.cosine.unwrap() < 0.1);
    }

    #[test]
    fn equal_texts_have_cosine_one_and_empty_texts_have_no_cosine() {
        let text = "the tide and the pool and the crab";
        for recipe in ["words:1", "words:2 log-tf", "chars:3 binary"] {
            let [a, b] = feature_votes(recipe, [text, text]);
            assert_eq!(Overlap::new(&align(&a, &b)).cosine, Some(1.0));
        }
        let [a, b] = feature_votes("words:1", ["", "tide"]);
        let overlap = Overlap::new(&align(&a, &b));
        assert_eq!(
            (overlap.cosine, overlap.jaccard(), overlap.containment()),
            (None, Some(0.0), None)
        );
    }

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
            assert_eq!(found.iter().fold(0, |bits, it| bits | 1 << it.sides[0].bit), xor);
            let all = features.iter().map(|it| (it.weight(0).0 - it.weight(1).0).abs());
            let all: i64 = all.sum();
            for DifferingBit { sides: [one, other], contributors } in &found {
                assert_ne!(one.value, other.value);
                let gap = (one.votes.0 - other.votes.0).abs();
                let named: i64 = contributors.iter().flatten().map(|(_, push)| push.0).sum();
                // All others push against it.
                assert_eq!(named - (all - named), gap, "{recipe} bit {}", one.bit);
            }
            let few = differing_bits([&a, &b], &features, recipe.tie, 1);
            for (few, all) in few.iter().zip(&found) {
                assert!(
                    (0..2).all(
                        |side| few.contributors[side].first() == all.contributors[side].first()
                    )
                );
                assert!(few.contributors.iter().all(|side| side.len() <= 1));
            }
        }
    }

    #[test]
    fn cosines_are_those_by_hand() {
        let features = |entries: &[(u64, f64)]| {
            let weigh = |&(key, weight)| (key, FixedWeight::from_f64(weight));
            FeatureVector(entries.iter().map(weigh).collect())
        };
        let a = features(&[(1, 2.0), (2, 1.0), (9, 1.0)]);
        let b = features(&[(1, 1.0), (3, 1.0), (9, 2.0)]);
        let found = a.similarity(&b).unwrap();
        assert!((found.cosine - 4.0 / 6.0).abs() < 1e-12);
        assert_eq!((found.jaccard, found.has_equal_features), (0.5, false));
        let itself = a.similarity(&a).unwrap();
        assert_eq!((itself.cosine, itself.jaccard, itself.has_equal_features), (1.0, 1.0, true));
        // The same direction, other weights.
        let twice = features(&[(1, 4.0), (2, 2.0), (9, 2.0)]);
        let found = a.similarity(&twice).unwrap();
        assert_eq!((found.cosine, found.has_equal_features), (1.0, false));
        assert_eq!(a.similarity(&features(&[])), None);
    }
}
