//! The exact number of pairs of documents at each distance, up to the distance at which counting costs too much.
//!
//! If there are few fingerprints, all are compared with each other. Otherwise a search finds the near pairs first,
//! and is repeated with a larger distance as long as a larger k could still be the best. All are compared only if
//! no search is enough, and up to some 280,000 different fingerprints of 64 bits, or 90,000 wider ones: the search
//! finds near pairs of 128 bits ten times faster.

use crate::{
    analysis::settings::MOST_ACCIDENTAL_PAIRS,
    evaluate::distances,
    index::{
        self, Distinct, count_at_distances, count_within, document_comparisons, document_histogram,
    },
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// The most comparisons of 64-bit words at which all pairs are compared without a search: a tenth of a second.
const FEW_COMPARISONS: f64 = 1e9;
/// The most comparisons of 64-bit words at which all pairs are compared: two to four seconds on two cores.
const MOST_COMPARISONS: f64 = 4e10;
/// The distances of the searches, as 16ths of the width: 8 bits of 64, then 12, then 16. If texts are near each
/// other because of their common words, each search costs ten times as much as the one before.
const SEARCHES: [u32; 3] = [2, 3, 4];

/// The distances up to which pairs are counted, one after the other, until the pairs are enough. At least one
/// distance; distances at which chance alone brings too many pairs are left out.
pub(super) fn reaches<B: Bits>(distinct: &Distinct<B>, width: u32) -> Vec<u32> {
    let comparisons = document_comparisons(distinct);
    if comparisons <= FEW_COMPARISONS {
        return vec![width];
    }
    let n = distinct.len() as u64;
    let is_few = |k: &u32| distances::expected_pairs(n, *k, width) <= MOST_ACCIDENTAL_PAIRS;
    let mut reaches: Vec<u32> = SEARCHES.map(|share| width * share / 16).into();
    reaches.retain(is_few);
    if comparisons <= MOST_COMPARISONS {
        reaches.push(width);
    } else if reaches.is_empty() {
        reaches.extend((0..=width * SEARCHES[0] / 16).take_while(is_few).last().or(Some(0)));
    }
    reaches
}

/// The number of pairs of documents at each distance from 0 to the reach.
///
/// # Errors
/// [`Cancelled`] if cancelled.
pub(super) fn by_distance<B: Bits>(
    distinct: &Distinct<B>,
    width: u32,
    reach: u32,
    progress: &Progress,
) -> Result<Vec<u64>, Cancelled> {
    if reach < width {
        let plan = index::choose(distinct.values(), width, reach);
        return count_at_distances(distinct, &plan, progress);
    }
    let mut counts = document_histogram(distinct, progress)?;
    // A machine word may have more bits than the fingerprint, and no pair differs in them.
    counts.truncate(width as usize + 1);
    Ok(counts)
}

/// The number of pairs of documents within `k`; `None` if `k` is larger than the largest distance of a search, or
/// if chance alone brings too many pairs.
///
/// # Errors
/// [`Cancelled`] if cancelled.
pub(super) fn within<B: Bits>(
    distinct: &Distinct<B>,
    width: u32,
    k: u32,
    progress: &Progress,
) -> Result<Option<u64>, Cancelled> {
    let farthest = width * SEARCHES[SEARCHES.len() - 1] / 16;
    let is_few =
        || distances::expected_pairs(distinct.len() as u64, k, width) <= MOST_ACCIDENTAL_PAIRS;
    let is_near = k == 0 || k <= farthest && is_few();
    if !is_near && document_comparisons(distinct) > MOST_COMPARISONS {
        return Ok(None);
    }
    let plan = index::choose(distinct.values(), width, k);
    count_within(distinct, &plan, progress).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collapsed(words: impl Iterator<Item = u64>) -> Distinct<u64> {
        let words: Vec<Option<u64>> = words.map(Some).collect();
        Distinct::collapse(&words, &Progress::new()).unwrap()
    }

    #[test]
    fn what_is_searched_is_the_beginning_of_what_is_compared() {
        let word =
            |n: u64| (n * 7 % 64) | ((n % 5) << 40) | n.wrapping_mul(0x9e37_79b9) << 8 & 0xff00;
        let distinct = collapsed((0..3000).map(word));
        let count = |reach| by_distance(&distinct, 48, reach, &Progress::new()).unwrap();
        let all = count(48);
        assert_eq!((all.len(), all.iter().sum::<u64>()), (49, 3000 * 2999 / 2));
        for reach in [0, 9, 12] {
            assert_eq!(count(reach), all[..=reach as usize]);
        }
    }

    #[test]
    fn pairs_are_counted_unless_that_takes_too_long() {
        let few = collapsed((0..1000).map(|n: u64| n * n));
        let at = by_distance(&few, 64, 64, &Progress::new()).unwrap();
        for k in [0, 3, 20, 64] {
            let expected = at[..=k as usize].iter().sum();
            assert_eq!(within(&few, 64, k, &Progress::new()).unwrap(), Some(expected));
        }
        let many = collapsed((0..300_000).map(|n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        assert!(within(&many, 64, 3, &Progress::new()).unwrap().is_some());
        assert_eq!(within(&many, 64, 30, &Progress::new()).unwrap(), None);
    }

    #[test]
    fn many_are_searched_before_all_are_compared() {
        let random = |n: u64| collapsed((0..n).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        assert_eq!(reaches(&random(1000), 64), [64]);
        assert_eq!(reaches(&random(60_000), 64), [8, 12, 16, 64]);
        assert_eq!(reaches(&random(300_000), 64), [8, 12, 16]);
        // With so few bits, chance alone brings more than fifty million pairs within 4.
        let narrow = collapsed(0..1 << 16);
        assert_eq!(reaches(&narrow, 16), [2, 3, 16]);
    }
}
