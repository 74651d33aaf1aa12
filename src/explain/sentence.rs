//! The effect of each sentence of a document on a distance: the text is fingerprinted again without the
//! sentence.
//!
//! Costs the fingerprint of the text for each sentence. So only the first sentences of a long text are tried:
//! as many as [`MOST_BYTES`] of text allow. The result has the number of all sentences. Uses all cores.
//!
//! The full explanation of a pair by its texts, as commands and screens show it.
//!
//! The cost is the sum of its parts. The largest are [`Counterfactual`], for long texts
//! that differ much, and [`sentence`](super::sentence), which fingerprints each text several times: up to half
//! a second.
//!
//! The edits that would make two documents match: a few features to drop, copy or reweigh.
//!
//! One document is moved towards the other: an edit gives one of its features the weight that it has in the
//! other document (0 if the other does not have it). All edits together make the documents equal, so there is
//! always an answer. Finding the smallest set is a hard covering problem.
//!
//! A greedy search finds a small set: it aims at the differing bits that are nearest to flipping, makes the
//! edit that moves these bits most, and finally undoes every edit that is not needed. A smaller set may exist.
//! Both directions are tried. Costs some hundred passes over the features that differ.

use std::ops::Range;

use rayon::prelude::*;

use super::{
    EqualityKind, Overlap,
    bit_margins::vote,
    overlap::{AlignedFeature, DifferingBit, align, differing_bits},
};
use crate::{
    simhash::{FeatureVotes, Fingerprint, Fingerprinter, Scratch, TieRule},
    text::sentences,
};

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

/// The approximate number of rounds of the greedy search; if more edits are needed, each round makes several.
const ROUNDS: usize = 200;

/// Edits that bring two documents within k.
#[derive(Clone, Debug, PartialEq)]
pub struct Counterfactual {
    /// The document to edit: 0 or 1.
    pub side: usize,
    /// The features that get the weight that they have in the other document, 0 if it does not have them. Those with
    /// the largest effect come first.
    pub edits: Vec<AlignedFeature>,
    /// The distance afterwards.
    pub distance: u32,
}

/// Few edits that bring two documents within `k` bits; no edits if they are within k. `None` if
/// one document has no features.
pub fn few_edits(
    feature_votes: [&FeatureVotes; 2],
    features: &[AlignedFeature],
    tie: TieRule,
    k: u32,
) -> Option<Counterfactual> {
    if feature_votes.iter().any(|feature_votes| feature_votes.features.is_empty()) {
        return None;
    }
    let differing = features.iter().filter(|feature| feature.weight(0) != feature.weight(1));
    let sides = [0, 1].map(|side| {
        let [votes, others] = [side, 1 - side].map(|side| &feature_votes[side].votes);
        let bits = || 0..votes.width();
        let n_features = feature_votes[side].features.len();
        Search {
            side,
            edits: differing.clone().cloned().collect(),
            start: State { votes: bits().map(|bit| votes.fixed(bit)).collect(), n_features },
            target: bits().map(|bit| tie.decide(others.fixed(bit))).collect(),
            tie,
            k,
        }
    });
    let [a, b] = sides.each_ref().map(Search::greedy);
    let side = usize::from(b.0.len() < a.0.len());
    let (search, (chosen, distance)) = (&sides[side], if side == 0 { a } else { b });
    let edits = chosen.into_iter().map(|at| search.edits[at].clone()).collect();
    Some(Counterfactual { side, edits, distance })
}

/// The search for edits of one side.
struct Search {
    side: usize,
    edits: Vec<AlignedFeature>,
    /// The document before any edit.
    start: State,
    /// The bits of the other document.
    target: Vec<bool>,
    tie: TieRule,
    k: u32,
}

/// A document after some edits.
#[derive(Clone)]
struct State {
    votes: Vec<i64>,
    n_features: usize,
}

impl Search {
    /// The votes that a bit lacks to get the value of the target; 0 if it has it.
    fn lack(&self, votes: i64, bit: usize) -> i64 {
        let target = self.target[bit];
        if self.tie.decide(votes) == target {
            return 0;
        }
        votes.abs() + i64::from(self.tie.decide(0) != target)
    }

    fn distance(&self, state: &State) -> u32 {
        if state.n_features == 0 {
            return u32::MAX;
        }
        (0..state.votes.len()).filter(|&bit| self.lack(state.votes[bit], bit) > 0).count() as u32
    }

    fn is_near(&self, state: &State) -> bool {
        self.distance(state) <= self.k
    }

    /// The votes that an edit adds to a bit, positive towards the target.
    fn push(&self, edit: &AlignedFeature, bit: usize) -> i64 {
        let more = edit.weight(1 - self.side).0 - edit.weight(self.side).0;
        let push = vote(edit.hash, bit as u32) * more;
        if self.target[bit] { push } else { -push }
    }

    /// Makes an edit, or undoes it.
    fn apply(&self, state: &mut State, at: usize, forwards: bool) {
        let edit = &self.edits[at];
        let from = if forwards { self.side } else { 1 - self.side };
        let [from, to] = [from, 1 - from].map(|side| edit.weight(side).0);
        for (bit, votes) in state.votes.iter_mut().enumerate() {
            *votes += vote(edit.hash, bit as u32) * (to - from);
        }
        state.n_features += usize::from(to > 0);
        state.n_features -= usize::from(from > 0);
    }

    /// The numbers of the edits that were found, and the distance after them.
    fn greedy(&self) -> (Vec<usize>, u32) {
        let per_round = (self.edits.len() / ROUNDS).max(1);
        let mut state = self.start.clone();
        let mut chosen = Vec::new();
        let mut free: Vec<usize> = (0..self.edits.len()).collect();
        while !self.is_near(&state) {
            let lacks: Vec<i64> =
                (0..state.votes.len()).map(|bit| self.lack(state.votes[bit], bit)).collect();
            let aims = self.aims(&lacks);
            let mut scored: Vec<(f64, usize)> =
                free.par_iter().map(|&at| (self.score(at, &state, &lacks, &aims), at)).collect();
            scored.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
            for &(_, at) in scored.iter().take(per_round) {
                self.apply(&mut state, at, true);
                chosen.push(at);
            }
            free = scored.into_iter().skip(per_round).map(|(_, at)| at).collect();
        }
        self.prune(&mut state, &mut chosen);
        (chosen, self.distance(&state))
    }

    /// The bits to aim at: those that lack the fewest votes, as many as must flip.
    fn aims(&self, lacks: &[i64]) -> Vec<bool> {
        let mut wrong: Vec<usize> = (0..lacks.len()).filter(|&bit| lacks[bit] > 0).collect();
        wrong.sort_by_key(|&bit| lacks[bit]);
        let needed = wrong.len().saturating_sub(self.k as usize);
        let mut aims = vec![false; lacks.len()];
        wrong[..needed].iter().for_each(|&bit| aims[bit] = true);
        aims
    }

    /// The progress of an edit on the bits aimed at, at most 1 for each, minus the number of bits that it would
    /// make differ.
    fn score(&self, at: usize, state: &State, lacks: &[i64], aims: &[bool]) -> f64 {
        let edit = &self.edits[at];
        let bit = |bit: usize| {
            let push = self.push(edit, bit);
            if aims[bit] {
                push.min(lacks[bit]) as f64 / lacks[bit] as f64
            } else if lacks[bit] == 0 && push < 0 {
                let after = if self.target[bit] { push } else { -push } + state.votes[bit];
                -f64::from(self.lack(after, bit) > 0)
            } else {
                0.0
            }
        };
        (0..lacks.len()).map(bit).sum()
    }

    /// Undoes edits that are not needed, the last one first.
    fn prune(&self, state: &mut State, chosen: &mut Vec<usize>) {
        for place in (0..chosen.len()).rev() {
            self.apply(state, chosen[place], false);
            if self.is_near(state) {
                chosen.remove(place);
            } else {
                self.apply(state, chosen[place], true);
            }
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

#[cfg(test)]
mod counterfactual_tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        explain::overlap::align,
        simhash::{Fingerprinter, Recipe},
    };

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
        #[test]
        fn edits_bring_documents_as_near_as_reported(
            texts in ["[a-h]( [a-h]){0,30}", "[a-h]( [a-h]){0,30}"],
            k in 0..6u32,
            recipe in prop::sample::select(vec!["words:1 bits=16", "words:2", "words:1 binary tie=zero bits=24"]),
        ) {
            let recipe: Recipe = recipe.parse().unwrap();
            let fingerprinter = Fingerprinter::new(&recipe).unwrap();
            let votes = texts.map(|text| fingerprinter.feature_votes(&text));
            let [a, b] = votes.each_ref();
            prop_assume!(!a.features.is_empty() && !b.features.is_empty());
            let features = align(a, b);
            let found = few_edits([a, b], &features, recipe.tie, k).unwrap();
            prop_assert!(found.distance <= k);
            let before = a.fingerprint(&recipe).unwrap().distance(b.fingerprint(&recipe).unwrap());
            prop_assert_eq!(found.edits.is_empty(), before <= k);
            // The edited document, feature by feature.
            let edited = features.iter().map(|feature| {
                let is_edited = found.edits.contains(feature);
                (feature.hash, feature.weight(if is_edited { 1 - found.side } else { found.side }))
            });
            let edited = crate::simhash::Votes::of(recipe.bits, edited);
            let other = votes[1 - found.side].fingerprint(&recipe).unwrap();
            prop_assert_eq!(edited.fingerprint(recipe.tie).distance(other), found.distance);
        }
    }

    #[test]
    fn long_texts_are_brought_near_too() {
        let recipe = Recipe::default();
        let fingerprinter = Fingerprinter::new(&recipe).unwrap();
        let text = |salt: u64| {
            let word = |n: u64| format!("w{}", (n * n * 31 + salt * n) % 997);
            (0..1200).map(word).collect::<Vec<_>>().join(" ")
        };
        let [a, b] = [text(1), text(2)].map(|text| fingerprinter.feature_votes(&text));
        let features = align(&a, &b);
        let found = few_edits([&a, &b], &features, recipe.tie, 3).unwrap();
        assert!(found.distance <= 3 && found.edits.len() < features.len());
        let near = few_edits([&a, &a], &align(&a, &a), recipe.tie, 3).unwrap();
        assert_eq!((near.edits.len(), near.distance), (0, 0));
        let nothing = fingerprinter.feature_votes("");
        assert!(few_edits([&a, &nothing], &align(&a, &nothing), recipe.tie, 3).is_none());
    }
}
