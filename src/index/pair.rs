//! Pairs of entries, and the pairs of documents that they represent.
//!
//! Searches find [`Pair`]s of distinct fingerprints. [`document_pairs`] unfolds them one at a time, in the order
//! that all screens and files use: a page with a million copies has 500,000,000,000 pairs, too many for memory.
//! Counting them needs no unfolding.

use std::ops::ControlFlow;

use super::Distinct;
use crate::{
    id::DocId,
    progress::{Cancelled, Progress},
    simhash::Bits,
};

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
/// memory. [`Iterator::nth`] skips whole entries and pairs by counting them. With a reference only pairs across
/// are unfolded, `a` from the first corpus.
pub fn document_pairs<'a, B: Bits>(
    distinct: &'a Distinct<B>,
    pairs: &'a [Pair],
) -> DocumentPairs<'a, B> {
    DocumentPairs { distinct, pairs, next_source: 0, block: Unfold::default() }
}

/// The pairs of documents of [`document_pairs`] without the pairs within entries.
///
/// [`document_pairs`] without pairs, followed by this function for each batch of pairs, is [`document_pairs`] of
/// all pairs.
pub fn without_copies<'a, B: Bits>(
    distinct: &'a Distinct<B>,
    pairs: &'a [Pair],
) -> DocumentPairs<'a, B> {
    DocumentPairs { distinct, pairs, next_source: distinct.len(), block: Unfold::default() }
}

/// The number of pairs that [`document_pairs`] yields, counted without unfolding.
pub fn count_document_pairs<B: Bits>(distinct: &Distinct<B>, pairs: &[Pair]) -> u64 {
    count_by_distance(distinct, pairs).iter().sum()
}

/// The number of pairs of documents at each distance: element d is the number at distance d. Its length fits the
/// largest distance in `pairs`; it has at least one element.
pub fn count_by_distance<B: Bits>(distinct: &Distinct<B>, pairs: &[Pair]) -> Vec<u64> {
    let farthest = pairs.iter().map(|pair| pair.distance).max().unwrap_or(0);
    let mut counts = vec![0; farthest as usize + 1];
    counts[0] = distinct.paired().map(|entry| distinct.n_pairs_within(entry)).sum();
    for pair in pairs {
        counts[pair.distance as usize] += distinct.n_pairs_between(pair.a, pair.b);
    }
    counts
}

/// The iterator of [`document_pairs`].
#[derive(Clone, Debug)]
pub struct DocumentPairs<'a, B> {
    distinct: &'a Distinct<B>,
    pairs: &'a [Pair],
    /// The next source: an entry with its copies; after all entries, a pair.
    next_source: usize,
    /// The source that is being unfolded.
    block: Unfold<'a>,
}

impl<B: Bits> DocumentPairs<'_, B> {
    /// Continues with the next entry or pair; returns `false` if there is none.
    fn advance(&mut self) -> bool {
        let n_entries = self.distinct.len();
        self.block = if self.next_source < n_entries {
            Unfold::copies(self.distinct, self.next_source as u32)
        } else if let Some(&pair) = self.pairs.get(self.next_source - n_entries) {
            Unfold::across(self.distinct, pair)
        } else {
            return false;
        };
        self.next_source += 1;
        true
    }
}

impl<B: Bits> Iterator for DocumentPairs<'_, B> {
    type Item = DocumentPair;

    fn next(&mut self) -> Option<DocumentPair> {
        self.nth(0)
    }

    /// Skips `n` pairs at a cost of one step for each entry or pair that is skipped as a whole.
    fn nth(&mut self, n: usize) -> Option<DocumentPair> {
        let mut skip = n as u64;
        loop {
            match self.block.skip(skip) {
                Ok(pair) => return Some(pair),
                Err(left) => skip = left,
            }
            if !self.advance() {
                return None;
            }
        }
    }
}

/// The pairs of one source: between two disjoint ascending lists of documents, inside one list, or across
/// corpora.
///
/// The smaller document of a pair is the head of one list, and its partners are a range of the other list; heads
/// are removed in ascending order, like in a merge. With a reference, heads are documents of the first corpus,
/// and their partners are always the same documents of the reference.
#[derive(Clone, Copy, Debug, Default)]
struct Unfold<'a> {
    left: &'a [DocId],
    right: &'a [DocId],
    inside: bool,
    /// With a reference, the partners of the heads of each list. A list without partners is empty.
    reference: Option<[&'a [DocId]; 2]>,
    distance: u32,
    /// The number of partners of the current head that were yielded.
    done: usize,
}

impl<'a> Unfold<'a> {
    fn copies<B: Bits>(distinct: &'a Distinct<B>, entry: u32) -> Self {
        if distinct.sides().is_some() {
            let [left, partners] = distinct.documents_by_side(entry);
            return Self::with_reference([left, &[]], [partners, &[]], 0);
        }
        Self { left: distinct.documents(entry), inside: true, ..Self::default() }
    }

    fn across<B: Bits>(distinct: &'a Distinct<B>, pair: Pair) -> Self {
        if distinct.sides().is_some() {
            let [(left, of_right), (right, of_left)] =
                pair.ends().map(|entry| distinct.documents_by_side(entry).into());
            return Self::with_reference([left, right], [of_left, of_right], pair.distance);
        }
        let (left, right) = (distinct.documents(pair.a), distinct.documents(pair.b));
        Self { left, right, distance: pair.distance, ..Self::default() }
    }

    /// The pairs of each document of the first corpus in two lists with its partners in the reference.
    fn with_reference(heads: [&'a [DocId]; 2], partners: [&'a [DocId]; 2], distance: u32) -> Self {
        let heads = |at: usize| if partners[at].is_empty() { &[] } else { heads[at] };
        let (left, right) = (heads(0), heads(1));
        Self { left, right, reference: Some(partners), distance, ..Self::default() }
    }

    /// The total number of pairs, if none was yielded yet.
    fn len(&self) -> u64 {
        let (left, right) = (self.left.len() as u64, self.right.len() as u64);
        match self.reference {
            Some([of_left, of_right]) => {
                left * of_left.len() as u64 + right * of_right.len() as u64
            }
            None if self.inside => left * left.saturating_sub(1) / 2,
            None => left * right,
        }
    }

    /// Whether the next head is in the left list.
    fn is_left_next(&self) -> bool {
        match (self.left.first(), self.right.first()) {
            (Some(left), Some(right)) => left < right,
            (left, _) => left.is_some(),
        }
    }

    /// The smallest remaining document and its partners; `None` if there are no more pairs.
    fn head(&self) -> Option<(DocId, &'a [DocId])> {
        let is_left = self.is_left_next();
        let (heads, others) =
            if is_left { (self.left, self.right) } else { (self.right, self.left) };
        let (&first, rest) = heads.split_first()?;
        let partners = match self.reference {
            Some([of_left, of_right]) => {
                if is_left {
                    of_left
                } else {
                    of_right
                }
            }
            None if self.inside => rest,
            None => others,
        };
        (!partners.is_empty()).then_some((first, partners))
    }

    /// Removes the head after its last pair.
    fn pop(&mut self) {
        self.done = 0;
        if self.is_left_next() {
            self.left = &self.left[1..];
        } else {
            self.right = &self.right[1..];
        }
    }

    /// The pair after the next `n` pairs; if there are fewer, the number of pairs still to skip.
    fn skip(&mut self, mut n: u64) -> Result<DocumentPair, u64> {
        if self.done == 0 && n >= self.len() {
            let len = self.len();
            (self.left, self.right) = (&[], &[]);
            return Err(n - len);
        }
        while let Some((a, partners)) = self.head() {
            let left = (partners.len() - self.done) as u64;
            if n < left {
                let b = partners[self.done + n as usize];
                self.done += n as usize + 1;
                return Ok(DocumentPair { a, b, distance: self.distance });
            }
            n -= left;
            self.pop();
        }
        Err(n)
    }
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
        assert_eq!(count_by_distance(&distinct, &pairs), [4, 6]);
        for n in 0..=expected.len() {
            let found = plain(document_pairs(&distinct, &pairs).skip(n));
            assert_eq!(found, expected[n..], "skipping {n}");
        }
    }

    #[test]
    fn a_million_copies_are_counted_not_unfolded() {
        let distinct = Distinct::collapse(&vec![Some(5_u64); 1_000_000], &Progress::new()).unwrap();
        assert_eq!(count_document_pairs(&distinct, &[]), 499_999_500_000);
        let last = document_pairs(&distinct, &[]).nth(499_999_499_999);
        assert_eq!(last.map(|pair| (pair.a.0, pair.b.0)), Some((999_998, 999_999)));
    }

    #[test]
    fn pairs_sort_by_distance_then_entries() {
        let pair = |a, b, distance| Pair { distance, a, b };
        let mut pairs = [pair(0, 1, 2), pair(3, 4, 1), pair(0, 9, 1), pair(0, 2, 1)];
        pairs.sort();
        assert_eq!(pairs, [pair(0, 2, 1), pair(0, 9, 1), pair(3, 4, 1), pair(0, 1, 2)]);
    }
}
