//! Which k to choose, by the judgements: the largest whose precision is sure enough, or none.
//!
//! A k passes if the one-sided lower bound of its precision reaches the target, and if chance alone makes
//! no more pairs within it than the budget allows. If no k passes, that is the answer: there is no k to
//! fall back to. What to judge next is the stratum that blurs the first k that is still open the most.
//!
//! A bound that is looked at after every label, until it says what one hopes for, errs more often than its
//! level says. So either it is looked at once, after a number of labels fixed before ([`Looks::Budget`]),
//! or each look spends a part of the error that is allowed in all ([`Looks::Halving`]).
//! Source: Manku, Jain and Das Sarma (2007), section 4.1, for choosing k by judged pairs at all; Lan and
//! `DeMets`, "Discrete sequential boundaries for clinical trials" (1983), for spending the error.

use std::fmt;

use super::{
    interval::{LEVEL, flawless_sample},
    labels::{Stratum, Unsure},
    precision::Rung,
};
use crate::choice::choice;

/// Labels that are worth asking for at a time.
const FEWEST: u32 = 5;

/// What is asked of a k.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// The precision within k, between 0 and 1.
    pub precision: f64,
    /// Accidental pairs within k that are put up with.
    pub accidental: f64,
}

impl Default for Aim {
    /// Nine pairs in ten, and not one accidental pair to expect.
    fn default() -> Self {
        Self { precision: 0.9, accidental: 1.0 }
    }
}

choice! {
    /// How a k stands.
    pub enum Standing, "standing" {
        /// Its precision is high enough for sure, and chance makes few enough pairs.
        Passes = "passes",
        /// Its precision may be high enough: more labels will tell.
        #[default]
        Open = "open",
        /// Its precision is too low, whatever is judged next.
        TooLow = "too low",
        /// Chance alone makes too many pairs.
        Chance = "chance",
        /// There is no pair to judge it by.
        NoPairs = "no pairs",
    }
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Recommendation {
    /// How each k stands, from 0.
    pub standings: Vec<Standing>,
    /// The largest k that passes, if any does.
    pub choice: Option<u32>,
    /// The next largest that passes; if none passes, the open one with the highest bound.
    pub runner_up: Option<u32>,
    /// The labels that help most to let a larger k pass; none if no larger k is open.
    pub next: Option<Next>,
}

/// Labels to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// The k that may then pass.
    pub k: u32,
    /// The stratum to judge, by its place.
    pub stratum: usize,
    /// Its distance.
    pub distance: u32,
    /// How many: enough if all say yes, or where some did not, as many again.
    pub labels: u32,
}

/// Chooses k. `rungs` come from `strata` with bounds at `level`; `accidental` holds, for each k, the pairs
/// that chance alone makes within it, skew counted in where it was measured.
///
/// # Panics
/// If there is no expectation for each rung.
pub fn recommend(
    rungs: &[Rung],
    strata: &[Stratum],
    accidental: &[f64],
    aim: Aim,
    level: f64,
) -> Recommendation {
    assert!(accidental.len() >= rungs.len(), "an expectation for each k");
    let standing = |(rung, &accidental): (&Rung, &f64)| match rung {
        _ if accidental > aim.accidental => Standing::Chance,
        Rung { pairs: 0, .. } => Standing::NoPairs,
        Rung { bound, .. } if *bound >= aim.precision => Standing::Passes,
        Rung { cumulative, .. } if cumulative.high < aim.precision => Standing::TooLow,
        _ => Standing::Open,
    };
    let standings: Vec<Standing> = rungs.iter().zip(accidental).map(standing).collect();
    let those = |wanted| {
        let all = rungs.iter().zip(&standings);
        all.filter(move |(_, found)| **found == wanted).map(|(rung, _)| rung)
    };
    let mut passing = those(Standing::Passes).rev();
    let choice = passing.next().map(|rung| rung.k);
    let runner_up = match choice {
        Some(_) => passing.next(),
        None => those(Standing::Open).max_by(|left, right| left.bound.total_cmp(&right.bound)),
    };
    let runner_up = runner_up.map(|rung| rung.k);
    let goal = those(Standing::Open).map(|rung| rung.k).find(|&k| choice.is_none_or(|c| k > c));
    let next = goal.and_then(|k| next(strata, k, aim, level));
    Recommendation { standings, choice, runner_up, next }
}

/// The labels that make the precision within `k` surest.
fn next(strata: &[Stratum], k: u32, aim: Aim, level: f64) -> Option<Next> {
    let (place, stratum) = strata
        .iter()
        .enumerate()
        .filter(|(_, stratum)| stratum.distance <= k && stratum.left() > 0)
        .max_by(|left, right| blur(left.1).total_cmp(&blur(right.1)))?;
    let (made, is_flawless) = (stratum.labels(), stratum.no.labels + stratum.unsure.labels == 0);
    let wanted = match flawless_sample(aim.precision, level) {
        enough if is_flawless => enough.saturating_sub(made),
        _ => made,
    };
    let left = u32::try_from(stratum.left()).unwrap_or(u32::MAX);
    Some(Next {
        k,
        stratum: place,
        distance: stratum.distance,
        labels: wanted.max(FEWEST).min(left),
    })
}

/// How much a stratum adds to the variance of a sum over strata, up to a factor they share.
fn blur(stratum: &Stratum) -> f64 {
    let tally = stratum.tally(Unsure::No);
    let (yes, no) = (f64::from(tally.yes) + 0.5, f64::from(tally.labels - tally.yes) + 0.5);
    let n = yes + no;
    let asked = (stratum.pairs - stratum.verified) as f64;
    asked * tally.left as f64 * yes * no / (n * n * (n + 1.0))
}

/// When bounds are looked at, and how sure they are then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Looks {
    /// Once, at the labels there are.
    #[default]
    Once,
    /// Once, when there are this many labels.
    Budget(u32),
    /// At this many labels, at twice as many, and so on; the first look spends half of the error that is
    /// allowed, the next a quarter.
    Halving(u32),
}

/// A look at the bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Looks so far, this one included; at 0 what is seen is provisional.
    pub number: u32,
    /// The level of one-sided bounds.
    pub level: f64,
    /// The number of labels at which to look next.
    pub next: Option<u32>,
}

impl Looks {
    /// The look that so many labels allow.
    pub fn at(self, labels: u32) -> Look {
        match self {
            Self::Once => Look { number: 1, level: LEVEL, next: None },
            Self::Budget(budget) => {
                let is_spent = labels >= budget;
                let next = (!is_spent).then_some(budget);
                Look { number: u32::from(is_spent), level: LEVEL, next }
            }
            Self::Halving(first) => {
                let first = first.max(1);
                let number = (labels / first).checked_ilog2().map_or(0, |doubled| doubled + 1);
                let level = 1.0 - (1.0 - LEVEL) / 2f64.powi(number.max(1) as i32);
                Look { number, level, next: first.checked_shl(number) }
            }
        }
    }
}

impl fmt::Display for Looks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Once => write!(f, "one look, at the labels there are"),
            Self::Budget(budget) => write!(f, "one look, after {budget} labels"),
            Self::Halving(first) => write!(
                f,
                "looks after {first}, {}, {} .. labels, each spending half of the error that is left",
                u64::from(*first) * 2,
                u64::from(*first) * 4,
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Standing::{Open, Passes, TooLow},
        *,
    };
    use crate::evaluate::{labels::Judged, precision::precision};

    /// Strata of one distance after another: pairs, yes, no.
    fn strata(of: &[(u64, u32, u32)]) -> Vec<Stratum> {
        let judged = |labels| Judged { labels, pairs: u64::from(labels) };
        let stratum = |(distance, &(pairs, yes, no))| Stratum {
            yes: judged(yes),
            no: judged(no),
            ..Stratum::new(distance, pairs, 0)
        };
        (0..).zip(of).map(stratum).collect()
    }

    fn chosen(strata: &[Stratum], accidental: &[f64], precision_asked: f64) -> Recommendation {
        let aim = Aim { precision: precision_asked, ..Aim::default() };
        recommend(&precision(strata, LEVEL), strata, accidental, aim, LEVEL)
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
        // Lower bounds of k = 2..=6: .919, .909, .877, .791, .622.
        let table = [(0.6, Some(6)), (0.7, Some(5)), (0.85, Some(4)), (0.9, Some(3)), (0.99, None)];
        for (target, k) in table {
            assert_eq!(chosen(&strata(&EXAMPLE), &NONE, target).choice, k, "{target}");
        }
        let found = chosen(&strata(&EXAMPLE), &NONE, 0.9);
        assert_eq!(found.runner_up, Some(2));
        assert_eq!(found.standings, [Passes, Passes, Passes, Passes, Open, TooLow, TooLow]);
        // The wide ends come from twenty labels on the largest stratum; 29 straight yes will do.
        assert_eq!(found.next, Some(Next { k: 4, stratum: 0, distance: 0, labels: 9 }));
    }

    #[test]
    fn no_k_may_pass() {
        let found = chosen(&strata(&EXAMPLE), &NONE, 0.99);
        assert_eq!(found.choice, None);
        let bounds: Vec<f64> =
            precision(&strata(&EXAMPLE), LEVEL).iter().map(|rung| rung.bound).collect();
        let runner_up = found.runner_up.expect("some k is open") as usize;
        assert!(bounds.iter().zip(&found.standings).all(|(&bound, standing)| {
            *standing != Standing::Open || bound <= bounds[runner_up]
        }));
        // 299 straight yes for 0.99, twenty of them made.
        assert_eq!(found.next.map(|next| (next.distance, next.labels)), Some((0, 279)));
        let hopeless = chosen(&strata(&[(1000, 0, 40), (1000, 0, 40)]), &NONE, 0.9);
        assert_eq!((hopeless.choice, hopeless.runner_up, hopeless.next), (None, None, None));
        assert_eq!(hopeless.standings, [Standing::TooLow; 2]);
        let nothing = chosen(&strata(&[(0, 0, 0), (0, 0, 0)]), &NONE, 0.9);
        assert_eq!((nothing.choice, nothing.standings), (None, vec![Standing::NoPairs; 2]));
    }

    #[test]
    fn chance_sets_a_ceiling_that_precision_cannot_lift() {
        let perfect = strata(&[(500, 60, 0); 5]);
        let accidental = [0.0, 0.01, 0.4, 1.1, 30.0];
        let found = chosen(&perfect, &accidental, 0.9);
        assert_eq!((found.choice, found.runner_up), (Some(2), Some(1)));
        assert_eq!(found.standings[3..], [Standing::Chance; 2]);
        assert_eq!(found.next, None, "labels do not help against chance");
        assert_eq!(chosen(&perfect, &[0.0; 5], 0.9).choice, Some(4));
    }

    #[test]
    fn where_some_said_no_as_many_again_are_asked_for() {
        let found = chosen(&strata(&[(100, 60, 0), (90_000, 18, 2)]), &NONE, 0.9);
        assert_eq!(found.next, Some(Next { k: 1, stratum: 1, distance: 1, labels: 20 }));
        let few = chosen(&strata(&[(100, 60, 0), (23, 18, 2)]), &NONE, 0.999);
        assert!(few.next.is_some_and(|next| next.stratum == 0));
    }

    #[test]
    fn looks_never_spend_more_than_the_error_that_is_allowed() {
        let looks = Looks::Halving(50);
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
        assert_eq!(Looks::Budget(200).at(199).number, 0);
        assert_eq!(Looks::Budget(200).at(200), Look { number: 1, level: LEVEL, next: None });
        assert_eq!(
            Looks::Halving(50).to_string(),
            "looks after 50, 100, 200 .. labels, each spending half of the error that is left"
        );
    }
}
