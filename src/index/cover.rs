//! Chooses members of a group to keep, so that each other member is near a kept one.
//!
//! The members have an order of preference. The first undecided member is kept, and all undecided members near it
//! are removed; then the next. So no two kept members are near each other, and each removed member is within the
//! distance of a kept one, however long the chain that made the group: a maximal independent set, found greedily.
//!
//! ```text
//! A-B-C, A and C too far apart:   order A B C  keeps A, removes B for A, and keeps C
//!                                 order B A C  keeps B, and removes A and C for B
//! ```
//!
//! Costs one comparison for each kept member and each undecided member after it.

/// For each of `n` members in order of preference, the position of the kept member that it is removed for; `None`
/// if it is kept. The first `n_forced` members are always kept.
pub fn cover(
    n: usize,
    n_forced: usize,
    mut is_near: impl FnMut(usize, usize) -> bool,
) -> Vec<Option<usize>> {
    let mut covered_by = vec![None; n];
    for kept in 0..n {
        if covered_by[kept].is_some() {
            continue;
        }
        for (other, found) in covered_by.iter_mut().enumerate().skip(n_forced.max(kept + 1)) {
            if found.is_none() && is_near(kept, other) {
                *found = Some(kept);
            }
        }
    }
    covered_by
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
        // Two forced members are kept although they are near.
        assert_eq!(cover(3, 2, near([0, 1, 2])), [None, None, Some(1)]);
        assert!(cover(0, 0, |_, _| true).is_empty());
    }

    proptest! {
        /// Every removed member is near a kept one, and no two chosen members are near.
        #[test]
        fn every_member_is_kept_or_near_one_that_is(
            values in prop::collection::vec(any::<u8>(), 0..40),
            k in 0..5_u32,
            forced in 0..4_usize,
        ) {
            let is_near = |a: usize, b: usize| (values[a] ^ values[b]).count_ones() <= k;
            let n_forced = forced.min(values.len());
            let found = cover(values.len(), n_forced, is_near);
            for (member, covered_by) in found.iter().enumerate() {
                if let Some(kept) = covered_by {
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
