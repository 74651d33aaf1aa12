//! The weight of a feature, and the reason why weights are integers.
//!
//! Weights are scaled by 2^20, rounded to the nearest even integer and summed as integers, so that the
//! order of features can never change a fingerprint. A sum overflows only past 2^43 features.

use crate::choice::choice;

choice! {
    /// The formula that turns a feature's count in its document into its weight.
    pub enum Weighting, "weighting" {
        /// 1, whatever the count.
        Binary = "binary",
        /// The count.
        Tf = "tf",
        /// 1 + ln(count): a shingle that a text repeats a thousand times does not decide the fingerprint alone.
        #[default]
        LogTf = "log-tf",
        /// count * (ln((1 + n) / (1 + df)) + 1), with the corpus's own n and df.
        TfIdf = "tf-idf",
    }
}

/// A weight times 2^20, as an integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FixedWeight(pub i64);

impl FixedWeight {
    /// One unit of weight.
    pub const ONE: i64 = 1 << 20;

    /// The nearest fixed-point weight, ties to even.
    pub fn from_f64(weight: f64) -> Self {
        Self((weight * Self::ONE as f64).round_ties_even() as i64)
    }

    /// The weight as a number.
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / Self::ONE as f64
    }
}

impl Weighting {
    /// The weight of a feature that occurs `count` times and has this inverse document frequency, which is used
    /// only under [`Weighting::TfIdf`].
    pub fn weigh(self, count: u32, idf: f64) -> FixedWeight {
        match self {
            Self::Binary => FixedWeight(FixedWeight::ONE),
            Self::Tf => FixedWeight(i64::from(count) * FixedWeight::ONE),
            Self::LogTf => FixedWeight::from_f64(1.0 + f64::from(count).ln()),
            Self::TfIdf => FixedWeight::from_f64(f64::from(count) * idf),
        }
    }

    /// Whether weights need the corpus's document frequencies.
    pub fn needs_frequencies(self) -> bool {
        self == Self::TfIdf
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_follow_their_formulae() {
        assert_eq!(Weighting::Binary.weigh(7, 2.0).to_f64(), 1.0);
        assert_eq!(Weighting::Tf.weigh(7, 2.0).to_f64(), 7.0);
        assert!((Weighting::LogTf.weigh(7, 2.0).to_f64() - 2.945_910).abs() < 1e-6);
        assert_eq!(Weighting::TfIdf.weigh(7, 2.0).to_f64(), 14.0);
    }

    #[test]
    fn halves_round_to_even() {
        assert_eq!(FixedWeight::from_f64(0.5 / FixedWeight::ONE as f64), FixedWeight(0));
        assert_eq!(FixedWeight::from_f64(1.5 / FixedWeight::ONE as f64), FixedWeight(2));
    }
}
