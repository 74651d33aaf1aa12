//! The cosine of two texts from integers, and the test whether it reaches tau.
//!
//! Weights are integers, so the product of two texts and their squared lengths are exact. The cosine computed
//! from these sums has an error of a few units in the last place of an `f64`: at most 1e-15. Two texts of five
//! words that share four have a cosine of exactly 4/5, but the nearest `f64` to 0.8 lies above 4/5. So a cosine
//! reaches tau if it is at least tau - [`TOLERANCE`]. Every part of the program that tests whether two texts
//! are similar uses [`reaches`].

/// A cosine that is less than tau by at most this much still reaches tau. This is far above all rounding
/// errors, and far below any difference that two texts of fewer than a hundred thousand features can have.
pub const TOLERANCE: f64 = 1e-12;

/// Whether a cosine reaches tau: it is at least tau, within [`TOLERANCE`].
///
/// ```
/// # use simscope::evaluate::cosine::{cosine, reaches};
/// // Five words each, four of them shared.
/// assert!(reaches(cosine(4, [5, 5]).unwrap(), 0.8));
/// ```
pub fn reaches(cosine: f64, tau: f64) -> bool {
    cosine >= tau - TOLERANCE
}

/// The cosine, 0 to 1, of two texts with this product and these squared lengths; `None` where one of them
/// has no features. Exactly 1 for equal texts.
pub fn cosine(product: i128, squares: [i128; 2]) -> Option<f64> {
    let lengths = (squares[0] as f64 * squares[1] as f64).sqrt();
    (lengths > 0.0).then(|| (product as f64 / lengths).min(1.0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn four_of_five_words_reach_four_fifths() {
        let found = cosine(4, [5, 5]).unwrap();
        assert!(reaches(found, 0.8) && !reaches(found, 0.800_001));
        // 16 of 25 words, all of the shorter text.
        assert!(reaches(cosine(16, [16, 25]).unwrap(), 0.8));
        assert_eq!((cosine(7, [7, 7]), cosine(0, [0, 7])), (Some(1.0), None));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        /// Compared with integers: the cosine is at least p/1000 exactly if 10^6 product^2 >= p^2 a b.
        #[test]
        fn reaches_agrees_with_integers(
            counts in prop::collection::vec((0..5_i128, 0..5_i128), 1..12),
            p in prop_oneof![1..=1000_i128, prop::sample::select(vec![500, 600, 800, 900, 960, 1000])],
        ) {
            let sum = |of: &dyn Fn(&(i128, i128)) -> i128| counts.iter().map(of).sum::<i128>();
            let (product, a, b) = (sum(&|c| c.0 * c.1), sum(&|c| c.0 * c.0), sum(&|c| c.1 * c.1));
            prop_assume!(a > 0 && b > 0);
            let exactly = 1_000_000 * product * product >= p * p * a * b;
            // Typed with three decimals, as a person does.
            let tau: f64 = format!("{}.{:03}", p / 1000, p % 1000).parse().unwrap();
            prop_assert_eq!(reaches(cosine(product, [a, b]).unwrap(), tau), exactly);
        }
    }
}
