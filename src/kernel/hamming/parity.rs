//! Sets of words whose numbers of set bits are all even, or all odd.
//!
//! The distances between two such sets are all even or all odd, so the lowest bit of every distance is known.

use std::ops::Range;

/// Words of one parity; [`super::count`] relies on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SameParity<'a> {
    words: &'a [u64],
    is_odd: bool,
}

impl<'a> SameParity<'a> {
    /// Checks that each of `words` has an odd number of set bits, or each an even number.
    ///
    /// # Panics
    /// If a word has the other parity.
    pub(crate) fn new(words: &'a [u64], is_odd: bool) -> Self {
        assert!(words.iter().all(|&word| has_odd_parity(word) == is_odd), "words of one parity");
        Self { words, is_odd }
    }

    /// Some of the words.
    ///
    /// # Panics
    /// If the range ends after the last word.
    pub(crate) fn slice(self, range: Range<usize>) -> Self {
        Self { words: &self.words[range], is_odd: self.is_odd }
    }

    /// All of the words.
    pub(crate) fn words(self) -> &'a [u64] {
        self.words
    }

    /// Whether the words have an odd number of set bits; only the vector loops ask.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn is_odd(self) -> bool {
        self.is_odd
    }
}

/// Whether an odd number of bits is set.
pub(crate) fn has_odd_parity(word: u64) -> bool {
    word.count_ones() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "words of one parity")]
    fn a_word_of_another_parity_is_refused() {
        SameParity::new(&[3, 5, 7], false);
    }
}
