//! The weight of a feature, and the reason why weights are integers.
//!
//! Weights are scaled by 2^20, rounded to the nearest even integer and summed as integers, so that the
//! order of features can never change a fingerprint. A sum overflows only past 2^43 features.
//!
//! Also here: the features that are excluded because too few or too many documents contain them.

use std::fmt;
use std::str::FromStr;

use crate::choice::{ValueError, choice};

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

/// The range of document frequencies in which a feature has a weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrequencyCut {
    /// The smallest number of documents.
    pub least: u32,
    /// The largest share of documents.
    pub most: DocumentShare,
}

impl Default for FrequencyCut {
    fn default() -> Self {
        Self { least: 1, most: DocumentShare(MILLION) }
    }
}

impl FrequencyCut {
    /// Whether a feature in `df` of `n` documents has a weight. A feature in no document is new: it counts as a
    /// feature in one document.
    pub fn keeps(self, df: u32, n: u64) -> bool {
        let df = df.max(1);
        df >= self.least
            && u128::from(df) * u128::from(MILLION)
                <= u128::from(n.max(1)) * u128::from(self.most.0)
    }
}

const MILLION: u32 = 1_000_000;

/// A share of documents, in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DocumentShare(u32);

impl fmt::Display for DocumentShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", f64::from(self.0) / f64::from(MILLION))
    }
}

impl FromStr for DocumentShare {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let share: Option<f64> = text.parse().ok();
        let millionths = share.map(|share| (share * f64::from(MILLION)).round());
        let valid = millionths.filter(|share| (1.0..=f64::from(MILLION)).contains(share));
        let no_share = || {
            format!("{text:?} is not a share of documents; write a number above 0 and at most 1")
        };
        valid.map(|share| Self(share as u32)).ok_or_else(|| ValueError(no_share()))
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

    #[test]
    fn a_cut_keeps_what_is_neither_rare_nor_common() {
        let cut = FrequencyCut { least: 2, most: "0.5".parse().unwrap() };
        let kept: Vec<u32> = (0..=10).filter(|&df| cut.keeps(df, 10)).collect();
        assert_eq!(kept, [2, 3, 4, 5]);
        assert!((0..=10).all(|df| FrequencyCut::default().keeps(df, 10)));
        // A table from a file may have counted fewer documents than the corpus has.
        assert!(FrequencyCut::default().keeps(1, 0));
    }

    #[test]
    fn shares_print_and_read_back() {
        for text in ["1", "0.5", "0.000001", "0.123456"] {
            assert_eq!(text.parse::<DocumentShare>().unwrap().to_string(), text);
        }
        for text in ["0", "1.1", "-1", "", "half", "NaN"] {
            assert!(text.parse::<DocumentShare>().is_err(), "{text}");
        }
    }
}
