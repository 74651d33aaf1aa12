//! Compares the pairs that a search found with the true pairs: precision, recall and F1.
//!
//! Precision and recall at every k, and the k with the best F1.
//!
//! ```text
//! d         0    1    2    3    4
//! judged    9    4    3    8   40     pairs counted at each distance
//! true      9    4    2    1    0     the true pairs among them; two more true pairs are not found
//! k = 2: 15 true, 1 false, 3 missed
//! ```
//!
//! The best k has the largest F1, the harmonic mean of precision and recall; if several k have it, the smallest
//! one. If pairs are counted only up to some distance, a larger k could be better still; [`Curve::is_settled`]
//! tells whether this is impossible. Everything costs one step for each distance.

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

/// The pairs that each k would find, for distances from 0 to the largest counted distance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Curve {
    /// For each k: the pairs within k.
    within: Vec<u64>,
    /// For each k: the true pairs within k.
    found: Vec<u64>,
    /// All true pairs, at any distance.
    pub n_true: u64,
    /// Whether there are distances beyond the largest counted one.
    is_cut: bool,
}

impl Curve {
    /// From the pairs and the true pairs at each distance from 0 up, and the number of all true pairs.
    ///
    /// The curve ends with the shorter list. If the list of true pairs is longer, farther pairs were not
    /// counted.
    ///
    /// # Panics
    /// If there are more true pairs than pairs.
    pub fn new(pairs_at: &[u64], true_at: &[u64], n_true: u64) -> Self {
        let sums = |at: &[u64]| -> Vec<u64> {
            let sum = |sum: &mut u64, n: &u64| {
                *sum += n;
                Some(*sum)
            };
            at.iter().scan(0, sum).collect()
        };
        let reach = pairs_at.len().min(true_at.len());
        let (within, found) = (sums(&pairs_at[..reach]), sums(&true_at[..reach]));
        let is_sound = within.iter().zip(&found).all(|(within, found)| found <= within);
        assert!(is_sound, "true pairs are among all pairs");
        assert!(
            found.last().is_none_or(|found| *found <= n_true),
            "found true pairs are among all true pairs"
        );
        Self { within, found, n_true, is_cut: true_at.len() > reach }
    }

    /// The largest known k; `None` if no k is known.
    pub fn reach(&self) -> Option<u32> {
        (self.within.len() as u32).checked_sub(1)
    }

    /// The true and false pairs that k finds, and the true pairs that it misses; `None` if k is not known.
    pub fn at(&self, k: u32) -> Option<Confusion> {
        let (within, found) = (*self.within.get(k as usize)?, self.found[k as usize]);
        Some(Confusion {
            true_positives: found,
            false_positives: within - found,
            false_negatives: self.n_true - found,
        })
    }

    /// The k with the largest F1, the smallest if there are several; `None` if no k finds a true pair.
    pub fn best(&self) -> Option<u32> {
        let f1 = |k: u32| self.at(k).and_then(|at| at.f1()).unwrap_or(0.0);
        let farthest_first = (0..self.within.len() as u32).rev();
        farthest_first.max_by(|&a, &b| f1(a).total_cmp(&f1(b))).filter(|&k| f1(k) > 0.0)
    }

    /// Whether no unknown k can be better than the best known one.
    pub fn is_settled(&self) -> bool {
        let Some(reach) = self.reach().filter(|_| self.is_cut) else { return !self.is_cut };
        let at_reach = self.at(reach).unwrap_or_default();
        // In the best case the next k finds all missing pairs and no false ones.
        let at_best = Confusion {
            true_positives: self.n_true,
            false_positives: at_reach.false_positives,
            false_negatives: 0,
        };
        let best = self.best().and_then(|k| self.at(k)).and_then(|at| at.f1());
        at_best.f1().unwrap_or(0.0) <= best.unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

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

    #[test]
    fn the_example_above_by_hand() {
        let curve = Curve::new(&[9, 4, 3, 8, 40], &[9, 4, 2, 1, 0], 18);
        let expected = Confusion { true_positives: 15, false_positives: 1, false_negatives: 3 };
        assert_eq!((curve.at(2), curve.at(5)), (Some(expected), None));
        assert_eq!((curve.best(), curve.reach(), curve.is_settled()), (Some(2), Some(4), true));
    }

    #[test]
    fn a_larger_k_is_excluded_only_if_it_cannot_be_better() {
        // Ten true pairs beyond, and only two false pairs found so far.
        assert!(!Curve::new(&[10, 2], &[10, 0, 10], 20).is_settled());
        // Forty false pairs: even if all ten are found, F1 is 2 * 20 / (60 + 20), less than at k = 0.
        assert!(Curve::new(&[10, 40], &[10, 0, 10], 20).is_settled());
        assert!(Curve::new(&[10, 2], &[10, 0], 10).is_settled());
        let nothing = Curve::new(&[], &[], 3);
        assert_eq!((nothing.best(), nothing.reach(), nothing.at(0)), (None, None, None));
    }

    proptest! {
        /// A settled curve has the best k of the whole curve, wherever it is cut.
        #[test]
        fn a_settled_k_stays_the_best(
            at in vec((0..40_u64, 0..40_u64), 1..30),
            missed in 0..50_u64,
            cut in 0..30_usize,
        ) {
            let pairs: Vec<u64> = at.iter().map(|(found, vain)| found + vain).collect();
            let found: Vec<u64> = at.iter().map(|(found, _)| *found).collect();
            let n_true = found.iter().sum::<u64>() + missed;
            let whole = Curve::new(&pairs, &found, n_true);
            let part = Curve::new(&pairs[..cut.min(pairs.len())], &found, n_true);
            if part.is_settled() {
                prop_assert_eq!(part.best(), whole.best());
            }
            let f1 = |k| whole.at(k).and_then(|at| at.f1()).unwrap_or(0.0);
            let best = whole.best().map_or(0.0, f1);
            prop_assert!((0..at.len() as u32).all(|k| f1(k) <= best));
        }
    }
}
