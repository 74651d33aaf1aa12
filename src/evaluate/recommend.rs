//! Two recommended values of k and a verdict on each k, used by every screen, command and report.
//!
//! The *precise* k is the largest k whose precision among different texts reaches the target with confidence,
//! and at which chance explains only a small part of the pairs. The *balanced* k has the largest F1, the
//! harmonic mean of precision and recall. If no k is precise, the answer is that there is none. The evidence is
//! a list of [`ThresholdRow`]s, from any source: exact cosines of all true pairs, cosines of a sample, or
//! labels.
//!
//! The limit by chance holds whatever the evidence says: a few hundred texts may all be true pairs because they
//! share a menu, and then every k is precise. For the same reason no k beyond half of the width is recommended:
//! half of the bits of unrelated texts agree. A balanced k of which more than a third of the pairs are by chance is not
//! recommended, and none of which more than a third is false beside a precise k.
//!
//! Source: Manku, Jain and Das Sarma (2007), section 4.1, for choosing k by judged pairs.

use super::precision::ThresholdRow;
use crate::choice::choice;

/// The required precision of a k.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrecisionGoal {
    /// The precision among pairs of different texts within k, between 0 and 1.
    pub precision: f64,
    /// The share of these pairs that chance may explain, between 0 and 1.
    pub by_chance: f64,
}

impl Default for PrecisionGoal {
    /// Nine in ten pairs are true, and at most one in twenty is by chance.
    fn default() -> Self {
        Self { precision: 0.9, by_chance: 0.05 }
    }
}

choice! {
    /// The verdict on a k.
    pub enum ThresholdVerdict, "standing" {
        /// Its precision is high enough with confidence, and chance makes few enough pairs.
        Passes = "passes",
        /// Its precision may be high enough: more labels are needed to decide.
        #[default]
        Open = "open",
        /// Its precision is too low, whatever the next labels are.
        TooLow = "too low",
        /// Chance alone makes too many of its pairs.
        Chance = "chance",
        /// There is no pair of different texts within it.
        NoPairs = "no pairs",
    }
}

/// The recommended k and the verdicts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recommendation {
    /// The verdict on each k, from 0.
    pub verdicts: Vec<ThresholdVerdict>,
    /// The largest k that passes, if there is one; the smallest k with the same pairs.
    pub precise: Option<u32>,
    /// The k with the largest F1, the smallest if there are several; `None` if no k finds a true pair, if precision or
    /// recall is not known, or if more than a third of its pairs are false and there is a precise k.
    pub balanced: Option<u32>,
}

/// If less than this share of the pairs of the balanced k is true, it is not recommended beside a precise k.
const LEAST_BALANCED: f64 = 2.0 / 3.0;

/// Chooses k. `by_chance` holds, for each k from 0 to the width, the pairs that chance alone makes within it.
///
/// # Panics
/// If `by_chance` is shorter than `rows`.
pub fn recommend(rows: &[ThresholdRow], by_chance: &[f64], aim: PrecisionGoal) -> Recommendation {
    assert!(by_chance.len() >= rows.len(), "by_chance has a value for each row");
    let farthest = (by_chance.len() as u32 - 1) / 2;
    let verdict = |(row, &by_chance): (&ThresholdRow, &f64)| {
        let is_by_chance = by_chance > aim.by_chance * row.different as f64 || row.k > farthest;
        match row {
            ThresholdRow { different: 0, .. } => ThresholdVerdict::NoPairs,
            ThresholdRow { cumulative, .. } if cumulative.high < aim.precision => {
                ThresholdVerdict::TooLow
            }
            _ if is_by_chance => ThresholdVerdict::Chance,
            ThresholdRow { bound, .. } if *bound >= aim.precision => ThresholdVerdict::Passes,
            _ => ThresholdVerdict::Open,
        }
    };
    let verdicts: Vec<ThresholdVerdict> = rows.iter().zip(by_chance).map(verdict).collect();
    let passing = verdicts.iter().rposition(|verdict| *verdict == ThresholdVerdict::Passes);
    let is_possible = |row: &&ThresholdRow| {
        let most = (1.0 - LEAST_BALANCED) * row.different as f64;
        row.k <= farthest && by_chance[row.k as usize] <= most
    };
    let f1 = |row: &&ThresholdRow| row.f1().unwrap_or(0.0);
    let possible = rows.iter().filter(is_possible).rev();
    let balanced = possible.max_by(|a, b| f1(a).total_cmp(&f1(b))).filter(|row| f1(row) > 0.0);
    // A larger k with the same pairs finds nothing more.
    let precise = passing.map(|place| {
        let same = |row: &&ThresholdRow| row.different == rows[place].different;
        rows.iter().find(same).map_or(rows[place].k, |row| row.k)
    });
    let is_true = |k: u32| {
        rows[k as usize].cumulative.value.is_some_and(|precision| precision >= LEAST_BALANCED)
    };
    let balanced = balanced.map(|row| row.k).filter(|&k| precise.is_none() || is_true(k));
    Recommendation { verdicts, precise, balanced }
}

#[cfg(test)]
mod tests {
    use super::ThresholdVerdict::{Open, Passes, TooLow};
    use super::*;
    use crate::evaluate::labels::{Stratum, VerdictCounts};
    use crate::evaluate::precision::precision;

    /// Strata of one distance after another: pairs, yes, no.
    fn strata(of: &[(u64, u32, u32)]) -> Vec<Stratum> {
        let judged = |labels| VerdictCounts { labels, pairs: u64::from(labels) };
        let stratum = |(distance, &(pairs, yes, no))| Stratum {
            yes: judged(yes),
            no: judged(no),
            ..Stratum::new(distance, pairs, 0)
        };
        (0..).zip(of).map(stratum).collect()
    }

    fn chosen(strata: &[Stratum], by_chance: &[f64], precision_asked: f64) -> Recommendation {
        let aim = PrecisionGoal { precision: precision_asked, ..PrecisionGoal::default() };
        recommend(&precision(strata), by_chance, aim)
    }

    const EXAMPLE: [(u64, u32, u32); 7] = [
        (5200, 20, 0),
        (810, 20, 0),
        (640, 19, 1),
        (700, 17, 3),
        (900, 13, 7),
        (1500, 7, 13),
        (3100, 2, 18),
    ];
    const NONE: [f64; 20] = [0.0; 20];

    #[test]
    fn golden_choice_for_each_target() {
        // Lower bounds for a single k = 2..=6: .919, .909, .877, .791, .622; for all together .01 to .02 less.
        let table =
            [(0.6, Some(6)), (0.7, Some(5)), (0.85, Some(4)), (0.88, Some(3)), (0.99, None)];
        for (target, k) in table {
            assert_eq!(chosen(&strata(&EXAMPLE), &NONE, target).precise, k, "{target}");
        }
        let found = chosen(&strata(&EXAMPLE), &NONE, 0.88);
        // Within 5 the precision may be as high as .883.
        assert_eq!(found.verdicts, [Passes, Passes, Passes, Passes, Open, Open, TooLow]);
        // Precision .945 and recall .903 of the pairs within 6.
        assert_eq!(found.balanced, Some(4));
    }

    #[test]
    fn no_k_may_pass() {
        let found = chosen(&strata(&EXAMPLE), &NONE, 0.99);
        assert_eq!((found.precise, found.balanced), (None, Some(4)));
        let hopeless = chosen(&strata(&[(1000, 0, 40), (1000, 0, 40)]), &NONE, 0.9);
        assert_eq!((hopeless.precise, hopeless.balanced), (None, None));
        assert_eq!(hopeless.verdicts, [ThresholdVerdict::TooLow; 2]);
        let nothing = chosen(&strata(&[(0, 0, 0), (0, 0, 0)]), &NONE, 0.9);
        assert_eq!((nothing.precise, nothing.verdicts), (None, vec![ThresholdVerdict::NoPairs; 2]));
    }

    #[test]
    fn chance_sets_a_ceiling_whatever_is_judged() {
        let by_chance = [0.0, 1.0, 100.0, 900.0, 9000.0];
        let found = chosen(&strata(&[(500, 0, 0); 5]), &by_chance, 0.9);
        assert_eq!(found.verdicts[..2], [ThresholdVerdict::Open; 2]);
        assert_eq!(found.verdicts[2..], [ThresholdVerdict::Chance; 3], "100 of 1,500 are too many");
        let known = strata(&[(60, 60, 0); 5]);
        assert_eq!(chosen(&known, &by_chance, 0.9).precise, Some(1), "100 of 180 are too many");
        // Of nine k from 0 to 8, those beyond 4 are beyond half of the width.
        let wide = chosen(&strata(&[(60, 60, 0); 9]), &[0.0; 9], 0.9);
        assert_eq!((wide.precise, wide.balanced), (Some(4), Some(4)));
    }
}
