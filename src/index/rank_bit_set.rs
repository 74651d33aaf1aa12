//! A set of numbers that also gives the rank of each: the number of members before it.
//!
//! Of a million fingerprints a few thousand may have neighbours. Data about these are stored in lists of a few
//! thousand elements, and the rank of a number is its position in such a list. Memory: a bit for each number and
//! a count for each 64 numbers, which is 1.5 bits for each number. A look-up needs two reads.
//!
//! Source: Jacobson, "Space-efficient static trees and graphs" (1989), for the rank of a bit.

/// A set of numbers below a bound, with the rank of each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RankBitSet {
    words: Vec<u64>,
    /// The number of members before each word.
    before: Vec<u32>,
    len: usize,
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
        let mut len = 0;
        let before = self.0.iter().map(|word| {
            let before = len;
            len += word.count_ones();
            before
        });
        RankBitSet { before: before.collect(), len: len as usize, words: self.0 }
    }
}

impl RankBitSet {
    /// The number of members.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no members.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

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
            assert_eq!((subset.len(), subset.is_empty()), (members.len(), members.is_empty()));
            assert!(subset.iter().eq(members.iter().copied()));
            for number in 0..end + 70 {
                assert_eq!(subset.rank(number), members.binary_search(&number).ok());
            }
        }
    }
}
