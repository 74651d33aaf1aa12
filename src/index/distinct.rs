//! Equal fingerprints collapsed to one entry.
//!
//! A million copies of a page have one fingerprint: the tables, the pairs and the union-find see one
//! entry, and the documents behind it are looked up when a row is written. Sorting costs O(n log n)
//! once; memory is one value an entry and 8 bytes a document.

use rayon::prelude::*;

use crate::{id::DocId, simhash::Bits};

/// "This document has no entry."
const NONE: u32 = u32::MAX;

/// The distinct fingerprints of a corpus, and the documents each stands for.
///
/// Entries are numbered from 0 in the order of their first documents, so comparing entries is
/// comparing first documents. A document without features has no fingerprint and is in no entry.
#[derive(Clone, Debug)]
pub struct Distinct<B> {
    values: Vec<B>,
    /// Where the documents of each entry begin in `documents`; one more at the end.
    starts: Vec<u32>,
    documents: Vec<DocId>,
    /// The entry of each document, or [`NONE`].
    entry_of: Vec<u32>,
}

impl<B: Bits> Distinct<B> {
    /// Collapses one optional fingerprint a document, in corpus order.
    ///
    /// # Panics
    /// If there are 2^32 documents or more.
    pub fn collapse(fingerprints: &[Option<B>]) -> Self {
        let mut sorted: Vec<(B, u32)> = (0..fingerprints.len())
            .filter_map(|index| fingerprints[index].map(|value| (value, DocId::from(index).0)))
            .collect();
        sorted.par_sort_unstable();

        let mut leader = vec![NONE; fingerprints.len()];
        for equal in sorted.chunk_by(|left, right| left.0 == right.0) {
            for &(_, document) in equal {
                leader[document as usize] = equal[0].1;
            }
        }
        let mut values = Vec::new();
        let mut sizes: Vec<u32> = Vec::new();
        let mut entry_of = vec![NONE; fingerprints.len()];
        for (document, &leader) in leader.iter().enumerate().filter(|(_, leader)| **leader != NONE)
        {
            if leader as usize == document {
                entry_of[document] = values.len() as u32;
                values.extend(fingerprints[document]);
                sizes.push(0);
            }
            entry_of[document] = entry_of[leader as usize];
            sizes[entry_of[document] as usize] += 1;
        }
        let (starts, documents) = shelve(&sizes, &entry_of);
        Self { values, starts, documents, entry_of }
    }

    /// Number of entries: distinct fingerprints.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether no document has a fingerprint.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The fingerprints, one an entry.
    pub fn values(&self) -> &[B] {
        &self.values
    }

    /// The fingerprint of `entry`.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn value(&self, entry: u32) -> B {
        self.values[entry as usize]
    }

    /// The documents of `entry`, ascending, at least one.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn documents(&self, entry: u32) -> &[DocId] {
        let entry = entry as usize;
        &self.documents[self.starts[entry] as usize..self.starts[entry + 1] as usize]
    }

    /// The entry of `document`; none if it has no features or is no document of this corpus.
    pub fn entry_of(&self, document: DocId) -> Option<u32> {
        self.entry_of.get(document.index()).copied().filter(|&entry| entry != NONE)
    }

    /// Number of documents of the corpus, those without features included.
    pub fn n_documents(&self) -> usize {
        self.entry_of.len()
    }

    /// Number of documents that have a fingerprint.
    pub fn n_fingerprinted(&self) -> usize {
        self.documents.len()
    }
}

/// Puts the numbers of `shelf_of` on their shelves: where each shelf begins, and what is on them.
///
/// Documents stay ascending on a shelf; those on shelf [`NONE`] are left out.
pub(super) fn shelve(sizes: &[u32], shelf_of: &[u32]) -> (Vec<u32>, Vec<DocId>) {
    let mut starts = Vec::with_capacity(sizes.len() + 1);
    let mut total = 0;
    for size in sizes {
        starts.push(total);
        total += size;
    }
    starts.push(total);
    let mut next = starts.clone();
    let mut documents = vec![DocId(0); total as usize];
    for (document, &shelf) in shelf_of.iter().enumerate().filter(|(_, shelf)| **shelf != NONE) {
        let place = &mut next[shelf as usize];
        documents[*place as usize] = DocId::from(document);
        *place += 1;
    }
    (starts, documents)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_numbered_by_first_document() {
        let distinct = Distinct::collapse(&[None, Some(9_u64), Some(2), Some(9), None, Some(0)]);
        assert_eq!(distinct.values(), [9, 2, 0]);
        assert_eq!(distinct.documents(0), [DocId(1), DocId(3)]);
        assert_eq!(distinct.documents(1), [DocId(2)]);
        assert_eq!(distinct.entry_of(DocId(3)), Some(0));
        assert_eq!(distinct.entry_of(DocId(0)), None);
        assert_eq!(distinct.entry_of(DocId(6)), None);
        assert_eq!((distinct.n_documents(), distinct.n_fingerprinted()), (6, 4));
    }

    #[test]
    fn a_corpus_may_be_empty_or_without_features() {
        assert!(Distinct::<u64>::collapse(&[]).is_empty());
        assert_eq!(Distinct::<u128>::collapse(&[None, None]).len(), 0);
    }
}
