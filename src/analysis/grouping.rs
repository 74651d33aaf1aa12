//! Groups by single or complete linkage from kept pairs, and the shape of a group.
//!
//! The shape is computed from the group's own fingerprints, so it needs no pairs of the corpus, and its cost
//! depends on the group only. With a band layout, only pairs that share a band are used.

use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
};

use rayon::prelude::*;

use super::{
    Analysis, AnalysisError, FingerprintIndex, Job, PairsByDistance,
    dedup::{TextId, texts_marked},
    fingerprint_index::each,
};
use crate::{
    id::DocId,
    index::{
        self, CompleteLinkage, GroupShape, Groups, Linkage, Members, Pair, Plan, TooManyPartPairs,
        shape::farthest,
    },
    progress::{Cancelled, Progress},
};

/// Groups that are processed at once.
const AT_ONCE: usize = 1 << 10;

/// Groups, and what they were made from.
#[derive(Clone, Debug)]
pub struct GroupListing {
    /// The groups.
    pub groups: Arc<Groups>,
    /// The fingerprints.
    pub index: Arc<FingerprintIndex>,
    /// The k.
    pub k: u32,
    /// The linkage.
    pub linkage: Linkage,
}

/// Pairs of entries that grouping ignores, the lower number first. Their texts are marked as not duplicates.
pub type IgnoredPairs = HashSet<[u32; 2]>;

/// A test whether a pair is ignored.
pub(super) fn is_ignored(ignored: &IgnoredPairs) -> impl Fn(&Pair) -> bool + Clone {
    move |pair| !ignored.is_empty() && ignored.contains(&[pair.a.min(pair.b), pair.a.max(pair.b)])
}

impl Analysis {
    /// The pairs of entries whose texts are all marked as not duplicates by these pairs of documents. Documents
    /// with equal fingerprints stay in one group. Linear in the documents of these fingerprints.
    pub fn ignored_pairs(&self, not_duplicates: &BTreeSet<[DocId; 2]>) -> IgnoredPairs {
        let Some(index) = self.index.as_ref().filter(|_| !not_duplicates.is_empty()) else {
            return IgnoredPairs::new();
        };
        let documents: Vec<DocId> = not_duplicates.iter().flatten().copied().collect();
        let numbers = self.text_numbers(&documents);
        let marked = texts_marked(not_duplicates, &numbers);
        let entries = |pair: &[DocId; 2]| {
            let [a, b] = pair.map(|document| index.entry_of(document));
            a.zip(b).filter(|(a, b)| a != b).map(|(a, b)| [a.min(b), a.max(b)])
        };
        let texts = |entry| {
            let documents = index.documents(entry).iter();
            documents.map(|&it| TextId::new(it, &numbers)).collect::<HashSet<_>>()
        };
        let are_all_marked = |[a, b]: &[u32; 2]| {
            let others = texts(*b);
            texts(*a).iter().all(|&one| others.iter().all(|&it| marked.contains(&[one, it])))
        };
        not_duplicates.iter().filter_map(entries).filter(are_all_marked).collect()
    }
}

impl FingerprintIndex {
    /// The groups of the pairs within `k`, without the ignored pairs. Nearly linear in the entries, or in the pairs
    /// if some are ignored. Complete linkage processes every pair, some 100 ns each.
    ///
    /// # Errors
    /// [`TooManyPartPairs`] if complete linkage would take too much memory.
    pub fn linked(
        &self,
        near: &PairsByDistance,
        k: u32,
        linkage: Linkage,
        ignored: &IgnoredPairs,
    ) -> Result<Groups, TooManyPartPairs> {
        if linkage == Linkage::Single && ignored.is_empty() {
            return Ok(self.groups(near, k));
        }
        let is_ignored = is_ignored(ignored);
        each!(self, index => match linkage {
            Linkage::Single => {
                let pairs = near.pairs(k).iter().filter(|pair| !is_ignored(pair));
                Ok(index::groups(&index.distinct, pairs))
            }
            Linkage::Complete => {
                let mut linkage = CompleteLinkage::new(index.distinct.len());
                near.pairs(k).split(is_ignored).try_for_each(|some| linkage.meet(some))?;
                Ok(linkage.groups(&index.distinct))
            }
        })
    }

    /// The shape of the group of these documents at `k`.
    ///
    /// # Panics
    /// If they are not a group at that k.
    pub fn shape(&self, documents: &[DocId], k: u32) -> GroupShape {
        let progress = Progress::new();
        let shape = each!(self, index => {
            let members = Members::of(&index.distinct, documents);
            if index.layout.is_bands() {
                GroupShape::found(&members, &Plan::by_tables(&index.layout, k), &progress)
            } else {
                GroupShape::search(&members, index.width, k, &progress)
            }
        });
        shape.expect("it is never cancelled")
    }

    /// Whether two of these documents are farther apart than `k`. A group with such documents is a chain.
    ///
    /// As exact as [`GroupShape::farthest`] is.
    pub fn is_chain(&self, documents: &[DocId], k: u32) -> bool {
        each!(self, index => {
            let members = Members::of(&index.distinct, documents);
            farthest(&members.values, &Progress::new()).is_ok_and(|far| far.distance > k)
        })
    }

    /// The number of groups that are chains at `k`.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub(super) fn n_chains(&self, groups: &Groups, k: u32, job: &Job) -> Result<u64, Cancelled> {
        let numbers: Vec<u32> = (0..groups.len() as u32).collect();
        let is_chain = |group: &&u32| {
            let documents = groups.documents(**group);
            // The two members of a group of two are within k.
            documents.len() > 2 && self.is_chain(documents, k)
        };
        let mut n_chains = 0;
        for some in numbers.chunks(AT_ONCE) {
            job.progress.check()?;
            n_chains += some.par_iter().filter(is_chain).count() as u64;
        }
        Ok(n_chains)
    }

    /// Calls `take` with the shape of every group at `k`, group 0 first, in bounded memory.
    ///
    /// # Errors
    /// [`AnalysisError::Cancelled`] if cancelled, or the error of `take`.
    pub fn each_shape<E: From<AnalysisError>>(
        &self,
        groups: &Groups,
        k: u32,
        job: &Job,
        take: &mut dyn FnMut(u32, GroupShape) -> Result<(), E>,
    ) -> Result<(), E> {
        for first in (0..groups.len()).step_by(AT_ONCE) {
            job.progress.check().map_err(AnalysisError::from)?;
            let some = first as u32..groups.len().min(first + AT_ONCE) as u32;
            let shape = |group| self.shape(groups.documents(group), k);
            let shapes: Vec<GroupShape> = some.clone().into_par_iter().map(shape).collect();
            some.zip(shapes).try_for_each(|(group, shape)| take(group, shape))?;
        }
        Ok(())
    }
}
