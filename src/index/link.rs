//! Makes groups from pairs, in memory that does not depend on the number of pairs.
//!
//! All threads update one union-find at the same time, without a lock: the parent of an entry is always a smaller
//! entry, a set is joined to another by one compare-and-swap of its root, and a thread that fails looks up the
//! roots again. A root is the first entry of its set, whatever the order of the pairs. Memory is 4 bytes for each
//! entry; a pair inside a set costs two short walks.
//!
//! Sources: Jayanti and Tarjan, "A randomized concurrent algorithm for disjoint set union" (2016), with the order
//! of the corpus in place of their random order of roots; Anderson and Woll (1991).

use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};

use rayon::prelude::*;

use super::cluster::of_sets;
use super::{Distinct, Groups, Pair, Plan, count_document_pairs, visit_pairs};
use crate::progress::{Cancelled, Progress};
use crate::simhash::Bits;

/// The groups made by `pairs` and by the copies in each entry. The order of `pairs` does not matter.
///
/// # Panics
/// If a pair names an entry that does not exist.
pub fn groups<'a, B: Bits>(
    distinct: &Distinct<B>,
    pairs: impl IntoIterator<Item = &'a Pair>,
) -> Groups {
    let links = Links::new(distinct.len());
    pairs.into_iter().for_each(|pair| links.join(pair.a, pair.b));
    links.groups(distinct)
}

/// The groups made by copies and by the pairs that the plan finds and `is_link` accepts, and the number of all pairs
/// of documents that it finds.
///
/// The result is exactly that of [`groups`], in memory that does not depend on the number of pairs: 4 bytes for each
/// entry in addition to the search.
///
/// # Errors
/// [`Cancelled`] if cancelled; checked every few milliseconds.
pub fn linked_groups<B: Bits>(
    distinct: &Distinct<B>,
    plan: &Plan,
    is_link: impl Fn(&Pair) -> bool + Sync,
    progress: &Progress,
) -> Result<(Groups, u64), Cancelled> {
    let links = Links::new(distinct.len());
    let n_pairs = AtomicU64::new(count_document_pairs(distinct, &[]));
    visit_pairs(distinct.values(), plan, progress, &|pairs| {
        pairs.iter().filter(|pair| is_link(pair)).for_each(|pair| links.join(pair.a, pair.b));
        let n: u64 = pairs.iter().map(|pair| distinct.n_pairs_between(pair.a, pair.b)).sum();
        n_pairs.fetch_add(n, Relaxed);
        ControlFlow::Continue(())
    })?;
    progress.check()?;
    Ok((links.groups(distinct), n_pairs.into_inner()))
}

/// Sets of entries that any thread can join.
#[derive(Debug)]
pub struct Links {
    /// A smaller entry of the same set, or the entry itself if it is the first.
    parents: Vec<AtomicU32>,
}

impl Links {
    /// Each of `n` entries in a set of its own.
    ///
    /// # Panics
    /// If there are 2^32 entries or more.
    pub fn new(n: usize) -> Self {
        let n = u32::try_from(n).expect("fewer than 2^32 entries");
        Self { parents: (0..n).map(AtomicU32::new).collect() }
    }

    /// Joins the sets of two entries.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn join(&self, left: u32, right: u32) {
        let (mut left, mut right) = (left, right);
        loop {
            (left, right) = (self.first(left), self.first(right));
            if left == right {
                return;
            }
            let (parent, child) = (left.min(right), left.max(right));
            // Fails if another thread has just changed the parent of the child.
            if self.parents[child as usize]
                .compare_exchange(child, parent, Relaxed, Relaxed)
                .is_ok()
            {
                return;
            }
        }
    }

    /// The first entry of the set of `entry`, if no thread joins sets at the same time.
    pub(super) fn first(&self, mut entry: u32) -> u32 {
        loop {
            let parent = self.parents[entry as usize].load(Relaxed);
            if parent == entry {
                return entry;
            }
            let grandparent = self.parents[parent as usize].load(Relaxed);
            // Any value that other threads store here at the same time is an ancestor too.
            self.parents[entry as usize].store(grandparent, Relaxed);
            entry = grandparent;
        }
    }

    /// The groups made by the sets and by the copies in each entry.
    ///
    /// # Panics
    /// If `distinct` has another number of entries.
    pub fn groups<B: Bits>(&self, distinct: &Distinct<B>) -> Groups {
        assert_eq!(self.parents.len(), distinct.len(), "a parent for each entry");
        let entries = (0..distinct.len() as u32).into_par_iter();
        let first_of: Vec<u32> = entries.map(|entry| self.first(entry)).collect();
        of_sets(distinct, &first_of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_joined_by_many_threads_make_the_groups_of_one() {
        let values: Vec<Option<u64>> = (0..50_000).map(|n| Some(n / 2 * 2 + n % 7 / 6)).collect();
        let distinct = Distinct::collapse(&values, &Progress::new()).unwrap();
        let n = distinct.len() as u64;
        // Chains, stars and late bridges, in an order that jumps about.
        let pair = |at: u64| {
            let a = at.wrapping_mul(48_271) % n;
            let b = [a + 1, a / 1000 * 1000, (a + n / 2) % n]
                [usize::from(at.is_multiple_of(5)) + usize::from(at.is_multiple_of(1001))];
            Pair { a: a as u32, b: b.min(n - 1) as u32, distance: 1 }
        };
        for some in [100, 5_000, n / 2, 3 * n] {
            let pairs: Vec<Pair> = (0..some).map(pair).collect();
            let links = Links::new(distinct.len());
            pairs.par_chunks(64).for_each(|chunk| {
                for pair in chunk {
                    links.join(pair.a, pair.b);
                }
            });
            let (found, expected) = (links.groups(&distinct), groups(&distinct, &pairs));
            assert!(found.iter().eq(expected.iter()));
        }
    }
}
