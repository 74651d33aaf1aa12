//! Groups in which every two members are near: complete linkage.
//!
//! Connected pairs make chains; complete linkage splits them. Pairs are added nearest first. Two parts are joined
//! when every pair between them has been added; the last of these pairs is the farthest, so no two members of a
//! part are farther apart than k. The result is that of agglomerative clustering by the farthest pair, which
//! costs n^2 in textbooks; here it costs one step for each pair within k, because parts without a pair between
//! them need no memory. The order of pairs has no ties, so the result does not depend on the threads.
//!
//! ```text
//! A-B 1, C-D 2, A-C 3, B-C 3, B-D 4, A-D 5 at k = 4:   A-B and C-D join; A-D is not within k, so AB | CD
//! ```
//!
//! Memory: 60 bytes for each entry, and about 40 for every two parts with some, but not all, pairs between them.
//!
//! Source: Defays, "An efficient algorithm for a complete link method" (1977), for the result.
//!
//! Also here: the choice of the members of a group to keep, so that each other member is near a kept one.
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

use std::collections::HashMap;

use super::cluster::{Forest, of_sets};
use super::{Distinct, Groups, Pair};
use crate::choice::choice;
use crate::simhash::Bits;

choice! {
    /// The rule for groups of near documents.
    pub enum Linkage, "linkage" {
        /// A chain of near pairs leads from each document to each other.
        #[default]
        Single = "single",
        /// Every two documents are near.
        Complete = "complete",
    }
}

/// The largest number of counts. Every two parts with pairs between them have two counts; the limit is about 700
/// MB.
const MOST_COUNTS: usize = 1 << 24;

/// Too many parts have pairs between them and cannot be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "complete linkage would need to count the pairs between more than {} pairs of groups; use a smaller distance",
    crate::number::grouped(MOST_COUNTS as u64 / 2)
)]
pub struct TooManyPartPairs;

/// Parts of a set of entries, which are joined as pairs are added.
#[derive(Debug)]
pub struct CompleteLinkage {
    /// The parts, each weighted by its entries.
    parts: Forest,
    /// At a root, the first entry of the part.
    firsts: Vec<u32>,
    /// At a root, the number of pairs with each other part.
    counts: Vec<HashMap<u32, u64>>,
    n_counts: usize,
}

impl CompleteLinkage {
    /// Each of `n` entries in a part of its own.
    ///
    /// # Panics
    /// If there are 2^32 entries or more.
    pub fn new(n: usize) -> Self {
        let entries = 0..u32::try_from(n).expect("fewer than 2^32 entries");
        Self {
            parts: Forest::of(vec![1; n]),
            firsts: entries.collect(),
            counts: vec![HashMap::new(); n],
            n_counts: 0,
        }
    }

    /// Adds pairs, none of which comes before an earlier one in the order of pairs.
    ///
    /// # Errors
    /// [`TooManyPartPairs`] if they would fill the memory; then the parts are unusable.
    pub fn meet(&mut self, pairs: &[Pair]) -> Result<(), TooManyPartPairs> {
        for pair in pairs {
            let (left, right) = (self.parts.root(pair.a), self.parts.root(pair.b));
            let all = u64::from(self.parts.size(left)) * u64::from(self.parts.size(right));
            if all == 1 {
                self.join(left, right);
                continue;
            }
            let before = self.counts[left as usize].get(&right).copied().unwrap_or(0);
            if before + 1 == all {
                self.join(left, right);
            } else {
                self.set_count(left, right, before + 1);
                if self.n_counts > MOST_COUNTS {
                    return Err(TooManyPartPairs);
                }
            }
        }
        Ok(())
    }

    /// The groups made by the parts and by the copies in each entry.
    ///
    /// # Panics
    /// If `distinct` has another number of entries.
    pub fn groups<B: Bits>(&mut self, distinct: &Distinct<B>) -> Groups {
        let first = |entry| self.firsts[self.parts.root(entry) as usize];
        let first_of: Vec<u32> = (0..distinct.len() as u32).map(first).collect();
        of_sets(distinct, &first_of)
    }

    fn set_count(&mut self, left: u32, right: u32, pairs: u64) {
        for (here, there) in [(left, right), (right, left)] {
            let is_new = self.counts[here as usize].insert(there, pairs).is_none();
            self.n_counts += usize::from(is_new);
        }
    }

    /// Joins two parts: the part with fewer counts becomes a child of the other.
    ///
    /// The new part cannot be joined to a third one at once: all pairs of the third with one of the two would
    /// have been added before, so they would have been joined.
    fn join(&mut self, left: u32, right: u32) {
        let fewer = self.counts[left as usize].len() < self.counts[right as usize].len();
        let (child, root) = if fewer { (left, right) } else { (right, left) };
        let old_counts = std::mem::take(&mut self.counts[child as usize]);
        self.n_counts -= old_counts.len();
        for (other, pairs) in old_counts {
            self.counts[other as usize].remove(&child);
            self.n_counts -= 1;
            if other != root {
                let before = self.counts[root as usize].get(&other).copied().unwrap_or(0);
                self.set_count(root, other, before + pairs);
            }
        }
        self.parts.attach(child, root);
        let (child, root) = (child as usize, root as usize);
        self.firsts[root] = self.firsts[root].min(self.firsts[child]);
    }
}

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
    use crate::id::DocId;
    use crate::progress::Progress;

    /// The textbook algorithm: repeatedly joins the two parts whose farthest pair is nearest, and among equal
    /// ones those whose farthest pair comes first.
    fn by_the_textbook(n: u32, pairs: &[Pair]) -> Vec<Vec<u32>> {
        let place =
            |a: u32, b: u32| pairs.iter().position(|pair| (pair.a, pair.b) == (a.min(b), a.max(b)));
        let mut parts: Vec<Vec<u32>> = (0..n).map(|entry| vec![entry]).collect();
        loop {
            let farthest = |one: &[u32], other: &[u32]| {
                let places = one.iter().flat_map(|&a| other.iter().map(move |&b| place(a, b)));
                places.collect::<Option<Vec<usize>>>()?.into_iter().max()
            };
            let two = (0..parts.len()).flat_map(|one| (0..one).map(move |other| (other, one)));
            let near = two.filter_map(|(a, b)| Some((farthest(&parts[a], &parts[b])?, a, b)));
            let Some((_, one, other)) = near.min() else { break };
            let other = parts.remove(other);
            parts[one].extend(other);
        }
        parts.retain(|part| part.len() > 1);
        for part in &mut parts {
            part.sort_unstable();
        }
        parts.sort();
        parts
    }

    proptest! {
        /// Joining two parts when their last pair is added equals joining by the farthest pair.
        #[test]
        fn groups_are_those_of_the_textbook(
            distances in prop::collection::vec(1..7_u32, 36),
            k in 1..7_u32,
        ) {
            let n = 9_u32;
            let ends = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
            let all = ends.zip(distances).map(|((a, b), distance)| Pair { distance, a, b });
            let mut pairs: Vec<Pair> = all.filter(|pair| pair.distance <= k).collect();
            pairs.sort_by_key(|pair| (pair.distance, pair.a, pair.b));
            let values: Vec<Option<u64>> = (0..u64::from(n)).map(Some).collect();
            let distinct = Distinct::collapse(&values, &Progress::new()).unwrap();
            let mut linkage = CompleteLinkage::new(n as usize);
            linkage.meet(&pairs).unwrap();
            let groups = linkage.groups(&distinct);
            let mut found: Vec<Vec<u32>> =
                groups.iter().map(|group| group.iter().map(|document| document.0).collect()).collect();
            found.sort();
            prop_assert_eq!(found, by_the_textbook(n, &pairs));
        }
    }

    #[test]
    fn two_parts_wait_for_the_last_pair_between_them() {
        // B-C comes before C-D, and A-C is within k, but A-C comes after C-D.
        let distinct = Distinct::collapse(&[0_u64, 1, 2, 3].map(Some), &Progress::new()).unwrap();
        let pair = |a, b, distance| Pair { distance, a, b };
        let mut linkage = CompleteLinkage::new(4);
        linkage.meet(&[pair(0, 1, 1), pair(1, 2, 2), pair(2, 3, 3), pair(0, 2, 4)]).unwrap();
        let groups = linkage.groups(&distinct);
        assert_eq!(groups.documents(0), [DocId(0), DocId(1)]);
        assert_eq!(groups.documents(1), [DocId(2), DocId(3)]);
    }

    #[test]
    fn a_chain_by_hand_falls_where_two_are_too_far() {
        let distinct = Distinct::collapse(&[0_u64, 1, 2, 3].map(Some), &Progress::new()).unwrap();
        let pair = |a, b, distance| Pair { distance, a, b };
        let pairs = [pair(0, 1, 1), pair(2, 3, 2), pair(0, 2, 3), pair(1, 2, 3), pair(1, 3, 4)];
        let mut linkage = CompleteLinkage::new(4);
        linkage.meet(&pairs).unwrap();
        let groups = linkage.groups(&distinct);
        let [left, right] = [0, 1].map(|group| groups.documents(group).to_vec());
        assert_eq!((left, right), (vec![DocId(0), DocId(1)], vec![DocId(2), DocId(3)]));
        // The last of the four pairs between the parts joins them.
        linkage.meet(&[pair(0, 3, 5)]).unwrap();
        assert_eq!((linkage.groups(&distinct).len(), linkage.n_counts), (1, 0));
    }

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
