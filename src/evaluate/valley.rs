//! The valley of a distance histogram: between the near-duplicates and the unrelated rest.
//!
//! ```text
//! pairs   #                     ##
//!         ###                 ######
//!         #####             ##########
//!         ########   ~~~  ##############
//!         0  near    valley   bulk
//! ```
//!
//! Near-duplicates pile up at small distances, unrelated texts around half the width; where few pairs
//! lie between, a threshold there separates the two, and it hardly matters where. Not every corpus has
//! a valley, and none is named on noise:
//!
//! - the bulk is the most common distance from a quarter of the width on; from there the search goes
//!   down towards 0, so that of several valleys the last one is found: those before it part
//!   near-duplicates from nearer ones;
//! - the floor is where three neighbouring distances have the fewest pairs so far, the longest such
//!   stretch if there are several; it extends over neighbours with no more pairs than chance lets a
//!   count of the floor's size vary by, two standard deviations;
//! - it is a valley as soon as the distances before it have a quarter more pairs than if the floor went
//!   on, and one after it a quarter more than the floor, both beyond three standard deviations;
//! - copies alone, at distance 0, make a valley only if it is three distances wide.
//!
//! Counts are taken as Poisson. Only distances known exactly are searched: of a sample the bins that
//! would make a valley are the empty ones.

use std::ops::Range;

/// What was found between the near-duplicates and the bulk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Valley {
    /// Few pairs lie at these distances, both included.
    At {
        /// The first.
        first: u32,
        /// The last.
        last: u32,
    },
    /// Pairs rise into the bulk without one.
    None,
    /// No rise is seen as far as pairs are known exactly: it may lie beyond.
    Beyond,
}

/// How much more than the floor stands on both sides.
const RISE: f64 = 1.25;
/// How sure that must be, in standard deviations.
const SURE: f64 = 3.0;
/// How much a count may vary and still belong to the floor, in standard deviations.
const LEVEL: f64 = 2.0;
/// How wide a valley is at least that has only copies before it.
const COPIES_GAP: usize = 3;

/// The valley of `counts`, one at each distance from 0 to the width, of which the first `known` are
/// exact. Costs the square of the width.
pub fn valley(counts: &[f64], known: usize) -> Valley {
    let quarter = counts.len() / 4;
    let bulk = (quarter..counts.len()).rev().max_by(|&a, &b| counts[a].total_cmp(&counts[b]));
    let Some(bulk) = bulk.filter(|&bulk| counts[bulk] > 0.0) else { return Valley::None };
    let end = bulk.min(known);
    let missed = if known <= bulk { Valley::Beyond } else { Valley::None };
    for from in (0..end.saturating_sub(1)).rev() {
        let floor = floor(&counts[..end], from.max(1));
        let sum: f64 = counts[floor.clone()].iter().sum();
        let level = sum / floor.len() as f64;
        if from < floor.start && falls(&counts[from..floor.start], level, floor.len()) {
            let is_only_of_copies = floor.start == 1 && floor.len() < COPIES_GAP;
            let seen = &counts[floor.end..known.min(bulk + 1)];
            if is_only_of_copies || !seen.iter().any(|&count| rises(count, level, floor.len())) {
                return missed;
            }
            return Valley::At { first: floor.start as u32, last: floor.end as u32 - 1 };
        }
    }
    missed
}

/// Whether these counts are surely more than a floor of this level, known from so many distances.
fn falls(before: &[f64], level: f64, floor: usize) -> bool {
    let (n, sum) = (before.len() as f64, before.iter().sum::<f64>());
    let noise = sum + level * n * n / floor as f64;
    sum > RISE * level * n && sum - level * n > SURE * noise.sqrt()
}

/// Whether this count is surely more than a floor of this level, known from so many distances.
fn rises(count: f64, level: f64, floor: usize) -> bool {
    count > RISE * level && count - level > SURE * (count + level / floor as f64).sqrt()
}

/// The stretch from `from` on with the fewest pairs; `from` is at least 1 and lies among the counts.
fn floor(counts: &[f64], from: usize) -> Range<usize> {
    let around = |at: usize| {
        let window = &counts[at - 1..counts.len().min(at + 2)];
        window.iter().sum::<f64>() / window.len() as f64
    };
    let means: Vec<f64> = (from..counts.len()).map(around).collect();
    let lowest = means.iter().copied().min_by(f64::total_cmp).unwrap_or(0.0);
    let is_lowest = |mean: &f64| mean.total_cmp(&lowest).is_eq();
    let mut longest = from..from;
    let mut start = from;
    for same in means.chunk_by(|a, b| is_lowest(a) == is_lowest(b)) {
        if is_lowest(&same[0]) && same.len() > longest.len() {
            longest = start..start + same.len();
        }
        start += same.len();
    }
    let most = lowest + LEVEL * lowest.sqrt();
    let Range { mut start, mut end } = longest;
    while start > from && counts[start - 1] <= most {
        start -= 1;
    }
    while end < counts.len() && counts[end] <= most {
        end += 1;
    }
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Near counts, then nothing or a level, then a bell around 32.
    fn counts(near: &[f64], level: f64, bulk: f64) -> Vec<f64> {
        let bell = |d: usize| bulk * (-(d as f64 - 32.0).powi(2) / 32.0).exp();
        (0..=64).map(|d| near.get(d).copied().unwrap_or(level).max(bell(d).round())).collect()
    }

    #[test]
    fn a_gap_between_two_piles_is_named() {
        let gap = counts(&[12.0, 9.0, 8.0, 6.0, 3.0], 0.0, 400.0);
        let Valley::At { first: 5, last } = valley(&gap, 65) else {
            panic!("{:?}", valley(&gap, 65))
        };
        assert!((16..24).contains(&last), "{last}");
        let copies = counts(&[50.0], 0.0, 400.0);
        assert!(matches!(valley(&copies, 65), Valley::At { first: 1, .. }));
    }

    #[test]
    fn a_dip_in_many_pairs_is_named_where_it_is() {
        let mut dip = counts(&[], 0.0, 3e8);
        let near =
            [412.0, 655.0, 702.0, 588.0, 402.0, 361.0, 290.0, 262.0, 251.0, 255.0, 290.0, 410.0];
        dip[..near.len()].copy_from_slice(&near);
        assert_eq!(valley(&dip, 65), Valley::At { first: 7, last: 9 });
    }

    #[test]
    fn of_several_valleys_the_last_is_named() {
        // What abstracts make: copies, revisions, and then chance.
        let mut twice = counts(&[], 0.0, 1e8);
        let near =
            [14428.0, 53.0, 62.0, 87.0, 120.0, 91.0, 116.0, 107.0, 82.0, 54.0, 80.0, 109.0, 363.0];
        twice[..near.len()].copy_from_slice(&near);
        assert_eq!(valley(&twice, 65), Valley::At { first: 8, last: 10 });
    }

    #[test]
    fn copies_alone_are_not_before_a_valley_that_is_none() {
        // What translations make: copies, and then an even rise.
        let mut rise = counts(&[], 0.0, 1e7);
        let near = [305.0, 0.0, 10.0, 23.0, 18.0, 27.0, 38.0, 38.0, 49.0, 64.0, 99.0, 101.0, 140.0];
        rise[..near.len()].copy_from_slice(&near);
        assert_eq!(valley(&rise, 65), Valley::None);
    }

    #[test]
    fn no_valley_is_named_on_noise() {
        // (near counts, level, bulk)
        let table: [(&[f64], f64, f64); 5] = [
            (&[], 0.0, 1000.0),
            (&[2.0, 1.0, 0.0, 1.0], 0.0, 1000.0),
            (&[3.0, 1.0, 2.0, 4.0, 1.0, 3.0], 2.0, 1000.0),
            (&[1.0, 2.0, 4.0, 8.0, 16.0, 40.0], 60.0, 1000.0),
            (&[40.0, 10.0], 0.0, 0.0),
        ];
        for (near, level, bulk) in table {
            assert_eq!(valley(&counts(near, level, bulk), 65), Valley::None, "{near:?}");
        }
    }

    #[test]
    fn what_is_not_known_exactly_is_not_searched() {
        let gap = counts(&[12.0, 9.0, 8.0, 6.0, 3.0], 0.0, 400.0);
        assert_eq!(valley(&gap, 9), Valley::Beyond);
        assert_eq!(valley(&gap, 1), Valley::Beyond);
        assert_eq!(valley(&[], 0), Valley::None);
        assert_eq!(valley(&[5.0, 1.0], 2), Valley::None);
    }
}
