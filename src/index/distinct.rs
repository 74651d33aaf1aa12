//! Equal fingerprints collapsed to one entry.
//!
//! A million copies of a page have one fingerprint: the tables, the pairs and the union-find see one
//! entry, and the documents behind it are looked up when a row is written. To find them, fingerprints
//! are scattered into small parts by a hash and each part is sorted, which can be stopped between any
//! two: O(n log n), some 20 ns a document. Memory is one value an entry and 8 bytes a document.

use rayon::prelude::*;

use super::radix::STRIDE;
use crate::{
    id::DocId,
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// "This document has no entry."
const NONE: u32 = u32::MAX;
/// Documents to a part, about: sorted within the cache.
const PART: usize = 1 << 12;
/// More parts than 2^11 would not be scattered to in one go.
const MOST_PART_BITS: u32 = 11;

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
        let (rows, ends) = parts(fingerprints, progress)?;
        let mut leader = vec![NONE; fingerprints.len()];
        lead(rows, &ends, &mut leader, progress)?;

        let mut values = Vec::new();
        let mut sizes: Vec<u32> = Vec::new();
        // From here on the entry of a document takes the place of its leader, which comes first.
        let mut entry_of = leader;
        for from in (0..entry_of.len()).step_by(STRIDE) {
            progress.check()?;
            for document in from..entry_of.len().min(from + STRIDE) {
                let leader = entry_of[document];
                if leader == NONE {
                    continue;
                }
                if leader as usize == document {
                    entry_of[document] = values.len() as u32;
                    values.extend(fingerprints[document]);
                    sizes.push(0);
                } else {
                    entry_of[document] = entry_of[leader as usize];
                }
                sizes[entry_of[document] as usize] += 1;
            }
        }
        progress.check()?;
        let (starts, documents) = shelve(&sizes, &entry_of);
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

    /// Number of documents of the corpus, those without features included.
    pub fn n_documents(&self) -> usize {
        self.entry_of.len()
    }

    /// Number of documents that have a fingerprint.
    pub fn n_fingerprinted(&self) -> usize {
        self.documents.len()
    }
}

/// Fingerprints with their documents, and where each part of them ends.
type Parts<B> = (Vec<(B, u32)>, Vec<usize>);

/// Every fingerprint with its document, equal ones in the same part, documents ascending inside a part;
/// and where each part ends.
fn parts<B: Bits>(fingerprints: &[Option<B>], progress: &Progress) -> Result<Parts<B>, Cancelled> {
    let n_bits = (fingerprints.len() / PART).max(1).ilog2().min(MOST_PART_BITS);
    let mut ends = vec![0_usize; 1 << n_bits];
    for stride in fingerprints.chunks(STRIDE) {
        progress.check()?;
        stride.iter().flatten().for_each(|&value| ends[part_of(value, n_bits)] += 1);
    }
    let mut n = 0;
    for end in &mut ends {
        n += std::mem::replace(end, n);
    }
    let mut rows = Vec::with_capacity(n);
    while rows.len() < n {
        // Fresh memory is slow to touch for the first time, so even this looks at the flag.
        progress.check()?;
        rows.resize(n.min(rows.len() + STRIDE), (B::from_wide(0), 0));
    }
    for (stride, first) in fingerprints.chunks(STRIDE).zip((0..).step_by(STRIDE)) {
        progress.check()?;
        for (value, document) in stride.iter().zip(first..) {
            if let Some(value) = *value {
                let place = &mut ends[part_of(value, n_bits)];
                rows[*place] = (value, DocId::from(document).0);
                *place += 1;
            }
        }
    }
    Ok((rows, ends))
}

/// The part of a value: the upper bits of a product, which depend on all of its own.
fn part_of<B: Bits>(value: B, n_bits: u32) -> usize {
    let wide = value.to_wide();
    let mixed =
        (wide as u64 ^ ((wide >> 64) as u64).rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32 >> (32 - n_bits)) as usize
}

/// Tells each document of the parts the first one with its fingerprint.
fn lead<B: Bits>(
    mut rows: Vec<(B, u32)>,
    ends: &[usize],
    leader: &mut [u32],
    progress: &Progress,
) -> Result<(), Cancelled> {
    let mut parts = Vec::with_capacity(ends.len());
    let (mut rest, mut begin) = (&mut rows[..], 0);
    for &end in ends {
        let (part, others) = rest.split_at_mut(end - begin);
        parts.push(part);
        (rest, begin) = (others, end);
    }
    parts.par_iter_mut().try_for_each(|part| {
        // A part is only large where there are copies, and few different values are quick to sort.
        part.sort_by_key(|row| row.0);
        progress.check()
    })?;
    for part in parts {
        progress.check()?;
        for equal in part.chunk_by(|left, right| left.0 == right.0) {
            for &(_, document) in equal {
                leader[document as usize] = equal[0].1;
            }
        }
    }
    Ok(())
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
