//! Groups: documents connected by near-duplicate pairs.
//!
//! Two documents are in one group if a chain of pairs leads from one to the other, so the ends of a
//! chain may be farther apart than k. Union-find over entries, nearly linear in entries and pairs;
//! copies need no pairs, they share an entry.
//!
//! Source: Tarjan, "Efficiency of a good but not linear set union algorithm" (1975); path halving is
//! from Tarjan and van Leeuwen (1984).

use std::cmp::Reverse;

use super::{
    distinct::{Distinct, shelve},
    pair::Pair,
};
use crate::{id::DocId, simhash::Bits};

/// "This document is in no group."
const NONE: u32 = u32::MAX;

/// Groups of at least two documents, numbered from 0: largest first, then by first document.
#[derive(Clone, Debug)]
pub struct Groups {
    /// Where the documents of each group begin in `documents`; one more at the end.
    starts: Vec<u32>,
    documents: Vec<DocId>,
    /// The group of each document, or [`NONE`].
    group_of: Vec<u32>,
}

/// The groups that `pairs` and the copies inside the entries make.
///
/// The order of `pairs` does not matter.
///
/// # Panics
/// If a pair names an entry that does not exist.
pub fn groups<B: Bits>(distinct: &Distinct<B>, pairs: &[Pair]) -> Groups {
    let mut forest = Forest::new(distinct.len());
    for pair in pairs {
        forest.union(pair.a, pair.b);
    }
    // Entries are numbered by first document, so the first entry of a tree holds its first document.
    let n_entries = distinct.len() as u32;
    let mut first = vec![NONE; distinct.len()];
    let mut sizes = vec![0_u32; distinct.len()];
    for entry in 0..n_entries {
        let root = forest.root(entry) as usize;
        first[root] = first[root].min(entry);
        sizes[root] += distinct.documents(entry).len() as u32;
    }
    let mut roots: Vec<u32> = (0..n_entries).filter(|&root| sizes[root as usize] >= 2).collect();
    roots.sort_unstable_by_key(|&root| (Reverse(sizes[root as usize]), first[root as usize]));

    let mut number = vec![NONE; distinct.len()];
    for (group, &root) in roots.iter().enumerate() {
        number[root as usize] = group as u32;
    }
    let mut group_of = vec![NONE; distinct.n_documents()];
    for entry in 0..n_entries {
        let group = number[forest.root(entry) as usize];
        for document in distinct.documents(entry) {
            group_of[document.index()] = group;
        }
    }
    let group_sizes: Vec<_> = roots.iter().map(|&root| sizes[root as usize]).collect();
    let (starts, documents) = shelve(&group_sizes, &group_of);
    Groups { starts, documents, group_of }
}

impl Groups {
    /// Number of groups.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no group.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The documents of `group`, ascending, at least two.
    ///
    /// # Panics
    /// If there is no such group.
    pub fn documents(&self, group: u32) -> &[DocId] {
        let group = group as usize;
        &self.documents[self.starts[group] as usize..self.starts[group + 1] as usize]
    }

    /// The first document of `group`, which stands for it.
    ///
    /// # Panics
    /// If there is no such group.
    pub fn representative(&self, group: u32) -> DocId {
        self.documents(group)[0]
    }

    /// The group of `document`, if it is in one.
    pub fn group_of(&self, document: DocId) -> Option<u32> {
        self.group_of.get(document.index()).copied().filter(|&group| group != NONE)
    }

    /// The documents of every group, group 0 first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[DocId]> {
        (0..self.len()).map(|group| self.documents(group as u32))
    }

    /// Number of documents in some group.
    pub fn n_documents(&self) -> usize {
        self.documents.len()
    }

    /// Number of documents that are not the representative of their group: what removing
    /// near-duplicates would remove.
    pub fn n_redundant(&self) -> usize {
        self.n_documents() - self.len()
    }
}

/// Disjoint sets of the numbers below its size.
struct Forest {
    parent: Vec<u32>,
    size: Vec<u32>,
}

impl Forest {
    fn new(len: usize) -> Self {
        Self { parent: (0..len as u32).collect(), size: vec![1; len] }
    }

    fn root(&mut self, mut element: u32) -> u32 {
        while self.parent[element as usize] != element {
            let grandparent = self.parent[self.parent[element as usize] as usize];
            self.parent[element as usize] = grandparent;
            element = grandparent;
        }
        element
    }

    fn union(&mut self, left: u32, right: u32) {
        let (left, right) = (self.root(left), self.root(right));
        if left == right {
            return;
        }
        let is_smaller = self.size[left as usize] < self.size[right as usize];
        let (child, parent) = if is_smaller { (left, right) } else { (right, left) };
        self.parent[child as usize] = parent;
        self.size[parent as usize] += self.size[child as usize];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_and_copies_make_groups_the_largest_first() {
        // Documents:                    0  1  2  3  4  5  6  7
        // Entries: a=0 b=1 c=2 d=3 e=4: a  b  c  b  d  e  -  c
        let fingerprints = [1_u64, 2, 3, 2, 4, 5].map(Some).into_iter().chain([None, Some(3)]);
        let distinct = Distinct::collapse(&fingerprints.collect::<Vec<_>>());
        let pairs = [Pair { a: 2, b: 4, distance: 2 }, Pair { a: 0, b: 4, distance: 1 }];
        let groups = groups(&distinct, &pairs);
        let listed: Vec<Vec<u32>> =
            groups.iter().map(|group| group.iter().map(|document| document.0).collect()).collect();
        assert_eq!(listed, [vec![0, 2, 5, 7], vec![1, 3]]);
        assert_eq!(groups.representative(1), DocId(1));
        assert_eq!(groups.group_of(DocId(7)), Some(0));
        assert_eq!([4, 6, 9].map(|document| groups.group_of(DocId(document))), [None; 3]);
        assert_eq!((groups.n_documents(), groups.n_redundant()), (6, 4));
    }

    #[test]
    fn nothing_is_grouped_when_nothing_is_near() {
        let distinct = Distinct::collapse(&[Some(1_u64), None, Some(2)]);
        assert!(groups(&distinct, &[]).is_empty());
    }
}
