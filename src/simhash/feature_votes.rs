//! The named features and the votes behind one document's fingerprint, for explanations.

use super::{fingerprint::Fingerprint, recipe::Recipe, votes::Votes};
use crate::feature::FixedWeight;

/// A feature with its name, for explanations.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedFeature {
    /// The shingle.
    pub shingle: String,
    /// Occurrences in the document.
    pub count: u32,
    /// The hash, cut to the fingerprint's width.
    pub hash: u128,
    /// The weight of its votes.
    pub weight: FixedWeight,
}

/// The features and votes behind one document's fingerprint.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureVotes {
    /// The features in order of first occurrence.
    pub features: Vec<WeightedFeature>,
    /// The sums of their votes.
    pub votes: Votes,
    /// Tokens after stop words.
    pub n_tokens: u32,
}

impl FeatureVotes {
    /// The votes of these features on `width` bits. Costs one addition for each feature and bit.
    pub fn of(features: Vec<WeightedFeature>, width: u32) -> Self {
        let mut votes = Votes::new(width);
        for feature in &features {
            votes.add(feature.hash, feature.weight);
        }
        let n_tokens = features.len() as u32;
        Self { features, votes, n_tokens }
    }

    /// The fingerprint; `None` if no feature has a weight.
    pub fn fingerprint(&self, recipe: &Recipe) -> Option<Fingerprint> {
        let has_weight = self.features.iter().any(|feature| feature.weight.0 != 0);
        has_weight.then(|| self.votes.fingerprint(recipe.tie))
    }
}
