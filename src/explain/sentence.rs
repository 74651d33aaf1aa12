//! The effect of each sentence of a document on a distance: the text is fingerprinted again without the
//! sentence.
//!
//! Costs the fingerprint of the text for each sentence. So only the first sentences of a long text are tried:
//! as many as [`MOST_BYTES`] of text allow. The result has the number of all sentences. Uses all cores.
//!
//! The full explanation of a pair by its texts, as commands and screens show it.
//!
//! The cost is the sum of its parts. The largest are [`counterfactual`](super::counterfactual), for long texts
//! that differ much, and [`sentence`](super::sentence), which fingerprints each text several times: up to half
//! a second.

use std::ops::Range;

use rayon::prelude::*;

use super::counterfactual::few_edits;
use super::overlap::{DifferingBit, align, differing_bits};
use super::{Counterfactual, EqualityKind, Overlap};
use crate::simhash::{FeatureVotes, Fingerprint, Fingerprinter, Scratch};
use crate::text::sentences;

/// The most bytes of text that are fingerprinted: a fifth of a second on one core.
pub const MOST_BYTES: usize = 32 << 20;

/// A sentence and the distance without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentenceEffect {
    /// The sentence, without white space at its ends.
    pub sentence: String,
    /// The distance of the text without it; `None` if the remaining text has no fingerprint.
    pub distance: Option<u32>,
}

/// The distances after leaving out one sentence at a time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SentenceEffects {
    /// The sentences that were tried. The sentence whose removal brings the texts nearest comes first, then the
    /// order of the text.
    pub effects: Vec<SentenceEffect>,
    /// The number of all sentences of the text.
    pub n_sentences: usize,
}

/// The distance between `other` and `text` without each of its sentences.
pub fn without_each_sentence(
    fingerprinter: &Fingerprinter,
    text: &str,
    other: Fingerprint,
    most_bytes: usize,
) -> SentenceEffects {
    let mut places = sentences(text);
    let n_sentences = places.len();
    places.truncate((most_bytes / text.len().max(1)).max(1));
    let effect = |scratch: &mut Scratch, place: Range<usize>| {
        let rest = [&text[..place.start], &text[place.end..]].concat();
        let fingerprint = fingerprinter.record(&rest, scratch).fingerprint;
        let sentence = text[place].trim().to_owned();
        SentenceEffect { sentence, distance: fingerprint.map(|it| it.distance(other)) }
    };
    let mut effects: Vec<SentenceEffect> =
        places.into_par_iter().map_init(Scratch::default, effect).collect();
    effects.sort_by_key(|effect| effect.distance.unwrap_or(u32::MAX));
    SentenceEffects { effects, n_sentences }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simhash::Recipe;

    #[test]
    fn distances_are_those_of_the_shortened_texts() {
        let fingerprinter = Fingerprinter::new(&Recipe::default()).unwrap();
        let common = "The tide came in at nine. We counted eleven boats on the way back.";
        let text = format!("{common} Buy cheap watches from our friends now, today and tomorrow!");
        let other = fingerprinter.fingerprint(common).unwrap();
        let found = without_each_sentence(&fingerprinter, &text, other, MOST_BYTES);
        assert_eq!((found.n_sentences, found.effects.len()), (3, 3));
        assert_eq!(found.effects[0].distance, Some(0), "without the advertisement they are equal");
        assert!(found.effects[0].sentence.starts_with("Buy"));
        for effect in &found.effects {
            let rest = text.replacen(&effect.sentence, "", 1);
            let expected = fingerprinter.fingerprint(&rest).map(|it| it.distance(other));
            assert_eq!(effect.distance, expected);
        }
    }

    #[test]
    fn only_the_first_sentences_of_a_long_text_are_tried() {
        let fingerprinter = Fingerprinter::new(&Recipe::default()).unwrap();
        let text = "One is here. ".repeat(100);
        let other = fingerprinter.fingerprint("two").unwrap();
        let found = without_each_sentence(&fingerprinter, &text, other, 5 * text.len());
        assert_eq!((found.n_sentences, found.effects.len()), (100, 5));
        let alone = without_each_sentence(&fingerprinter, "One. ", other, 0);
        assert_eq!(alone.effects, [SentenceEffect { sentence: "One.".to_owned(), distance: None }]);
        assert_eq!(without_each_sentence(&fingerprinter, "", other, 9).n_sentences, 0);
    }
}
