//! Every near-duplicate pair of an analysis, and what follows from it for each document.

use crate::{
    id::DocId,
    index::{Distinct, Groups, Pair, cluster},
    simhash::Bits,
};

/// Pairs of distinct fingerprints within k, nearest first, with counts and groups.
///
/// Copies are never unfolded: memory is that of the pairs of distinct fingerprints.
#[derive(Debug)]
pub struct Near {
    /// The distance up to which pairs were searched.
    pub k: u32,
    /// The pairs, nearest first.
    pub pairs: Vec<Pair>,
    /// For each entry, the documents within k of one of its documents, that one not counted.
    pub counts: Vec<u32>,
    /// Pairs of documents, copies among them, at each distance 0 to k.
    pub pairs_at: Vec<u64>,
    /// The connected documents.
    pub groups: Groups,
}

impl Near {
    /// Counts and groups what a search within `k` found.
    pub(crate) fn new<B: Bits>(k: u32, distinct: &Distinct<B>, pairs: Vec<Pair>) -> Self {
        let copies = |entry: u32| distinct.documents(entry).len() as u32;
        let mut counts: Vec<u32> =
            (0..distinct.len() as u32).map(|entry| copies(entry) - 1).collect();
        for pair in &pairs {
            counts[pair.a as usize] += copies(pair.b);
            counts[pair.b as usize] += copies(pair.a);
        }
        let mut pairs_at = crate::index::pair::count_by_distance(distinct, &pairs);
        pairs_at.resize(k as usize + 1, 0);
        let groups = cluster::groups(distinct, &pairs);
        Self { k, pairs, counts, pairs_at, groups }
    }

    /// Pairs of documents within k.
    pub fn n_document_pairs(&self) -> u64 {
        self.pairs_at.iter().sum()
    }
}

/// A document near another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The document.
    pub document: DocId,
    /// Its distance.
    pub distance: u32,
}
