//! The full explanation of a pair by its texts, as commands and screens show it.
//!
//! The cost is the sum of its parts. The largest are [`counterfactual`](super::counterfactual), for long texts
//! that differ much, and [`sentence`](super::sentence), which fingerprints each text several times: up to half
//! a second.

use super::{
    Counterfactual, EqualityKind, Overlap,
    aligned_feature::align,
    contributors::{DifferingBit, differing_bits},
    counterfactual::few_edits,
    sentence::{MOST_BYTES, SentenceEffects, without_each_sentence},
};
use crate::simhash::{FeatureVotes, Fingerprint, Fingerprinter};

/// Features listed for each document at a differing bit.
pub const MOST_CONTRIBUTORS: usize = 3;

/// The explanation of a pair by its texts.
#[derive(Clone, Debug)]
pub struct TextsExplanation {
    /// The similarity by features, and the features that both texts or only one of them have.
    pub overlap: Overlap,
    /// The common property of the texts, if their fingerprints are equal.
    pub sameness: Option<EqualityKind>,
    /// Every bit in which they differ, and the features that decided it: at most [`MOST_CONTRIBUTORS`] for each
    /// text.
    pub bits: Vec<DifferingBit>,
    /// Few edits that bring them within k; `None` if a text has no features.
    pub counterfactual: Option<Counterfactual>,
    /// The effect on the distance of leaving out each sentence of either text.
    pub sentences: [SentenceEffects; 2],
}

impl TextsExplanation {
    /// Explains two texts from their feature votes and fingerprints under `fingerprinter`; distances up to `k`
    /// are near.
    pub fn new(
        fingerprinter: &Fingerprinter,
        texts: [&str; 2],
        feature_votes: [&FeatureVotes; 2],
        fingerprints: [Fingerprint; 2],
        k: u32,
    ) -> Self {
        let tie = fingerprinter.recipe().tie;
        let sentences = |side: usize| {
            let other = fingerprints[1 - side];
            without_each_sentence(fingerprinter, texts[side], other, MOST_BYTES)
        };
        let features = align(feature_votes[0], feature_votes[1]);
        let overlap = Overlap::new(&features);
        let is_equal = fingerprints[0] == fingerprints[1];
        let recipe = fingerprinter.recipe();
        Self {
            sameness: is_equal.then(|| EqualityKind::new(recipe, texts, feature_votes, &overlap)),
            overlap,
            bits: differing_bits(feature_votes, &features, tie, MOST_CONTRIBUTORS),
            counterfactual: few_edits(feature_votes, &features, tie, k),
            sentences: [0, 1].map(sentences),
        }
    }
}
