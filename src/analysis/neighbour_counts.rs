//! The number of documents near each one, for every k at once.
//!
//! The count of an entry grows only at the distances of its neighbours. Only these steps are stored: at most one
//! for each distance, and at most two for each pair. A look-up is a linear search of the steps. An entry without
//! neighbours takes two bits.
//!
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

use crate::index::{
    BitSetBuilder, Distinct, GroupTotals, Pair, RankBitSet, cluster, count_document_pairs,
};
use crate::progress::{Cancelled, Progress};
use crate::simhash::Bits;

/// For each entry, the distances of its neighbours, each with the number of documents up to that distance.
#[derive(Debug)]
pub(super) struct NeighbourCounts {
    /// The entries that have neighbours.
    entries: RankBitSet,
    /// The start of each entry's steps, and the end of the last.
    starts: Vec<u32>,
    steps: Vec<CountStep>,
}

/// From `distance` on, `total` documents are near.
#[derive(Clone, Copy, Debug, Default)]
struct CountStep {
    distance: u32,
    total: u32,
}

impl NeighbourCounts {
    /// Counts the ends of `pairs`, which must be sorted nearest first. `copies` gives the number of documents of a
    /// neighbouring entry.
    ///
    /// # Panics
    /// If there are 2^31 pairs or more, or one names an entry that does not exist.
    pub(super) fn new(
        n_entries: usize,
        pairs: &[Pair],
        copies: &dyn Fn(u32) -> u32,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        assert!(pairs.len() < 1 << 31, "steps are numbered in 32 bits");
        let ends = |pair: &Pair| [(pair.a as usize, pair.b), (pair.b as usize, pair.a)];
        // Count the steps of each entry, then compute where they start, then write the steps.
        let mut starts = vec![0_u32; n_entries + 1];
        let mut last = vec![u32::MAX; n_entries];
        for stride in pairs.chunks(STRIDE) {
            progress.check()?;
            for pair in stride {
                for (entry, _) in ends(pair) {
                    let before = std::mem::replace(&mut last[entry], pair.distance);
                    starts[entry] += u32::from(before != pair.distance);
                }
            }
        }
        let mut n_steps = 0;
        for start in &mut starts {
            n_steps += std::mem::replace(start, n_steps);
        }
        let mut steps = vec![CountStep::default(); n_steps as usize];
        // The number of started steps of each entry; the last started step still grows.
        let mut begun = last;
        begun.fill(0);
        for stride in pairs.chunks(STRIDE) {
            progress.check()?;
            for pair in stride {
                for (entry, other) in ends(pair) {
                    let (start, begun) = (starts[entry], &mut begun[entry]);
                    let present = (start + *begun).checked_sub(1).filter(|_| *begun > 0);
                    let total = present.map_or(0, |at| steps[at as usize].total);
                    if present.is_none_or(|at| steps[at as usize].distance != pair.distance) {
                        *begun += 1;
                    }
                    steps[(start + *begun - 1) as usize] =
                        CountStep { distance: pair.distance, total: total + copies(other) };
                }
            }
        }
        let mut entries = BitSetBuilder::new(n_entries);
        let has_steps = |entry: &u32| starts[*entry as usize] < starts[*entry as usize + 1];
        (0..n_entries as u32).filter(has_steps).for_each(|entry| entries.insert(entry));
        // An entry without steps has the same start as the next one.
        starts.dedup();
        starts.shrink_to_fit();
        Ok(Self { entries: entries.build(), starts, steps })
    }

    /// The number of documents within `k` of an entry, without its own documents.
    pub(super) fn within(&self, entry: u32, k: u32) -> u32 {
        let Some(at) = self.entries.rank(entry) else { return 0 };
        let steps = &self.steps[self.starts[at] as usize..self.starts[at + 1] as usize];
        steps.iter().rev().find(|step| step.distance <= k).map_or(0, |step| step.total)
    }
}

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
    /// The reason why the reach is smaller than requested; `None` if it is not smaller.
    pub limit: Option<ReachLimit>,
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
    /// The search would take too long.
    Time,
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
        let has_reference = distinct.sides().is_some();
        // The entries with a pair across the two corpora, or with documents on both sides.
        let mut is_counted = vec![false; if has_reference { distinct.len() } else { 0 }];
        let mut n_shared = 0;
        let mut count_shared = |entries: &mut dyn Iterator<Item = u32>| {
            for entry in entries {
                if !std::mem::replace(&mut is_counted[entry as usize], true) {
                    n_shared += distinct.documents_by_side(entry)[0].len() as u64;
                }
            }
            n_shared
        };
        if has_reference {
            count_shared(&mut distinct.paired());
        }
        let mut from = 0;
        for (&to, &groups) in ends.iter().zip(&growth.totals) {
            for stride in pairs[from..to].chunks(STRIDE) {
                progress.check()?;
                n_pairs +=
                    stride.iter().map(|pair| distinct.n_pairs_between(pair.a, pair.b)).sum::<u64>();
            }
            let mut ends = pairs[from..to].iter().flat_map(Pair::ends);
            let shared = has_reference.then(|| count_shared(&mut ends));
            totals.push(ThresholdTotals { pairs: n_pairs, groups, shared });
            from = to;
        }
        let count = |copies: &dyn Fn(u32) -> u32| {
            NeighbourCounts::new(distinct.len(), &pairs, copies, progress)
        };
        // With a reference, the neighbours of each side are on the other side.
        let there = |entry, side: usize| distinct.documents_by_side(entry)[side].len() as u32;
        let counts = if has_reference {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Distinct;
    use crate::index::near_pairs::all_pairs::all_pairs;

    #[test]
    fn counts_are_those_of_the_pairs_within_k() {
        let words: Vec<Option<u64>> = (0..200_u64).map(|n| Some(n * 37 % 101 % 64)).collect();
        let distinct = Distinct::collapse(&words, &Progress::new()).unwrap();
        let pairs = all_pairs(distinct.values(), 6);
        let copies = |entry| distinct.documents(entry).len() as u32;
        let counts =
            NeighbourCounts::new(distinct.len(), &pairs, &copies, &Progress::new()).unwrap();
        for k in 0..=7 {
            for entry in 0..distinct.len() as u32 {
                let near =
                    |pair: &&Pair| pair.distance <= k && (pair.a == entry || pair.b == entry);
                let other = |pair: &Pair| if pair.a == entry { pair.b } else { pair.a };
                let expected: usize = pairs
                    .iter()
                    .filter(near)
                    .map(|pair| distinct.documents(other(pair)).len())
                    .sum();
                assert_eq!(counts.within(entry, k) as usize, expected);
            }
        }
        let alone = NeighbourCounts::new(1, &[], &copies, &Progress::new()).unwrap();
        assert_eq!(alone.within(0, 8), 0);
    }

    #[test]
    fn every_rung_says_what_a_search_for_its_k_would() {
        // Values of six low bits and two others: many values at every distance, some of them twice.
        let words: Vec<Option<u64>> =
            (0..90_u64).map(|n| Some((n * 7 % 64) | ((n % 3) << 40))).collect();
        let distinct = Distinct::collapse(&words, &Progress::new()).unwrap();
        let progress = Progress::new();
        let search = |k| all_pairs(distinct.values(), k);
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
        all_pairs(&words, k).len() as u64
    }
}
