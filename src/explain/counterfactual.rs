//! What would make two documents match: the fewest features to drop, copy or count otherwise.
//!
//! One document is moved towards the other: an edit gives one of its features the weight that the other
//! has, 0 if the other lacks it. All edits together make them equal, so there always is an answer; the
//! fewest is a covering problem, and hard. The way here is greedy: the differing bits nearest to flipping
//! are aimed at, the edit that brings them farthest is taken, and in the end every edit that proves
//! needless is taken back. Beside it stands what cannot be undercut: of the bits that must flip, some one
//! takes at least so many edits by itself. Small cases are tried out in full. The distance reported is
//! counted anew from the edited features. Both directions are tried; costs some hundred passes over the
//! features that differ.

use std::collections::HashSet;

use rayon::prelude::*;

use super::{
    bit::{decide, fewest},
    matched::Matched,
    standing::{vote, votes_of},
};
use crate::{
    feature::FixedWeight,
    index::binomial,
    simhash::{Ballot, TieRule},
};

/// Rounds of the greedy search, about; where more edits are needed, each round takes several.
const ROUNDS: usize = 200;
/// Sets of edits tried out in full.
const MOST_TRIED: u128 = 100_000;

/// A feature that gets the weight it has in the other document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edit<'a> {
    /// The feature.
    pub feature: Matched<'a>,
    /// Its weight before; 0 where it is copied over.
    pub from: FixedWeight,
    /// Its weight afterwards; 0 where it is dropped.
    pub to: FixedWeight,
}

/// Edits that bring two documents within k.
#[derive(Clone, Debug, PartialEq)]
pub struct Counterfactual<'a> {
    /// Which document is edited: 0 or 1.
    pub side: usize,
    /// The edits, the farthest-reaching first.
    pub edits: Vec<Edit<'a>>,
    /// The distance afterwards, counted anew.
    pub distance: u32,
    /// No fewer edits can do; equal to their number where they are proven the fewest.
    pub at_least: usize,
}

impl Counterfactual<'_> {
    /// Whether no fewer edits can do, of either document.
    pub fn is_fewest(&self) -> bool {
        self.edits.len() == self.at_least
    }
}

/// The cheapest edits found that bring two documents within `k` bits, none if they are; `None` where one
/// has no features.
pub fn cheapest<'a>(
    ballots: [&Ballot; 2],
    features: &[Matched<'a>],
    tie: TieRule,
    k: u32,
) -> Option<Counterfactual<'a>> {
    if ballots.iter().any(|ballot| ballot.voters.is_empty()) {
        return None;
    }
    let [a, b] = [0, 1].map(|side| Search::new(ballots, features, tie, k, side).run());
    let at_least = a.at_least.min(b.at_least);
    let best = if b.edits.len() < a.edits.len() { b } else { a };
    Some(Counterfactual { at_least, ..best })
}

/// The search for edits of one side.
struct Search<'s, 'a> {
    features: &'s [Matched<'a>],
    edits: Vec<Edit<'a>>,
    side: usize,
    /// The votes before.
    votes: Vec<i64>,
    /// The other document's bits.
    target: Vec<bool>,
    n_features: usize,
    tie: TieRule,
    k: u32,
}

/// A document part of the way.
#[derive(Clone)]
struct State {
    votes: Vec<i64>,
    n_features: usize,
}

impl<'s, 'a> Search<'s, 'a> {
    fn new(
        ballots: [&Ballot; 2],
        features: &'s [Matched<'a>],
        tie: TieRule,
        k: u32,
        side: usize,
    ) -> Self {
        let edit = |feature: &Matched<'a>| {
            let (from, to) = (feature.weight(side), feature.weight(1 - side));
            (from != to).then_some(Edit { feature: *feature, from, to })
        };
        let bits = || 0..ballots[side].votes.width();
        Self {
            features,
            edits: features.iter().filter_map(edit).collect(),
            side,
            votes: bits().map(|bit| ballots[side].votes.fixed(bit)).collect(),
            target: bits().map(|bit| decide(ballots[1 - side].votes.fixed(bit), tie)).collect(),
            n_features: ballots[side].voters.len(),
            tie,
            k,
        }
    }

    fn run(&self) -> Counterfactual<'a> {
        let start = State { votes: self.votes.clone(), n_features: self.n_features };
        let mut at_least = self.at_least(&start);
        let mut chosen = self.greedy(&start);
        let mut n_tried = 0;
        while at_least < chosen.len() {
            n_tried += binomial(self.edits.len() as u32, at_least as u32);
            if n_tried > MOST_TRIED {
                break;
            }
            if let Some(found) = self.exhaust(&start, 0, at_least) {
                chosen = found;
                break;
            }
            at_least += 1;
        }
        let distance = self.recount(&chosen);
        let edits = chosen.into_iter().map(|at| self.edits[at]).collect();
        Counterfactual { side: self.side, edits, distance, at_least }
    }

    /// How far a bit is from the target's, in votes; 0 where it agrees.
    fn lack(&self, votes: i64, bit: usize) -> i64 {
        let target = self.target[bit];
        if decide(votes, self.tie) == target {
            return 0;
        }
        votes.abs() + i64::from(decide(0, self.tie) != target)
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

    /// What an edit adds to a bit's votes, counted towards the target.
    fn push(&self, edit: &Edit<'_>, bit: usize) -> i64 {
        let push = vote(edit.feature.voter().hash, bit as u32) * (edit.to.0 - edit.from.0);
        if self.target[bit] { push } else { -push }
    }

    /// Makes an edit, or takes it back.
    fn apply(&self, state: &mut State, at: usize, forwards: bool) {
        let edit = &self.edits[at];
        let (from, to) = if forwards { (edit.from, edit.to) } else { (edit.to, edit.from) };
        for (bit, votes) in state.votes.iter_mut().enumerate() {
            *votes += vote(edit.feature.voter().hash, bit as u32) * (to.0 - from.0);
        }
        state.n_features += usize::from(to.0 > 0);
        state.n_features -= usize::from(from.0 > 0);
    }

    /// Fewer edits than this cannot do: d - k bits must flip, and each takes so many by itself.
    fn at_least(&self, start: &State) -> usize {
        let wrong = (0..start.votes.len()).filter(|&bit| self.lack(start.votes[bit], bit) > 0);
        let alone = |bit: usize| {
            let pushes = self.edits.iter().map(|edit| self.push(edit, bit));
            let mut pushes: Vec<i64> = pushes.filter(|push| *push > 0).collect();
            pushes.sort_unstable_by_key(|push| std::cmp::Reverse(*push));
            let flips_at_tie = decide(0, self.tie) == self.target[bit];
            let count = fewest(pushes.into_iter(), start.votes[bit].abs(), flips_at_tie);
            count.expect("all edits together make the documents equal")
        };
        let mut alone: Vec<usize> = wrong.map(alone).collect();
        alone.sort_unstable();
        alone.len().checked_sub(self.k as usize + 1).map_or(0, |last| alone[last])
    }

    fn greedy(&self, start: &State) -> Vec<usize> {
        let per_round = (self.edits.len() / ROUNDS).max(1);
        let mut state = start.clone();
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
        self.prune(&mut state, chosen)
    }

    /// Which bits to aim at: as many as must flip, those that lack least.
    fn aims(&self, lacks: &[i64]) -> Vec<bool> {
        let mut wrong: Vec<usize> = (0..lacks.len()).filter(|&bit| lacks[bit] > 0).collect();
        wrong.sort_by_key(|&bit| lacks[bit]);
        let needed = wrong.len().saturating_sub(self.k as usize);
        let mut aims = vec![false; lacks.len()];
        wrong[..needed].iter().for_each(|&bit| aims[bit] = true);
        aims
    }

    /// How far an edit brings the bits aimed at, each 1 at most, less the bits it would spoil.
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

    /// Takes back what proves needless, the last taken first.
    fn prune(&self, state: &mut State, mut chosen: Vec<usize>) -> Vec<usize> {
        for place in (0..chosen.len()).rev() {
            self.apply(state, chosen[place], false);
            if self.is_near(state) {
                chosen.remove(place);
            } else {
                self.apply(state, chosen[place], true);
            }
        }
        chosen
    }

    /// The first set of just `size` edits from number `first` on that brings the documents within k.
    fn exhaust(&self, state: &State, first: usize, size: usize) -> Option<Vec<usize>> {
        if size == 0 {
            return self.is_near(state).then(Vec::new);
        }
        (first..self.edits.len()).find_map(|at| {
            let mut next = state.clone();
            self.apply(&mut next, at, true);
            let mut found = self.exhaust(&next, at + 1, size - 1)?;
            found.insert(0, at);
            Some(found)
        })
    }

    /// The distance after these edits, from the edited features alone.
    fn recount(&self, chosen: &[usize]) -> u32 {
        let name = |feature: &Matched<'a>| feature.voter().shingle.as_str();
        let chosen: HashSet<&str> =
            chosen.iter().map(|&at| name(&self.edits[at].feature)).collect();
        let edited = |feature: &Matched<'a>| {
            let is_chosen = chosen.contains(name(feature));
            feature.weight(if is_chosen { 1 - self.side } else { self.side })
        };
        let features = self.features.iter().map(|feature| (feature.voter().hash, edited(feature)));
        let votes = votes_of(self.votes.len() as u32, features.filter(|(_, weight)| weight.0 > 0));
        let fingerprint = votes.expect("a feature is left").fingerprint(self.tie);
        (0..self.target.len())
            .filter(|&bit| fingerprint.bit(bit as u32) != self.target[bit])
            .count() as u32
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        explain::matched::matched,
        simhash::{Fingerprinter, Recipe},
        text::StopWords,
    };

    fn words() -> impl Strategy<Value = String> {
        let word = prop::sample::select(vec![
            "tide", "pool", "crab", "gull", "kelp", "sand", "wave", "moon", "rock", "salt",
        ]);
        prop::collection::vec(word, 1..9).prop_map(|words| words.join(" "))
    }

    /// The fewest edits of either side, by trying every set, and every set counted anew.
    fn by_brute_force(
        ballots: [&Ballot; 2],
        features: &[Matched<'_>],
        recipe: &Recipe,
        k: u32,
    ) -> usize {
        let of = |side: usize| {
            let unlike: Vec<usize> = (0..features.len())
                .filter(|&at| features[at].weight(0) != features[at].weight(1))
                .collect();
            let other = ballots[1 - side].fingerprint(recipe).unwrap();
            let is_near = |set: &u32| {
                let edited = features.iter().enumerate().map(|(at, feature)| {
                    let is_chosen = unlike.iter().position(|&it| it == at);
                    let is_chosen = is_chosen.is_some_and(|place| set >> place & 1 == 1);
                    (feature.voter().hash, feature.weight(if is_chosen { 1 - side } else { side }))
                });
                let votes = votes_of(recipe.bits, edited.filter(|(_, weight)| weight.0 > 0));
                votes.is_some_and(|votes| votes.fingerprint(recipe.tie).distance(other) <= k)
            };
            (0..1u32 << unlike.len()).filter(is_near).map(u32::count_ones).min().unwrap() as usize
        };
        of(0).min(of(1))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
        #[test]
        fn edits_bring_them_near_and_are_as_few_as_said(
            texts in [words(), words()],
            k in 0..6u32,
            recipe in prop::sample::select(vec!["words:1 bits=16", "words:1 binary tie=zero bits=24"]),
        ) {
            let recipe: Recipe = recipe.parse().unwrap();
            let fingerprinter = Fingerprinter::new(&recipe, StopWords::none(), None).unwrap();
            let [a, b] = texts.map(|text| fingerprinter.ballot(&text));
            let features = matched(&a, &b);
            prop_assume!(features.iter().filter(|it| it.weight(0) != it.weight(1)).count() <= 11);
            let found = cheapest([&a, &b], &features, recipe.tie, k).unwrap();
            prop_assert!(found.distance <= k);
            let truth = by_brute_force([&a, &b], &features, &recipe, k);
            prop_assert!(found.at_least <= truth && truth <= found.edits.len());
            // So few edits are all tried out.
            prop_assert!(found.is_fewest());
            // Greed alone: near as well, and never fewer than the truth.
            for side in [0, 1] {
                let search = Search::new([&a, &b], &features, recipe.tie, k, side);
                let start = State { votes: search.votes.clone(), n_features: search.n_features };
                let greedy = search.greedy(&start);
                prop_assert!(search.recount(&greedy) <= k);
                prop_assert!(greedy.len() >= search.at_least(&start));
            }
        }
    }

    #[test]
    fn long_texts_are_brought_near_too() {
        let recipe = Recipe::default();
        let fingerprinter = Fingerprinter::new(&recipe, StopWords::none(), None).unwrap();
        let text = |salt: u64| {
            let word = |n: u64| format!("w{}", (n * n * 31 + salt * n) % 997);
            (0..1200).map(word).collect::<Vec<_>>().join(" ")
        };
        let [a, b] = [text(1), text(2)].map(|text| fingerprinter.ballot(&text));
        let features = matched(&a, &b);
        let found = cheapest([&a, &b], &features, recipe.tie, 3).unwrap();
        assert!(found.distance <= 3);
        assert!(found.at_least > 0 && found.at_least <= found.edits.len());
        let near = cheapest([&a, &a], &matched(&a, &a), recipe.tie, 3).unwrap();
        assert_eq!((near.edits.len(), near.at_least, near.distance), (0, 0, 0));
        let nothing = fingerprinter.ballot("");
        assert!(cheapest([&a, &nothing], &matched(&a, &nothing), recipe.tie, 3).is_none());
    }
}
