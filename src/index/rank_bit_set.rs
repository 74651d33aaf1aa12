//! A set of numbers that also gives the rank of each: the number of members before it.
//!
//! Of a million fingerprints a few thousand may have neighbours. Data about these are stored in lists of a few
//! thousand elements, and the rank of a number is its position in such a list. Memory: a bit for each number and
//! a count for each 64 numbers, which is 1.5 bits for each number. A look-up needs two reads.
//!
//! Source: Jacobson, "Space-efficient static trees and graphs" (1989), for the rank of a bit.
//!
//! Also here, for two corpora: the entries with documents of the first corpus, of the reference, or of both, and
//! the pairs across.
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

use crate::id::DocId;
use crate::kernel::exclusive_prefix_sum;

/// A set of numbers below a bound, with the rank of each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RankBitSet {
    words: Vec<u64>,
    /// The number of members before each word.
    before: Vec<u32>,
}

/// A set under construction.
#[derive(Clone, Debug)]
pub struct BitSetBuilder(Vec<u64>);

impl BitSetBuilder {
    /// An empty set of numbers below `end`.
    pub fn new(end: usize) -> Self {
        Self(vec![0; end.div_ceil(64)])
    }

    /// Adds a number; adding it twice changes nothing.
    ///
    /// # Panics
    /// If it is not below the bound, rounded up to a multiple of 64.
    #[inline]
    pub fn insert(&mut self, number: u32) {
        self.0[number as usize / 64] |= 1 << (number % 64);
    }

    /// The finished set.
    pub fn build(self) -> RankBitSet {
        let mut before: Vec<u32> = self.0.iter().map(|word| word.count_ones()).collect();
        exclusive_prefix_sum(&mut before);
        RankBitSet { before, words: self.0 }
    }
}

impl RankBitSet {
    /// The rank of a number, from 0; `None` if it is not a member.
    #[inline]
    pub fn rank(&self, number: u32) -> Option<usize> {
        let (at, bit) = (number as usize / 64, 1 << (number % 64));
        let word = *self.words.get(at)?;
        (word & bit != 0).then(|| (self.before[at] + (word & (bit - 1)).count_ones()) as usize)
    }

    /// The members, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        (0_u32..).step_by(64).zip(&self.words).flat_map(|(first, &word)| {
            let rest = std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)));
            rest.take_while(|rest| *rest != 0).map(move |rest| first + rest.trailing_zeros())
        })
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_the_members_before() {
        for end in [0, 1, 64, 65, 1000] {
            let members: Vec<u32> = (0..end).filter(|n| n * 37 % 101 < n % 90).collect();
            let mut marks = BitSetBuilder::new(end as usize);
            members.iter().rev().for_each(|&number| marks.insert(number));
            let subset = marks.build();
            assert!(subset.iter().eq(members.iter().copied()));
            for number in 0..end + 70 {
                assert_eq!(subset.rank(number), members.binary_search(&number).ok());
            }
        }
    }
}
