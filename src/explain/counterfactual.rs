//! The edits that would make two documents match: a few features to drop, copy or reweigh.
//!
//! One document is moved towards the other: an edit gives one of its features the weight that it has in the
//! other document (0 if the other does not have it). All edits together make the documents equal, so there is
//! always an answer. Finding the smallest set is a hard covering problem.
//!
//! A greedy search finds a small set: it aims at the differing bits that are nearest to flipping, makes the
//! edit that moves these bits most, and finally undoes every edit that is not needed. A smaller set may exist.
//! Both directions are tried. Costs some hundred passes over the features that differ.

use rayon::prelude::*;

use super::bit_margins::vote;
use super::overlap::AlignedFeature;
use crate::simhash::{FeatureVotes, TieRule};

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
    use proptest::prelude::*;

    use super::*;
    use crate::explain::overlap::align;
    use crate::simhash::{Fingerprinter, Recipe};

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
