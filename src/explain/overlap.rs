//! The similarity of two documents, measured on their features instead of their fingerprints.
//!
//! The exact cosine of the weighted features is what a distance only estimates; Jaccard and containment
//! count features without weights. An excerpt inside a long page has a low cosine and containment 1:
//! no distance shows that.

use super::aligned_feature::AlignedFeature;
use crate::evaluate::cosine::cosine;

/// A feature that both documents have.
#[derive(Clone, Debug, PartialEq)]
pub struct Shared {
    /// The feature.
    pub feature: AlignedFeature,
    /// Its contribution to the cosine: `w_a w_b / (||a|| ||b||)`. All of them sum to it.
    pub contribution: f64,
}

/// A feature that one document alone has.
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
    /// Features both have, by contribution; of equal ones the first in the first text.
    pub shared: Vec<Shared>,
    /// Features only one has, by share.
    pub only: [Vec<Only>; 2],
    /// The number of features that both have.
    pub n_shared: usize,
    /// The number of features that only one has.
    pub n_only: [usize; 2],
    /// The exact cosine, 0 to 1; `None` where one has no features.
    pub cosine: Option<f64>,
}

impl Overlap {
    /// Compares matched features. Sums are integers: equal documents have cosine 1 to the bit.
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

    /// Keeps the first `most` features of each list, and all counts.
    pub fn truncate(&mut self, most: usize) {
        self.shared.truncate(most);
        self.shared.shrink_to_fit();
        for only in &mut self.only {
            only.truncate(most);
            only.shrink_to_fit();
        }
    }

    /// Features of both, over features of either: 0 to 1; `None` where neither has any.
    pub fn jaccard(&self) -> Option<f64> {
        let all = self.n_shared + self.n_only[0] + self.n_only[1];
        (all > 0).then(|| self.n_shared as f64 / all as f64)
    }

    /// Features of both, over those of the one that has fewer: 1 where one holds all of the other;
    /// `None` where one has none.
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
    fn shares_are_those_counted_by_hand() {
        let [a, b] = feature_votes("words:1", ["tide tide pool crab", "tide pool pool gull"]);
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
        let [a, b] = feature_votes("words:1", ["the tide", &page]);
        let features = align(&a, &b);
        let overlap = Overlap::new(&features);
        assert_eq!(overlap.containment(), Some(1.0));
        assert!(overlap.cosine.unwrap() < 0.1);
    }

    #[test]
    fn equal_texts_have_cosine_one_and_empty_ones_none() {
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
