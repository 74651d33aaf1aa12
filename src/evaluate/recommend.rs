//! Two named values of k and the verdict on each k: one answer for every screen, command and report.
//!
//! The *precise* k is the largest whose precision among different texts is at least the target for sure,
//! and at which chance explains only a small part of the pairs. The *balanced* k has the largest F1, the
//! harmonic mean of precision and recall. If no k is precise, that is the answer: there is no k to fall
//! back to. Evidence comes as [`ThresholdRow`]s, whatever it is: exact cosines of all true pairs, cosines of a
//! sample, or what people judged.
//!
//! Chance can explain no more pairs than are false, so where cosines or judgements bound the false pairs
//! that bound counts, too.
//!
//! A bound that is looked at after every label, until it has the hoped value, is wrong more often than its
//! level allows. So either it is looked at once, after a number of labels fixed before
//! ([`LookSchedule::Budget`]), or each look spends a part of the error that is allowed in all
//! ([`LookSchedule::Halving`]). Source: Manku, Jain and Das Sarma (2007), section 4.1, for choosing k by
//! judged pairs at all; Lan and `DeMets`, "Discrete sequential boundaries for clinical trials" (1983), for
//! spending the error.

use std::fmt;

use super::{
    interval::LEVEL,
    labels::Stratum,
    precision::{ThresholdRow, precision},
    sample::allocate,
};
use crate::{choice::choice, verdict::Verdict};

/// The precision and confidence required of a k.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrecisionGoal {
    /// The precision among pairs of different texts within k, between 0 and 1.
    pub precision: f64,
    /// The share of these pairs that chance may explain, between 0 and 1.
    pub by_chance: f64,
}

impl Default for PrecisionGoal {
    /// Nine pairs in ten are true, and one in twenty may be chance.
    fn default() -> Self {
        Self { precision: 0.9, by_chance: 0.05 }
    }
}

choice! {
    /// The verdict on a k.
    pub enum ThresholdVerdict, "standing" {
        /// Its precision is high enough for sure, and chance makes few enough pairs.
        Passes = "passes",
        /// Its precision may be high enough: more labels are needed to decide.
        #[default]
        Open = "open",
        /// Its precision is too low, whatever is judged next.
        TooLow = "too low",
        /// Chance alone makes too many of its pairs.
        Chance = "chance",
        /// There is no pair of different texts to judge it by.
        NoPairs = "no pairs",
    }
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recommendation {
    /// The verdict on each k, from 0.
    pub verdicts: Vec<ThresholdVerdict>,
    /// The largest k that passes, if any does.
    pub precise: Option<u32>,
    /// The k with the largest F1, the smallest of several; `None` where no k finds a true pair, or where
    /// precision or recall is not known.
    pub balanced: Option<u32>,
}

/// Chooses k. `by_chance` holds, for each k, the pairs that chance alone makes within it.
///
/// # Panics
/// If there is no expectation for each row.
pub fn recommend(rows: &[ThresholdRow], by_chance: &[f64], aim: PrecisionGoal) -> Recommendation {
    assert!(by_chance.len() >= rows.len(), "an expectation for each k");
    let verdict = |(row, &by_chance): (&ThresholdRow, &f64)| {
        let pairs = row.different as f64;
        let chance = by_chance.min(pairs * (1.0 - row.cumulative.low));
        match row {
            ThresholdRow { different: 0, .. } => ThresholdVerdict::NoPairs,
            ThresholdRow { cumulative, .. } if cumulative.high < aim.precision => {
                ThresholdVerdict::TooLow
            }
            _ if chance > aim.by_chance * pairs => ThresholdVerdict::Chance,
            ThresholdRow { bound, .. } if *bound >= aim.precision => ThresholdVerdict::Passes,
            _ => ThresholdVerdict::Open,
        }
    };
    let verdicts: Vec<ThresholdVerdict> = rows.iter().zip(by_chance).map(verdict).collect();
    let passing = verdicts.iter().rposition(|verdict| *verdict == ThresholdVerdict::Passes);
    let mut balanced: Option<(f64, u32)> = None;
    for row in rows {
        if let Some(f1) = row.f1().filter(|&f1| f1 > balanced.map_or(0.0, |(most, _)| most)) {
            balanced = Some((f1, row.k));
        }
    }
    Recommendation {
        verdicts,
        precise: passing.map(|place| rows[place].k),
        balanced: balanced.map(|(_, k)| k),
    }
}

/// Labels to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelPlan {
    /// The k that then passes, if all labels are yes.
    pub k: u32,
    /// The number of labels, drawn as batches draw them.
    pub labels: u32,
}

/// Labels of one batch; [`next`] counts in batches.
const BATCH: u32 = 20;
/// Labels that [`next`] looks ahead at most.
const FARTHEST: u32 = 400;

/// The number of further labels after which a k that is open, and larger than the precise one, passes if
/// all of them say yes: found by counting them and looking again. `None` where no such k is open or four
/// hundred labels are not enough. Costs a look for every batch, some hundredths of a second each.
///
/// # Panics
/// As [`recommend`].
pub fn next(
    strata: &[Stratum],
    by_chance: &[f64],
    aim: PrecisionGoal,
    looks: LookSchedule,
) -> Option<LabelPlan> {
    let count = |strata: &[Stratum]| strata.iter().map(Stratum::labels).sum::<u32>();
    let look = |strata: &[Stratum]| {
        let rows = precision(strata, looks.at(count(strata)).level);
        recommend(&rows, by_chance, aim)
    };
    let now = look(strata);
    let is_open = |k: &usize| {
        now.verdicts[*k] == ThresholdVerdict::Open
            && now.precise.is_none_or(|precise| *k as u32 > precise)
    };
    let goal = (0..now.verdicts.len()).find(is_open)?;
    let (mut strata, mut labels) = (strata.to_vec(), 0);
    while labels < FARTHEST {
        let shares = allocate(&strata, BATCH);
        if shares.iter().all(|&share| share == 0) {
            return None;
        }
        for (stratum, share) in strata.iter_mut().zip(shares) {
            (0..share).for_each(|_| stratum.judge(Verdict::Yes, 1));
            labels += share;
        }
        if look(&strata).verdicts[goal] == ThresholdVerdict::Passes {
            return Some(LabelPlan { k: goal as u32, labels });
        }
    }
    None
}

/// The schedule of looks at the bounds, and the confidence at each look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookSchedule {
    /// Once, at the labels there are.
    Once,
    /// Once, when there are this many labels.
    Budget(u32),
    /// At this many labels, at twice as many, and so on; the first look spends half of the error that is
    /// allowed, the next a quarter.
    Halving(u32),
}

impl Default for LookSchedule {
    /// After 40 labels, 80, 160 and so on: a judge looks again and again.
    fn default() -> Self {
        Self::Halving(40)
    }
}

/// A look at the bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundLook {
    /// Looks so far, this one included; at 0 what is seen is provisional.
    pub number: u32,
    /// The level of one-sided bounds.
    pub level: f64,
    /// The number of labels at which to look next.
    pub next: Option<u32>,
}

impl LookSchedule {
    /// The look that so many labels allow.
    pub fn at(self, labels: u32) -> BoundLook {
        match self {
            Self::Once => BoundLook { number: 1, level: LEVEL, next: None },
            Self::Budget(budget) => {
                let is_spent = labels >= budget;
                let next = (!is_spent).then_some(budget);
                BoundLook { number: u32::from(is_spent), level: LEVEL, next }
            }
            Self::Halving(first) => {
                let first = first.max(1);
                let number = (labels / first).checked_ilog2().map_or(0, |doubled| doubled + 1);
                let level = 1.0 - (1.0 - LEVEL) / 2f64.powi(number.max(1) as i32);
                BoundLook { number, level, next: first.checked_shl(number) }
            }
        }
    }
}

impl fmt::Display for LookSchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Once => write!(f, "one look, at the labels there are"),
            Self::Budget(budget) => write!(f, "one look, after {budget} labels"),
            Self::Halving(first) => write!(
                f,
                "looks after {first}, {}, {} .. labels; each may use half of the error that is left of 5 %",
                u64::from(*first) * 2,
                u64::from(*first) * 4,
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        ThresholdVerdict::{Open, Passes, TooLow},
        *,
    };
    use crate::evaluate::labels::VerdictCounts;

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
        recommend(&precision(strata, LEVEL), by_chance, aim)
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
    const NONE: [f64; 7] = [0.0; 7];

    #[test]
    fn golden_choice_for_each_target() {
        // Lower bounds for any one k = 2..=6: .919, .909, .877, .791, .622; for all at once .01 to .02 less.
        let table =
            [(0.6, Some(6)), (0.7, Some(5)), (0.85, Some(4)), (0.88, Some(3)), (0.99, None)];
        for (target, k) in table {
            assert_eq!(chosen(&strata(&EXAMPLE), &NONE, target).precise, k, "{target}");
        }
        let found = chosen(&strata(&EXAMPLE), &NONE, 0.88);
        // Within 5 it may be as high as .883.
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
    fn chance_sets_a_ceiling_unless_false_pairs_are_known_to_be_few() {
        let by_chance = [0.0, 1.0, 100.0, 900.0, 9000.0];
        let found = chosen(&strata(&[(500, 0, 0); 5]), &by_chance, 0.9);
        assert_eq!(found.verdicts[..2], [ThresholdVerdict::Open; 2]);
        assert_eq!(found.verdicts[2..], [ThresholdVerdict::Chance; 3], "100 of 1,500 are too many");
        // All are judged and true, so none is there by chance.
        let known = strata(&[(60, 60, 0); 5]);
        assert_eq!(chosen(&known, &by_chance, 0.9).precise, Some(4));
    }

    #[test]
    fn after_so_many_more_yes_a_k_passes() {
        let aim = PrecisionGoal::default();
        for (of, looks) in [
            (&EXAMPLE[..], LookSchedule::Halving(40)),
            (&[(1000, 20, 1), (300, 5, 0)], LookSchedule::Once),
            (&[(0, 0, 0), (40, 3, 0), (2000, 2, 0)], LookSchedule::Halving(40)),
        ] {
            let mut strata = strata(of);
            let none = vec![0.0; strata.len()];
            let found = next(&strata, &none, aim, looks).unwrap();
            // The number of labels promised, given batch by batch.
            let mut labels = 0;
            while labels < found.labels {
                let share = allocate(&strata, BATCH);
                for (stratum, share) in strata.iter_mut().zip(share) {
                    (0..share).for_each(|_| stratum.judge(Verdict::Yes, 1));
                    labels += share;
                }
            }
            let level = looks.at(strata.iter().map(Stratum::labels).sum()).level;
            let then = recommend(&precision(&strata, level), &none, aim);
            assert_eq!(then.verdicts[found.k as usize], Passes, "{found:?}");
        }
        assert_eq!(
            next(&strata(&[(60, 60, 0)]), &[0.0], aim, LookSchedule::Once),
            None,
            "it passes"
        );
        assert_eq!(
            next(&strata(&[(60, 0, 60)]), &[0.0], aim, LookSchedule::Once),
            None,
            "it cannot"
        );
    }

    #[test]
    fn looks_never_spend_more_than_the_error_that_is_allowed() {
        let looks = LookSchedule::Halving(50);
        let table = [
            (0, 0, 0.975, Some(50)),
            (49, 0, 0.975, Some(50)),
            (50, 1, 0.975, Some(100)),
            (100, 2, 0.9875, Some(200)),
            (399, 3, 0.99375, Some(400)),
        ];
        for (labels, number, level, next) in table {
            let found = looks.at(labels);
            assert_eq!((found.number, found.next), (number, next), "{labels}");
            assert!((found.level - level).abs() < 1e-12);
        }
        let spent: f64 = (1..20).map(|look| 1.0 - looks.at(50 << (look - 1)).level).sum();
        assert!(spent <= 1.0 - LEVEL);
        assert_eq!(LookSchedule::Budget(200).at(199).number, 0);
        assert_eq!(
            LookSchedule::Budget(200).at(200),
            BoundLook { number: 1, level: LEVEL, next: None }
        );
        assert_eq!(
            LookSchedule::Halving(50).to_string(),
            "looks after 50, 100, 200 .. labels; each may use half of the error that is left of 5 %"
        );
    }
}
