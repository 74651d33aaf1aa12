//! Groups in which every two members are near: complete linkage.
//!
//! Connected pairs make chains; complete linkage splits them. Pairs come nearest first; two parts become
//! one when the last pair between them has come, which is the farthest, so that no two members of a part are farther apart
//! than k. That is agglomerative clustering by the farthest pair, which costs n^2 in textbooks; here it
//! costs one look at each pair within k, as parts that have not met need not be thought of. Contract
//! order has no ties, so the result is one and the same whatever the threads.
//!
//! ```text
//! A-B 1, C-D 2, B-C 3, A-C 3, A-D 5, B-D 4 at k = 4:   AB, then CD; B-C, A-C, B-D met, A-D not: AB | CD
//! ```
//!
//! Memory: 16 bytes an entry and some 40 for every two parts that have met but are not one.
//!
//! Source: Defays, "An efficient algorithm for a complete link method" (1977), for what it computes.

use std::collections::HashMap;

use super::{
    cluster::{Groups, of_sets},
    distinct::Distinct,
    pair::Pair,
};
use crate::{choice::choice, simhash::Bits};

choice! {
    /// The rule that makes a group of near documents.
    pub enum Linkage, "linkage" {
        /// A chain of near pairs leads from each to each.
        #[default]
        Single = "single",
        /// Every two are near.
        Complete = "complete",
    }
}

/// Two parts that met and are not one are remembered twice; this is the most: about 700 MB.
const MOST_MEETINGS: usize = 1 << 24;

/// Too many parts met without becoming one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "complete linkage would have to remember more than {} meetings of parts; use a smaller distance",
    crate::number::grouped(MOST_MEETINGS as u64 / 2)
)]
pub struct TooManyMeetings;

/// Parts of a set of entries that grow as pairs are met.
#[derive(Debug)]
pub struct CompleteLinkage {
    /// Towards the root of a part.
    parents: Vec<u32>,
    /// At a root, the first entry of the part.
    firsts: Vec<u32>,
    /// At a root, entries in the part.
    sizes: Vec<u32>,
    /// At a root, how many pairs there were with each other part.
    met: Vec<HashMap<u32, u64>>,
    n_meetings: usize,
}

impl CompleteLinkage {
    /// Each of `n` entries for itself.
    ///
    /// # Panics
    /// If there are 2^32 or more.
    pub fn new(n: usize) -> Self {
        let entries = 0..u32::try_from(n).expect("fewer than 2^32 entries");
        Self {
            parents: entries.clone().collect(),
            firsts: entries.collect(),
            sizes: vec![1; n],
            met: vec![HashMap::new(); n],
            n_meetings: 0,
        }
    }

    /// Takes more pairs, all of them at least as far in the contract's order as those before.
    ///
    /// # Errors
    /// [`TooManyMeetings`] if they would fill the memory; nothing should be asked of it then.
    pub fn meet(&mut self, pairs: &[Pair]) -> Result<(), TooManyMeetings> {
        for pair in pairs {
            let (left, right) = (self.root(pair.a), self.root(pair.b));
            let all = u64::from(self.sizes[left as usize]) * u64::from(self.sizes[right as usize]);
            if all == 1 {
                self.join(left, right);
                continue;
            }
            let before = self.met[left as usize].get(&right).copied().unwrap_or(0);
            if before + 1 == all {
                self.join(left, right);
            } else {
                self.remember(left, right, before + 1);
                if self.n_meetings > MOST_MEETINGS {
                    return Err(TooManyMeetings);
                }
            }
        }
        Ok(())
    }

    /// The groups that the parts and the copies inside their entries make.
    ///
    /// # Panics
    /// If `distinct` has another number of entries.
    pub fn groups<B: Bits>(&mut self, distinct: &Distinct<B>) -> Groups {
        let n = distinct.len() as u32;
        let first_of: Vec<u32> = (0..n)
            .map(|entry| {
                let root = self.root(entry);
                self.firsts[root as usize]
            })
            .collect();
        of_sets(distinct, &first_of)
    }

    fn root(&mut self, mut entry: u32) -> u32 {
        while self.parents[entry as usize] != entry {
            let grandparent = self.parents[self.parents[entry as usize] as usize];
            self.parents[entry as usize] = grandparent;
            entry = grandparent;
        }
        entry
    }

    fn remember(&mut self, left: u32, right: u32, pairs: u64) {
        for (here, there) in [(left, right), (right, left)] {
            let is_new = self.met[here as usize].insert(there, pairs).is_none();
            self.n_meetings += usize::from(is_new);
        }
    }

    /// Makes one part of two; the one that met fewer others goes into the other.
    ///
    /// No third part has met all of the new one: it would have met all of one of the two before.
    fn join(&mut self, left: u32, right: u32) {
        let fewer = self.met[left as usize].len() < self.met[right as usize].len();
        let (child, root) = if fewer { (left, right) } else { (right, left) };
        let meetings = std::mem::take(&mut self.met[child as usize]);
        self.n_meetings -= meetings.len();
        for (other, pairs) in meetings {
            self.met[other as usize].remove(&child);
            self.n_meetings -= 1;
            if other != root {
                let before = self.met[root as usize].get(&other).copied().unwrap_or(0);
                self.remember(root, other, before + pairs);
            }
        }
        let (child, root) = (child as usize, root as usize);
        self.parents[child] = root as u32;
        self.sizes[root] += self.sizes[child];
        self.firsts[root] = self.firsts[root].min(self.firsts[child]);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{id::DocId, progress::Progress};

    /// The textbook's way: again and again the two parts whose farthest pair is nearest become one, of
    /// equal ones those whose farthest pair comes first.
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
        /// Joining when the last pair between two parts comes is joining by the farthest pair.
        #[test]
        fn groups_are_those_of_the_textbook(
            distances in prop::collection::vec(1..7_u32, 36),
            k in 1..7_u32,
        ) {
            let n = 9_u32;
            let ends = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
            let all = ends.zip(distances).map(|((a, b), distance)| Pair { a, b, distance });
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
        // B-C comes before C-D, and A-C is within k; but A-C has not come when C-D does.
        let distinct = Distinct::collapse(&[0_u64, 1, 2, 3].map(Some), &Progress::new()).unwrap();
        let pair = |a, b, distance| Pair { a, b, distance };
        let mut linkage = CompleteLinkage::new(4);
        linkage.meet(&[pair(0, 1, 1), pair(1, 2, 2), pair(2, 3, 3), pair(0, 2, 4)]).unwrap();
        let groups = linkage.groups(&distinct);
        assert_eq!(groups.documents(0), [DocId(0), DocId(1)]);
        assert_eq!(groups.documents(1), [DocId(2), DocId(3)]);
    }

    #[test]
    fn a_chain_by_hand_falls_where_two_are_too_far() {
        let distinct = Distinct::collapse(&[0_u64, 1, 2, 3].map(Some), &Progress::new()).unwrap();
        let pair = |a, b, distance| Pair { a, b, distance };
        let pairs = [pair(0, 1, 1), pair(2, 3, 2), pair(0, 2, 3), pair(1, 2, 3), pair(1, 3, 4)];
        let mut linkage = CompleteLinkage::new(4);
        linkage.meet(&pairs).unwrap();
        let groups = linkage.groups(&distinct);
        let [left, right] = [0, 1].map(|group| groups.documents(group).to_vec());
        assert_eq!((left, right), (vec![DocId(0), DocId(1)], vec![DocId(2), DocId(3)]));
        // The last of the four pairs between them makes them one.
        linkage.meet(&[pair(0, 3, 5)]).unwrap();
        assert_eq!((linkage.groups(&distinct).len(), linkage.n_meetings), (1, 0));
    }
}
