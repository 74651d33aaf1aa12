//! Groups: documents connected by near-duplicate pairs.
//!
//! Two documents are in one group if a chain of pairs leads from one to the other, so the ends of a chain may be
//! farther apart than k. Copies need no pairs because they share an entry. [`link`](super::link) joins the entries of
//! pairs.
//!
//! [`growth`] takes pairs in the order of their distance, like Kruskal's algorithm, and so finds for every k in
//! one pass the number of groups and the pairs that joined two groups. There are fewer such pairs than entries,
//! and they make the same groups as all pairs.
//!
//! Source: Tarjan, "Efficiency of a good but not linear set union algorithm" (1975); path halving is
//! from Tarjan and van Leeuwen (1984).

use std::cmp::Reverse;

use super::distinct::group_documents;
use super::{Distinct, Pair};
use crate::id::DocId;
use crate::progress::{Cancelled, Progress};
use crate::simhash::Bits;

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
    /// The group of each document; [`NONE`] if it is in none.
    group_of: Vec<u32>,
}

/// The groups of sets of entries. `first_of` gives the first entry of each entry's set. An entry that is alone in
/// its set and whose documents make no pairs is in no group.
///
/// Entries are numbered by first document, so the first entry of a set contains the first document of the set.
pub(super) fn of_sets<B: Bits>(distinct: &Distinct<B>, first_of: &[u32]) -> Groups {
    let (mut sizes, mut is_group) = (vec![0_u32; distinct.len()], vec![false; distinct.len()]);
    for (entry, &first) in (0..).zip(first_of) {
        sizes[first as usize] += distinct.documents(entry).len() as u32;
        is_group[first as usize] |= entry != first;
    }
    distinct.paired().for_each(|entry| is_group[first_of[entry as usize] as usize] = true);
    let mut firsts: Vec<usize> = (0..distinct.len()).filter(|&first| is_group[first]).collect();
    firsts.sort_by_key(|&first| Reverse(sizes[first]));
    let mut number = vec![NONE; distinct.len()];
    for (group, &first) in (0..).zip(&firsts) {
        number[first] = group;
    }
    let mut group_of = vec![NONE; distinct.n_documents()];
    for (entry, &first) in (0..).zip(first_of) {
        for document in distinct.documents(entry) {
            group_of[document.index()] = number[first as usize];
        }
    }
    let group_sizes = firsts.iter().map(|&first| sizes[first]);
    let placed = (0..).map(DocId).zip(group_of.iter().copied());
    let placed = placed.filter(|(_, group)| *group != NONE);
    let (starts, documents) = group_documents(group_sizes, placed);
    Groups { starts, documents, group_of }
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
        self.group_of.get(document.index()).copied().filter(|group| *group != NONE)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::groups;
    use crate::index::near_pairs::all_pairs::all_pairs;

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
