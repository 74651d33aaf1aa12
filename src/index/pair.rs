//! Pairs of entries, and the pairs of documents that they represent.
//!
//! Searches find [`Pair`]s of distinct fingerprints. [`document_pairs`] unfolds them one at a time, in the order
//! that all screens and files use: a page with a million copies has 500,000,000,000 pairs, too many for memory.
//! Counting them needs no unfolding.

use std::ops::ControlFlow;

use super::Distinct;
use crate::id::DocId;
use crate::progress::{Cancelled, Progress};
use crate::simhash::Bits;

/// Two entries and their distance; `a < b`. Ordered by distance, then `a`, then `b`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// The number of differing bits.
    pub distance: u32,
    /// The entry whose first document comes first.
    pub a: u32,
    /// The other entry.
    pub b: u32,
}

impl Pair {
    /// Both entries.
    #[inline]
    pub fn ends(&self) -> [u32; 2] {
        [self.a, self.b]
    }
}

/// A function that takes batches of pairs, from any thread, and returns `Break` if it wants no more.
///
/// Other threads may call it after it has returned `Break`: then it must return `Break` again.
pub type Take<'a> = &'a (dyn Fn(&[Pair]) -> ControlFlow<()> + Sync);

/// Passes `pairs` to `take`, if there are any; if it wants no more, the search, which is a part of a job, stops.
///
/// # Errors
/// [`Cancelled`] if the search is stopped.
#[inline]
pub(super) fn pass(pairs: &[Pair], take: Take<'_>, search: &Progress) -> Result<(), Cancelled> {
    if !pairs.is_empty() && take(pairs).is_break() {
        search.stop_part();
    }
    search.check()
}

/// Passes the pairs that `keep` makes of `found` to `take`, if there are any.
pub(super) fn pass_kept(
    found: &[Pair],
    keep: impl Fn(&Pair) -> Option<Pair>,
    take: Take<'_>,
) -> ControlFlow<()> {
    let kept: Vec<Pair> = found.iter().filter_map(keep).collect();
    if kept.is_empty() { ControlFlow::Continue(()) } else { take(&kept) }
}

/// Two documents and their distance; `a < b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DocumentPair {
    /// The document that comes first in the corpus.
    pub a: DocId,
    /// The other document.
    pub b: DocId,
    /// The number of differing bits.
    pub distance: u32,
}

/// Every pair of documents that `pairs` and the copies in each entry represent, each once.
///
/// At distance 0 first, entry by entry; then in the order of `pairs` (if `pairs` is sorted, this is by distance,
/// then by the first documents of the two fingerprints); within an entry or pair by `a`, then `b`. Needs constant
/// memory. With a reference only pairs across are unfolded, `a` from the first corpus.
pub fn document_pairs<B: Bits>(
    distinct: &Distinct<B>,
    pairs: &[Pair],
) -> impl Iterator<Item = DocumentPair> {
    let copies = distinct.paired().flat_map(move |entry| copies(distinct, entry));
    copies.chain(without_copies(distinct, pairs))
}

/// The pairs of documents of [`document_pairs`] without the pairs within entries.
///
/// [`document_pairs`] without pairs, followed by this function for each batch of pairs, is [`document_pairs`] of
/// all pairs.
pub fn without_copies<B: Bits>(
    distinct: &Distinct<B>,
    pairs: &[Pair],
) -> impl Iterator<Item = DocumentPair> {
    pairs.iter().flat_map(move |pair| between(distinct, pair))
}

/// The pairs of documents with the fingerprint of `entry`.
fn copies<B: Bits>(distinct: &Distinct<B>, entry: u32) -> impl Iterator<Item = DocumentPair> {
    let [first, reference] = distinct.documents_by_side(entry);
    let has_reference = distinct.sides().is_some();
    first.iter().enumerate().flat_map(move |(at, &a)| {
        let others = if has_reference { reference } else { &first[at + 1..] };
        others.iter().map(move |&b| DocumentPair { a, b, distance: 0 })
    })
}

/// The pairs of documents with a document of each of two entries.
///
/// The smaller document of a pair is the head of the list of its entry, and its partners are the rest of the other
/// list; heads are removed in ascending order, like in a merge. With a reference, heads are documents of the first
/// corpus, and their partners are always the same documents of the reference.
fn between<B: Bits>(distinct: &Distinct<B>, pair: &Pair) -> impl Iterator<Item = DocumentPair> {
    let [left, right] = pair.ends().map(|entry| distinct.documents_by_side(entry));
    let across = distinct.sides().is_some().then_some([right[1], left[1]]);
    let mut heads = [left[0], right[0]];
    for (heads, partners) in heads.iter_mut().zip(across.into_iter().flatten()) {
        if partners.is_empty() {
            *heads = &[];
        }
    }
    let next = move || {
        let is_left_next = match heads {
            [[left, ..], [right, ..]] => left < right,
            [left, _] => !left.is_empty(),
        };
        let side = usize::from(!is_left_next);
        let (&head, rest) = heads[side].split_first()?;
        heads[side] = rest;
        Some((head, across.unwrap_or([heads[1], heads[0]])[side]))
    };
    let distance = pair.distance;
    std::iter::from_fn(next).flat_map(move |(a, partners)| {
        partners.iter().map(move |&b| DocumentPair { a, b, distance })
    })
}

/// The number of pairs that [`document_pairs`] yields, counted without unfolding.
pub fn count_document_pairs<B: Bits>(distinct: &Distinct<B>, pairs: &[Pair]) -> u64 {
    let copies: u64 = distinct.paired().map(|entry| distinct.n_pairs_within(entry)).sum();
    let others = pairs.iter().map(|pair| distinct.n_pairs_between(pair.a, pair.b));
    copies + others.sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Progress;

    fn plain(pairs: impl Iterator<Item = DocumentPair>) -> Vec<(u32, u32, u32)> {
        pairs.map(|pair| (pair.a.0, pair.b.0, pair.distance)).collect()
    }

    #[test]
    fn copies_come_first_and_interleaved_documents_in_order() {
        // Entry 0 is documents 0, 3, 4; entry 1 is documents 1, 2.
        let distinct =
            Distinct::collapse(&[7_u64, 6, 6, 7, 7].map(Some), &Progress::new()).unwrap();
        let pairs = [Pair { a: 0, b: 1, distance: 1 }];
        let expected = [
            (0, 3, 0),
            (0, 4, 0),
            (3, 4, 0),
            (1, 2, 0),
            (0, 1, 1),
            (0, 2, 1),
            (1, 3, 1),
            (1, 4, 1),
            (2, 3, 1),
            (2, 4, 1),
        ];
        assert_eq!(plain(document_pairs(&distinct, &pairs)), expected);
        assert_eq!(plain(without_copies(&distinct, &pairs)), expected[4..]);
        let counted = [&pairs[..], &[]].map(|pairs| count_document_pairs(&distinct, pairs));
        assert_eq!(counted, [10, 4]);
    }

    #[test]
    fn a_million_copies_are_counted_not_unfolded() {
        let distinct = Distinct::collapse(&vec![Some(5_u64); 1_000_000], &Progress::new()).unwrap();
        assert_eq!(count_document_pairs(&distinct, &[]), 499_999_500_000);
        let later = document_pairs(&distinct, &[]).nth(1_000_000);
        assert_eq!(later.map(|pair| (pair.a.0, pair.b.0)), Some((1, 3)));
    }

    #[test]
    fn pairs_sort_by_distance_then_entries() {
        let pair = |a, b, distance| Pair { distance, a, b };
        let mut pairs = [pair(0, 1, 2), pair(3, 4, 1), pair(0, 9, 1), pair(0, 2, 1)];
        pairs.sort();
        assert_eq!(pairs, [pair(0, 2, 1), pair(0, 9, 1), pair(3, 4, 1), pair(0, 1, 2)]);
    }
}
