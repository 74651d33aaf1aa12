//! The exact number of pairs of documents at each distance, out to the distance where counting is worth its
//! cost.
//!
//! Few fingerprints are compared with each other at once. Of more a search finds the near pairs first, and
//! goes farther only as long as a larger k could still be the best. Everything is compared with everything
//! up to some 280,000 different fingerprints of 64 bits, or 90,000 wider ones, and only if nothing less
//! settles it: the search finds near pairs of 128 bits ten times faster.

use crate::{
    analysis::settings::MOST_ACCIDENTAL_PAIRS,
    evaluate::null,
    index::{
        self, Distinct, count_at_distances, count_within, document_comparisons, document_histogram,
    },
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// Comparisons of 64-bit words up to which everything is compared at once: a tenth of a second.
const FEW_COMPARISONS: f64 = 1e9;
/// Comparisons of 64-bit words up to which everything is compared at all: two to four seconds on two cores.
const MOST_COMPARISONS: f64 = 4e10;
/// The shares of the width that searches go to, in 16ths: 8 bits of 64, then 12, then 16. Where texts are
/// near each other for their common words, each farther search costs ten times the one before.
const SEARCHES: [u32; 3] = [2, 3, 4];

/// The distances to which pairs are counted one after the other, until the pairs are enough: at least one.
/// No search goes where chance alone brings too many pairs.
pub(super) fn reaches<B: Bits>(distinct: &Distinct<B>, width: u32) -> Vec<u32> {
    let comparisons = document_comparisons(distinct);
    if comparisons <= FEW_COMPARISONS {
        return vec![width];
    }
    let n = distinct.len() as u64;
    let is_few = |k: &u32| null::expected_pairs(n, *k, width) <= MOST_ACCIDENTAL_PAIRS;
    let mut reaches: Vec<u32> = SEARCHES.map(|share| width * share / 16).into();
    reaches.retain(is_few);
    if comparisons <= MOST_COMPARISONS {
        reaches.push(width);
    } else if reaches.is_empty() {
        reaches.extend((0..=width * SEARCHES[0] / 16).take_while(is_few).last().or(Some(0)));
    }
    reaches
}

/// Pairs of documents at each distance from 0 to the reach, copies at 0.
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
    // Words are wider than fingerprints; no pair differs in bits there are not.
    counts.truncate(width as usize + 1);
    Ok(counts)
}

/// Pairs of documents within `k`, copies among them; `None` where they would be searched farther out than
/// any search goes, or chance alone brings too many.
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
    let is_few = || null::expected_pairs(distinct.len() as u64, k, width) <= MOST_ACCIDENTAL_PAIRS;
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
        // Of so few bits chance alone brings more than fifty million pairs within 4.
        let narrow = collapsed(0..1 << 16);
        assert_eq!(reaches(&narrow, 16), [2, 3, 16]);
    }
}
