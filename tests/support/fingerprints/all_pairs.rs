//! The slow twin of all searches, for the tests of the crate and those beside it.

use super::{Bits, Pair};

/// Every pair of `values` at most `k` bits apart, in order. It is so simple that it is probably right.
pub(crate) fn all_pairs<B: Bits>(values: &[B], k: u32) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (b, &later) in (0..).zip(values) {
        for (a, &value) in (0..b).zip(values) {
            let distance = value.distance(later);
            if distance <= k {
                pairs.push(Pair { distance, a, b });
            }
        }
    }
    pairs.sort_unstable();
    pairs
}
