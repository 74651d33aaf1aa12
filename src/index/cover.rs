//! Members of a group to keep, so that each of the others is near one that is kept.
//!
//! The members come in an order of preference. The first that is not decided yet is kept, and all that are near
//! it go; then the next. So no two that are kept are near each other, and none goes without a kept one within
//! the distance, however long the chain is that made the group: a maximal independent set, found greedily.
//!
//! ```text
//! A-B-C, A and C too far apart:   A B C  keeps A, B goes for A, and C is kept
//!                                 B A C  keeps B, and both others go for it
//! ```
//!
//! Costs a comparison for each kept member and each that comes after it.

/// For each of `n` members in order of preference, the place of the kept one that it goes for; `None` if it is
/// kept itself. The first `n_forced` are kept whatever is near them.
pub fn cover(
    n: usize,
    n_forced: usize,
    mut is_near: impl FnMut(usize, usize) -> bool,
) -> Vec<Option<usize>> {
    let mut goes_for = vec![None; n];
    for kept in 0..n {
        if goes_for[kept].is_some() {
            continue;
        }
        for (other, found) in goes_for.iter_mut().enumerate().skip(n_forced.max(kept + 1)) {
            if found.is_none() && is_near(kept, other) {
                *found = Some(kept);
            }
        }
    }
    goes_for
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_chain_is_covered_by_hand() {
        let near = |order: [i32; 3]| move |a: usize, b: usize| (order[a] - order[b]).abs() <= 1;
        assert_eq!(cover(3, 0, near([0, 1, 2])), [None, Some(0), None]);
        assert_eq!(cover(3, 0, near([1, 0, 2])), [None, Some(0), Some(0)]);
        // Two that must stay, though they are near.
        assert_eq!(cover(3, 2, near([0, 1, 2])), [None, None, Some(1)]);
        assert!(cover(0, 0, |_, _| true).is_empty());
    }

    proptest! {
        /// None goes without a kept one near it, and no two that were chosen are near.
        #[test]
        fn every_member_is_kept_or_near_one_that_is(
            values in prop::collection::vec(any::<u8>(), 0..40),
            k in 0..5_u32,
            forced in 0..4_usize,
        ) {
            let is_near = |a: usize, b: usize| (values[a] ^ values[b]).count_ones() <= k;
            let n_forced = forced.min(values.len());
            let found = cover(values.len(), n_forced, is_near);
            for (member, goes_for) in found.iter().enumerate() {
                if let Some(kept) = goes_for {
                    prop_assert!(member >= n_forced && is_near(*kept, member));
                    prop_assert!(found[*kept].is_none());
                    prop_assert!((0..*kept).all(|better| found[better].is_some() || !is_near(better, member)));
                } else {
                    let mut better = (0..member).filter(|&better| found[better].is_none());
                    prop_assert!(member < n_forced || better.all(|better| !is_near(better, member)));
                }
            }
        }
    }
}
