//! The features of two documents side by side, matched by their shingles.
//!
//! Every comparison of two documents starts here: the shared features, the contributors of a differing bit, the
//! edits that make the documents match. Costs a look-up and a copy for each feature, so that an explanation
//! does not borrow from the votes.

use std::{collections::HashMap, sync::Arc};

use crate::{
    feature::FixedWeight,
    simhash::{FeatureVotes, WeightedFeature},
};

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
    let feature = |weighted: &WeightedFeature, weights| AlignedFeature {
        shingle: weighted.shingle.as_str().into(),
        hash: weighted.hash,
        weights,
    };
    let mut found: Vec<AlignedFeature> = a
        .features
        .iter()
        .map(|weighted| feature(weighted, [Some(weighted.weight), None]))
        .collect();
    let places: HashMap<&str, usize> = a
        .features
        .iter()
        .enumerate()
        .map(|(at, weighted)| (weighted.shingle.as_str(), at))
        .collect();
    for weighted in &b.features {
        match places.get(weighted.shingle.as_str()) {
            Some(&at) => found[at].weights[1] = Some(weighted.weight),
            None => found.push(feature(weighted, [None, Some(weighted.weight)])),
        }
    }
    found
}
