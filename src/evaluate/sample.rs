//! The pairs to judge: some pairs of each stratum, drawn at random without replacement, in an order that does
//! not show the distance.
//!
//! Each stratum first gets ten labels. Further labels go where they reduce the uncertainty of the sum
//! over strata most: Neyman's allocation, in whole labels, by the share of yes so far with half a label added
//! for yes and for no. Strata are weighted by their numbers of pairs, so this causes no bias.
//!
//! A batch mixes the strata, so that its order does not show distances. It shows about one pair in twenty a
//! second time, to see whether the judge repeats the first verdict. A seed determines everything: equal corpus,
//! recipe and labels give equal batches. Source: Neyman (1934); Wright, "The equivalence of Neyman optimum
//! allocation for sampling and equal proportions for apportioning the U.S. House of Representatives" (2012),
//! for whole numbers; Durstenfeld's shuffle (1964), of which only the needed part is done.

use std::collections::HashMap;
use std::ops::Range;

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::labels::{Stratum, UnsureRule};

/// The first labels of every stratum.
const FIRST: u32 = 10;
/// One pair in this many is shown again.
const REPEAT_EVERY: usize = 20;
/// A stratum counts as exhausted after this many rejected pairs in a row: they are copies of judged pairs, so
/// that hardly any new pair is left.
const MOST_REFUSED: usize = 10_000;

/// A pair to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pick {
    /// The index of its stratum.
    pub stratum: usize,
    /// Its number among the pairs of the stratum that are not verified, from 0.
    pub number: u64,
    /// Whether the pair was shown before.
    pub is_repeat: bool,
}

/// Draws batches of pairs to judge.
#[derive(Clone, Debug)]
pub struct Sampler {
    rng: Xoshiro256PlusPlus,
    orders: Vec<RandomOrder>,
    /// Pairs that were shown and may be shown again.
    shown: Vec<Pick>,
}

impl Sampler {
    /// A sampler for these strata.
    pub fn new(strata: &[Stratum], seed: u64) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut order = |stratum: &Stratum| RandomOrder::new(stratum.different(), rng.random());
        let orders = strata.iter().map(&mut order).collect();
        Self { orders, rng, shown: Vec::new() }
    }

    /// The next `n` pairs to judge, in the order to show them, and some pairs shown before; fewer if no more
    /// are left. `strata` holds the judgements so far. `wants` returns whether a pair still needs a judgement;
    /// it is called at most once for each pair.
    ///
    /// # Panics
    /// If the number of strata differs from that given to `new`.
    pub fn batch(
        &mut self,
        strata: &[Stratum],
        n: u32,
        wants: &mut dyn FnMut(Pick) -> bool,
    ) -> Vec<Pick> {
        assert_eq!(strata.len(), self.orders.len(), "the sampler's strata");
        let mut batch = Vec::new();
        for (stratum, share) in allocate(strata, n).into_iter().enumerate() {
            let (mut picked, mut refused) = (0, 0);
            while picked < share && refused < MOST_REFUSED {
                let Some(number) = self.orders[stratum].next() else { break };
                let pick = Pick { stratum, number, is_repeat: false };
                if wants(pick) {
                    batch.push(pick);
                    (picked, refused) = (picked + 1, 0);
                } else {
                    refused += 1;
                }
            }
        }
        batch.shuffle(&mut self.rng);
        self.repeat(&mut batch);
        batch
    }

    /// Mixes some pairs shown before into the second half of a batch.
    fn repeat(&mut self, batch: &mut Vec<Pick>) {
        let (half, n_repeats) = (batch.len() / 2, batch.len().div_ceil(REPEAT_EVERY));
        let new = batch.clone();
        self.shown.extend(&new[..half]);
        for _ in 0..n_repeats.min(self.shown.len()) {
            let again = self.shown.swap_remove(self.rng.random_range(0..self.shown.len()));
            let at = self.rng.random_range(half + 1..=batch.len());
            batch.insert(at, Pick { is_repeat: true, ..again });
        }
        self.shown.extend(&new[half..]);
    }
}

/// Distributes `n` more labels over the strata.
fn allocate(strata: &[Stratum], n: u32) -> Vec<u32> {
    let mut given = vec![0_u32; strata.len()];
    for _ in 0..n {
        let room = |place: &usize| u64::from(given[*place]) < strata[*place].left();
        let needs = |place: usize| FIRST.saturating_sub(strata[place].labels() + given[place]);
        let gain = |place: usize| gain(&strata[place], given[place]);
        // If the gain is equal, the nearest distance comes first.
        let best = (0..strata.len()).rev().filter(room).max_by(|&left, &right| {
            needs(left).cmp(&needs(right)).then(gain(left).total_cmp(&gain(right)))
        });
        let Some(best) = best else { break };
        given[best] += 1;
    }
    given
}

/// The gain of one more label in a stratum that gets `given` labels in addition to its own.
fn gain(stratum: &Stratum, given: u32) -> f64 {
    let tally = stratum.tally(UnsureRule::No);
    let (labels, n) = (f64::from(tally.labels), f64::from(tally.labels + given));
    let share = (f64::from(tally.yes) + 0.5) / (labels + 1.0);
    stratum.different() as f64 * (share * (1.0 - share) / ((n + 1.0) * (n + 2.0))).sqrt()
}

/// `most` of the numbers below `n`, drawn at random without replacement, ascending; all of them if `most` is larger.
/// Equal seeds give equal numbers.
pub fn draw(most: usize, n: u64, seed: u64) -> Vec<u64> {
    let mut drawn: Vec<u64> = RandomOrder::new(n, seed).take(most).collect();
    drawn.sort_unstable();
    drawn
}

/// The numbers below `n` in random order, each once. Memory grows with the numbers taken.
#[derive(Clone, Debug)]
struct RandomOrder {
    /// The numbers below `n` whose turn has not come.
    left: Range<u64>,
    /// The numbers that are not at their own index, by index.
    moved: HashMap<u64, u64>,
    rng: Xoshiro256PlusPlus,
}

impl RandomOrder {
    fn new(n: u64, seed: u64) -> Self {
        let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        Self { left: 0..n, moved: HashMap::new(), rng }
    }
}

impl Iterator for RandomOrder {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let here = self.left.next()?;
        let there = self.rng.random_range(here..self.left.end);
        let displaced = self.moved.remove(&here).unwrap_or(here);
        Some(if there == here {
            displaced
        } else {
            self.moved.insert(there, displaced).unwrap_or(there)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::evaluate::labels::Agreement;
    use crate::evaluate::precision::{ThresholdRow, precision_by};
    use crate::evaluate::recommend::{PrecisionGoal, recommend};
    use crate::verdict::Verdict;

    fn order(n: u64, seed: u64) -> RandomOrder {
        RandomOrder::new(n, seed)
    }

    #[test]
    fn an_order_has_every_number_once() {
        for n in [0, 1, 2, 7, 1000] {
            let mut numbers: Vec<u64> = order(n, n).collect();
            assert!(n < 7 || !numbers.is_sorted());
            numbers.sort_unstable();
            assert!(numbers.into_iter().eq(0..n));
        }
        assert!(order(u64::MAX, 1).take(100).collect::<HashSet<_>>().len() == 100);
    }

    #[test]
    fn every_order_of_three_is_as_likely_as_any_other() {
        let mut met: HashMap<Vec<u64>, u32> = HashMap::new();
        (0..6000).for_each(|seed| *met.entry(order(3, seed).collect()).or_default() += 1);
        assert!(met.len() == 6 && met.values().all(|times| (900..1100).contains(times)), "{met:?}");
    }

    #[test]
    fn ten_labels_come_first_then_large_undecided_strata() {
        let mut strata: Vec<Stratum> =
            [(0, 100_000, 99_995), (1, 400, 0), (2, 40_000, 0), (3, 400, 0)]
                .map(|(distance, pairs, verified)| Stratum::new(distance, pairs, verified))
                .into();
        assert_eq!(allocate(&strata, 4), [1, 1, 1, 1]);
        assert_eq!(allocate(&strata, 35), [5, 10, 10, 10]);
        for (place, yes) in [(0, 5), (1, 10), (2, 10), (3, 5)] {
            let labels = [5, 10, 10, 10][place];
            for at in 0..labels {
                let verdict = if at < yes { Verdict::Yes } else { Verdict::No };
                strata[place].judge(verdict, 1);
            }
        }
        let more = allocate(&strata, 40);
        assert_eq!((more[0], more.iter().sum::<u32>()), (0, 40), "the first has none left");
        assert!(more[2] > 20 && more[3] >= more[1], "{more:?}");
        assert_eq!(allocate(&[Stratum::new(0, 3, 0)], 9), [3]);
    }

    /// A corpus whose true precision falls with the distance, and a judge who knows the truth.
    struct Simulation {
        strata: Vec<Stratum>,
        truth: Vec<Vec<bool>>,
        agreement: Agreement,
        shown: Vec<Pick>,
    }

    /// Pairs at each distance; at distance 0 all but 200 are pairs of equal texts.
    const PAIRS: [u64; 7] = [5200, 810, 640, 700, 900, 1500, 3100];
    const TRUE_SHARE: [f64; 7] = [1.0, 0.99, 0.96, 0.9, 0.6, 0.3, 0.05];

    impl Simulation {
        fn new(seed: u64) -> Self {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x00c0_ffee);
            let (mut truth, mut strata) = (Vec::new(), Vec::new());
            for (distance, (pairs, share)) in (0..).zip(PAIRS.into_iter().zip(TRUE_SHARE)) {
                truth.push((0..pairs).map(|_| rng.random_bool(share)).collect());
                let verified = if distance == 0 { 5000 } else { 0 };
                strata.push(Stratum::new(distance, pairs, verified));
            }
            let agreement = Agreement::default();
            Self { strata, truth, agreement, shown: Vec::new() }
        }

        /// Judges `n_labels` pairs, twenty at a time.
        fn judge(&mut self, n_labels: u32, seed: u64) {
            let mut sampler = Sampler::new(&self.strata, seed);
            while self.labels() < n_labels {
                for pick in sampler.batch(&self.strata, 20, &mut |_| true) {
                    let is_true = self.truth[pick.stratum][pick.number as usize];
                    let verdict = if is_true { Verdict::Yes } else { Verdict::No };
                    if pick.is_repeat {
                        assert!(self.shown.contains(&Pick { is_repeat: false, ..pick }));
                        self.agreement.note(verdict, verdict);
                    } else {
                        self.strata[pick.stratum].judge(verdict, 1);
                    }
                    self.shown.push(pick);
                }
            }
        }

        fn labels(&self) -> u32 {
            self.strata.iter().map(Stratum::labels).sum()
        }

        /// The true precision within each k.
        fn precision(&self) -> Vec<f64> {
            let (mut found, mut pairs) = (0, 0);
            let mut within = |(stratum, truth): (&Stratum, &Vec<bool>)| {
                // Pairs of equal texts are not evidence.
                let asked = &truth[..(stratum.pairs - stratum.verified) as usize];
                found += asked.iter().filter(|is_true| **is_true).count();
                pairs += asked.len();
                found as f64 / pairs as f64
            };
            self.strata.iter().zip(&self.truth).map(&mut within).collect()
        }

        fn rows(&self) -> Vec<ThresholdRow> {
            precision_by(&self.strata, 2000)
        }
    }

    #[test]
    fn a_simulated_labeller_recovers_the_right_k() {
        // Precision within k = 3 is .956, within 4 .857, within 5 .68, within 6 .43.
        for (target, right) in [(0.87, 3), (0.78, 4), (0.62, 5), (0.38, 6)] {
            let aim = PrecisionGoal { precision: target, ..PrecisionGoal::default() };
            let mut found = HashMap::new();
            for seed in 0..40 {
                let mut simulation = Simulation::new(seed);
                simulation.judge(600, seed);
                let rows = simulation.rows();
                let chosen = recommend(&rows, &[0.0; 65], aim).precise;
                *found.entry(chosen).or_insert(0) += 1;
            }
            assert!(
                found.get(&Some(right)).is_some_and(|&times| times >= 36),
                "{target}: {found:?}"
            );
            let too_large = |chosen: &Option<u32>| chosen.is_some_and(|chosen| chosen > right);
            assert!(!found.keys().any(too_large), "{target}: {found:?}");
        }
    }

    #[test]
    fn bounds_hold_as_often_as_their_level() {
        const SEEDS: u64 = 200;
        let (mut above, mut outside) = ([0; 7], [0; 7]);
        for seed in 0..SEEDS {
            let mut simulation = Simulation::new(seed);
            simulation.judge(120 + seed as u32 % 80, seed);
            for (row, precision) in simulation.rows().iter().zip(simulation.precision()) {
                let k = row.k as usize;
                let share = row.cumulative;
                above[k] += u32::from(row.bound > precision);
                outside[k] += u32::from(precision < share.low || share.high < precision);
            }
        }
        // One in twenty would be 10; more than 18 is unlikely by chance.
        assert!(above.iter().chain(&outside).all(|&times| times <= 18), "{above:?} {outside:?}");
    }

    #[test]
    fn a_batch_is_mixed_repeats_some_and_follows_from_its_seed() {
        let run = |seed| {
            let mut simulation = Simulation::new(7);
            simulation.judge(300, seed);
            simulation
        };
        let simulation = run(1);
        assert_eq!(simulation.shown, run(1).shown);
        assert_ne!(simulation.shown, run(2).shown);
        let new: Vec<&Pick> = simulation.shown.iter().filter(|pick| !pick.is_repeat).collect();
        assert_eq!(new.iter().collect::<HashSet<_>>().len(), new.len(), "without replacement");
        let repeats = simulation.agreement.repeats;
        assert!((10..=20).contains(&repeats), "{repeats} of 300");
        assert_eq!(simulation.agreement.same, repeats);
        let first: HashSet<usize> = new[..20].iter().map(|pick| pick.stratum).collect();
        assert!(first.len() >= 5, "one batch shows many strata: {first:?}");
    }

    #[test]
    fn judged_pairs_are_skipped() {
        let strata = [Stratum::new(0, 30, 0)];
        let batch = |wants: &mut dyn FnMut(Pick) -> bool| {
            let picks = Sampler::new(&strata, 3).batch(&strata, 20, wants);
            picks.into_iter().filter(|pick| !pick.is_repeat).map(|pick| pick.number)
        };
        let odd: Vec<u64> = batch(&mut |pick| pick.number % 2 == 1).collect();
        assert!(odd.len() == 15 && odd.iter().all(|number| number % 2 == 1), "{odd:?}");
        assert_eq!(batch(&mut |_| false).count(), 0);
    }
}
