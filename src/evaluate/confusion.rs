//! Compares the pairs that a search found with the true pairs: precision, recall and F1.

/// Counts of pairs: found and true, found but not true, true but not found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Confusion {
    /// True pairs found.
    pub true_positives: u64,
    /// Pairs found that are not true.
    pub false_positives: u64,
    /// True pairs not found.
    pub false_negatives: u64,
}

impl Confusion {
    /// The share of the found pairs that is true, 0 to 1; `None` if no pair is found.
    pub fn precision(&self) -> Option<f64> {
        ratio(self.true_positives, self.true_positives + self.false_positives)
    }

    /// The share of the true pairs that is found, 0 to 1; `None` if no pair is true.
    pub fn recall(&self) -> Option<f64> {
        ratio(self.true_positives, self.true_positives + self.false_negatives)
    }

    /// The harmonic mean of precision and recall, 0 to 1; `None` if no pair is true and none is found.
    pub fn f1(&self) -> Option<f64> {
        let twice = 2 * self.true_positives;
        ratio(twice, twice + self.false_positives + self.false_negatives)
    }
}

/// The harmonic mean of a precision and a recall, 0 to 1; `None` if both are 0.
pub fn f1(precision: f64, recall: f64) -> Option<f64> {
    (precision + recall > 0.0).then(|| 2.0 * precision * recall / (precision + recall))
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_labs_rows_have_their_precision() {
        // 3x12 and 3x22 of the lab, against the 17,878 that its best row found.
        for (candidates, tp, precision, recall) in
            [(1_392_508, 17_878, 0.013, 1.0), (17_038, 15_492, 0.909, 0.867)]
        {
            let confusion = Confusion {
                true_positives: tp,
                false_positives: candidates - tp,
                false_negatives: 17_878 - tp,
            };
            assert!((confusion.precision().unwrap() - precision).abs() < 5e-4);
            assert!((confusion.recall().unwrap() - recall).abs() < 5e-4);
            let both = f1(confusion.precision().unwrap(), confusion.recall().unwrap());
            assert!((confusion.f1().unwrap() - both.unwrap()).abs() < 1e-12);
        }
    }

    #[test]
    fn a_ratio_of_no_pairs_is_none() {
        let nothing = Confusion::default();
        assert_eq!((nothing.precision(), nothing.recall(), nothing.f1()), (None, None, None));
        let missed = Confusion { false_negatives: 2, ..nothing };
        assert_eq!(
            (missed.precision(), missed.recall(), missed.f1()),
            (None, Some(0.0), Some(0.0))
        );
        assert_eq!(f1(0.0, 0.0), None);
    }
}
