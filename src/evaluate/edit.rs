//! From edits to cosine: how far one changed word moves a text.
//!
//! A word stands in s shingles of s words each. Replacing it inside a text of m distinct shingles of
//! equal weight changes s of them, so that `1 - s / m` of the dot product is left. Repeats and weights
//! make it more or less.

/// The cosine of a text with its copy in which one token is replaced: `features` shingles of `size`
/// tokens each, all distinct; 0 where the change reaches all of them.
pub fn one_replaced(features: u32, size: u32) -> f64 {
    if features == 0 { 0.0 } else { (1.0 - f64::from(size) / f64::from(features)).max(0.0) }
}

/// The share of tokens that can change before `distance` bits of `width` are to be expected, in a long
/// text of shingles of `size` tokens: 1 - s r is the cosine.
pub fn share_changed(distance: u32, width: u32, size: u32) -> f64 {
    (1.0 - super::angle::estimate(distance, width)) / f64::from(size)
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
                let cosine = one_replaced(words - size + 1, size);
                let found = (expected_distance(cosine, 64), within(cosine, 3, 64));
                assert!((found.0 - distance).abs() < 0.051, "{words} {size}: {found:?}");
                assert!((found.1 - near).abs() < 0.0051, "{words} {size}: {found:?}");
            }
        }
        assert_eq!((one_replaced(2, 3), one_replaced(0, 3)), (0.0, 0.0));
    }

    #[test]
    fn a_hundredth_of_the_words_reaches_three_bits() {
        for (size, share) in [(1, 0.0108), (3, 0.0036), (5, 0.0022)] {
            assert!((share_changed(3, 64, size) - share).abs() < 6e-5);
        }
    }
}
