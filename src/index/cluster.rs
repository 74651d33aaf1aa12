//! Groups: documents connected by near-duplicate pairs.
//!
//! Two documents are in one group if a chain of pairs leads from one to the other, so the ends of a chain may be
//! farther apart than k. Copies need no pairs because they share an entry. [`Links`] join the entries of
//! pairs.
//!
//! [`growth`] takes pairs in the order of their distance, like Kruskal's algorithm, and so finds for every k in
//! one pass the number of groups and the pairs that joined two groups. There are fewer such pairs than entries,
//! and they make the same groups as all pairs.
//!
//! Source: Tarjan, "Efficiency of a good but not linear set union algorithm" (1975); path halving is
//! from Tarjan and van Leeuwen (1984).
//!
//! Groups in which every two members are near: complete linkage.
//!
//! Connected pairs make chains; complete linkage splits them. Pairs are added nearest first. Two parts are joined
//! when every pair between them has been added; the last of these pairs is the farthest, so no two members of a
//! part are farther apart than k. The result is that of agglomerative clustering by the farthest pair, which
//! costs n^2 in textbooks; here it costs one step for each pair within k, because parts without a pair between
//! them need no memory. The order of pairs has no ties, so the result does not depend on the threads.
//!
//! ```text
//! A-B 1, C-D 2, A-C 3, B-C 3, B-D 4, A-D 5 at k = 4:   A-B and C-D join; A-D is not within k, so AB | CD
//! ```
//!
//! Memory: 60 bytes for each entry, and about 40 for every two parts with some, but not all, pairs between them.
//!
//! Source: Defays, "An efficient algorithm for a complete link method" (1977), for the result.
//!
//! Chooses members of a group to keep, so that each other member is near a kept one.
//!
//! The members have an order of preference. The first undecided member is kept, and all undecided members near it
//! are removed; then the next. So no two kept members are near each other, and each removed member is within the
//! distance of a kept one, however long the chain that made the group: a maximal independent set, found greedily.
//!
//! ```text
//! A-B-C, A and C too far apart:   order A B C  keeps A, removes B for A, and keeps C
//!                                 order B A C  keeps B, and removes A and C for B
//! ```
//!
//! Costs one comparison for each kept member and each undecided member after it.
//!
//! Makes groups from pairs, in memory that does not depend on the number of pairs.
//!
//! All threads update one union-find at the same time, without a lock: the parent of an entry is always a smaller
//! entry, a set is joined to another by one compare-and-swap of its root, and a thread that fails looks up the
//! roots again. A root is the first entry of its set, whatever the order of the pairs. Memory is 4 bytes for each
//! entry; a pair inside a set costs two short walks.
//!
//! Sources: Jayanti and Tarjan, "A randomized concurrent algorithm for disjoint set union" (2016), with the order
//! of the corpus in place of their random order of roots; Anderson and Woll (1991).

use std::{
    cmp::Reverse,
    collections::HashMap,
    ops::ControlFlow,
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
};

use rayon::prelude::*;

use super::{
    BitSetBuilder, Distinct, Pair, Plan, RankBitSet, count_document_pairs,
    distinct::group_documents, visit_pairs,
};
use crate::{
    choice::choice,
    id::DocId,
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// The value for "no group yet".
const NONE: u32 = u32::MAX;
/// Pairs between two checks for cancellation: a few milliseconds.
const STRIDE: usize = 1 << 16;

/// Groups of at least two documents, numbered from 0: largest first, then by first document.
#[derive(Clone, Debug)]
pub struct Groups {
    /// The start of each group in `documents`; at the end the number of documents.
    starts: Vec<u32>,
    documents: Vec<DocId>,
    /// The documents that are in a group.
    grouped: RankBitSet,
    /// The group of each document in `grouped`.
    group_of: Vec<u32>,
}

/// The groups of sets of entries. `first_of` gives the first entry of each entry's set. An entry that is alone in
/// its set and whose documents make no pairs is in no group.
///
/// Entries are numbered by first document, so the first entry of a set contains the first document of the set.
pub(super) fn of_sets<B: Bits>(distinct: &Distinct<B>, first_of: &[u32]) -> Groups {
    let mut marks = BitSetBuilder::new(distinct.len());
    distinct.paired().for_each(|entry| marks.insert(entry));
    for (entry, &first) in (0..).zip(first_of).filter(|(entry, first)| entry != *first) {
        marks.insert(entry);
        marks.insert(first);
    }
    let members = marks.build();
    let place = |entry| members.rank(entry).expect("the first entry of a set is a member");
    // Each member with the place of the first one of its set.
    let placed = || members.iter().map(|entry| (entry, place(first_of[entry as usize])));
    let mut sizes = vec![0_u32; members.len()];
    for (entry, first) in placed() {
        sizes[first] += distinct.documents(entry).len() as u32;
    }
    let mut firsts: Vec<usize> = (0..members.len()).filter(|&place| sizes[place] > 0).collect();
    firsts.sort_by_key(|&first| Reverse(sizes[first]));
    let mut number = vec![NONE; members.len()];
    for (group, &first) in (0..).zip(&firsts) {
        number[first] = group;
    }
    let documents = || {
        placed().flat_map(|(entry, first)| {
            distinct.documents(entry).iter().map(move |&document| (document, first))
        })
    };
    let mut marks = BitSetBuilder::new(distinct.n_documents());
    documents().for_each(|(document, _)| marks.insert(document.0));
    let grouped = marks.build();
    let mut group_of = vec![NONE; grouped.len()];
    for (document, first) in documents() {
        if let Some(place) = grouped.rank(document.0) {
            group_of[place] = number[first];
        }
    }
    let group_sizes = firsts.iter().map(|&first| sizes[first]);
    let placed = grouped.iter().map(DocId).zip(group_of.iter().copied());
    let (starts, documents) = group_documents(group_sizes, placed);
    Groups { starts, documents, grouped, group_of }
}

/// The number and the sizes of groups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupTotals {
    /// The number of groups of at least two documents.
    pub groups: u32,
    /// The number of documents in the largest group; 0 if there is no group.
    pub largest: u32,
    /// The number of documents in all groups.
    pub documents: u32,
}

impl GroupTotals {
    /// The number of documents that are not the first of their group: removing near-duplicates removes this many.
    pub fn redundant(&self) -> u32 {
        self.documents - self.groups
    }

    /// Counts a new set of `size` documents.
    fn gain(&mut self, size: u32) {
        if size >= 2 {
            self.groups += 1;
            self.documents += size;
            self.largest = self.largest.max(size);
        }
    }

    /// Removes a set of `size` documents that was joined to another.
    fn lose(&mut self, size: u32) {
        if size >= 2 {
            self.groups -= 1;
            self.documents -= size;
        }
    }
}

/// The growth of groups with the distance.
#[derive(Clone, Debug, Default)]
pub struct GroupGrowth {
    /// The totals of the groups at each distance from 0 up.
    pub totals: Vec<GroupTotals>,
    /// The pairs that joined two groups or documents, nearest first: fewer than the entries. Those within a
    /// distance make the same [`groups`](super::groups) as all pairs within it.
    pub links: Vec<Pair>,
}

/// The growth of the groups made by `pairs` and the copies, at each distance from 0 to `max_distance`.
///
/// `pairs` must be sorted by distance; pairs beyond `max_distance` are ignored. One pass over them, nearly
/// linear.
///
/// # Errors
/// [`Cancelled`] if cancelled.
///
/// # Panics
/// If a pair names an entry that does not exist.
pub fn growth<B: Bits>(
    distinct: &Distinct<B>,
    pairs: &[Pair],
    max_distance: u32,
    progress: &Progress,
) -> Result<GroupGrowth, Cancelled> {
    debug_assert!(pairs.is_sorted_by_key(|pair| pair.distance), "pairs come nearest first");
    let n_documents = |entry| distinct.documents(entry).len() as u32;
    let mut forest = Forest::of((0..distinct.len() as u32).map(n_documents).collect());
    let mut totals = GroupTotals::default();
    // With a reference, an entry whose copies are all in one corpus is no group until it has a pair across.
    let mut is_grouped = vec![false; distinct.len()];
    for entry in distinct.paired() {
        totals.gain(n_documents(entry));
        is_grouped[entry as usize] = true;
    }
    let mut growth = GroupGrowth::default();
    let mut rest = pairs;
    for distance in 0..=max_distance {
        let (here, farther) = rest.split_at(rest.partition_point(|pair| pair.distance <= distance));
        for stride in here.chunks(STRIDE) {
            progress.check()?;
            for pair in stride {
                if let Some((left, right)) = forest.union(pair.a, pair.b) {
                    for (entry, size) in [(pair.a, left), (pair.b, right)] {
                        if std::mem::replace(&mut is_grouped[entry as usize], true) {
                            totals.lose(size);
                        }
                    }
                    totals.gain(left + right);
                    growth.links.push(*pair);
                }
            }
        }
        growth.totals.push(totals);
        rest = farther;
    }
    growth.links.shrink_to_fit();
    Ok(growth)
}

impl Groups {
    /// The number of groups.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no group.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The documents of `group`, ascending; at least two.
    ///
    /// # Panics
    /// If there is no such group.
    pub fn documents(&self, group: u32) -> &[DocId] {
        let group = group as usize;
        &self.documents[self.starts[group] as usize..self.starts[group + 1] as usize]
    }

    /// The first document of `group`, which represents it.
    ///
    /// # Panics
    /// If there is no such group.
    pub fn representative(&self, group: u32) -> DocId {
        self.documents(group)[0]
    }

    /// The group of `document`, if it is in one.
    pub fn group_of(&self, document: DocId) -> Option<u32> {
        Some(self.group_of[self.grouped.rank(document.0)?])
    }

    /// The documents of every group, group 0 first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[DocId]> {
        (0..self.len()).map(|group| self.documents(group as u32))
    }

    /// The number of documents in all groups.
    pub fn n_documents(&self) -> usize {
        self.documents.len()
    }

    /// The totals of the groups.
    pub fn totals(&self) -> GroupTotals {
        let largest = if self.is_empty() { 0 } else { self.documents(0).len() };
        GroupTotals {
            groups: self.len() as u32,
            largest: largest as u32,
            documents: self.n_documents() as u32,
        }
    }

    /// The number of documents that are not the first of their group: removing near-duplicates removes this many.
    pub fn n_redundant(&self) -> usize {
        self.n_documents() - self.len()
    }
}

/// Disjoint sets of weighted elements, for example entries weighted by their documents.
#[derive(Debug)]
pub(super) struct Forest {
    parent: Vec<u32>,
    /// At the root of a set, its weight.
    size: Vec<u32>,
}

impl Forest {
    /// Each element in a set of its own, with its weight.
    pub(super) fn of(size: Vec<u32>) -> Self {
        Self { parent: (0..size.len() as u32).collect(), size }
    }

    /// The root of the set of an element.
    pub(super) fn root(&mut self, mut element: u32) -> u32 {
        while self.parent[element as usize] != element {
            let grandparent = self.parent[self.parent[element as usize] as usize];
            self.parent[element as usize] = grandparent;
            element = grandparent;
        }
        element
    }

    /// Joins two sets; returns the weights that they had, or `None` if they were one set already.
    pub(super) fn union(&mut self, left: u32, right: u32) -> Option<(u32, u32)> {
        let (left, right) = (self.root(left), self.root(right));
        if left == right {
            return None;
        }
        let sizes = (self.size[left as usize], self.size[right as usize]);
        let (child, parent) = if sizes.0 < sizes.1 { (left, right) } else { (right, left) };
        self.attach(child, parent);
        Some(sizes)
    }

    /// Joins the set with the root `child` to the set with the root `parent`.
    pub(super) fn attach(&mut self, child: u32, parent: u32) {
        self.parent[child as usize] = parent;
        self.size[parent as usize] += self.size[child as usize];
    }

    /// The weight of the set with this root.
    pub(super) fn size(&self, root: u32) -> u32 {
        self.size[root as usize]
    }
}

choice! {
    /// The rule for groups of near documents.
    pub enum Linkage, "linkage" {
        /// A chain of near pairs leads from each document to each other.
        #[default]
        Single = "single",
        /// Every two documents are near.
        Complete = "complete",
    }
}

/// The largest number of counts. Every two parts with pairs between them have two counts; the limit is about 700
/// MB.
const MOST_COUNTS: usize = 1 << 24;

/// Too many parts have pairs between them and cannot be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "complete linkage would need to count the pairs between more than {} pairs of groups; use a smaller distance",
    crate::number::grouped(MOST_COUNTS as u64 / 2)
)]
pub struct TooManyPartPairs;

/// Parts of a set of entries, which are joined as pairs are added.
#[derive(Debug)]
pub struct CompleteLinkage {
    /// The parts, each weighted by its entries.
    parts: Forest,
    /// At a root, the first entry of the part.
    firsts: Vec<u32>,
    /// At a root, the number of pairs with each other part.
    counts: Vec<HashMap<u32, u64>>,
    n_counts: usize,
}

impl CompleteLinkage {
    /// Each of `n` entries in a part of its own.
    ///
    /// # Panics
    /// If there are 2^32 entries or more.
    pub fn new(n: usize) -> Self {
        let entries = 0..u32::try_from(n).expect("fewer than 2^32 entries");
        Self {
            parts: Forest::of(vec![1; n]),
            firsts: entries.collect(),
            counts: vec![HashMap::new(); n],
            n_counts: 0,
        }
    }

    /// Adds pairs, none of which comes before an earlier one in the order of pairs.
    ///
    /// # Errors
    /// [`TooManyPartPairs`] if they would fill the memory; then the parts are unusable.
    pub fn meet(&mut self, pairs: &[Pair]) -> Result<(), TooManyPartPairs> {
        for pair in pairs {
            let (left, right) = (self.parts.root(pair.a), self.parts.root(pair.b));
            let all = u64::from(self.parts.size(left)) * u64::from(self.parts.size(right));
            if all == 1 {
                self.join(left, right);
                continue;
            }
            let before = self.counts[left as usize].get(&right).copied().unwrap_or(0);
            if before + 1 == all {
                self.join(left, right);
            } else {
                self.set_count(left, right, before + 1);
                if self.n_counts > MOST_COUNTS {
                    return Err(TooManyPartPairs);
                }
            }
        }
        Ok(())
    }

    /// The groups made by the parts and by the copies in each entry.
    ///
    /// # Panics
    /// If `distinct` has another number of entries.
    pub fn groups<B: Bits>(&mut self, distinct: &Distinct<B>) -> Groups {
        let n = distinct.len() as u32;
        let first_of: Vec<u32> = (0..n)
            .map(|entry| {
                let root = self.parts.root(entry);
                self.firsts[root as usize]
            })
            .collect();
        of_sets(distinct, &first_of)
    }

    fn set_count(&mut self, left: u32, right: u32, pairs: u64) {
        for (here, there) in [(left, right), (right, left)] {
            let is_new = self.counts[here as usize].insert(there, pairs).is_none();
            self.n_counts += usize::from(is_new);
        }
    }

    /// Joins two parts: the part with fewer counts becomes a child of the other.
    ///
    /// The new part cannot be joined to a third one at once: all pairs of the third with one of the two would
    /// have been added before, so they would have been joined.
    fn join(&mut self, left: u32, right: u32) {
        let fewer = self.counts[left as usize].len() < self.counts[right as usize].len();
        let (child, root) = if fewer { (left, right) } else { (right, left) };
        let old_counts = std::mem::take(&mut self.counts[child as usize]);
        self.n_counts -= old_counts.len();
        for (other, pairs) in old_counts {
            self.counts[other as usize].remove(&child);
            self.n_counts -= 1;
            if other != root {
                let before = self.counts[root as usize].get(&other).copied().unwrap_or(0);
                self.set_count(root, other, before + pairs);
            }
        }
        self.parts.attach(child, root);
        let (child, root) = (child as usize, root as usize);
        self.firsts[root] = self.firsts[root].min(self.firsts[child]);
    }
}

/// For each of `n` members in order of preference, the position of the kept member that it is removed for; `None`
/// if it is kept. The first `n_forced` members are always kept.
pub fn cover(
    n: usize,
    n_forced: usize,
    mut is_near: impl FnMut(usize, usize) -> bool,
) -> Vec<Option<usize>> {
    let mut covered_by = vec![None; n];
    for kept in 0..n {
        if covered_by[kept].is_some() {
            continue;
        }
        for (other, found) in covered_by.iter_mut().enumerate().skip(n_forced.max(kept + 1)) {
            if found.is_none() && is_near(kept, other) {
                *found = Some(kept);
            }
        }
    }
    covered_by
}

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
    use crate::index::{groups, near_pairs::all_pairs::all_pairs};

    #[test]
    fn chains_and_copies_make_groups_the_largest_first() {
        // Documents:                    0  1  2  3  4  5  6  7
        // Entries: a=0 b=1 c=2 d=3 e=4: a  b  c  b  d  e  -  c
        let fingerprints = [1_u64, 2, 3, 2, 4, 5].map(Some).into_iter().chain([None, Some(3)]);
        let distinct =
            Distinct::collapse(&fingerprints.collect::<Vec<_>>(), &Progress::new()).unwrap();
        let pairs = [Pair { a: 2, b: 4, distance: 2 }, Pair { a: 0, b: 4, distance: 1 }];
        let groups = groups(&distinct, &pairs);
        let listed: Vec<Vec<u32>> =
            groups.iter().map(|group| group.iter().map(|document| document.0).collect()).collect();
        assert_eq!(listed, [vec![0, 2, 5, 7], vec![1, 3]]);
        assert_eq!(groups.representative(1), DocId(1));
        assert_eq!(groups.group_of(DocId(7)), Some(0));
        assert_eq!([4, 6, 9].map(|document| groups.group_of(DocId(document))), [None; 3]);
        assert_eq!((groups.n_documents(), groups.totals().redundant()), (6, 4));
    }

    #[test]
    fn nothing_is_grouped_when_nothing_is_near() {
        let distinct = Distinct::collapse(&[Some(1_u64), None, Some(2)], &Progress::new()).unwrap();
        assert!(groups(&distinct, &[]).is_empty());
    }

    /// Pseudo-random values around a few centres, some of them equal.
    fn planted(seed: u64, n: usize) -> Distinct<u64> {
        let mut state = seed;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % n
        };
        let centres: Vec<u64> = (0..5).map(|_| below(u64::MAX)).collect();
        let value = |_| {
            let centre = centres[below(5) as usize];
            (0..below(7)).fold(centre, |value, _| value ^ 1 << below(30))
        };
        let values: Vec<Option<u64>> = (0..n).map(value).map(Some).collect();
        Distinct::collapse(&values, &Progress::new()).unwrap()
    }

    #[test]
    fn growth_is_the_groups_of_every_distance() {
        for seed in 0..40 {
            let distinct = planted(seed, 3 * seed as usize);
            let pairs = all_pairs(distinct.values(), 12);
            let growth = growth(&distinct, &pairs, 12, &Progress::new()).unwrap();
            for (distance, totals) in growth.totals.iter().enumerate() {
                let within = |pairs: &[Pair]| {
                    let is_within = |pair: &Pair| pair.distance as usize <= distance;
                    groups(&distinct, &pairs[..pairs.partition_point(is_within)])
                };
                let expected = within(&pairs);
                assert_eq!(totals.groups as usize, expected.len());
                assert_eq!(totals.documents as usize, expected.n_documents());
                assert_eq!(totals.redundant(), expected.totals().redundant());
                let largest = expected.iter().map(<[DocId]>::len).max().unwrap_or(0);
                assert_eq!(totals.largest as usize, largest);
                assert!(within(&growth.links).iter().eq(expected.iter()));
            }
        }
    }
}

#[cfg(test)]
mod linkage_tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{id::DocId, progress::Progress};

    /// The textbook algorithm: repeatedly joins the two parts whose farthest pair is nearest, and among equal
    /// ones those whose farthest pair comes first.
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
        /// Joining two parts when their last pair is added equals joining by the farthest pair.
        #[test]
        fn groups_are_those_of_the_textbook(
            distances in prop::collection::vec(1..7_u32, 36),
            k in 1..7_u32,
        ) {
            let n = 9_u32;
            let ends = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
            let all = ends.zip(distances).map(|((a, b), distance)| Pair { distance, a, b });
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
        // B-C comes before C-D, and A-C is within k, but A-C comes after C-D.
        let distinct = Distinct::collapse(&[0_u64, 1, 2, 3].map(Some), &Progress::new()).unwrap();
        let pair = |a, b, distance| Pair { distance, a, b };
        let mut linkage = CompleteLinkage::new(4);
        linkage.meet(&[pair(0, 1, 1), pair(1, 2, 2), pair(2, 3, 3), pair(0, 2, 4)]).unwrap();
        let groups = linkage.groups(&distinct);
        assert_eq!(groups.documents(0), [DocId(0), DocId(1)]);
        assert_eq!(groups.documents(1), [DocId(2), DocId(3)]);
    }

    #[test]
    fn a_chain_by_hand_falls_where_two_are_too_far() {
        let distinct = Distinct::collapse(&[0_u64, 1, 2, 3].map(Some), &Progress::new()).unwrap();
        let pair = |a, b, distance| Pair { distance, a, b };
        let pairs = [pair(0, 1, 1), pair(2, 3, 2), pair(0, 2, 3), pair(1, 2, 3), pair(1, 3, 4)];
        let mut linkage = CompleteLinkage::new(4);
        linkage.meet(&pairs).unwrap();
        let groups = linkage.groups(&distinct);
        let [left, right] = [0, 1].map(|group| groups.documents(group).to_vec());
        assert_eq!((left, right), (vec![DocId(0), DocId(1)], vec![DocId(2), DocId(3)]));
        // The last of the four pairs between the parts joins them.
        linkage.meet(&[pair(0, 3, 5)]).unwrap();
        assert_eq!((linkage.groups(&distinct).len(), linkage.n_counts), (1, 0));
    }

    #[test]
    fn a_chain_is_covered_by_hand() {
        let near = |order: [i32; 3]| move |a: usize, b: usize| (order[a] - order[b]).abs() <= 1;
        assert_eq!(cover(3, 0, near([0, 1, 2])), [None, Some(0), None]);
        assert_eq!(cover(3, 0, near([1, 0, 2])), [None, Some(0), Some(0)]);
        // Two forced members are kept although they are near.
        assert_eq!(cover(3, 2, near([0, 1, 2])), [None, None, Some(1)]);
        assert!(cover(0, 0, |_, _| true).is_empty());
    }

    proptest! {
        /// Every removed member is near a kept one, and no two chosen members are near.
        #[test]
        fn every_member_is_kept_or_near_one_that_is(
            values in prop::collection::vec(any::<u8>(), 0..40),
            k in 0..5_u32,
            forced in 0..4_usize,
        ) {
            let is_near = |a: usize, b: usize| (values[a] ^ values[b]).count_ones() <= k;
            let n_forced = forced.min(values.len());
            let found = cover(values.len(), n_forced, is_near);
            for (member, covered_by) in found.iter().enumerate() {
                if let Some(kept) = covered_by {
                    prop_assert!(member >= n_forced && is_near(*kept, member));
                    prop_assert!(found[*kept].is_none());
                    prop_assert!((0..*kept).all(|better| found[better].is_some() || !is_near(better, member)));
                } else {
                    let mut better = (0..member).filter(|&better| found[better].is_none());
                    prop_assert!(member < n_forced || better.all(|better| !is_near(better, member)));
                }
            }
        }
    }
}

#[cfg(test)]
mod link_tests {
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
