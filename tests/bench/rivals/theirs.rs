//! The rival's side: `all-pairs-hamming` for all pairs.
//!
//! It is used as a user has to: `MultiSort` fills a hash set that the caller gives, so filling it is part
//! of its time (an unsized one, because a caller does not know how many pairs there are). Its time depends
//! on a number of blocks, by factors of ten; it is timed at the best.

use all_pairs_hamming::multi_sort::MultiSort;
use hashbrown::HashSet;

use crate::measure;

/// The pairs that `MultiSort` finds.
pub(crate) type Pairs = HashSet<(usize, usize)>;

/// Every pair of `values` within `k`, equal ones too.
pub(crate) fn all_pairs(values: &[u64], k: u32, blocks: usize) -> Pairs {
    let mut pairs = HashSet::new();
    MultiSort::new().num_blocks(blocks).similar_pairs(values, k as usize, &mut pairs);
    pairs
}

/// The fastest number of blocks for `values`, its CPU seconds, and the pairs.
///
/// Tries those that were ever best for this `k` and, with `full`, those around them: for 1e6 at k = 10,
/// 12 or 14 blocks take three times as long as 13, half a minute and more.
pub(crate) fn best_all_pairs(values: &[u64], k: u32, full: bool) -> (usize, f64, Pairs) {
    let range: &[usize] = match (k, full) {
        (3, false) => &[4, 5],
        (3, true) => &[4, 5, 6, 8],
        (6, false) => &[7, 8],
        (6, true) => &[7, 8, 9, 10],
        (10, false) => &[13],
        (10, true) => &[12, 13, 14],
        _ => &[k as usize + 1, k as usize + 2],
    };
    let mut best: Option<(usize, f64, Pairs)> = None;
    for &blocks in range {
        let (pairs, seconds) = measure::cpu(|| all_pairs(values, k, blocks));
        eprintln!("    MultiSort, {blocks} blocks: {seconds:.3} s");
        if best.as_ref().is_none_or(|best| seconds < best.1) {
            best = Some((blocks, seconds, pairs));
        }
    }
    best.expect("a range is not empty")
}
