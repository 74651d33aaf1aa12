//! The number of pairs of documents at each distance: counted, or estimated from a sample.
//!
//! Near distances are counted exactly by a search in a corpus of any size. The numbers of farther pairs are
//! exact if all pairs were compared. Otherwise they are estimated from pairs drawn at random, with the Jeffreys
//! interval of their share. Each number has its method.
//!
//! Chance alone: unrelated texts whose fingerprints happen to be near.
//!
//! At cosine 0 each bit differs with chance 1/2, so a pair is within k with probability `sum of C(f, i), i <=
//! k` / 2^f. Among n documents there are n (n - 1) / 2 pairs, so the largest useful k falls as a corpus grows.
//! Real texts share words, and short texts share features that decide many bits at once, so their distances are
//! smaller and vary more: among short messages there were 13 unrelated near pairs where independent bits
//! predict 0.66. If the distances of all pairs are known, [`Chance::fitted`] takes mean and standard deviation
//! from them: a beta-binomial distribution, in which each pair has its own probability that a bit differs.
//! Source: Skellam, "A probability distribution derived from the binomial distribution by regarding
//! the probability of success as variable between the sets of trials" (1948).

use statrs::function::beta::ln_beta;

use super::angle::{exactly, within};
use super::interval;
use crate::choice::choice;

choice! {
    /// The method by which a number of pairs, or a share of them, was found.
    pub enum CountMethod, "method" {
        /// All pairs were compared, or every true pair is known.
        #[default]
        Exact = "exact",
        /// Estimated from pairs or texts drawn at random.
        Sampled = "sampled",
        /// Of the pairs that people judged.
        Judged = "judged",
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
    /// The method by which it was found: exact or sampled.
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
    pub draws: Option<u32>,
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

/// The pairs of the bulk that a fit needs at least.
const FEWEST_PAIRS: f64 = 1000.0;

/// The distribution of the distance of two unrelated fingerprints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance {
    width: u32,
    /// The bulk to which it was fitted; `None` for independent bits.
    pub fit: Option<Fit>,
}

/// The bulk of the distances in a corpus.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Their mean, in bits.
    pub mean: f64,
    /// Their standard deviation, in bits.
    pub spread: f64,
    /// The shapes of the beta distribution.
    shapes: (f64, f64),
}

impl Chance {
    /// Bits that differ independently with chance 1/2.
    ///
    /// # Panics
    /// If `width` is 0.
    pub fn coins(width: u32) -> Self {
        assert!(width > 0, "a fingerprint has bits");
        Self { width, fit: None }
    }

    /// A distribution with the mean and standard deviation of all pairs at a quarter of the width or farther,
    /// where near-duplicates are rare. `counts` holds the pairs at each distance from 0 to the width. `None` if
    /// there are fewer than a thousand such pairs, or if they vary no more than independent bits.
    ///
    /// # Panics
    /// If there are no counts.
    pub fn fitted(counts: &[f64]) -> Option<Self> {
        let width = counts.len() as u32 - 1;
        let bulk = || (0_u32..).zip(counts).skip(counts.len() / 4).map(|(d, n)| (f64::from(d), *n));
        let n: f64 = bulk().map(|(_, n)| n).sum();
        if n < FEWEST_PAIRS {
            return None;
        }
        let mean = bulk().map(|(d, pairs)| d * pairs).sum::<f64>() / n;
        let variance = bulk().map(|(d, pairs)| (d - mean).powi(2) * pairs).sum::<f64>() / n;
        let bits = f64::from(width);
        let share = mean / bits;
        // The correlation of two bits of one pair: 0 for independent bits.
        let together = (variance / (bits * share * (1.0 - share)) - 1.0) / (bits - 1.0);
        if !(together > 0.0 && together < 1.0) {
            return None;
        }
        let weight = 1.0 / together - 1.0;
        let shapes = (share * weight, (1.0 - share) * weight);
        Some(Self { width, fit: Some(Fit { mean, spread: variance.sqrt(), shapes }) })
    }

    /// The share of unrelated pairs that are exactly `distance` apart.
    ///
    /// # Panics
    /// If `distance` exceeds the width.
    pub fn at(&self, distance: u32) -> f64 {
        assert!(distance <= self.width, "a distance is at most the width");
        let Some(Fit { shapes: (a, b), .. }) = self.fit else {
            return exactly(0.0, distance, self.width);
        };
        let (d, bits) = (f64::from(distance), f64::from(self.width));
        let ways = -ln_beta(d + 1.0, bits - d + 1.0) - (bits + 1.0).ln();
        (ways + ln_beta(d + a, bits - d + b) - ln_beta(a, b)).exp()
    }

    /// The share of unrelated pairs within `k`.
    pub fn within(&self, k: u32) -> f64 {
        match self.fit {
            None => accidental(k, self.width),
            Some(_) => (0..=k.min(self.width)).map(|d| self.at(d)).sum::<f64>().min(1.0),
        }
    }

    /// The largest k at which less than one of `pairs` unrelated pairs is expected.
    pub fn largest_k(&self, pairs: f64) -> Option<u32> {
        (0..=self.width).take_while(|&k| pairs * self.within(k) < 1.0).last()
    }
}

/// The chance that two unrelated fingerprints are within `k`.
pub fn accidental(k: u32, width: u32) -> f64 {
    within(0.0, k, width)
}

/// The expected number of pairs within `k` by chance, among `n` unrelated documents.
pub fn expected_pairs(n: u64, k: u32, width: u32) -> f64 {
    let n = n as f64;
    n * (n - 1.0) / 2.0 * accidental(k, width)
}

#[cfg(test)]
mod tests {
    use statrs::distribution::{Binomial, Discrete};

    use super::*;

    #[test]
    fn counted_pairs_need_no_help() {
        let distances = Distances::counted(vec![4, 3, 2, 1, 0]);
        assert_eq!((distances.width(), distances.n_pairs), (4, 10));
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

    #[test]
    fn golden_numbers_of_chance() {
        let space = 2f64.powi(64);
        for (k, count) in [(3, 43_745.0), (6, 83_278_001.0), (10, 184_144_458_889.0)] {
            let found = accidental(k, 64) * space;
            assert!((found / count - 1.0).abs() < 1e-9, "k = {k}: {found}");
        }
        for (k, pairs) in [(8, 1.4), (10, 50.0), (12, 1142.0)] {
            let found = expected_pairs(100_000, k, 64);
            assert!((found / pairs - 1.0).abs() < 0.03, "k = {k}: {found}");
        }
    }

    #[test]
    fn chances_at_each_distance_add_up() {
        let mut sum = 0.0;
        for d in 0..=64 {
            sum += exactly(0.0, d, 64);
            assert!((sum / accidental(d, 64) - 1.0).abs() < 1e-9, "{d}");
        }
    }

    #[test]
    fn the_ceiling_on_k_falls_as_the_corpus_grows() {
        let table = [(10_000, 10), (58_102, 8), (100_000, 7), (1_000_000, 5), (10_000_000, 3)];
        for (n, k) in table {
            assert_eq!(ceiling(n, 64), Some(k), "n = {n}");
        }
        assert_eq!(ceiling(1_000_000, 8), None);
    }

    #[test]
    fn a_fit_recovers_its_distribution() {
        // Each pair has its own share of differing bits, uniform from .4 to .5.
        let shares: Vec<f64> = (0..=100).map(|at| 0.4 + 0.001 * f64::from(at)).collect();
        let at = |d: u32| {
            let pmf = |p: &f64| Binomial::new(*p, 64).unwrap().pmf(u64::from(d));
            shares.iter().map(pmf).sum::<f64>() / shares.len() as f64
        };
        let counts: Vec<f64> = (0..=64).map(|d| 1e9 * at(d)).collect();
        let fitted = Chance::fitted(&counts).unwrap();
        let Fit { mean, spread, .. } = fitted.fit.unwrap();
        assert!((mean - 28.8).abs() < 0.1 && (spread - 4.37).abs() < 0.05, "{mean} {spread}");
        for k in [8, 12, 16, 28] {
            let (expected, found) = ((0..=k).map(at).sum::<f64>(), fitted.within(k));
            assert!((found / expected - 1.0).abs() < 0.5, "{k}: {found} {expected}");
            // Independent bits are wrong by a factor of twenty at 8 bits.
            assert!(k > 8 || accidental(k, 64) < 0.1 * expected);
        }
        let sum: f64 = (0..=64).map(|d| fitted.at(d)).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    }

    #[test]
    fn too_few_pairs_and_independent_bits_have_no_fit() {
        let coins = |n: f64| -> Vec<f64> { (0..=64).map(|d| n * exactly(0.0, d, 64)).collect() };
        assert_eq!(Chance::fitted(&coins(500.0)), None);
        assert!(
            Chance::fitted(&coins(1e9))
                .is_none_or(|it| { (it.within(10) / accidental(10, 64) - 1.0).abs() < 0.01 })
        );
        assert_eq!(Chance::coins(64).within(10), accidental(10, 64));
    }

    fn ceiling(n: u64, width: u32) -> Option<u32> {
        Chance::coins(width).largest_k(expected_pairs(n, width, width))
    }
}
