//! Equal fingerprints collapsed to one entry.
//!
//! A million copies of a page have one fingerprint: the tables, the pairs and the union-find see one
//! entry, and the documents behind it are looked up when a row is written. To find them, fingerprints
//! are scattered into small parts and each part is sorted, which can be stopped between any two:
//! O(n log n), some 20 ns a document. Memory is a value and 4 bytes an entry, and 8 bytes a document; 4
//! more an entry meanwhile.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use super::{alike::Alike, radix::STRIDE};
use crate::{
    id::DocId,
    progress::{Cancelled, Progress},
    simhash::Bits,
};

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
    /// # Errors
    /// [`Cancelled`] if told to stop; noticed within milliseconds.
    ///
    /// # Panics
    /// If there are 2^32 documents or more.
    pub fn collapse(fingerprints: &[Option<B>], progress: &Progress) -> Result<Self, Cancelled> {
        Self::collapse_each(fingerprints.len(), |document| fingerprints[document.index()], progress)
    }

    /// The same of `n` documents, where a document's fingerprint is told whenever it is asked for, three or
    /// four times: they need not be copied to be collapsed.
    ///
    /// # Errors
    /// As [`Distinct::collapse`].
    ///
    /// # Panics
    /// As [`Distinct::collapse`].
    pub fn collapse_each(
        n: usize,
        fingerprint: impl Fn(DocId) -> Option<B> + Sync,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let mut entry_of = leaders(n, &fingerprint, progress)?;
        let is_leader = |(document, leader): (usize, &u32)| *leader as usize == document;
        let n_entries = entry_of.iter().enumerate().filter(|it| is_leader(*it)).count();

        let mut values = Vec::with_capacity(n_entries);
        let mut sizes: Vec<u32> = Vec::with_capacity(n_entries);
        // From here on the entry of a document takes the place of its leader, which comes first.
        for from in (0..n).step_by(STRIDE) {
            progress.check()?;
            for document in from..n.min(from + STRIDE) {
                let leader = entry_of[document];
                if leader == NONE {
                    continue;
                }
                if leader as usize == document {
                    entry_of[document] = values.len() as u32;
                    values.extend(fingerprint(DocId::from(document)));
                    sizes.push(0);
                } else {
                    entry_of[document] = entry_of[leader as usize];
                }
                sizes[entry_of[document] as usize] += 1;
            }
        }
        progress.check()?;
        let documents = entry_of.iter().enumerate().filter(|(_, entry)| **entry != NONE);
        let documents = documents.map(|(document, &entry)| (DocId::from(document), entry));
        let (starts, documents) = shelve(sizes.iter().copied(), documents);
        Ok(Self { values, starts, documents, entry_of })
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

    /// The entry of one of the documents that have a fingerprint, counted entry by entry.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    pub(super) fn entry_at(&self, at: usize) -> u32 {
        let has_copies = self.len() < self.documents.len();
        if has_copies { self.entry_of[self.documents[at].index()] } else { at as u32 }
    }

    /// The entries of more than one document, ascending. Looks at all.
    pub fn copied(&self) -> impl Iterator<Item = u32> {
        (0..self.len() as u32).filter(|&entry| self.documents(entry).len() > 1)
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

/// For each document the first one with its fingerprint, or [`NONE`] where it has none.
fn leaders<B: Bits>(
    n: usize,
    fingerprint: &(impl Fn(DocId) -> Option<B> + Sync),
    progress: &Progress,
) -> Result<Vec<u32>, Cancelled> {
    let alike = Alike::new(n, |document| fingerprint(DocId(document)), progress)?;
    let leaders: Vec<AtomicU32> = (0..n).map(|_| AtomicU32::new(NONE)).collect();
    (0..alike.n_parts()).into_par_iter().try_for_each_init(Vec::new, |rows, part| {
        alike.read_part(part, rows);
        progress.check()?;
        for equal in rows.chunk_by(|left, right| left.0 == right.0) {
            for &(_, document) in equal {
                leaders[document as usize].store(equal[0].1, Relaxed);
            }
        }
        progress.check()
    })?;
    Ok(leaders.into_iter().map(AtomicU32::into_inner).collect())
}

/// Puts documents on shelves of these sizes: where each shelf begins, with one more at the end, and what is
/// on them. Documents stay in the order they come in.
pub(super) fn shelve(
    sizes: impl ExactSizeIterator<Item = u32>,
    documents: impl Iterator<Item = (DocId, u32)>,
) -> (Vec<u32>, Vec<DocId>) {
    let mut starts = Vec::with_capacity(sizes.len() + 1);
    // Each shelf's place is one farther on, until it has moved from its beginning to its end.
    starts.push(0);
    let mut total = 0;
    for size in sizes {
        starts.push(total);
        total += size;
    }
    let mut shelves = vec![DocId(0); total as usize];
    for (document, shelf) in documents {
        let place = &mut starts[shelf as usize + 1];
        shelves[*place as usize] = document;
        *place += 1;
    }
    (starts, shelves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_numbered_by_first_document() {
        let distinct = Distinct::collapse(
            &[None, Some(9_u64), Some(2), Some(9), None, Some(0)],
            &Progress::new(),
        )
        .unwrap();
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
        assert!(Distinct::<u64>::collapse(&[], &Progress::new()).unwrap().is_empty());
        assert_eq!(Distinct::<u128>::collapse(&[None, None], &Progress::new()).unwrap().len(), 0);
    }
}
