//! The similarity of two documents by their features, not by their fingerprints.
//!
//! The exact cosine of the weighted features is the quantity that a distance estimates. Jaccard and containment
//! count features without weights. An excerpt of a long page has a low cosine and containment 1, which no
//! distance shows.

use super::aligned_feature::AlignedFeature;
use crate::evaluate::cosine::cosine;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        explain::aligned_feature::align,
        simhash::{FeatureVotes, Fingerprinter},
    };

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
}
