//! Two corpora: the entries with documents of the first corpus, of the reference, or of both, and the pairs
//! across.
//!
//! Both corpora are numbered as one, with the reference after the first corpus, so the number of a document gives
//! its corpus. Entries are numbered by first document: entries with documents of the first corpus come before all
//! others, and one bit for each of them tells whether the reference has it too.
//!
//! ```text
//! entry           0   1   2   3 | 4   5       entries from 4 on are only in the reference
//! first corpus    x   x   x   x |
//! reference           x         | x   x       has_both: 1
//! across          0-1, 0-4, 0-5, 1-2, 1-3, ..  and not 0-2, 4-5
//! ```

use super::rank_bit_set::RankBitSet;
use crate::id::DocId;

/// The sides of the entries of a [`Distinct`](super::distinct::Distinct).
#[derive(Clone, Debug, PartialEq)]
pub struct Sides {
    boundary: DocId,
    /// The number of entries with documents of the first corpus.
    n_first: u32,
    /// The entries of both corpora.
    both: RankBitSet,
}

impl Sides {
    /// The sides of entries: the first `n_first` have documents before `boundary`, and those in `both` also have
    /// documents from `boundary` on.
    pub(super) fn new(boundary: DocId, n_first: u32, both: RankBitSet) -> Self {
        Self { boundary, n_first, both }
    }

    /// The first document of the reference.
    pub fn boundary(&self) -> DocId {
        self.boundary
    }

    /// The number of entries with documents of the first corpus: the entries before it.
    pub fn n_first(&self) -> u32 {
        self.n_first
    }

    /// Whether an entry has documents in both corpora.
    #[inline]
    pub fn has_both(&self, entry: u32) -> bool {
        self.both.rank(entry).is_some()
    }

    /// Whether a pair of entries, `a < b`, has a document of each corpus.
    #[inline]
    pub fn is_across(&self, a: u32, b: u32) -> bool {
        if b >= self.n_first { a < self.n_first } else { self.has_both(a) || self.has_both(b) }
    }
}
