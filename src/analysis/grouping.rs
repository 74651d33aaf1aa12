//! Groups by either linkage from pairs that are kept, and the shape of a group.
//!
//! A shape is searched again from the group's own fingerprints, so it needs no pairs of the corpus and
//! costs what the group does. Only where bands were asked for does it look at what shares a band.

use std::sync::Arc;

use rayon::prelude::*;

use super::{
    AnalysisError, FingerprintIndex, Job, PairsByDistance,
    fingerprint_index::{TypedIndex, each},
};
use crate::{
    id::DocId,
    index::{
        self, CompleteLinkage, GroupShape, Groups, Linkage, Members, Plan, TooManyMeetings,
        shape::farthest,
    },
    progress::Progress,
    simhash::Bits,
};

/// Groups whose shapes are made at a time.
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

impl FingerprintIndex {
    /// The groups that the pairs within `k` make. Nearly linear in the entries; complete linkage looks
    /// at every pair, some 100 ns each.
    ///
    /// # Errors
    /// [`TooManyMeetings`] if complete linkage would fill the memory.
    pub fn linked(
        &self,
        near: &PairsByDistance,
        k: u32,
        linkage: Linkage,
    ) -> Result<Groups, TooManyMeetings> {
        each!(self, index => match linkage {
            Linkage::Single => Ok(index::groups(&index.distinct, near.links(k))),
            Linkage::Complete => {
                let mut linkage = CompleteLinkage::new(index.distinct.len());
                linkage.meet(near.pairs(k))?;
                Ok(linkage.groups(&index.distinct))
            }
        })
    }

    /// The shape of the group of these documents at `k`.
    ///
    /// # Panics
    /// If they are not a group at that k.
    pub fn shape(&self, documents: &[DocId], k: u32) -> GroupShape {
        each!(self, index => index.shape(documents, k))
    }

    /// Whether some two of these documents are farther apart than `k`: a chain, if they are a group.
    ///
    /// As exact as [`GroupShape::farthest`] is.
    pub fn is_chain(&self, documents: &[DocId], k: u32) -> bool {
        each!(self, index => {
            let members = Members::of(&index.distinct, documents);
            farthest(&members.values, &Progress::new()).is_ok_and(|far| far.distance > k)
        })
    }

    /// Passes the shape of every group at `k` to `take`, group 0 first, in bounded memory.
    ///
    /// # Errors
    /// [`AnalysisError::Cancelled`] if cancelled, or whatever `take` fails with.
    pub fn each_shape<E: From<AnalysisError>>(
        &self,
        groups: &Groups,
        k: u32,
        job: &Job,
        take: &mut dyn FnMut(u32, &GroupShape) -> Result<(), E>,
    ) -> Result<(), E> {
        for first in (0..groups.len()).step_by(AT_ONCE) {
            job.progress.check().map_err(AnalysisError::from)?;
            let some = first as u32..groups.len().min(first + AT_ONCE) as u32;
            let shape = |group| self.shape(groups.documents(group), k);
            let shapes: Vec<GroupShape> = some.clone().into_par_iter().map(shape).collect();
            some.zip(&shapes).try_for_each(|(group, shape)| take(group, shape))?;
        }
        Ok(())
    }
}

impl<B: Bits> TypedIndex<B> {
    fn shape(&self, documents: &[DocId], k: u32) -> GroupShape {
        let members = Members::of(&self.distinct, documents);
        let progress = Progress::new();
        let shape = if self.layout.is_bands() {
            GroupShape::found(&members, &Plan::by_tables(&self.layout, k), &progress)
        } else {
            GroupShape::search(&members, self.width, k, &progress)
        };
        shape.expect("nobody stops it")
    }
}
