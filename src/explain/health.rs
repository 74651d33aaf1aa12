//! The fingerprints of a whole corpus: do their bits behave like random bits?
//!
//! With a good hash and texts of many features each bit is 1 in half of the documents, no two bits are
//! correlated, and the leading bits fill their buckets evenly. Deviations come from the corpus: copies,
//! templates, ties, domination. Fingerprints are transposed 64 at a time, so that a bit of 64 documents is one
//! word, and two bits are compared by AND and a population count. A million documents of 64 bits take 32
//! million such steps, so no sample is needed. Uses all cores. Source: Manku, Jain and Das Sarma (WWW 2007),
//! figure 2, for population counts and prefixes.

use rayon::prelude::*;

/// Leading bits that give the bucket of a document: 128 buckets.
const PREFIX_BITS: u32 = 7;
/// Fingerprints that one core transposes at a time.
const STRIDE: usize = 1 << 12;
/// A bucket is a hot prefix if it holds this many times its share ..
const SPIKE_TIMES: f64 = 2.0;
/// .. and exceeds its share by this many standard deviations.
const HOT_PREFIX_SIGMAS: f64 = 5.0;

/// Statistics of the bits of a corpus's fingerprints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Health {
    /// Bits of a fingerprint.
    pub width: u32,
    /// The number of fingerprints.
    pub n: u64,
    /// The number of fingerprints with each number of set bits, from 0 to the width.
    pub popcounts: Vec<u64>,
    /// The number of fingerprints in which each bit is set, bit 0 first.
    pub ones: Vec<u64>,
    /// The number of fingerprints in which both of two bits are set; `pair` gives the index.
    both: Vec<u64>,
    /// The number of fingerprints that begin with each prefix.
    pub prefixes: Vec<u64>,
}

impl Health {
    /// The leading bits of a bucket, as zeros and ones.
    pub fn leading_bits(&self, bucket: usize) -> String {
        let digits = self.prefixes.len().ilog2() as usize;
        format!("{bucket:0digits$b}")
    }

    /// Counts `fingerprints` of `width` bits.
    ///
    /// # Panics
    /// If `width` is not 1 to 128.
    pub fn new(fingerprints: &[u128], width: u32) -> Self {
        assert!((1..=128).contains(&width), "a fingerprint has 1 to 128 bits");
        let count = |some: &[u128]| {
            let mut health = Self::nothing(width);
            some.chunks(64).for_each(|some| health.add(some));
            health
        };
        let chunks = fingerprints.par_chunks(STRIDE).map(count);
        chunks.reduce(|| Self::nothing(width), |one, other| one.and(&other))
    }

    fn nothing(width: u32) -> Self {
        let n_bits = width as usize;
        Self {
            width,
            n: 0,
            popcounts: vec![0; n_bits + 1],
            ones: vec![0; n_bits],
            both: vec![0; n_bits * (n_bits - 1) / 2],
            prefixes: vec![0; 1 << PREFIX_BITS.min(width)],
        }
    }

    /// Counts up to 64 more fingerprints.
    fn add(&mut self, fingerprints: &[u128]) {
        let mut turned = vec![0u64; self.width as usize];
        for (document, &bits) in fingerprints.iter().enumerate() {
            self.popcounts[bits.count_ones() as usize] += 1;
            self.prefixes[prefix(bits, self.width)] += 1;
            let mut rest = bits;
            while rest != 0 {
                turned[rest.trailing_zeros() as usize] |= 1 << document;
                rest &= rest - 1;
            }
        }
        self.n += fingerprints.len() as u64;
        for (ones, column) in self.ones.iter_mut().zip(&turned) {
            *ones += u64::from(column.count_ones());
        }
        let mut both = self.both.iter_mut();
        for (high, one) in turned.iter().enumerate() {
            for (other, sum) in turned[..high].iter().zip(&mut both) {
                *sum += u64::from((one & other).count_ones());
            }
        }
    }

    fn and(mut self, other: &Self) -> Self {
        let add = |left: &mut Vec<u64>, right: &[u64]| {
            left.iter_mut().zip(right).for_each(|(left, right)| *left += right);
        };
        self.n += other.n;
        add(&mut self.popcounts, &other.popcounts);
        add(&mut self.ones, &other.ones);
        add(&mut self.both, &other.both);
        add(&mut self.prefixes, &other.prefixes);
        self
    }

    /// The share of fingerprints in which a bit is 1; `None` without fingerprints.
    pub fn balance(&self, bit: u32) -> Option<f64> {
        (self.n > 0).then(|| self.ones[bit as usize] as f64 / self.n as f64)
    }

    /// The correlation (phi) of two bits, -1 to 1; `None` if one of them is equal in all fingerprints.
    pub fn correlation(&self, one: u32, other: u32) -> Option<f64> {
        let (high, low) = (one.max(other) as usize, one.min(other) as usize);
        let both =
            if high == low { self.ones[low] } else { self.both[high * (high - 1) / 2 + low] };
        let share = |count: u64| count as f64 / self.n as f64;
        let [x, y] = [one, other].map(|bit| share(self.ones[bit as usize]));
        let spread = (x * (1.0 - x) * y * (1.0 - y)).sqrt();
        (spread > 0.0).then(|| (share(both) - x * y) / spread)
    }

    /// All pairs of bits and their correlation, the strongest first, without bits that are equal in all
    /// fingerprints.
    pub fn correlations(&self) -> Vec<(u32, u32, f64)> {
        let pairs = (0..self.width).flat_map(|high| (0..high).map(move |low| (high, low)));
        let mut all: Vec<(u32, u32, f64)> = pairs
            .filter_map(|(high, low)| Some((high, low, self.correlation(high, low)?)))
            .collect();
        all.sort_by(|x, y| y.2.abs().total_cmp(&x.2.abs()));
        all
    }

    /// The root mean square of [`Health::correlations`], and the number of pairs of bits. For random bits it is
    /// 1 divided by the square root of the number of fingerprints.
    pub fn mean_correlation(&self) -> (f64, usize) {
        let all = self.correlations();
        let squares: f64 = all.iter().map(|(_, _, phi)| phi * phi).sum();
        ((squares / all.len().max(1) as f64).sqrt(), all.len())
    }

    /// The deviation from one half, in per cent, that a random bit exceeds in one case of twenty.
    pub fn balance_margin(&self) -> f64 {
        // 1.96 standard deviations of 1 / (2 sqrt(n)).
        98.0 / (self.n.max(1) as f64).sqrt()
    }

    /// Mean and standard deviation of the number of set bits. Random bits have width / 2, and the square root
    /// of width / 4.
    pub fn popcount(&self) -> (f64, f64) {
        let n = self.n.max(1) as f64;
        let sum = |power: i32| -> f64 {
            let each = self.popcounts.iter().enumerate();
            each.map(|(bits, &count)| (bits as f64).powi(power) * count as f64).sum()
        };
        let mean = sum(1) / n;
        (mean, (sum(2) / n - mean * mean).max(0.0).sqrt())
    }

    /// The hot prefixes, fullest first: buckets of several documents with at least twice their share, and five
    /// standard deviations more than it.
    pub fn hot_prefixes(&self) -> Vec<usize> {
        let mean = self.n as f64 / self.prefixes.len() as f64;
        let least = (SPIKE_TIMES * mean).max(mean + HOT_PREFIX_SIGMAS * mean.sqrt()).max(2.0);
        let is_spike = |&bucket: &usize| self.prefixes[bucket] as f64 >= least;
        let mut hot_prefixes: Vec<usize> = (0..self.prefixes.len()).filter(is_spike).collect();
        hot_prefixes.sort_by_key(|&bucket| std::cmp::Reverse(self.prefixes[bucket]));
        hot_prefixes
    }
}

/// The leading bits of a fingerprint: the number of its bucket.
pub fn prefix(bits: u128, width: u32) -> usize {
    (bits >> width.saturating_sub(PREFIX_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::simhash::fingerprint::mask;

    /// The correlation by its definition, document by document.
    fn slow_correlation(all: &[u128], one: u32, other: u32) -> Option<f64> {
        let n = all.len() as f64;
        let of = |bit: u32| all.iter().map(move |bits| f64::from((bits >> bit & 1) as u32));
        let means = [one, other].map(|bit| of(bit).sum::<f64>() / n);
        let spread = |bit, mean: f64| of(bit).map(|x| (x - mean).powi(2)).sum::<f64>().sqrt();
        let together: f64 =
            of(one).zip(of(other)).map(|(x, y)| (x - means[0]) * (y - means[1])).sum();
        let spreads = spread(one, means[0]) * spread(other, means[1]);
        (spreads > 1e-9).then(|| together / spreads)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]
        #[test]
        fn counts_equal_those_of_a_slow_count(
            all in prop::collection::vec(any::<u128>(), 0..300), quiet in any::<u128>(),
            width in prop::sample::select(vec![1u32, 5, 7, 8, 64, 90, 128]),
        ) {
            // Some bits are equal in all documents, and some documents are equal.
            let all: Vec<u128> = all.iter().map(|bits| bits & quiet & mask(width)).collect();
            let health = Health::new(&all, width);
            prop_assert_eq!(health.n, all.len() as u64);
            for bit in 0..width {
                let ones = all.iter().filter(|bits| **bits >> bit & 1 == 1).count() as u64;
                prop_assert_eq!(health.ones[bit as usize], ones);
            }
            for (bits, &count) in health.popcounts.iter().enumerate() {
                let found = all.iter().filter(|it| it.count_ones() as usize == bits).count();
                prop_assert_eq!(count, found as u64);
            }
            prop_assert_eq!(health.prefixes.iter().sum::<u64>(), health.n);
            for high in (0..width).step_by(11) {
                for low in (0..=high).step_by(7) {
                    let (found, slow) =
                        (health.correlation(low, high), slow_correlation(&all, high, low));
                    match (found, slow) {
                        (Some(found), Some(slow)) => prop_assert!((found - slow).abs() < 1e-9),
                        (found, slow) => prop_assert_eq!(found, slow),
                    }
                }
            }
            prop_assert!(health.correlations().is_sorted_by(|x, y| x.2.abs() >= y.2.abs()));
        }
    }

    #[test]
    fn many_copies_are_a_hot_prefix() {
        let coin = |n: u128| n.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) >> 64;
        let mut all: Vec<u128> = (0..6400).map(coin).collect();
        assert!(Health::new(&all, 64).hot_prefixes().is_empty());
        assert!(Health::new(&[mask(64), 0], 64).hot_prefixes().is_empty(), "one is no crowd");
        all.extend(std::iter::repeat_n(mask(64), 200));
        let health = Health::new(&all, 64);
        assert_eq!(health.hot_prefixes(), [127]);
        assert_eq!(prefix(mask(64), 64), 127);
        let (mean, spread) = Health::new(&all[..6400], 64).popcount();
        assert!((mean - 32.0).abs() < 0.5 && (spread - 4.0).abs() < 0.3, "{mean} {spread}");
        assert!(Health::new(&[], 64).balance(0).is_none());
    }
}
