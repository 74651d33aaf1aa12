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
//!
//! The choice of the reach: the largest distance, beyond k, up to which pairs are kept, so that k can change
//! without a search.
//!
//! Pairs are kept up to distance [`WIDE`], but only one bit beyond k if the search for more takes too long, and never too
//! many. Three estimates tell: the price of the search; the number of pairs expected by chance, which follows
//! from the number of fingerprints; and a sample that finds the neighbours of some entries by scan. The sample takes half
//! a second of one core for a million entries and more, which is little compared with the search.

use rayon::prelude::*;

use crate::{
    evaluate::distances,
    index::{
        self, BitSetBuilder, Distinct, GroupTotals, Pair, RankBitSet, cluster,
        count_document_pairs, scan::summed,
    },
    progress::{Cancelled, Progress},
    simhash::Bits,
};

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

/// The reach, if there are not too many pairs.
pub const WIDE: u32 = 8;
/// The most pairs of distinct fingerprints that are kept beyond k: at 12 bytes each, and as many again for counts
/// and links, 800 MB.
pub const MOST_PAIRS: usize = 32_000_000;
/// Entries whose neighbours are counted to estimate the number of pairs. A group of 8,000 among a million has the
/// most pairs that are kept; the sample misses such a group three times in ten thousand.
const SAMPLE: usize = 1024;
/// The most comparisons of the sample: among ten million, the neighbours of a hundred entries are counted. A group that
/// they miss ends the search beyond k, which stops at the most pairs that are kept.
const MOST_COMPARISONS: usize = 1 << 30;
/// The longest search beyond k + 1, in nanoseconds of one core as predicted: a million fingerprints are kept up to
/// [`WIDE`], of ten million those one bit beyond k.
const LONGEST: f64 = 2e9;

/// The largest distance between `k` and [`WIDE`], or `k` + 1, at which there are not too many pairs, and the reason why
/// it is not larger.
///
/// # Errors
/// [`Cancelled`] if cancelled.
pub(super) fn affordable<B: Bits>(
    values: &[B],
    width: u32,
    k: u32,
    progress: &Progress,
) -> Result<(u32, Option<ReachLimit>), Cancelled> {
    let (wide, n) = ((k + 1).max(WIDE).min(width), values.len());
    let by_chance = |reach| distances::expected_pairs(n as u64, reach, width) > MOST_PAIRS as f64;
    let mut likely = (k..=wide).rev().find(|&reach| !by_chance(reach)).unwrap_or(k);
    let mut limit = (likely < wide).then_some(ReachLimit::Chance);
    let is_short = |&reach: &u32| index::choose(values, width, reach).nanoseconds() <= LONGEST;
    if likely > k + 1 && !is_short(&likely) {
        likely = (k + 2..likely).rev().find(is_short).unwrap_or(k + 1);
        limit = Some(ReachLimit::Time);
    }
    if n * n.saturating_sub(1) / 2 <= MOST_PAIRS {
        return Ok((likely, limit));
    }
    let reach = farthest(values, k, likely, MOST_PAIRS as u64, progress)?;
    Ok((reach, if reach < likely { Some(ReachLimit::Pairs) } else { limit }))
}

/// The largest distance between `from` and `to` within which the sample estimates at most `most` pairs.
///
/// # Errors
/// [`Cancelled`] if cancelled.
pub(super) fn farthest<B: Bits>(
    values: &[B],
    from: u32,
    to: u32,
    most: u64,
    progress: &Progress,
) -> Result<u32, Cancelled> {
    let met_at = sampled(values, to.max(from), progress)?;
    // Each pair is counted from both ends.
    let share = values.len() as f64 / sample_size(values.len()) as f64 / 2.0;
    let mut within = 0.0;
    let is_few = |met: &&u64| {
        within += **met as f64 * share;
        within <= most as f64
    };
    let affordable = met_at.iter().take_while(is_few).count().saturating_sub(1) as u32;
    Ok(affordable.max(from))
}

/// The number of entries whose neighbours are counted, at least 1.
fn sample_size(n: usize) -> usize {
    SAMPLE.min(MOST_COMPARISONS / n.max(1)).min(n).max(1)
}

/// The number of neighbours of the sampled entries at each distance.
fn sampled<B: Bits>(values: &[B], reach: u32, progress: &Progress) -> Result<Vec<u64>, Cancelled> {
    let size = sample_size(values.len());
    let step = (values.len() / size).max(1);
    let entries = (0..values.len()).into_par_iter().step_by(step).take(size);
    summed(reach, entries, |met_at, entry| {
        progress.check()?;
        for found in index::neighbours(values, values[entry], reach) {
            met_at[found.distance as usize] += u64::from(found.entry as usize != entry);
        }
        Ok(())
    })
}

/// Removes the farthest pairs until at most `most` are left. Pairs within `k` are always kept. Returns the new
/// reach; `None` if no pair was removed.
pub(super) fn cut(pairs: &mut Vec<Pair>, k: u32, reach: u32, most: usize) -> Option<u32> {
    let end = |reach| pairs.partition_point(|pair| pair.distance <= reach);
    let nearer = (k..reach).rev().find(|&reach| end(reach) <= most).unwrap_or(k);
    if pairs.len() <= most || nearer >= reach {
        return None;
    }
    let end = end(nearer);
    pairs.truncate(end);
    pairs.shrink_to_fit();
    Some(nearer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{Distinct, near_pairs::all_pairs::all_pairs};

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

#[cfg(test)]
mod reach_tests {
    use super::*;

    fn reached(values: &[u64], width: u32, k: u32) -> (u32, Option<ReachLimit>) {
        affordable(values, width, k, &Progress::new()).unwrap()
    }

    /// Values far from each other: consecutive numbers, spread over all bits.
    fn spread(n: u64) -> Vec<u64> {
        (0..n).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
    }

    #[test]
    fn usually_it_is_eight_or_beyond_k() {
        assert_eq!(reached(&spread(1000), 64, 3), (8, None));
        assert_eq!(reached(&spread(1000), 64, 12), (13, None));
        assert_eq!(reached(&spread(1000), 64, 8), (9, None));
        assert_eq!(reached(&[0, 1], 4, 3), (4, None));
        assert_eq!(reached(&[], 64, 3), (8, None));
    }

    #[test]
    fn where_chance_brings_too_many_it_is_less_but_never_below_k() {
        // 20,000 fingerprints of 16 bits: 200 million pairs, 40 % of them within 7.
        let values: Vec<u64> = (0..20_000).collect();
        let (reach, limit) = reached(&values, 16, 3);
        assert!((4..8).contains(&reach), "{reach}");
        assert!(limit.is_some());
        assert_eq!(reached(&values, 16, 7).0, 7);
    }

    #[test]
    fn where_the_search_would_take_long_it_is_less_but_the_next_bit_is_there() {
        let (reach, limit) = reached(&spread(10_000_000), 64, 3);
        assert!((4..8).contains(&reach), "{reach}");
        assert_eq!(limit, Some(ReachLimit::Time));
    }

    #[test]
    fn where_the_corpus_is_alike_it_is_less() {
        // All within 8 of each other, none within 5, which chance does not predict.
        let alike: Vec<u64> =
            (0..1_u64 << 26).filter(|n| n.count_ones() == 4).take(12_000).collect();
        let (reach, limit) = reached(&alike, 64, 3);
        assert_eq!(limit, Some(ReachLimit::Pairs));
        assert!((3..8).contains(&reach), "{reach}");
    }

    #[test]
    fn the_sample_estimates_the_number_of_pairs() {
        // Numbers with four of 26 bits differ in 2, 4, 6 or 8 bits. A brute force counts the pairs at each distance.
        let alike: Vec<u64> =
            (0..1_u64 << 26).filter(|n| n.count_ones() == 4).take(12_000).collect();
        let mut n_at = [0_u64; 9];
        for (at, a) in alike.iter().enumerate() {
            for b in &alike[at + 1..] {
                n_at[(a ^ b).count_ones() as usize] += 1;
            }
        }
        let met_at = sampled(&alike, 8, &Progress::new()).unwrap();
        let share = alike.len() as f64 / SAMPLE as f64 / 2.0;
        for (distance, (exact, met)) in n_at.into_iter().zip(met_at).enumerate() {
            let estimate = met as f64 * share;
            let error = (estimate - exact as f64).abs();
            assert!(error <= 0.1 * exact as f64, "{distance}: {estimate} of {exact}");
        }
        // The same counts decide: all pairs within the reach can be kept, those within one bit more cannot.
        let within = |reach: u32| n_at[..=reach as usize].iter().sum::<u64>();
        let (reach, _) = reached(&alike, 64, 3);
        assert!(within(reach) <= MOST_PAIRS as u64, "{reach}: {}", within(reach));
        assert!(within(reach + 1) > MOST_PAIRS as u64, "{reach}: {}", within(reach + 1));
    }

    #[test]
    fn too_many_pairs_are_cut_beyond_k_alone() {
        let pairs = |n_at: [usize; 4]| -> Vec<Pair> {
            let at = |(distance, &n): (usize, &usize)| {
                vec![Pair { distance: distance as u32 + 1, ..Pair::default() }; n]
            };
            n_at.iter().enumerate().flat_map(at).collect()
        };
        // (pairs at 1, 2, 3, 4), k, most, new reach, pairs left
        let table = [
            ([1, 1, 1, 1], 2, 4, None, 4),
            ([1, 1, 1, 9], 2, 4, Some(3), 3),
            ([1, 9, 1, 9], 2, 4, Some(2), 10),
            ([1, 1, 9, 9], 1, 4, Some(2), 2),
            ([9, 9, 9, 9], 4, 4, None, 36),
        ];
        for (n_at, k, most, expected, left) in table {
            let mut pairs = pairs(n_at);
            assert_eq!((cut(&mut pairs, k, 4, most), pairs.len()), (expected, left), "{n_at:?}");
        }
    }
}
