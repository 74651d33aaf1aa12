//! From edits to distance: the bits that one changed word moves a text.
//!
//! A word is in s shingles of s words each. Replacing it in a text of m distinct shingles of equal weight
//! changes s of them, so that the cosine is `1 - s / m`. Repeated shingles and unequal weights change this. A
//! word near an end of the text is in fewer shingles, and the votes of few features are whole numbers that the
//! angle does not describe: [`bits_moved`] counts both for short texts.

use super::angle;

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
            angle::bit_differs(cosine)
        } else {
            bit_differs(features - changed, changed)
        }
    };
    let most = size.min(features);
    let by_changed: Vec<f64> = (1..=most).map(differs).collect();
    let sum: f64 = (0..n_tokens).map(|at| by_changed[changed(at) as usize - 1]).sum();
    f64::from(width) * sum / f64::from(n_tokens)
}

/// The chance that a bit differs between `stay + old` and `stay + new` votes; a tie makes a 1.
fn bit_differs(stay: u32, changed: u32) -> f64 {
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
    let mut chances = vec![1.0];
    for _ in 0..n {
        let shifted = [0.0].into_iter().chain(chances.iter().copied());
        let same = chances.iter().copied().chain([0.0]);
        chances = same
            .zip(shifted)
            .map(|(tails, heads): (f64, f64)| f64::midpoint(tails, heads))
            .collect();
    }
    chances
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::angle::{expected_distance, within};

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
            let found = (1.0 - angle::estimate(3, 64)) / f64::from(size);
            assert!((found - share).abs() < 6e-5);
        }
    }
}
