//! The shape of one group: its diameter, its bridge and its weakest edge.
//!
//! A group is only guaranteed to be connected. With k = 3,
//!
//! ```text
//!  tree        A              A, B, C and D are one group: every edge of the tree is within k.
//!              `--3-- B       The diameter is d(A, D) = 8 > k, so it is a chain.
//!                 |--1-- C    Without B it falls into A and C + D: B is the bridge.
//!                    `--2--D  The weakest edge is A-B: k = 2 cuts the group into A and B + C + D.
//! ```
//!
//! The weakest edge is the longest edge of the minimum spanning tree: the smallest k that keeps the group connected.
//! Copies share a node. The representative is the group's first document.
//!
//! A group of n fingerprints with m pairs costs a search for the pairs, O(n + m) for the bridge, and n^2 comparisons
//! for the [diameter](farthest()) if it is exact. Memory: 4 bytes for each fingerprint and distance up to k, and 48 MB
//! at most for the pairs.

mod bridge;
mod farthest;

pub use bridge::Bridge;
pub use farthest::{Farthest, farthest};

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use super::{Distinct, Links, Plan, visit_pairs};
use crate::id::DocId;
use crate::progress::{Cancelled, Progress};
use crate::simhash::Bits;

/// The largest number of pairs in memory. A group with more pairs is not searched for a bridge.
const MOST_PAIRS: usize = 1 << 22;

/// The distinct fingerprints of one group.
#[derive(Clone, Debug)]
pub struct Members<B> {
    /// Their entries, ascending: the entry of the representative is first.
    pub entries: Vec<u32>,
    /// The fingerprint of each entry.
    pub values: Vec<B>,
    /// The number of documents of each entry.
    pub copies: Vec<u32>,
}

impl<B: Bits> Members<B> {
    /// The members of the group of these documents.
    ///
    /// # Panics
    /// If a document has no fingerprint, or there are no documents.
    pub fn of(distinct: &Distinct<B>, documents: &[DocId]) -> Self {
        assert!(!documents.is_empty(), "a group has documents");
        let entry = |&document| distinct.entry_of(document).expect("grouped, so it has one");
        let mut entries: Vec<u32> = documents.iter().map(entry).collect();
        entries.sort_unstable();
        entries.dedup();
        Self {
            values: entries.iter().map(|&entry| distinct.value(entry)).collect(),
            copies: entries.iter().map(|&entry| distinct.documents(entry).len() as u32).collect(),
            entries,
        }
    }
}

/// The shape of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupShape {
    /// The k of the group.
    pub k: u32,
    /// The number of documents, including copies.
    pub documents: u32,
    /// The number of distinct fingerprints.
    pub distinct: usize,
    /// The diameter.
    pub farthest: Farthest,
    /// The smallest k that keeps the group connected; `None` if all members are copies of one fingerprint.
    pub weakest: Option<u32>,
    /// The fingerprint that holds the group together.
    pub bridge: Bridge,
    /// The number of documents within k of the representative, including itself.
    pub covered: u32,
}

impl GroupShape {
    /// The shape of a group that is connected by the pairs of its members that a plan finds: all pairs within k, or
    /// those that share a band.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    ///
    /// # Panics
    /// If these pairs do not connect the members.
    pub fn search<B: Bits>(
        members: &Members<B>,
        plan: &Plan,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let Members { entries, values, copies } = members;
        let k = plan.k();
        let links: Vec<Links> = (0..=k).map(|_| Links::new(values.len())).collect();
        let kept = Mutex::new(Some(Vec::new()));
        visit_pairs(values, plan, progress, &|pairs| {
            for pair in pairs {
                links[pair.distance as usize].join(pair.a, pair.b);
            }
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(all) = &mut *kept {
                all.extend_from_slice(pairs);
            }
            kept.take_if(|all| all.len() > MOST_PAIRS);
            ControlFlow::Continue(())
        })?;
        let farthest = farthest(values, progress)?;
        progress.check()?;
        let bridge = match kept.into_inner().unwrap_or_else(PoisonError::into_inner) {
            None => Bridge::Unknown,
            Some(pairs) => bridge::bridge(copies, &pairs)
                .map_or(Bridge::None, |member| Bridge::At(entries[member as usize])),
        };
        let covered = values.iter().zip(copies).filter(|(value, _)| value.distance(values[0]) <= k);
        Ok(Self {
            k,
            documents: copies.iter().sum(),
            distinct: values.len(),
            farthest,
            weakest: weakest(values.len(), &links),
            bridge,
            covered: covered.map(|(_, n)| n).sum(),
        })
    }

    /// Whether two members are farther apart than k.
    pub fn is_chain(&self) -> bool {
        self.farthest.distance > self.k
    }
}

/// The smallest distance within which the links of `n` members, given by distance, connect all of them; `None` for a
/// member alone.
fn weakest(n: usize, links: &[Links]) -> Option<u32> {
    let together = Links::new(n);
    let connects_all = |links: &Links| {
        (0..n as u32).for_each(|member| together.join(member, links.first(member)));
        (0..n as u32).all(|member| together.first(member) == 0)
    };
    let distance = links.iter().position(connects_all).expect("the pairs connect the members");
    (n > 1).then_some(distance as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::choose;

    /// The group in the module's documentation, with its first member twice.
    fn chain() -> Members<u64> {
        let fingerprints = [0b0_u64, 0b111, 0b1111, 0b11_1111_1111, 0b0].map(Some);
        let distinct = Distinct::collapse(&fingerprints, &Progress::new()).unwrap();
        let documents: Vec<DocId> = (0..5).map(DocId).collect();
        Members::of(&distinct, &documents)
    }

    fn shape(members: &Members<u64>, k: u32) -> GroupShape {
        let plan = choose(&members.values, 64, k);
        GroupShape::search(members, &plan, &Progress::new()).unwrap()
    }

    #[test]
    fn a_chain_by_hand() {
        let shape = shape(&chain(), 6);
        assert_eq!((shape.documents, shape.distinct, shape.is_chain()), (5, 4, true));
        assert_eq!(shape.farthest, Farthest { distance: 10, is_exact: true });
        // d(1, 3) = 7 is beyond k, so only entry 2 leads to entry 3.
        assert_eq!((shape.weakest, shape.bridge, shape.covered), (Some(6), Bridge::At(2), 4));
    }

    #[test]
    fn copies_alone_have_no_edges() {
        let fingerprints = [Some(7_u64); 3];
        let distinct = Distinct::collapse(&fingerprints, &Progress::new()).unwrap();
        let members = Members::of(&distinct, &[DocId(0), DocId(1), DocId(2)]);
        let shape = shape(&members, 3);
        assert_eq!((shape.distinct, shape.farthest.distance, shape.weakest), (1, 0, None));
        assert_eq!((shape.bridge, shape.covered), (Bridge::None, 3));
    }
}
