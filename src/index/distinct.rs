//! Distinct fingerprints: equal ones are one entry.
//!
//! A million copies of a page have one fingerprint: tables, pairs and union-find use one entry, and its documents
//! are looked up when a row is written. To find equal fingerprints, they are scattered into small parts, and each
//! part is sorted; the work can be cancelled between two parts. O(n log n), about 20 ns for each document.
//! Memory: a value and 4 bytes for each entry, and 8 bytes for each document. While it runs it needs 8 bytes more for
//! each document, and one and a half values and 6 bytes for each copy of the most frequent value.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::partition::{EqualValues, STRIDE, runs_of_equal};
use super::{BitSetBuilder, Sides};
use crate::id::DocId;
use crate::kernel::exclusive_prefix_sum;
use crate::progress::{Cancelled, Progress};
use crate::simhash::Bits;

/// The value for "this document has no entry".
const NONE: u32 = u32::MAX;

/// The distinct fingerprints of a corpus, and the documents of each.
///
/// Entries are numbered from 0 in the order of their first documents, so comparing entries is the same as
/// comparing first documents. A document without features has no fingerprint and is in no entry.
#[derive(Clone, Debug)]
pub struct Distinct<B> {
    values: Vec<B>,
    /// The entry of each document; [`NONE`] if it has no fingerprint.
    entry_of: Vec<u32>,
    /// The start of each entry in `documents`; at the end the number of documents.
    starts: Vec<u32>,
    documents: Vec<DocId>,
    sides: Option<Arc<Sides>>,
}

impl<B: Bits> Distinct<B> {
    /// Collects the distinct fingerprints of documents in corpus order, one optional fingerprint for each
    /// document.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled; checked every few milliseconds.
    ///
    /// # Panics
    /// If there are 2^32 documents or more.
    pub fn collapse(fingerprints: &[Option<B>], progress: &Progress) -> Result<Self, Cancelled> {
        Self::collapse_each(fingerprints.len(), |document| fingerprints[document.index()], progress)
    }

    /// [`Distinct::collapse`] of `n` documents whose fingerprints a function returns. The function is called
    /// a few times for each document, so that no copy of the fingerprints is needed.
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
        let (mut values, mut sizes) = (Vec::new(), Vec::<u32>::new());
        for at in 0..n {
            check_at(at, progress)?;
            let leader = entry_of[at] as usize;
            // The first document of an entry comes before its copies.
            if leader == at {
                entry_of[at] = values.len() as u32;
                values.extend(fingerprint(DocId::from(at)));
                sizes.push(1);
            } else if entry_of[at] != NONE {
                entry_of[at] = entry_of[leader];
                sizes[entry_of[at] as usize] += 1;
            }
        }
        values.shrink_to_fit();
        let placed = (0..).map(DocId).zip(entry_of.iter().copied());
        let placed = placed.filter(|(_, entry)| *entry != NONE);
        let (starts, documents) = group_documents(sizes.into_iter(), placed);
        Ok(Self { values, entry_of, starts, documents, sides: None })
    }

    /// Makes the documents from `n_first` on a reference: then only a document of the first corpus and one of the
    /// reference make a pair.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn with_reference(
        mut self,
        n_first: usize,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let boundary = DocId::from(n_first);
        let first = |start: &u32| self.documents[*start as usize];
        let starts = &self.starts[..self.len()];
        let n_first = starts.partition_point(|start| first(start) < boundary) as u32;
        let mut both = BitSetBuilder::new(n_first as usize);
        for (at, entry) in self.copied().take_while(|&entry| entry < n_first).enumerate() {
            check_at(at, progress)?;
            if self.documents(entry).last().is_some_and(|&last| last >= boundary) {
                both.insert(entry);
            }
        }
        self.sides = Some(Arc::new(Sides::new(boundary, n_first, both.build())));
        Ok(self)
    }

    /// The two corpora, if there is a reference.
    pub fn sides(&self) -> Option<&Arc<Sides>> {
        self.sides.as_ref()
    }

    /// The documents of `entry` in the first corpus and in the reference; without a reference all are in the
    /// first corpus.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn documents_by_side(&self, entry: u32) -> [&[DocId]; 2] {
        let documents = self.documents(entry);
        let end = match &self.sides {
            None => documents.len(),
            Some(sides) => documents.partition_point(|&document| document < sides.boundary()),
        };
        documents.split_at(end).into()
    }

    /// The number of pairs of documents with the fingerprint of `entry`.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn n_pairs_within(&self, entry: u32) -> u64 {
        let [first, reference] = self.documents_by_side(entry).map(|side| side.len() as u64);
        match self.sides {
            None => first * first.saturating_sub(1) / 2,
            Some(_) => first * reference,
        }
    }

    /// The number of pairs of documents with one document in each of two entries.
    ///
    /// # Panics
    /// If there is no such entry.
    #[inline]
    pub fn n_pairs_between(&self, a: u32, b: u32) -> u64 {
        if self.sides.is_none() {
            return self.documents(a).len() as u64 * self.documents(b).len() as u64;
        }
        let [left, right] =
            [a, b].map(|entry| self.documents_by_side(entry).map(|side| side.len() as u64));
        left[0] * right[1] + left[1] * right[0]
    }

    /// The number of entries, which are the distinct fingerprints.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether no document has a fingerprint.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The fingerprints, one for each entry.
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

    /// The documents of `entry`, ascending; at least one.
    ///
    /// # Panics
    /// If there is no such entry.
    #[inline]
    pub fn documents(&self, entry: u32) -> &[DocId] {
        let entry = entry as usize;
        &self.documents[self.starts[entry] as usize..self.starts[entry + 1] as usize]
    }

    /// The entry of `document`; `None` if it has no features or is not in this corpus.
    #[inline]
    pub fn entry_of(&self, document: DocId) -> Option<u32> {
        self.entry_of.get(document.index()).copied().filter(|entry| *entry != NONE)
    }

    /// The entries with more than one document, ascending.
    pub fn copied(&self) -> impl Iterator<Item = u32> {
        (0..self.len() as u32).filter(|entry| self.documents(*entry).len() > 1)
    }

    /// The entries whose documents make pairs with each other, ascending: those with more than one document, and
    /// with a reference those with documents in both corpora.
    pub fn paired(&self) -> impl Iterator<Item = u32> {
        self.copied().filter(|&entry| self.sides.as_ref().is_none_or(|it| it.has_both(entry)))
    }

    /// The number of documents of the corpus, including those without features.
    pub fn n_documents(&self) -> usize {
        self.entry_of.len()
    }

    /// The number of documents with a fingerprint.
    pub fn n_fingerprinted(&self) -> usize {
        self.documents.len()
    }
}

/// Checks for cancellation once for every [`STRIDE`] items, at the item of this number.
fn check_at(at: usize, progress: &Progress) -> Result<(), Cancelled> {
    if at.is_multiple_of(STRIDE) { progress.check() } else { Ok(()) }
}

/// For each document the first document with the same fingerprint; [`NONE`] if it has no fingerprint.
fn leaders<B: Bits>(
    n: usize,
    fingerprint: &(impl Fn(DocId) -> Option<B> + Sync),
    progress: &Progress,
) -> Result<Vec<u32>, Cancelled> {
    let equal = EqualValues::new(n, |document| fingerprint(DocId(document)), progress)?;
    let leaders: Vec<AtomicU32> = (0..n).map(|_| AtomicU32::new(NONE)).collect();
    (0..equal.n_parts()).into_par_iter().try_for_each_init(Vec::new, |rows, part| {
        equal.read_part(part, rows, progress)?;
        for copies in runs_of_equal(rows) {
            for &(_, document) in copies {
                leaders[document as usize].store(copies[0].1, Relaxed);
            }
        }
        progress.check()
    })?;
    Ok(leaders.into_iter().map(AtomicU32::into_inner).collect())
}

/// Groups documents into groups of these sizes: returns the start of each group, with the total at the end, and
/// the documents of all groups. Documents of a group keep their order.
pub(super) fn group_documents(
    sizes: impl Iterator<Item = u32>,
    documents: impl Iterator<Item = (DocId, u32)>,
) -> (Vec<u32>, Vec<DocId>) {
    let mut starts: Vec<u32> = std::iter::once(0).chain(sizes).collect();
    // starts[group + 1] is first the start of the group; each document placed advances it, up to the group's end.
    let total = exclusive_prefix_sum(&mut starts[1..]);
    let mut grouped = vec![DocId(0); total as usize];
    for (document, group) in documents {
        let place = &mut starts[group as usize + 1];
        grouped[*place as usize] = document;
        *place += 1;
    }
    (starts, grouped)
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
