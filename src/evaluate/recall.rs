//! Recall where the truth is out of reach: every pair found stands for those like it that were not.
//!
//! A pair at cosine c is found with a known probability pi: by bands 1 - (1 - p^K)^m, within k bits by
//! the binomial tail. Weighing each pair found by 1 / pi estimates how many there are without bias
//! (Horvitz and Thompson 1952); what was found over that is the recall.
//!
//! How sure is it? Pairs that share texts are found and missed together, so the variance takes the pairs
//! of a cluster (texts connected by pairs found) as fully dependent, which is the worst they can be, and
//! the effective sample counts clusters. Pairs that cannot be missed (pi = 1, copies) say nothing about
//! the others and are left out of it. Below [`FEWEST`] effective clusters there is no estimate.
//!
//! Valid over the seeds of the hash, for texts with many features of like weight (see [`angle`]). One
//! seed was measured to be too sure of itself on short records, perhaps because pairs that differ in the
//! same words flip the same bits. So it takes several ([`over_seeds`]).
//!
//! [`angle`]: super::angle

use std::collections::HashMap;

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use super::interval::LEVEL;
use crate::choice::choice;

/// The smallest effective sample that an estimate is made from.
pub const FEWEST: f64 = 30.0;
/// One cluster with more than this share of the estimate is worth a warning.
pub const HEAVIEST: f64 = 0.2;

choice! {
    /// How a recall is known.
    pub enum RecallMethod, "recall method" {
        /// Every true pair is known.
        #[default]
        Exact = "exact",
        /// Estimated from the pairs found and their chance to be.
        HorvitzThompson = "horvitz-thompson",
        /// At most this: against all true pairs that any search has found.
        UpperBound = "upper bound",
        /// The share of the pairs that people judged to be true.
        Judged = "judged",
    }
}

/// A true pair that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// A text.
    pub a: u32,
    /// Another.
    pub b: u32,
    /// The chance that a search finds them, above 0, at most 1.
    pub chance: f64,
    /// Pairs of documents they stand for.
    pub copies: f64,
}

/// An estimate of how many true pairs there are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Total {
    /// Pairs found.
    pub found: f64,
    /// Pairs estimated, at least those found.
    pub total: f64,
    /// The estimate's standard deviation.
    pub deviation: f64,
    /// Clusters that would say as much if all weighed the same.
    pub effective: f64,
    /// The share of the uncertain estimate that rests on one cluster, 0 to 1.
    pub heaviest: f64,
}

/// A recall with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recall {
    /// The estimate, 0 to 1.
    pub recall: f64,
    /// The lower end, at 95 %.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Total {
    /// The estimate from the true pairs one search found. O(n log n).
    ///
    /// # Panics
    /// If a chance is not above 0.
    pub fn estimate(found: &[Found]) -> Self {
        let mut clusters = Clusters::default();
        for pair in found {
            assert!(pair.chance > 0.0, "what was found could be");
            clusters.join(pair.a, pair.b);
        }
        let weigh = |pair: &Found| pair.copies / pair.chance;
        let mut members: Vec<(u32, &Found)> =
            found.iter().map(|pair| (clusters.root(pair.a), pair)).collect();
        members.sort_by(|(left, p), (right, q)| {
            left.cmp(right).then(q.chance.total_cmp(&p.chance)).then((p.a, p.b).cmp(&(q.a, q.b)))
        });
        let (mut variance, mut sum, mut squares, mut most) = (0.0, 0.0, 0.0, 0.0_f64);
        for cluster in members.chunk_by(|left, right| left.0 == right.0) {
            // From the surest down: the surer of two pairs is the one that came before.
            let (mut before, mut uncertain) = (0.0, 0.0);
            for (_, pair) in cluster {
                let weight = weigh(pair);
                variance += weight * weight * (1.0 - pair.chance) + 2.0 * weight * before;
                before += weight * (1.0 - pair.chance);
                uncertain += if pair.chance < 1.0 { weight } else { 0.0 };
            }
            sum += uncertain;
            squares += uncertain * uncertain;
            most = most.max(uncertain);
        }
        Self {
            found: found.iter().map(|pair| pair.copies).sum(),
            total: found.iter().map(weigh).sum(),
            deviation: variance.sqrt(),
            effective: if squares > 0.0 { sum * sum / squares } else { 0.0 },
            heaviest: if sum > 0.0 { most / sum } else { 0.0 },
        }
    }

    /// The same with pairs that cannot be missed, such as copies.
    #[must_use]
    pub fn with_certain(self, pairs: f64) -> Self {
        Self { found: self.found + pairs, total: self.total + pairs, ..self }
    }

    /// Whether it rests on enough to be told.
    pub fn is_valid(&self) -> bool {
        self.effective >= FEWEST
    }

    /// The share of all that were found, with its interval. The total is taken as normal.
    pub fn recall(&self) -> Recall {
        let z = Normal::standard().inverse_cdf(0.5 + LEVEL / 2.0);
        Recall::of(self.found, self.total, z * self.deviation)
    }
}

/// The recall of the first of several searches, which differ in the seed of the hash alone: all of them
/// estimate the same total, and their spread shows what one seed cannot know of itself.
///
/// The total is their mean. Its interval is that by spread, but never narrower than the theory of one seed:
/// what the model of chances has wrong, all seeds have wrong together. `None` for fewer than two, or if
/// any of them is too small.
pub fn over_seeds(totals: &[Total]) -> Option<Recall> {
    if totals.len() < 2 || totals.iter().any(|total| !total.is_valid()) {
        return None;
    }
    let n = totals.len() as f64;
    let mean_of = |part: &dyn Fn(&Total) -> f64| totals.iter().map(part).sum::<f64>() / n;
    let mean = mean_of(&|total| total.total);
    let theory = mean_of(&|total| total.deviation.powi(2)).sqrt();
    let spread = totals.iter().map(|total| (total.total - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let tail = 0.5 + LEVEL / 2.0;
    let t = StudentsT::new(0.0, 1.0, n - 1.0).ok()?.inverse_cdf(tail);
    let half = (Normal::standard().inverse_cdf(tail) * theory).max(t * (spread / n).sqrt());
    Some(Recall::of(totals[0].found, mean, half))
}

impl Recall {
    /// A recall that is known.
    pub fn exactly(recall: f64) -> Self {
        Self { recall, low: recall, high: recall }
    }

    /// `found` of `total`, give or take `half`.
    fn of(found: f64, total: f64, half: f64) -> Self {
        let share = |total: f64| if total > 0.0 { (found / total).min(1.0) } else { 1.0 };
        Self {
            recall: share(total),
            low: share(total + half),
            high: share((total - half).max(found)),
        }
    }
}

/// Texts connected by pairs: union-find by number.
#[derive(Default)]
struct Clusters {
    above: HashMap<u32, u32>,
}

impl Clusters {
    fn root(&mut self, text: u32) -> u32 {
        let mut root = text;
        while let Some(&above) = self.above.get(&root) {
            root = above;
        }
        // Everything on the way points to the root from now on.
        let mut at = text;
        while at != root {
            at = self.above.insert(at, root).unwrap_or(root);
        }
        root
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.above.insert(a.max(b), a.min(b));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::bands;

    /// Uniform numbers below 1.
    struct Dice(u64);

    impl Dice {
        fn roll(&mut self) -> f64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64
        }
    }

    /// 300 pairs at .999, 2000 from .8 to 1: those that bands find.
    fn simulate(dice: &mut Dice, m: u32, bits: u32) -> Vec<Found> {
        let mut found = Vec::new();
        for pair in 0..2300 {
            let cosine =
                if pair < 300 { 0.999 } else { 0.8 + 0.2 * f64::from(pair - 300) / 2000.0 };
            let chance = bands::candidate(m, bits, cosine);
            if dice.roll() < chance {
                found.push(Found { a: 2 * pair, b: 2 * pair + 1, chance, copies: 1.0 });
            }
        }
        found
    }

    #[test]
    fn simulated_totals_are_met_and_their_spread_is_as_told() {
        let mut dice = Dice(7);
        for (m, bits, spread) in [(3, 12, 60.0), (3, 18, 114.0), (4, 16, 80.0), (8, 8, 15.0)] {
            let runs: Vec<Total> =
                (0..400).map(|_| Total::estimate(&simulate(&mut dice, m, bits))).collect();
            let mean = runs.iter().map(|run| run.total).sum::<f64>() / 400.0;
            assert!((mean - 2300.0).abs() < spread / 4.0, "{m}x{bits}: {mean}");
            let told = runs.iter().map(|run| run.deviation).sum::<f64>() / 400.0;
            assert!((told / spread - 1.0).abs() < 0.15, "{m}x{bits}: {told} for {spread}");
            let hits = runs.iter().filter(|run| {
                let truth = run.found / 2300.0;
                let recall = run.recall();
                run.is_valid() && recall.low <= truth && truth <= recall.high
            });
            let hits = hits.count();
            assert!(hits >= 400 * 18 / 20, "{m}x{bits}: {hits} of 400");
        }
    }

    #[test]
    fn seeds_together_are_nearer_than_one() {
        let mut dice = Dice(11);
        let (mut hits, mut error, mut alone) = (0, 0.0, 0.0);
        for _ in 0..100 {
            let totals: Vec<Total> =
                (0..5).map(|_| Total::estimate(&simulate(&mut dice, 3, 18))).collect();
            let (together, truth) = (over_seeds(&totals).unwrap(), totals[0].found / 2300.0);
            hits += u32::from((together.low..=together.high).contains(&truth));
            error += (together.recall - truth).abs();
            alone += (totals[0].recall().recall - truth).abs();
        }
        assert!(hits >= 90, "{hits}");
        assert!(error < 0.7 * alone, "{error} {alone}");
    }

    #[test]
    fn pairs_of_one_cluster_are_one_observation() {
        let pair = |a, b| Found { a, b, chance: 0.5, copies: 1.0 };
        let apart: Vec<Found> = (0..40).map(|n| pair(2 * n, 2 * n + 1)).collect();
        let chain: Vec<Found> = (0..40).map(|n| pair(n, n + 1)).collect();
        let (apart, chain) = (Total::estimate(&apart), Total::estimate(&chain));
        assert_eq!((apart.total, chain.total), (80.0, 80.0));
        assert!((apart.effective - 40.0).abs() < 1e-9 && apart.is_valid());
        assert!((chain.effective - 1.0).abs() < 1e-9 && !chain.is_valid());
        assert_eq!((apart.heaviest, chain.heaviest), (1.0 / 40.0, 1.0));
        // Independent: 40 (1 - pi) / pi^2. All or none: 80^2 (1 - pi).
        assert!((apart.deviation.powi(2) - 80.0).abs() < 1e-9);
        assert!((chain.deviation.powi(2) - 3200.0).abs() < 1e-9);
        assert_eq!((over_seeds(&[apart, chain]), over_seeds(&[apart])), (None, None));
        assert!(over_seeds(&[apart, apart]).is_some());
    }

    #[test]
    fn what_cannot_be_missed_says_nothing_of_the_rest() {
        let sure: Vec<Found> =
            (0..500).map(|n| Found { a: 2 * n, b: 2 * n + 1, chance: 1.0, copies: 3.0 }).collect();
        let total = Total::estimate(&sure);
        assert_eq!((total.total, total.deviation, total.effective), (1500.0, 0.0, 0.0));
        assert!(!total.is_valid());
        let recall = Total::default().recall();
        assert_eq!((recall.low, recall.recall, recall.high), (1.0, 1.0, 1.0));
    }
}
