//! Cosine to distance and back, for random hyperplanes, which fingerprints approximate.
//!
//! Exact for Gaussian hyperplanes. Hashes give plus or minus one instead, which is nearly equivalent if a text
//! has many features of similar weight. Do not rely on it for few features, for ties, or for one heavy feature.
//! Source: Charikar, "Similarity estimation techniques from rounding algorithms" (2002), section 3.
//!
//! m bands of K bits: the similarity that makes a pair a candidate, and the number of candidates to expect.
//!
//! A pair is a candidate if all K bits of at least one band agree: 1 - (1 - p^K)^m, where p is the chance that
//! a bit agrees. Plotted over the similarity this is an S-curve.
//! Source: Leskovec, Rajaraman and Ullman, "Mining of massive datasets", section 3.4.
//!
//! From edits to distance: the bits that one changed word moves a text.
//!
//! A word is in s shingles of s words each. Replacing it in a text of m distinct shingles of equal weight
//! changes s of them, so that the cosine is `1 - s / m`. Repeated shingles and unequal weights change this. A
//! word near an end of the text is in fewer shingles, and the votes of few features are whole numbers that the
//! angle does not describe: [`bits_moved`] counts both for short texts.

use std::f64::consts::PI;

use statrs::distribution::{Binomial, ContinuousCDF, Discrete, DiscreteCDF, Normal};

/// The chance that one bit differs at this cosine: theta / pi, 0 to 1.
pub fn bit_differs(cosine: f64) -> f64 {
    cosine.clamp(-1.0, 1.0).acos() / PI
}

/// The distance to expect at this cosine, in bits.
pub fn expected_distance(cosine: f64, width: u32) -> f64 {
    f64::from(width) * bit_differs(cosine)
}

/// The chance that texts at this cosine have fingerprints within `k`.
///
/// # Panics
/// If `width` is 0.
pub fn within(cosine: f64, k: u32, width: u32) -> f64 {
    assert!(width > 0, "a fingerprint has bits");
    let distance = Binomial::new(bit_differs(cosine), u64::from(width)).expect("a probability");
    distance.cdf(u64::from(k))
}

/// The chance that texts at this cosine have fingerprints exactly `distance` apart.
///
/// # Panics
/// If `width` is 0.
pub fn exactly(cosine: f64, distance: u32, width: u32) -> f64 {
    assert!(width > 0, "a fingerprint has bits");
    let all = Binomial::new(bit_differs(cosine), u64::from(width)).expect("a probability");
    all.pmf(u64::from(distance))
}

/// The cosine that a distance suggests: cos(pi d / f). Show it only together with its
/// [interval](super::interval::cosine).
pub fn estimate(distance: u32, width: u32) -> f64 {
    (PI * f64::from(distance) / f64::from(width)).cos()
}

/// The chance that a bit of this margin differs in another text at this cosine: 0 to 1/2.
///
/// The margin is `|V| / ||w||`; the votes of the two texts are assumed to be jointly normal. The mean over all
/// margins is theta / pi.
/// Source: Sood and Loguinov, "Probabilistic near-duplicate detection using simhash" (2011).
pub fn flips(margin: f64, cosine: f64) -> f64 {
    if cosine >= 1.0 {
        return if margin == 0.0 { 0.5 } else { 0.0 };
    }
    let normal = Normal::standard();
    normal.cdf(-cosine * margin / (1.0 - cosine * cosine).sqrt())
}

/// The chance that a pair at this cosine is a candidate.
pub fn candidate(bands: u32, bits: u32, cosine: f64) -> f64 {
    let agree = (1.0 - bit_differs(cosine)).powi(bits as i32);
    1.0 - (1.0 - agree).powi(bands as i32)
}

/// The bands that make a pair at this cosine a candidate with at least this chance, and the fewest unrelated pairs; at
/// most `width` bits together. `None` if no bands do. Tries all bands.
pub fn cheapest_bands(width: u32, cosine: f64, chance: f64) -> Option<(u32, u32)> {
    let all = (1..=width).flat_map(|bands| (1..=width / bands).map(move |bits| (bands, bits)));
    let price = |(bands, bits)| candidate(bands, bits, 0.0);
    all.filter(|&(bands, bits)| candidate(bands, bits, cosine) >= chance)
        .min_by(|&a, &b| price(a).total_cmp(&price(b)))
}

/// The expected number of candidates by chance among `n` unrelated documents.
pub fn expected_candidates(n: u64, bands: u32, bits: u32) -> f64 {
    let n = n as f64;
    n * (n - 1.0) / 2.0 * candidate(bands, bits, 0.0)
}

/// Above this number of features [`bits_moved`] uses the angle, because the sum of so many votes is nearly
/// normal.
const MANY: u32 = 200;

/// The expected number of differing bits, out of `width`, after one token of a text is replaced: the mean over
/// all its tokens. The text has `features` shingles of `size` tokens each, all distinct and of equal weight.
///
/// A token changes `j` of `m` votes; `j` is 1 at an end of the text and up to `size` inside. A bit is the sign
/// of a sum of `m - j` unchanged and `j` changed votes, each 1 or -1 with chance 1/2. The bit differs if the
/// sign with the old votes differs from the sign with the new votes. Costs `m` times `size` additions.
pub fn bits_moved(features: u32, size: u32, width: u32) -> f64 {
    if features == 0 || size == 0 {
        return 0.0;
    }
    let n_tokens = features + size - 1;
    let changed = |at: u32| (at + 1).min(n_tokens - at).min(size).min(features);
    // The chance that a bit differs if `changed` shingles change; it depends on nothing else.
    let differs = |changed: u32| {
        if features > MANY {
            let cosine = 1.0 - f64::from(changed) / f64::from(features);
            bit_differs(cosine)
        } else {
            sign_differs(features - changed, changed)
        }
    };
    let most = size.min(features);
    let by_changed: Vec<f64> = (1..=most).map(differs).collect();
    let sum: f64 = (0..n_tokens).map(|at| by_changed[changed(at) as usize - 1]).sum();
    f64::from(width) * sum / f64::from(n_tokens)
}

/// The chance that a bit differs between `stay + old` and `stay + new` votes; a tie makes a 1.
fn sign_differs(stay: u32, changed: u32) -> f64 {
    let (stays, changes) = (coins(stay), coins(changed));
    let differ = stays.iter().enumerate().map(|(heads, chance)| {
        let sum = 2 * heads as i64 - i64::from(stay);
        let is_one = |(heads, chance): (usize, &f64)| {
            let all = sum + 2 * heads as i64 - i64::from(changed);
            if all >= 0 { *chance } else { 0.0 }
        };
        let one: f64 = changes.iter().enumerate().map(is_one).sum();
        2.0 * chance * one * (1.0 - one)
    });
    differ.sum()
}

/// The chances of 0, 1, .. `n` heads in `n` tosses of a coin.
fn coins(n: u32) -> Vec<f64> {
    let flips = Binomial::new(0.5, n.into()).expect("a probability");
    (0..=n.into()).map(|heads| flips.pmf(heads)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64, digits: i32) {
        assert!((found - expected).abs() < 0.5 * 10f64.powi(-digits), "{found} is not {expected}");
    }

    #[test]
    fn golden_numbers_of_random_hyperplanes() {
        close(bit_differs(0.8), 0.204_833, 6);
        close(expected_distance(0.9, 64), 9.1882, 4);
        close(within(0.95, 3, 64), 0.1014, 4);
        let sum: f64 = (0..=3).map(|d| exactly(0.95, d, 64)).sum();
        close(sum, within(0.95, 3, 64), 9);
        close(estimate(3, 64), 0.989, 3);
        close(estimate(32, 64), 0.0, 9);
    }

    #[test]
    fn recall_at_k_follows_the_published_table() {
        // cosine, P(d <= 3), P(d <= 6), P(d <= 10)
        let table =
            [(0.995, 0.853, 0.996, 1.0), (0.98, 0.411, 0.888, 0.998), (0.9, 0.013, 0.169, 0.692)];
        for (cosine, three, six, ten) in table {
            close(within(cosine, 3, 64), three, 3);
            close(within(cosine, 6, 64), six, 3);
            close(within(cosine, 10, 64), ten, 3);
        }
    }

    #[test]
    fn a_large_margin_hardly_flips_and_a_tie_is_a_coin() {
        close(flips(0.1, 0.99), 0.2414, 4);
        close(flips(0.5, 0.95), 0.064, 3);
        close(flips(0.0, 0.9), 0.5, 9);
        assert_eq!((flips(0.3, 1.0), flips(0.0, 1.0)), (0.0, 0.5));
    }

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

    #[test]
    fn one_replaced_word_moves_short_texts_far() {
        // Words in the text, then E[d] and P(d <= 3) for shingles of 1, 3 and 5 words.
        let table = [
            (20, [(6.5, 0.10), (11.9, 0.001), (16.6, 0.0)]),
            (100, [(2.9, 0.67), (5.1, 0.25), (6.6, 0.09)]),
            (500, [(1.3, 0.96), (2.2, 0.815), (2.9, 0.67)]),
            (1000, [(0.9, 0.99), (1.6, 0.93), (2.0, 0.85)]),
        ];
        for (words, row) in table {
            for (size, (distance, near)) in [1, 3, 5].into_iter().zip(row) {
                let cosine = 1.0 - f64::from(size) / f64::from(words - size + 1);
                let found = (expected_distance(cosine, 64), within(cosine, 3, 64));
                assert!((found.0 - distance).abs() < 0.051, "{words} {size}: {found:?}");
                assert!((found.1 - near).abs() < 0.0051, "{words} {size}: {found:?}");
            }
        }
    }

    /// Compared with fingerprints of texts of random words, in which every word is replaced in turn.
    #[test]
    fn real_texts_move_as_far_as_computed() {
        use crate::simhash::{Fingerprinter, Recipe};
        for (n_words, size) in [(3_u32, 1_u32), (5, 3), (6, 3), (12, 3), (20, 1), (19, 5)] {
            let recipe: Recipe = format!("words:{size}").parse().unwrap();
            let fingerprinter = Fingerprinter::new(&recipe).unwrap();
            let (mut sum, mut n) = (0, 0);
            for text in 0..150 {
                let word = |at: u32| format!("w{text}x{at}");
                let words: Vec<String> = (0..n_words).map(word).collect();
                let whole = fingerprinter.fingerprint(&words.join(" ")).unwrap();
                for at in 0..n_words as usize {
                    let mut changed = words.clone();
                    changed[at] = format!("y{text}x{at}");
                    let changed = fingerprinter.fingerprint(&changed.join(" ")).unwrap();
                    sum += whole.distance(changed);
                    n += 1;
                }
            }
            let (measured, computed) =
                (f64::from(sum) / f64::from(n), bits_moved(n_words + 1 - size, size, 64));
            assert!(
                (measured - computed).abs() < 0.6,
                "{n_words} {size}: {measured} for {computed}"
            );
        }
    }

    #[test]
    fn few_features_move_as_counted_by_hand() {
        // One feature becomes another. Two words: a tie makes a 1, so 1/4 of the bits are 0.
        assert!((bits_moved(1, 3, 64) - 32.0).abs() < 1e-9);
        assert!((bits_moved(2, 1, 64) - 64.0 * 0.25).abs() < 1e-9);
        // Six words, shingles of three: measured 17.8 bits.
        assert!((bits_moved(4, 3, 64) - 17.7).abs() < 0.05);
        assert_eq!(bits_moved(0, 3, 64), 0.0);
        // With many features, the formula by the angle agrees.
        let (just, more) = (bits_moved(MANY, 3, 64), bits_moved(MANY + 1, 3, 64));
        assert!((just / more - 1.0).abs() < 0.05, "{just} {more}");
    }

    #[test]
    fn a_hundredth_of_the_words_reaches_three_bits() {
        for (size, share) in [(1, 0.0108), (3, 0.0036), (5, 0.0022)] {
            // In a long text 1 - size * share is the cosine.
            let found = (1.0 - estimate(3, 64)) / f64::from(size);
            assert!((found - share).abs() < 6e-5);
        }
    }
}
