//! Every near-duplicate pair of an analysis, for every k up to a reach: a ladder to step on.
//!
//! ```text
//! pairs, nearest first     d=1 d=1 d=2 d=2 d=2 d=3 ..
//! ends                     ^0      ^2          ^5        pairs[..ends[k]] are within k
//! totals                   k=0     k=1         k=2       document pairs, groups, largest, covered
//! links                    of these pairs, the ones that joined two groups
//! counts                   for each entry, the distances at which its neighbours come, summed up
//! ```
//!
//! Searched once, a step of k reads its row of totals and searches nothing. Building costs one pass over
//! the pairs; memory is 12 bytes a pair and up to 36 more for links and counts, a bit and a half an
//! entry, and 8 bytes an entry meanwhile.

use super::neighbour_counts::NeighbourCounts;
use crate::{
    index::{Distinct, GroupTotals, Pair, cluster, count_document_pairs},
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// Pairs between two looks at the cancel flag: some milliseconds.
pub(super) const STRIDE: usize = 1 << 16;

/// Pairs of distinct fingerprints up to a reach, nearest first, and what each k makes of them.
///
/// Copies are never unfolded: memory is that of the pairs of distinct fingerprints.
#[derive(Debug)]
pub struct PairsByDistance {
    pairs: Vec<Pair>,
    /// The number of pairs within each distance.
    ends: Vec<usize>,
    totals: Vec<ThresholdTotals>,
    links: Vec<Pair>,
    /// One for all documents; with a reference one for those of the first corpus and one for the others.
    counts: Vec<NeighbourCounts>,
    limit: Option<ReachLimit>,
}

/// The numbers of pairs and groups within one k.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThresholdTotals {
    /// Pairs of documents, copies among them.
    pub pairs: u64,
    /// The groups they make.
    pub groups: GroupTotals,
    /// With a reference, the documents of the first corpus that have a near one in it.
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
    /// Counts what a search within `reach` found; `pairs` come nearest first.
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
        let mut shared = distinct.sides().map(|_| SharedDocuments::new(distinct));
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
        // With a reference the neighbours of the one side are on the other.
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

    /// The reason why the reach is smaller than asked for, if it is.
    pub fn limit(&self) -> Option<ReachLimit> {
        self.limit
    }

    /// The same, as if the search had gone no farther for this reason.
    #[cfg(test)]
    pub(crate) fn limited(mut self, limit: ReachLimit) -> Self {
        self.limit = Some(limit);
        self
    }

    /// The numbers of pairs and groups within `k`; `None` beyond the reach.
    pub fn totals(&self, k: u32) -> Option<ThresholdTotals> {
        self.totals.get(k as usize).copied()
    }

    /// The pairs of distinct fingerprints within `k`, nearest first; beyond the reach, those within it.
    pub fn pairs(&self, k: u32) -> &[Pair] {
        &self.pairs[..self.ends[k.min(self.reach()) as usize]]
    }

    /// Of these pairs the fewest that make the same groups.
    pub fn links(&self, k: u32) -> &[Pair] {
        &self.links[..self.links.partition_point(|pair| pair.distance <= k)]
    }

    /// Documents within `k` of an entry's, those with the same fingerprint not counted. With a reference those
    /// in the other corpus, for the documents of the reference or the others.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn count(&self, entry: u32, k: u32, is_reference: bool) -> u32 {
        let at = usize::from(is_reference).min(self.counts.len() - 1);
        self.counts[at].within(entry, k)
    }
}

/// The documents of the first corpus that have a near one in the reference, counted along the pairs.
struct SharedDocuments {
    /// The entries that have a pair across, or are on both sides.
    is_counted: Vec<bool>,
    n: u64,
}

impl SharedDocuments {
    fn new<B: Bits>(distinct: &Distinct<B>) -> Self {
        let mut shared = Self { is_counted: vec![false; distinct.len()], n: 0 };
        distinct.paired().for_each(|entry| shared.add(distinct, entry));
        shared
    }

    /// The number with these pairs, too.
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
        // Bits 0 to 5 counted up: many values at every distance, some of them twice.
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
