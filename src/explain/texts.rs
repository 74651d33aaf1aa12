//! The full explanation of a pair by its texts, as commands and screens show it.
//!
//! Costs what its parts cost; the most is [`counterfactual`](super::counterfactual) for long texts that
//! differ much, and [`sentence`](super::sentence), which fingerprints each text some times over: up to
//! half a second.

use super::{
    Counterfactual, Overlap, Sameness,
    counterfactual::cheapest,
    deciders::{DifferingBit, differing_bits},
    matched::matched,
    sentence::{MOST_BYTES, SentenceEffects, without_each_sentence},
};
use crate::simhash::{Ballot, Fingerprint, Fingerprinter};

/// Features named for each side of a differing bit.
pub const DECIDERS: usize = 3;

/// The explanation of a pair by its texts.
#[derive(Clone, Debug)]
pub struct TextsExplanation {
    /// The similarity by features, and the features that both texts or only one of them have.
    pub overlap: Overlap,
    /// The property that the two have in common where their fingerprints are equal.
    pub sameness: Option<Sameness>,
    /// Every bit in which they differ, and the features that decided it, at most [`DECIDERS`] features a side.
    pub bits: Vec<DifferingBit>,
    /// The cheapest edits that bring them within k; `None` where one has no features.
    pub counterfactual: Option<Counterfactual>,
    /// The effect on the distance of leaving out each sentence of either text.
    pub sentences: [SentenceEffects; 2],
}

impl TextsExplanation {
    /// Finds it all out about two texts, their ballots and fingerprints under `fingerprinter`, and the
    /// distance `k` that counts as near.
    pub fn new(
        fingerprinter: &Fingerprinter,
        texts: [&str; 2],
        ballots: [&Ballot; 2],
        fingerprints: [Fingerprint; 2],
        k: u32,
    ) -> Self {
        let tie = fingerprinter.recipe().tie;
        let sentences = |side: usize| {
            let other = fingerprints[1 - side];
            without_each_sentence(fingerprinter, texts[side], other, MOST_BYTES)
        };
        let features = matched(ballots[0], ballots[1]);
        let overlap = Overlap::new(&features);
        let is_equal = fingerprints[0] == fingerprints[1];
        let recipe = fingerprinter.recipe();
        Self {
            sameness: is_equal.then(|| Sameness::new(recipe, texts, ballots, &overlap)),
            overlap,
            bits: differing_bits(ballots, &features, tie, DECIDERS),
            counterfactual: cheapest(ballots, &features, tie, k),
            sentences: [0, 1].map(sentences),
        }
    }
}
