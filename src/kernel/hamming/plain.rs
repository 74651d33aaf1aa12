//! The loops, portable and simple: the slow twin of the vectors that count distances.
//!
//! They are always inlined, so that the callers compile them for AVX2 and AVX-512. [`near`] compares one fingerprint
//! of any width with many others: distances are computed [`LANES`] at a time without branches, which the compiler
//! turns into vector code; only a group of lanes with a hit is examined again.
#![expect(clippy::inline_always, reason = "a loop must take the instructions of its caller")]

use std::ops::Range;

/// See [`super::tile`].
#[inline(always)]
pub(super) fn tile<W: Word>(rows: &[W], columns: &[W], k: u32, hits: &mut Vec<Hit>) {
    for (row, &value) in rows.iter().enumerate() {
        near(value, columns, k, |column, _| hits.push((row as u32, column as u32)));
    }
}

/// See [`super::triangle`].
#[inline(always)]
pub(super) fn triangle<W: Word>(words: &[W], k: u32, hits: &mut Vec<Hit>) {
    for (row, &word) in words.iter().enumerate() {
        let first = row + 1;
        near(word, &words[first..], k, |column, _| {
            hits.push((row as u32, (first + column) as u32));
        });
    }
}

/// See [`super::count`].
#[inline(always)]
pub(super) fn count(rows: SameParity<'_>, columns: SameParity<'_>, counts: &mut Counts) {
    for row in rows.words() {
        for column in columns.words() {
            counts[(row ^ column).count_ones() as usize] += 1;
        }
    }
}

/// Distances computed before the first comparison with k.
const LANES: usize = 16;

/// Words with a distance: a fingerprint, or its fold.
pub trait Word: Copy {
    /// The number of bits in which the two differ.
    fn apart(self, other: Self) -> u32;
}

macro_rules! impl_word {
    ($($word:ty),*) => {
        $(impl Word for $word {
            #[inline(always)]
            fn apart(self, other: Self) -> u32 {
                (self ^ other).count_ones()
            }
        })*
    };
}

impl_word!(u32, u64, u128);

/// Calls `found(position, distance)` for each of `others` within `k` bits of `value`, in order.
///
/// Exact. Costs O(others), about a nanosecond each for 64 bits.
#[inline(always)]
pub(crate) fn near<W: Word>(value: W, others: &[W], k: u32, mut found: impl FnMut(usize, u32)) {
    let (chunks, rest) = others.as_chunks::<LANES>();
    for (index, chunk) in chunks.iter().enumerate() {
        // No `map` and no `fold`: where they are not inlined, they lack the instructions of the caller.
        let mut distances = [0; LANES];
        let mut nearest = u32::MAX;
        for (distance, &other) in distances.iter_mut().zip(chunk) {
            *distance = value.apart(other);
            if *distance < nearest {
                nearest = *distance;
            }
        }
        if nearest <= k {
            for (lane, &distance) in distances.iter().enumerate() {
                if distance <= k {
                    found(index * LANES + lane, distance);
                }
            }
        }
    }
    for (index, other) in rest.iter().enumerate() {
        let distance = value.apart(*other);
        if distance <= k {
            found(chunks.len() * LANES + index, distance);
        }
    }
}

/// Words whose numbers of set bits are all even, or all odd; [`super::count`] relies on it.
///
/// The distances between two such sets are all even or all odd, so the lowest bit of every distance is known.
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

/// The positions of a row and a column.
pub(crate) type Hit = (u32, u32);

/// The most rows, and the most columns, of a tile: two arrays of this many words fit the first-level cache, and
/// all hits of a tile take at most 8 MB.
pub(crate) const TILE: usize = 1024;

/// The number of columns that are counted at once: the bits of a vector.
pub(crate) const COUNT_COLUMNS: usize = 512;

/// The number of pairs at each distance from 0 to 64.
pub(crate) type Counts = [u64; 65];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_finds_what_one_comparison_at_a_time_finds() {
        let others: Vec<u64> = (0..100).map(|i: u64| i.wrapping_mul(0x9e37_79b9)).collect();
        for n in 0..others.len() {
            for k in [0, 8, 15, 64] {
                let mut found = Vec::new();
                near(others[7], &others[..n], k, |place, distance| {
                    found.push((place, distance));
                });
                let distances = others[..n].iter().map(|other| (others[7] ^ other).count_ones());
                let expected: Vec<_> = distances.enumerate().filter(|&(_, d)| d <= k).collect();
                assert_eq!(found, expected);
            }
        }
    }

    #[test]
    #[should_panic(expected = "words of one parity")]
    fn a_word_of_another_parity_is_refused() {
        SameParity::new(&[3, 5, 7], false);
    }
}
