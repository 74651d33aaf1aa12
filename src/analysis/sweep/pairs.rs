//! How many pairs of documents lie at each distance, exactly, as far out as that is cheap.
//!
//! Up to some 280,000 different fingerprints of 64 bits, or 90,000 wider ones, everything is compared with
//! everything, seconds at most, and every distance is known. Beyond that a search finds the near ones: to
//! [`FARTHEST`] of 64 bits, and no farther than chance alone makes few.

use crate::{
    analysis::settings::MOST_ACCIDENTAL_PAIRS,
    evaluate::null,
    index::{self, Distinct, count_at_distances, document_comparisons, document_histogram},
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// Comparisons of 64-bit words up to which everything is compared: two to four seconds on two cores.
const MOST_COMPARISONS: f64 = 4e10;
/// The farthest that pairs of a large corpus are searched at 64 bits; in proportion at other widths.
const FARTHEST: u32 = 12;

/// Pairs of documents at each distance from 0 up, copies at 0: to the width, or as far as they are
/// searched.
///
/// # Errors
/// [`Cancelled`] if told to stop.
pub(super) fn by_distance<B: Bits>(
    distinct: &Distinct<B>,
    width: u32,
    progress: &Progress,
) -> Result<Vec<u64>, Cancelled> {
    within(MOST_COMPARISONS, distinct, width, progress)
}

/// The same, comparing everything up to so many comparisons.
fn within<B: Bits>(
    most: f64,
    distinct: &Distinct<B>,
    width: u32,
    progress: &Progress,
) -> Result<Vec<u64>, Cancelled> {
    if document_comparisons(distinct) <= most {
        let mut counts = document_histogram(distinct, progress)?;
        // Words are wider than fingerprints; no pair differs in bits there are not.
        counts.truncate(width as usize + 1);
        return Ok(counts);
    }
    let n = distinct.len() as u64;
    let is_few = |&k: &u32| null::expected_pairs(n, k, width) <= MOST_ACCIDENTAL_PAIRS;
    let reach = (0..=FARTHEST * width / 64).take_while(is_few).last().unwrap_or(0);
    let plan = index::choose(distinct.values(), width, reach);
    count_at_distances(distinct, &plan, progress)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_searched_is_the_beginning_of_what_is_compared() {
        let words: Vec<Option<u64>> = (0..3000_u64)
            .map(|n| {
                Some((n * 7 % 64) | ((n % 5) << 40) | n.wrapping_mul(0x9e37_79b9) << 8 & 0xff00)
            })
            .collect();
        let distinct = Distinct::collapse(&words, &Progress::new()).unwrap();
        let count = |most| within(most, &distinct, 48, &Progress::new()).unwrap();
        let (all, near) = (count(f64::INFINITY), count(0.0));
        assert_eq!((all.len(), all.iter().sum::<u64>()), (49, 3000 * 2999 / 2));
        assert_eq!(near, all[..=9]);
    }
}
