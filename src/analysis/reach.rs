//! The choice of the reach: the largest distance, beyond k, up to which pairs are kept, so that k can change
//! without a search.
//!
//! Pairs are kept up to distance [`WIDE`], but only one bit beyond k if the search for more takes too long, and never too
//! many. Three estimates tell: the price of the search; the number of pairs expected by chance, which follows
//! from the number of fingerprints; and a sample that finds the neighbours of some entries by scan. The sample takes half
//! a second of one core for a million entries and more, which is little compared with the search.

use rayon::prelude::*;

use super::ReachLimit;
use crate::evaluate::distances;
use crate::index::scan::summed;
use crate::index::{self, Pair};
use crate::progress::{Cancelled, Progress};
use crate::simhash::Bits;

/// The reach, if there are not too many pairs.
pub const WIDE: u32 = 8;
/// The most pairs of distinct fingerprints that are kept beyond k: at 12 bytes each, and as many again for counts
/// and links, 800 MB.
pub const MOST_PAIRS: usize = 32_000_000;
/// Entries whose neighbours are counted to estimate the number of pairs. A group of 8,000 among a million has the
/// most pairs that are kept; the sample misses such a group three times in ten thousand.
const SAMPLE: usize = 1024;
/// The most comparisons of the sample: among ten million, the neighbours of a hundred entries are counted. A group that
/// they miss ends the search beyond k, which stops at the most pairs that are kept.
const MOST_COMPARISONS: usize = 1 << 30;
/// The longest search beyond k + 1, in nanoseconds of one core as predicted: a million fingerprints are kept up to
/// [`WIDE`], of ten million those one bit beyond k.
const LONGEST: f64 = 2e9;

/// The largest distance between `k` and [`WIDE`], or `k` + 1, at which there are not too many pairs, and the reason why
/// it is not larger.
///
/// # Errors
/// [`Cancelled`] if cancelled.
pub(super) fn affordable<B: Bits>(
    values: &[B],
    width: u32,
    k: u32,
    progress: &Progress,
) -> Result<(u32, Option<ReachLimit>), Cancelled> {
    let (wide, n) = ((k + 1).max(WIDE).min(width), values.len());
    let by_chance = |reach| distances::expected_pairs(n as u64, reach, width) > MOST_PAIRS as f64;
    let mut likely = (k..=wide).rev().find(|&reach| !by_chance(reach)).unwrap_or(k);
    let mut limit = (likely < wide).then_some(ReachLimit::Chance);
    let is_short = |&reach: &u32| index::choose(values, width, reach).nanoseconds() <= LONGEST;
    if likely > k + 1 && !is_short(&likely) {
        likely = (k + 2..likely).rev().find(is_short).unwrap_or(k + 1);
        limit = Some(ReachLimit::Time);
    }
    if n * n.saturating_sub(1) / 2 <= MOST_PAIRS {
        return Ok((likely, limit));
    }
    let reach = farthest(values, k, likely, MOST_PAIRS as u64, progress)?;
    Ok((reach, if reach < likely { Some(ReachLimit::Pairs) } else { limit }))
}

/// The largest distance between `from` and `to` within which the sample estimates at most `most` pairs.
///
/// # Errors
/// [`Cancelled`] if cancelled.
pub(super) fn farthest<B: Bits>(
    values: &[B],
    from: u32,
    to: u32,
    most: u64,
    progress: &Progress,
) -> Result<u32, Cancelled> {
    let met_at = sampled(values, to.max(from), progress)?;
    // Each pair is counted from both ends.
    let share = values.len() as f64 / sample_size(values.len()) as f64 / 2.0;
    let mut within = 0.0;
    let is_few = |met: &&u64| {
        within += **met as f64 * share;
        within <= most as f64
    };
    let affordable = met_at.iter().take_while(is_few).count().saturating_sub(1) as u32;
    Ok(affordable.max(from))
}

/// The number of entries whose neighbours are counted, at least 1.
fn sample_size(n: usize) -> usize {
    SAMPLE.min(MOST_COMPARISONS / n.max(1)).min(n).max(1)
}

/// The number of neighbours of the sampled entries at each distance.
fn sampled<B: Bits>(values: &[B], reach: u32, progress: &Progress) -> Result<Vec<u64>, Cancelled> {
    let size = sample_size(values.len());
    let step = (values.len() / size).max(1);
    let entries = (0..values.len()).into_par_iter().step_by(step).take(size);
    summed(reach, entries, |met_at, entry| {
        progress.check()?;
        for found in index::neighbours(values, values[entry], reach) {
            met_at[found.distance as usize] += u64::from(found.entry as usize != entry);
        }
        Ok(())
    })
}

/// Removes the farthest pairs until at most `most` are left. Pairs within `k` are always kept. Returns the new
/// reach; `None` if no pair was removed.
pub(super) fn cut(pairs: &mut Vec<Pair>, k: u32, reach: u32, most: usize) -> Option<u32> {
    let end = |reach| pairs.partition_point(|pair| pair.distance <= reach);
    let nearer = (k..reach).rev().find(|&reach| end(reach) <= most).unwrap_or(k);
    if pairs.len() <= most || nearer >= reach {
        return None;
    }
    let end = end(nearer);
    pairs.truncate(end);
    pairs.shrink_to_fit();
    Some(nearer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(values: &[u64], width: u32, k: u32) -> (u32, Option<ReachLimit>) {
        affordable(values, width, k, &Progress::new()).unwrap()
    }

    /// Values far from each other: consecutive numbers, spread over all bits.
    fn spread(n: u64) -> Vec<u64> {
        (0..n).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
    }

    #[test]
    fn usually_it_is_eight_or_beyond_k() {
        assert_eq!(reached(&spread(1000), 64, 3), (8, None));
        assert_eq!(reached(&spread(1000), 64, 12), (13, None));
        assert_eq!(reached(&spread(1000), 64, 8), (9, None));
        assert_eq!(reached(&[0, 1], 4, 3), (4, None));
        assert_eq!(reached(&[], 64, 3), (8, None));
    }

    #[test]
    fn where_chance_brings_too_many_it_is_less_but_never_below_k() {
        // 20,000 fingerprints of 16 bits: 200 million pairs, 40 % of them within 7.
        let values: Vec<u64> = (0..20_000).collect();
        let (reach, limit) = reached(&values, 16, 3);
        assert!((4..8).contains(&reach), "{reach}");
        assert!(limit.is_some());
        assert_eq!(reached(&values, 16, 7).0, 7);
    }

    #[test]
    fn where_the_search_would_take_long_it_is_less_but_the_next_bit_is_there() {
        let (reach, limit) = reached(&spread(10_000_000), 64, 3);
        assert!((4..8).contains(&reach), "{reach}");
        assert_eq!(limit, Some(ReachLimit::Time));
    }

    #[test]
    fn where_the_corpus_is_alike_it_is_less() {
        // All within 8 of each other, none within 5, which chance does not predict.
        let alike: Vec<u64> =
            (0..1_u64 << 26).filter(|n| n.count_ones() == 4).take(12_000).collect();
        let (reach, limit) = reached(&alike, 64, 3);
        assert_eq!(limit, Some(ReachLimit::Pairs));
        assert!((3..8).contains(&reach), "{reach}");
    }

    #[test]
    fn the_sample_estimates_the_number_of_pairs() {
        // Numbers with four of 26 bits differ in 2, 4, 6 or 8 bits. A brute force counts the pairs at each distance.
        let alike: Vec<u64> =
            (0..1_u64 << 26).filter(|n| n.count_ones() == 4).take(12_000).collect();
        let mut n_at = [0_u64; 9];
        for (at, a) in alike.iter().enumerate() {
            for b in &alike[at + 1..] {
                n_at[(a ^ b).count_ones() as usize] += 1;
            }
        }
        let met_at = sampled(&alike, 8, &Progress::new()).unwrap();
        let share = alike.len() as f64 / SAMPLE as f64 / 2.0;
        for (distance, (exact, met)) in n_at.into_iter().zip(met_at).enumerate() {
            let estimate = met as f64 * share;
            let error = (estimate - exact as f64).abs();
            assert!(error <= 0.1 * exact as f64, "{distance}: {estimate} of {exact}");
        }
        // The same counts decide: all pairs within the reach can be kept, those within one bit more cannot.
        let within = |reach: u32| n_at[..=reach as usize].iter().sum::<u64>();
        let (reach, _) = reached(&alike, 64, 3);
        assert!(within(reach) <= MOST_PAIRS as u64, "{reach}: {}", within(reach));
        assert!(within(reach + 1) > MOST_PAIRS as u64, "{reach}: {}", within(reach + 1));
    }

    #[test]
    fn too_many_pairs_are_cut_beyond_k_alone() {
        let pairs = |n_at: [usize; 4]| -> Vec<Pair> {
            let at = |(distance, &n): (usize, &usize)| {
                vec![Pair { distance: distance as u32 + 1, ..Pair::default() }; n]
            };
            n_at.iter().enumerate().flat_map(at).collect()
        };
        // (pairs at 1, 2, 3, 4), k, most, new reach, pairs left
        let table = [
            ([1, 1, 1, 1], 2, 4, None, 4),
            ([1, 1, 1, 9], 2, 4, Some(3), 3),
            ([1, 9, 1, 9], 2, 4, Some(2), 10),
            ([1, 1, 9, 9], 1, 4, Some(2), 2),
            ([9, 9, 9, 9], 4, 4, None, 36),
        ];
        for (n_at, k, most, expected, left) in table {
            let mut pairs = pairs(n_at);
            assert_eq!((cut(&mut pairs, k, 4, most), pairs.len()), (expected, left), "{n_at:?}");
        }
    }
}
