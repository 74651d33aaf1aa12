//! The number of pairs of documents at each distance: counted, or estimated from a sample.
//!
//! Near distances are counted exactly by a search in a corpus of any size. The numbers of farther pairs are
//! exact if all pairs were compared. Otherwise they are estimated from pairs drawn at random, with the Jeffreys
//! interval of their share. Each number has its method.

use super::{interval, null::Chance};
use crate::choice::choice;

choice! {
    /// The method by which a number of pairs was found.
    pub enum CountMethod, "method" {
        /// All pairs were compared.
        #[default]
        Exact = "exact",
        /// Estimated from pairs drawn at random.
        Sampled = "sampled",
    }
}

/// A number of pairs of documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// The number of pairs; an estimate if pairs were sampled.
    pub pairs: u64,
    /// Lower end of the 95 % interval; the number itself if it is exact.
    pub low: u64,
    /// Upper end.
    pub high: u64,
    /// The method by which it was found.
    pub method: CountMethod,
}

impl Estimate {
    /// A known number.
    pub fn exact(pairs: u64) -> Self {
        Self { pairs, low: pairs, high: pairs, method: CountMethod::Exact }
    }

    /// An estimate from `met` pairs among `draws` drawn ones, of `of` pairs in all.
    fn sampled(met: u64, draws: u32, of: u64) -> Self {
        let met = u32::try_from(met).expect("at most as many as were drawn");
        let (low, high) = interval::of_sample(met, draws);
        let share = |share: f64| (share * of as f64).round() as u64;
        let pairs = share(f64::from(met) / f64::from(draws));
        Self { pairs, low: share(low), high: share(high).min(of), method: CountMethod::Sampled }
    }

    fn plus(self, known: u64) -> Self {
        let Self { pairs, low, high, method } = self;
        Self { pairs: pairs + known, low: low + known, high: high + known, method }
    }
}

/// The distances of all pairs of documents, or of a sample of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distances {
    /// Pairs at each distance from 0 to the width: all pairs, or the drawn ones.
    counts: Vec<u64>,
    /// All pairs of documents.
    n_pairs: u64,
    /// Pairs drawn; `None` if all were counted.
    draws: Option<u32>,
}

impl Distances {
    /// All pairs, counted at each distance from 0 to the width.
    pub fn counted(counts: Vec<u64>) -> Self {
        let n_pairs = counts.iter().sum();
        Self { counts, n_pairs, draws: None }
    }

    /// `draws` pairs, drawn with replacement from `n_pairs` pairs and counted.
    pub fn drawn(counts: Vec<u64>, n_pairs: u64, draws: u32) -> Self {
        Self { counts, n_pairs, draws: Some(draws) }
    }

    /// Bits of a fingerprint.
    pub fn width(&self) -> u32 {
        self.counts.len() as u32 - 1
    }

    /// All pairs of documents.
    pub fn n_pairs(&self) -> u64 {
        self.n_pairs
    }

    /// Pairs drawn; `None` if all were counted.
    pub fn draws(&self) -> Option<u32> {
        self.draws
    }

    /// Pairs at exactly `distance`. `near` holds the numbers of pairs within each near distance from 0 up, as
    /// far as they are known exactly.
    ///
    /// # Panics
    /// If the distance exceeds the width.
    pub fn at(&self, distance: u32, near: &[u64]) -> Estimate {
        let (at, count) = (distance as usize, self.counts[distance as usize]);
        match (self.draws, near.get(at)) {
            (None, _) => Estimate::exact(count),
            (_, Some(within)) => {
                let nearer = at.checked_sub(1).map_or(0, |before| near[before]);
                Estimate::exact(within - nearer)
            }
            (Some(draws), None) => Estimate::sampled(count, draws, self.n_pairs),
        }
    }

    /// Pairs within `k`; `near` as for [`Distances::at`]. If `k` is farther than `near`, the interval is that
    /// of the pairs beyond `near`.
    ///
    /// # Panics
    /// If k exceeds the width.
    pub fn within(&self, k: u32, near: &[u64]) -> Estimate {
        let k = k as usize;
        let Some(draws) = self.draws else {
            return Estimate::exact(self.counts[..=k].iter().sum());
        };
        if let Some(&within) = near.get(k) {
            return Estimate::exact(within);
        }
        if k + 1 == self.counts.len() {
            return Estimate::exact(self.n_pairs);
        }
        let known = near.last().copied().unwrap_or(0);
        let met = self.counts[near.len()..=k].iter().sum();
        Estimate::sampled(met, draws, self.n_pairs).plus(known)
    }

    /// The distribution of unrelated pairs: fitted to these distances if possible, otherwise independent bits.
    pub fn chance(&self) -> Chance {
        let counts: Vec<f64> = self.counts.iter().map(|&count| count as f64).collect();
        Chance::fitted(&counts).unwrap_or_else(|| Chance::coins(self.width()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_pairs_need_no_help() {
        let distances = Distances::counted(vec![4, 3, 2, 1, 0]);
        assert_eq!((distances.width(), distances.n_pairs()), (4, 10));
        assert_eq!(distances.at(1, &[]), Estimate::exact(3));
        assert_eq!(distances.within(2, &[4, 7]), Estimate::exact(9));
    }

    #[test]
    fn near_distances_stay_exact_in_a_sample() {
        let distances = Distances::drawn(vec![0, 1, 10, 89], 1_000_000, 100);
        let near = [5, 12];
        assert_eq!(distances.at(1, &near), Estimate::exact(7));
        assert_eq!(distances.within(1, &near), Estimate::exact(12));
        let at = distances.at(2, &near);
        assert_eq!((at.pairs, at.method), (100_000, CountMethod::Sampled));
        // Jeffreys for 10 of 100.
        assert!(
            (at.low, at.high) > (50_000, 160_000) && at.low < 56_000 && at.high < 172_000,
            "{at:?}"
        );
        let within = distances.within(2, &near);
        assert_eq!((within.pairs, within.low), (100_012, at.low + 12));
        assert_eq!(distances.within(3, &near), Estimate::exact(1_000_000));
        let none = Distances::drawn(vec![0, 0, 0, 100], 1_000_000, 100).at(2, &near);
        assert!(none.pairs == 0 && none.low == 0 && none.high > 20_000, "{none:?}");
    }

    #[test]
    fn intervals_of_samples_contain_the_true_number() {
        // 2 % of ten thousand pairs at distance 1, each sample 500 draws by a fixed stride.
        let (mut held, n_trials) = (0, 200);
        for trial in 0..n_trials {
            let hit = |draw: u64| {
                (draw * 7919 + trial * 104_729).wrapping_mul(2_654_435_761) % 10_007 < 200
            };
            let met = (0..500).filter(|&draw| hit(draw)).count() as u64;
            let estimate = Distances::drawn(vec![500 - met, met], 10_007, 500).at(1, &[]);
            held += usize::from((estimate.low..=estimate.high).contains(&200));
        }
        assert!(held >= 180, "{held} of {n_trials}");
    }
}
