//! Features that are excluded because too few or too many documents contain them.

use std::{fmt, str::FromStr};

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

/// The error for a text that is not a share of documents.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a share of documents; write a number above 0 and at most 1")]
pub struct ParseShareError(String);

impl FromStr for DocumentShare {
    type Err = ParseShareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let share: Option<f64> = text.parse().ok();
        let millionths = share.map(|share| (share * f64::from(MILLION)).round());
        let valid = millionths.filter(|share| (1.0..=f64::from(MILLION)).contains(share));
        valid.map(|share| Self(share as u32)).ok_or_else(|| ParseShareError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
