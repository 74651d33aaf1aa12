//! The edits that would make two documents match: a few features to drop, copy or reweigh.
//!
//! One document is moved towards the other: an edit gives one of its features the weight that it has in the
//! other document (0 if the other does not have it). All edits together make the documents equal, so there is
//! always an answer. Finding the smallest set is a hard covering problem.
//!
//! A greedy search finds a small set: it aims at the differing bits that are nearest to flipping, makes the
//! edit that moves these bits most, and finally undoes every edit that is not needed. Then branch and bound
//! looks for a smaller set, one size after the other. All but k of the differing bits must flip, and a bit
//! flips when the pushes add up to the votes that it lacks. Each edit brings each bit some part of the way, at
//! most all of it. So a set is not searched if its parts add up to less than the number of bits that must flip,
//! or if more than k bits lack more votes than its strongest pushes.
//!
//! If the search ends within `MOST_STEPS`, the answer is proven to be the smallest. Otherwise the excluded
//! sizes give a lower bound. The reported distance is counted again from the edited features. Both directions
//! are tried. Costs some hundred passes over the features that differ, and up to a tenth of a second for the
//! search.

use std::collections::HashSet;

use rayon::prelude::*;

use super::{
    bit::{decide, fewest},
    bit_margins::{vote, votes_of},
    overlap::AlignedFeature,
};
use crate::{
    feature::FixedWeight,
    simhash::{FeatureVotes, TieRule},
};

/// The approximate number of rounds of the greedy search; if more edits are needed, each round makes several.
const ROUNDS: usize = 200;
/// Parts that branch and bound adds up before it gives up: a tenth of a second.
const MOST_STEPS: u64 = 20_000_000;
/// The number of edits up to which the strongest pushes of a bit are summed in advance.
const MOST_STRONGEST: usize = 32;
/// The rounding error allowed in a sum of floats.
const SLACK: f64 = 1e-9;

/// A feature that gets the weight that it has in the other document.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// The feature.
    pub feature: AlignedFeature,
    /// Its weight before; 0 if it is copied.
    pub from: FixedWeight,
    /// Its weight afterwards; 0 if it is dropped.
    pub to: FixedWeight,
}

/// Edits that bring two documents within k.
#[derive(Clone, Debug, PartialEq)]
pub struct Counterfactual {
    /// The document to edit: 0 or 1.
    pub side: usize,
    /// The edits, those with the largest effect first.
    pub edits: Vec<Edit>,
    /// The distance afterwards, counted again from the start.
    pub distance: u32,
    /// A lower bound on the number of edits of either document; equal to the number of edits if they are proven
    /// to be the fewest.
    pub at_least: usize,
}

impl Counterfactual {
    /// Whether it is proven that fewer edits of either document are not enough.
    pub fn is_fewest(&self) -> bool {
        self.edits.len() == self.at_least
    }
}

/// The cheapest edits found that bring two documents within `k` bits; no edits if they are within k. `None` if
/// one document has no features.
pub fn cheapest(
    feature_votes: [&FeatureVotes; 2],
    features: &[AlignedFeature],
    tie: TieRule,
    k: u32,
) -> Option<Counterfactual> {
    if feature_votes.iter().any(|feature_votes| feature_votes.features.is_empty()) {
        return None;
    }
    let sides = [0, 1].map(|side| Search::new(feature_votes, features, tie, k, side));
    let [a, b] = sides.each_ref().map(Search::greedy);
    let (mut side, mut chosen) = if b.len() < a.len() { (1, b) } else { (0, a) };
    let mut at_least = sides.iter().map(Search::at_least).min().unwrap_or(0);
    let mut n_steps = 0;
    'sizes: while at_least < chosen.len() {
        for search in &sides {
            match search.find(at_least, &mut n_steps) {
                Ok(Some(found)) => {
                    (side, chosen) = (search.side, found);
                    break 'sizes;
                }
                Ok(None) => {}
                Err(TooManySteps) => break 'sizes,
            }
        }
        at_least += 1;
    }
    let search = &sides[side];
    let distance = search.recount(&chosen);
    let edits = chosen.into_iter().map(|at| search.edits[at].clone()).collect();
    Some(Counterfactual { side, edits, distance, at_least })
}

/// Branch and bound gave up.
struct TooManySteps;

/// The search for edits of one side.
struct Search<'s> {
    features: &'s [AlignedFeature],
    edits: Vec<Edit>,
    /// For each edit: the bits that it pushes towards the target, and the size of its push on every bit.
    pushes: Vec<(u128, i64)>,
    /// For each bit: the sums of its 0, 1, 2 .. strongest pushes towards the target.
    strongest: Vec<Vec<i64>>,
    side: usize,
    /// The votes before any edit.
    votes: Vec<i64>,
    /// The bits of the other document.
    target: Vec<bool>,
    n_features: usize,
    tie: TieRule,
    k: u32,
}

/// A document after some edits.
struct State {
    votes: Vec<i64>,
    n_features: usize,
}

impl<'s> Search<'s> {
    fn new(
        feature_votes: [&FeatureVotes; 2],
        features: &'s [AlignedFeature],
        tie: TieRule,
        k: u32,
        side: usize,
    ) -> Self {
        let edit = |feature: &AlignedFeature| {
            let (from, to) = (feature.weight(side), feature.weight(1 - side));
            (from != to).then_some(Edit { feature: feature.clone(), from, to })
        };
        let bits = || 0..feature_votes[side].votes.width();
        let edits: Vec<Edit> = features.iter().filter_map(edit).collect();
        let target: Vec<bool> =
            bits().map(|bit| decide(feature_votes[1 - side].votes.fixed(bit), tie)).collect();
        let ones = target.iter().rev().fold(0_u128, |ones, &bit| ones << 1 | u128::from(bit));
        let push = |edit: &Edit| {
            let (more, likes) = (edit.to.0 - edit.from.0, !(edit.feature.hash ^ ones));
            (if more > 0 { likes } else { !likes }, more.abs())
        };
        let mut search = Self {
            features,
            pushes: edits.iter().map(push).collect(),
            strongest: Vec::new(),
            edits,
            side,
            votes: bits().map(|bit| feature_votes[side].votes.fixed(bit)).collect(),
            target,
            n_features: feature_votes[side].features.len(),
            tie,
            k,
        };
        let sums = |bit| {
            let mut sum = 0;
            let pushes = search.strongest_first(bit).into_iter().take(MOST_STRONGEST);
            let sums = pushes.map(|push| {
                sum += push;
                sum
            });
            [0].into_iter().chain(sums).collect()
        };
        search.strongest = bits().map(|bit| sums(bit as usize)).collect();
        search
    }

    /// The pushes of all edits on a bit towards the target, strongest first.
    fn strongest_first(&self, bit: usize) -> Vec<i64> {
        let towards = self.pushes.iter().filter(|(bits, _)| bits >> bit & 1 == 1);
        let mut pushes: Vec<i64> = towards.map(|(_, push)| *push).collect();
        pushes.sort_unstable_by_key(|push| std::cmp::Reverse(*push));
        pushes
    }

    fn start(&self) -> State {
        State { votes: self.votes.clone(), n_features: self.n_features }
    }

    /// The votes that a bit lacks to get the value of the target; 0 if it has it.
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

    /// The votes that an edit adds to a bit, positive towards the target.
    fn push(&self, edit: &Edit, bit: usize) -> i64 {
        let push = vote(edit.feature.hash, bit as u32) * (edit.to.0 - edit.from.0);
        if self.target[bit] { push } else { -push }
    }

    /// Makes an edit, or undoes it.
    fn apply(&self, state: &mut State, at: usize, forwards: bool) {
        let edit = &self.edits[at];
        let (from, to) = if forwards { (edit.from, edit.to) } else { (edit.to, edit.from) };
        for (bit, votes) in state.votes.iter_mut().enumerate() {
            *votes += vote(edit.feature.hash, bit as u32) * (to.0 - from.0);
        }
        state.n_features += usize::from(to.0 > 0);
        state.n_features -= usize::from(from.0 > 0);
    }

    /// A lower bound on the number of edits.
    fn at_least(&self) -> usize {
        self.at_least_by_bits().max(self.at_least_by_parts())
    }

    /// The bound from single bits: d - k bits must flip, and each of them needs a number of edits.
    fn at_least_by_bits(&self) -> usize {
        let wrong = (0..self.votes.len()).filter(|&bit| self.lack(self.votes[bit], bit) > 0);
        let alone = |bit: usize| {
            let flips_at_tie = decide(0, self.tie) == self.target[bit];
            let pushes = self.strongest_first(bit).into_iter();
            let count = fewest(pushes, self.votes[bit].abs(), flips_at_tie);
            count.expect("all edits together make the documents equal")
        };
        let mut alone: Vec<usize> = wrong.map(alone).collect();
        alone.sort_unstable();
        alone.len().checked_sub(self.k as usize + 1).map_or(0, |last| alone[last])
    }

    /// The bound from sums: the edits together must bring all bits that must flip all of their way.
    fn at_least_by_parts(&self) -> usize {
        let free: Vec<usize> = (0..self.edits.len()).collect();
        let (parts, needed) = self.parts(&self.start(), &free);
        let mut sum = 0.0;
        let reached = parts.iter().position(|(part, _)| {
            sum += part;
            sum + SLACK >= needed
        });
        if needed <= 0.0 { 0 } else { reached.map_or(parts.len(), |at| at + 1) }
    }

    /// The progress that each free edit makes on all differing bits together, the largest first: the sum over
    /// bits of the share of the lacking votes, at most 1 for each bit. Also returns the number of bits that
    /// must flip.
    fn parts(&self, state: &State, free: &[usize]) -> (Vec<(f64, usize)>, f64) {
        let lacks: Vec<i64> =
            (0..state.votes.len()).map(|bit| self.lack(state.votes[bit], bit)).collect();
        let wrong = lacks.iter().rev().fold(0_u128, |all, lack| all << 1 | u128::from(*lack > 0));
        let part = |&at: &usize| {
            let (towards, push) = self.pushes[at];
            let (mut bits, mut sum) = (towards & wrong, 0.0);
            while bits != 0 {
                let lack = lacks[bits.trailing_zeros() as usize];
                sum += if push >= lack { 1.0 } else { push as f64 / lack as f64 };
                bits &= bits - 1;
            }
            (sum, at)
        };
        let mut parts: Vec<(f64, usize)> = free.iter().map(part).collect();
        parts.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
        (parts, f64::from(wrong.count_ones()) - f64::from(self.k))
    }

    /// A set of exactly `size` edits that brings the documents within k, if there is one.
    fn find(&self, size: usize, n_steps: &mut u64) -> Result<Option<Vec<usize>>, TooManySteps> {
        let free: Vec<usize> = (0..self.edits.len()).collect();
        let mut chosen = Vec::new();
        let found = self.search(&mut self.start(), &free, size, &mut chosen, n_steps)?;
        Ok(found.then_some(chosen))
    }

    /// Whether this number of free edits can bring a state within k; leaves the edits found in `chosen`.
    fn search(
        &self,
        state: &mut State,
        free: &[usize],
        size: usize,
        chosen: &mut Vec<usize>,
        n_steps: &mut u64,
    ) -> Result<bool, TooManySteps> {
        if size == 0 {
            return Ok(self.is_near(state));
        }
        *n_steps += (free.len() * state.votes.len()) as u64;
        if *n_steps > MOST_STEPS {
            return Err(TooManySteps);
        }
        let is_out_of_reach = |bit: &usize| {
            let sums = &self.strongest[*bit];
            let most = sums[size.min(sums.len() - 1)];
            size <= MOST_STRONGEST && self.lack(state.votes[*bit], *bit) > most
        };
        if (0..state.votes.len()).filter(is_out_of_reach).count() > self.k as usize {
            return Ok(false);
        }
        let (parts, needed) = self.parts(state, free);
        let order: Vec<usize> = parts.iter().map(|(_, at)| *at).collect();
        for (place, window) in parts.windows(size).enumerate() {
            let most: f64 = window.iter().map(|(part, _)| part).sum();
            if most + SLACK < needed {
                break;
            }
            let at = order[place];
            self.apply(state, at, true);
            chosen.push(at);
            if self.search(state, &order[place + 1..], size - 1, chosen, n_steps)? {
                return Ok(true);
            }
            chosen.pop();
            self.apply(state, at, false);
        }
        Ok(false)
    }

    fn greedy(&self) -> Vec<usize> {
        let per_round = (self.edits.len() / ROUNDS).max(1);
        let mut state = self.start();
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

    /// The distance after these edits, from the edited features alone.
    fn recount(&self, chosen: &[usize]) -> u32 {
        let chosen: HashSet<&str> =
            chosen.iter().map(|&at| &*self.edits[at].feature.shingle).collect();
        let edited = |feature: &AlignedFeature| {
            let is_chosen = chosen.contains(&*feature.shingle);
            feature.weight(if is_chosen { 1 - self.side } else { self.side })
        };
        let features = self.features.iter().map(|feature| (feature.hash, edited(feature)));
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
        explain::overlap::align,
        simhash::{Fingerprinter, Recipe},
    };

    fn words() -> impl Strategy<Value = String> {
        let word = prop::sample::select(vec![
            "tide", "pool", "crab", "gull", "kelp", "sand", "wave", "moon", "rock", "salt",
        ]);
        prop::collection::vec(word, 1..9).prop_map(|words| words.join(" "))
    }

    /// The smallest number of edits of either document, by trying every set and counting each from the start.
    fn by_brute_force(
        feature_votes: [&FeatureVotes; 2],
        features: &[AlignedFeature],
        recipe: &Recipe,
        k: u32,
    ) -> usize {
        let of = |side: usize| {
            let differing: Vec<usize> = (0..features.len())
                .filter(|&at| features[at].weight(0) != features[at].weight(1))
                .collect();
            let other = feature_votes[1 - side].fingerprint(recipe).unwrap();
            let is_near = |set: &u32| {
                let edited = features.iter().enumerate().map(|(at, feature)| {
                    let is_chosen = differing.iter().position(|&it| it == at);
                    let is_chosen = is_chosen.is_some_and(|place| set >> place & 1 == 1);
                    (feature.hash, feature.weight(if is_chosen { 1 - side } else { side }))
                });
                let votes = votes_of(recipe.bits, edited.filter(|(_, weight)| weight.0 > 0));
                votes.is_some_and(|votes| votes.fingerprint(recipe.tie).distance(other) <= k)
            };
            (0..1u32 << differing.len()).filter(is_near).map(u32::count_ones).min().unwrap()
                as usize
        };
        of(0).min(of(1))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
        #[test]
        fn edits_bring_documents_near_and_are_as_few_as_reported(
            texts in [words(), words()],
            k in 0..6u32,
            recipe in prop::sample::select(vec!["words:1 bits=16", "words:1 binary tie=zero bits=24"]),
        ) {
            let recipe: Recipe = recipe.parse().unwrap();
            let fingerprinter = Fingerprinter::new(&recipe).unwrap();
            let [a, b] = texts.map(|text| fingerprinter.feature_votes(&text));
            let features = align(&a, &b);
            prop_assume!(features.iter().filter(|it| it.weight(0) != it.weight(1)).count() <= 11);
            let found = cheapest([&a, &b], &features, recipe.tie, k).unwrap();
            prop_assert!(found.distance <= k);
            let truth = by_brute_force([&a, &b], &features, &recipe, k);
            prop_assert!(found.at_least <= truth && truth <= found.edits.len());
            // With so few possible edits, all sets are searched.
            prop_assert!(found.is_fewest());
            // The greedy search alone also reaches k, and never with fewer edits than the minimum.
            for side in [0, 1] {
                let search = Search::new([&a, &b], &features, recipe.tie, k, side);
                let greedy = search.greedy();
                prop_assert!(search.recount(&greedy) <= k);
                prop_assert!(greedy.len() >= search.at_least());
            }
        }
    }

    /// Texts of 20 to 60 words, of which some words are replaced, as in Near.
    #[test]
    fn short_texts_get_a_proven_minimum() {
        let recipe: Recipe = "words:1".parse().unwrap();
        let fingerprinter = Fingerprinter::new(&recipe).unwrap();
        let (mut n_proven, mut n_improved) = (0, 0);
        for case in 0..40_u64 {
            let word = |n: u64| format!("w{}", (n * n * 7 + 13 * case) % 211);
            let n_words = 20 + case;
            let replaced = |n: u64| n % (n_words / (2 + case % 4)) == case % 3;
            let other = |n: u64| if replaced(n) { format!("x{n}") } else { word(n) };
            let texts = [
                (0..n_words).map(word).collect::<Vec<_>>().join(" "),
                (0..n_words).map(other).collect::<Vec<_>>().join(" "),
            ];
            let [a, b] = texts.map(|text| fingerprinter.feature_votes(&text));
            let features = align(&a, &b);
            let found = cheapest([&a, &b], &features, recipe.tie, 3).unwrap();
            assert!(found.distance <= 3 && found.at_least <= found.edits.len());
            let greedy = [0, 1]
                .map(|side| Search::new([&a, &b], &features, recipe.tie, 3, side).greedy().len());
            let greedy = greedy.into_iter().min().unwrap();
            n_proven += u32::from(found.is_fewest());
            n_improved += u32::from(found.edits.len() < greedy);
            let n_unlike = features.iter().filter(|it| it.weight(0) != it.weight(1)).count();
            if n_unlike <= 13 {
                let truth = by_brute_force([&a, &b], &features, &recipe, 3);
                assert_eq!((found.edits.len(), found.at_least), (truth, truth), "case {case}");
            }
        }
        assert!(n_proven >= 36, "{n_proven} of 40 proven");
        assert!(n_improved > 0, "the greedy search alone misses some");
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
        let found = cheapest([&a, &b], &features, recipe.tie, 3).unwrap();
        assert!(found.distance <= 3);
        assert!(found.at_least > 0 && found.at_least <= found.edits.len());
        let near = cheapest([&a, &a], &align(&a, &a), recipe.tie, 3).unwrap();
        assert_eq!((near.edits.len(), near.at_least, near.distance), (0, 0, 0));
        let nothing = fingerprinter.feature_votes("");
        assert!(cheapest([&a, &nothing], &align(&a, &nothing), recipe.tie, 3).is_none());
    }
}
