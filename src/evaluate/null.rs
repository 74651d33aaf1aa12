//! Chance alone: unrelated texts whose fingerprints happen to be near.
//!
//! At cosine 0 every bit is a coin, so a pair is within k with probability `sum of C(f, i), i <= k` / 2^f.
//! Among n documents there are n (n - 1) / 2 pairs, which is why k has a ceiling that falls as a corpus
//! grows. Real texts share words and lie a little nearer than that: take these figures as a floor.

use statrs::distribution::{Binomial, Discrete};

use super::angle::within;

/// The chance that two unrelated fingerprints are within `k`.
pub fn accidental(k: u32, width: u32) -> f64 {
    within(0.0, k, width)
}

/// The chance that two unrelated fingerprints are exactly `distance` apart.
///
/// # Panics
/// If `width` is 0.
pub fn accidental_at(distance: u32, width: u32) -> f64 {
    assert!(width > 0, "a fingerprint has bits");
    let coins = Binomial::new(0.5, u64::from(width)).expect("a probability");
    coins.pmf(u64::from(distance))
}

/// Accidental pairs within `k` to expect among `n` unrelated documents.
pub fn expected_pairs(n: u64, k: u32, width: u32) -> f64 {
    let n = n as f64;
    n * (n - 1.0) / 2.0 * accidental(k, width)
}

/// The largest k with less than one accidental pair to expect; `None` if even k = 0 has more.
pub fn largest_k(n: u64, width: u32) -> Option<u32> {
    largest_k_among(expected_pairs(n, width, width), width)
}

/// The largest k with less than one accidental pair among `pairs` unrelated ones.
pub fn largest_k_among(pairs: f64, width: u32) -> Option<u32> {
    (0..=width).take_while(|&k| pairs * accidental(k, width) < 1.0).last()
}

#[cfg(test)]
mod tests {
    use super::*;

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
            sum += accidental_at(d, 64);
            assert!((sum / accidental(d, 64) - 1.0).abs() < 1e-9, "{d}");
        }
    }

    #[test]
    fn the_ceiling_on_k_falls_as_the_corpus_grows() {
        let table = [(10_000, 10), (58_102, 8), (100_000, 7), (1_000_000, 5), (10_000_000, 3)];
        for (n, k) in table {
            assert_eq!(largest_k(n, 64), Some(k), "n = {n}");
        }
        assert_eq!(largest_k(1_000_000, 8), None);
    }
}
