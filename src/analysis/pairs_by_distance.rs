//! Every near pair for every k up to the reach, so that k can change without a search.
//!
//! ```text
//! pairs, nearest first     d=1 d=1 d=2 d=2 d=2 d=3 ..
//! ends                     ^0      ^2          ^5        pairs[..ends[k]] are within k
//! totals                   k=0     k=1         k=2       document pairs, groups, largest, covered
//! links                    the pairs that joined two groups
//! counts                   for each entry, the distances of its neighbours, with running sums
//! ```
//!
//! After one search, a change of k only reads a row of totals. Building takes one pass over the pairs. Memory: 12
//! bytes for each pair and up to 36 more for links and counts, a bit and a half for each entry, and 8 bytes for
//! each entry during the pass.

use super::neighbour_counts::NeighbourCounts;
use crate::{
    index::{Distinct, GroupTotals, Pair, cluster, count_document_pairs},
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// Pairs between two checks of the cancel flag: some milliseconds.
pub(super) const STRIDE: usize = 1 << 16;

/// Pairs of distinct fingerprints up to the reach, nearest first, with totals for each k.
///
/// Pairs of documents are counted but not listed: memory is that of the pairs of distinct fingerprints.
#[derive(Debug)]
pub struct PairsByDistance {
    pairs: Vec<Pair>,
    /// The number of pairs within each distance.
    ends: Vec<usize>,
    totals: Vec<ThresholdTotals>,
    links: Vec<Pair>,
    /// One element for all documents; with a reference, one for the first corpus and one for the reference.
    counts: Vec<NeighbourCounts>,
    limit: Option<ReachLimit>,
}

/// The numbers of pairs and groups within one k.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThresholdTotals {
    /// Pairs of documents, including pairs with equal fingerprints.
    pub pairs: u64,
    /// The groups of these pairs.
    pub groups: GroupTotals,
    /// With a reference, the number of documents of the first corpus that are near a document of the reference.
    pub shared: Option<u64>,
}

/// The reason why the reach is not larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReachLimit {
    /// Chance alone would bring too many pairs.
    Chance,
    /// There are too many pairs to keep.
    Pairs,
}

impl PairsByDistance {
    /// Counts the pairs of a search within `reach`; `pairs` must be sorted nearest first.
    pub(super) fn new<B: Bits>(
        reach: u32,
        distinct: &Distinct<B>,
        pairs: Vec<Pair>,
        limit: Option<ReachLimit>,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let end = |distance| pairs.partition_point(|pair| pair.distance <= distance);
        let ends: Vec<usize> = (0..=reach).map(end).collect();
        let growth = cluster::growth(distinct, &pairs, reach, progress)?;
        let mut n_pairs = count_document_pairs(distinct, &[]);
        let mut totals = Vec::with_capacity(ends.len());
        let mut shared = distinct.sides().map(|_| ReferenceMatchCount::new(distinct));
        let mut from = 0;
        for (&to, &groups) in ends.iter().zip(&growth.totals) {
            for stride in pairs[from..to].chunks(STRIDE) {
                progress.check()?;
                n_pairs +=
                    stride.iter().map(|pair| distinct.n_pairs_between(pair.a, pair.b)).sum::<u64>();
            }
            let shared = shared.as_mut().map(|shared| shared.count(distinct, &pairs[from..to]));
            totals.push(ThresholdTotals { pairs: n_pairs, groups, shared });
            from = to;
        }
        let count = |copies: &dyn Fn(u32) -> u32| {
            NeighbourCounts::new(distinct.len(), &pairs, copies, progress)
        };
        // With a reference, the neighbours of each side are on the other side.
        let there = |entry, side: usize| distinct.documents_by_side(entry)[side].len() as u32;
        let counts = if distinct.sides().is_some() {
            vec![count(&|entry| there(entry, 1))?, count(&|entry| there(entry, 0))?]
        } else {
            vec![count(&|entry| distinct.documents(entry).len() as u32)?]
        };
        Ok(Self { pairs, ends, totals, links: growth.links, counts, limit })
    }

    /// The distance up to which pairs were searched.
    pub fn reach(&self) -> u32 {
        self.ends.len() as u32 - 1
    }

    /// The reason why the reach is smaller than requested; `None` if it is not smaller.
    pub fn limit(&self) -> Option<ReachLimit> {
        self.limit
    }

    /// These pairs, as if this had limited the reach.
    #[cfg(test)]
    pub(crate) fn limited(mut self, limit: ReachLimit) -> Self {
        self.limit = Some(limit);
        self
    }

    /// The numbers of pairs and groups within `k`; `None` beyond the reach.
    pub fn totals(&self, k: u32) -> Option<ThresholdTotals> {
        self.totals.get(k as usize).copied()
    }

    /// The pairs of distinct fingerprints within `k`, or within the reach if `k` is larger; nearest first.
    pub fn pairs(&self, k: u32) -> &[Pair] {
        &self.pairs[..self.ends[k.min(self.reach()) as usize]]
    }

    /// The pairs of distinct fingerprints at exactly this distance, which is 1 to the reach.
    pub(super) fn pairs_at(&self, distance: u32) -> &[Pair] {
        &self.pairs(distance)[self.pairs(distance - 1).len()..]
    }

    /// A spanning forest of the pairs within `k`: the fewest pairs that form the same groups.
    pub fn links(&self, k: u32) -> &[Pair] {
        &self.links[..self.links.partition_point(|pair| pair.distance <= k)]
    }

    /// The number of documents within `k` of an entry, without its own documents. With a reference, only documents
    /// of the other corpus count: `is_reference` tells whether the entry stands for documents of the reference.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn count(&self, entry: u32, k: u32, is_reference: bool) -> u32 {
        let at = usize::from(is_reference).min(self.counts.len() - 1);
        self.counts[at].within(entry, k)
    }
}

/// The number of documents of the first corpus that are near a document of the reference, counted pair by pair.
struct ReferenceMatchCount {
    /// The entries with a pair across the two corpora, or with documents on both sides.
    is_counted: Vec<bool>,
    n: u64,
}

impl ReferenceMatchCount {
    fn new<B: Bits>(distinct: &Distinct<B>) -> Self {
        let mut shared = Self { is_counted: vec![false; distinct.len()], n: 0 };
        distinct.paired().for_each(|entry| shared.add(distinct, entry));
        shared
    }

    /// Adds these pairs; returns the number so far.
    fn count<B: Bits>(&mut self, distinct: &Distinct<B>, pairs: &[Pair]) -> u64 {
        pairs.iter().flat_map(Pair::ends).for_each(|entry| self.add(distinct, entry));
        self.n
    }

    fn add<B: Bits>(&mut self, distinct: &Distinct<B>, entry: u32) {
        if !std::mem::replace(&mut self.is_counted[entry as usize], true) {
            self.n += distinct.documents_by_side(entry)[0].len() as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::naive;

    #[test]
    fn every_rung_says_what_a_search_for_its_k_would() {
        // Values of six low bits and two others: many values at every distance, some of them twice.
        let words: Vec<Option<u64>> =
            (0..90_u64).map(|n| Some((n * 7 % 64) | ((n % 3) << 40))).collect();
        let distinct = Distinct::collapse(&words, &Progress::new()).unwrap();
        let progress = Progress::new();
        let search = |k| naive::all_pairs(distinct.values(), k, &progress).unwrap();
        let pairs_by_distance =
            |k| PairsByDistance::new(k, &distinct, search(k), None, &progress).unwrap();
        let near = pairs_by_distance(8);
        for k in 0..=8 {
            let alone = pairs_by_distance(k);
            assert_eq!(near.pairs(k), search(k));
            assert_eq!((near.totals(k), near.links(k)), (alone.totals(k), alone.links(k)));
            let counted = naive_totals(&distinct, &words, k);
            assert_eq!(near.totals(k).map(|totals| totals.pairs), Some(counted));
        }
        assert_eq!((near.reach(), near.totals(9), near.pairs(9).len()), (8, None, search(8).len()));
    }

    fn naive_totals(distinct: &Distinct<u64>, words: &[Option<u64>], k: u32) -> u64 {
        assert_eq!(distinct.n_documents(), words.len());
        let words: Vec<u64> = words.iter().copied().flatten().collect();
        naive::all_pairs(&words, k, &Progress::new()).unwrap().len() as u64
    }
}
