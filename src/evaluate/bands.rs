//! m bands of K bits: the similarity that makes a pair a candidate, and the number of candidates to expect.
//!
//! A pair is a candidate if all K bits of at least one band agree: 1 - (1 - p^K)^m, where p is the chance that
//! a bit agrees. Plotted over the similarity this is an S-curve.
//! Source: Leskovec, Rajaraman and Ullman, "Mining of massive datasets", section 3.4.

use super::angle::bit_differs;

/// The chance that a pair at this cosine is a candidate.
pub fn candidate(bands: u32, bits: u32, cosine: f64) -> f64 {
    let agree = (1.0 - bit_differs(cosine)).powi(bits as i32);
    1.0 - (1.0 - agree).powi(bands as i32)
}

/// The expected number of candidates by chance among `n` unrelated documents.
pub fn expected_candidates(n: u64, bands: u32, bits: u32) -> f64 {
    let n = n as f64;
    let agree = 0.5f64.powi(bits as i32);
    n * (n - 1.0) / 2.0 * (1.0 - (1.0 - agree).powi(bands as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_points_of_the_s_curve() {
        let table = [
            (3, 18, 0.9, 0.1732),
            (3, 12, 0.8, 0.180),
            (4, 18, 0.95, 0.470),
            (5, 18, 0.99, 0.943),
            (8, 8, 0.7, 0.557),
        ];
        for (bands, bits, cosine, expected) in table {
            let found = candidate(bands, bits, cosine);
            assert!((found - expected).abs() < 6e-4, "{bands}x{bits} at {cosine}: {found}");
        }
    }

    #[test]
    fn the_labs_false_positives_are_predicted() {
        let table =
            [(3, 12, 1_235_947), (3, 18, 19_316), (3, 22, 1207), (4, 18, 25_755), (5, 18, 32_194)];
        for (bands, bits, expected) in table {
            assert_eq!(expected_candidates(58_102, bands, bits).round() as u64, expected);
        }
    }
}
