//! How many pairs lie at each distance: every distance becomes one bit, and bits are counted by place.
//!
//! No distance is ever looked at alone, so counting costs little more than comparing.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_rolv_epi64, _mm512_set1_epi64, _mm512_setzero_si512,
    _mm512_sllv_epi64, _mm512_ternarylogic_epi64,
};

use super::{
    Counts,
    vector::{BLOCK, distances, load_block},
};
use crate::kernel::lanes;

/// Adds two bits to `sum` in every bit place; the carries.
#[inline]
#[target_feature(enable = "avx512f")]
fn full_add(sum: &mut __m512i, a: __m512i, b: __m512i) -> __m512i {
    let carry = _mm512_ternarylogic_epi64::<0xe8>(*sum, a, b);
    *sum = _mm512_ternarylogic_epi64::<0x96>(*sum, a, b);
    carry
}

/// Each distance becomes one bit, and bits are counted place by place.
///
/// Between rows of one parity and columns of one parity all distances are even, or all odd, so each
/// distance has two places of the word to itself: three one-bit words can be added as they are. The
/// sums go through a tree of full adders. That is 13 instructions for 24 pairs. A distance of 64 sets
/// no bit: it is what is missing in the end.
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
pub(super) fn count(rows: &[u64], columns: &[u64], counts: &mut Counts) {
    let (Some(row), Some(column)) = (rows.first(), columns.first()) else { return };
    if (row ^ column).count_ones() % 2 == 1 {
        count_places::<true>(rows, columns, counts);
    } else {
        count_places::<false>(rows, columns, counts);
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
fn count_places<const ODD: bool>(rows: &[u64], columns: &[u64], counts: &mut Counts) {
    let one = _mm512_set1_epi64(1);
    let top = _mm512_set1_epi64(i64::MIN);
    let (blocks, other_columns) = columns.as_chunks::<BLOCK>();
    for rows in rows.chunks(MOST_ROWS) {
        let (six_rows, other_rows) = rows.as_chunks::<6>();
        let mut adders = Adders::new();
        for block in blocks {
            let columns = load_block(block);
            for six in six_rows {
                let bit = |row: __m512i, column: __m512i| {
                    let distance = distances(row, column);
                    // Odd distances carry the top bit round, so that they too begin at place 0.
                    if ODD {
                        _mm512_rolv_epi64(top, distance)
                    } else {
                        _mm512_sllv_epi64(one, distance)
                    }
                };
                let sums = |rows: [u64; 3]| {
                    let [a, b, c] = rows.map(|row| _mm512_set1_epi64(row as i64));
                    columns.map(|column| {
                        let two = _mm512_add_epi64(bit(a, column), bit(b, column));
                        _mm512_add_epi64(two, bit(c, column))
                    })
                };
                let left = adders.add_eight(&sums([six[0], six[1], six[2]]));
                let right = adders.add_eight(&sums([six[3], six[4], six[5]]));
                adders.carry(left, right);
            }
            if adders.n_sums >= MOST_SUMS {
                adders.read(ODD, counts);
            }
            super::plain::count(other_rows, block, counts);
        }
        adders.read(ODD, counts);
        super::plain::count(rows, other_columns, counts);
    }
}

/// Rows between two looks at how full the adders are.
const MOST_ROWS: usize = 1 << 14;
/// Levels of the adders.
const LEVELS: usize = 24;
/// The lowest level at which carries wait; those below are added to at once.
const WAITING: usize = 4;
/// Calls of [`Adders::carry`] after which the adders are read; a block more does not overflow them.
const MOST_SUMS: u64 = 1 << 17;

/// Counts of set bits, place by place: bit p of the word at level l stands for 2^l bits at place p.
///
/// Source: the carry-save adders of Harley and Seal, in Warren, Hacker's Delight, section 5-1.
struct Adders {
    levels: [__m512i; LEVELS],
    /// A carry into each level that waits for a second one: whether it is there is a bit of `n_sums`.
    waiting: [__m512i; LEVELS],
    n_sums: u64,
}

impl Adders {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn new() -> Self {
        let zero = _mm512_setzero_si512();
        Self { levels: [zero; LEVELS], waiting: [zero; LEVELS], n_sums: 0 }
    }

    /// Adds eight words; the carry stands for eight.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn add_eight(&mut self, words: &[__m512i; 8]) -> __m512i {
        let [ones, twos, fours, ..] = &mut self.levels;
        let (a, b) = (full_add(ones, words[0], words[1]), full_add(ones, words[2], words[3]));
        let left = full_add(twos, a, b);
        let (a, b) = (full_add(ones, words[4], words[5]), full_add(ones, words[6], words[7]));
        let right = full_add(twos, a, b);
        full_add(fours, left, right)
    }

    /// Adds two carries of [`Adders::add_eight`].
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn carry(&mut self, left: __m512i, right: __m512i) {
        let mut carry = full_add(&mut self.levels[WAITING - 1], left, right);
        // As in a binary counter: every second carry of a level goes up.
        let mut level = WAITING;
        while self.n_sums >> (level - WAITING) & 1 == 1 {
            carry = full_add(&mut self.levels[level], self.waiting[level], carry);
            level += 1;
        }
        self.waiting[level] = carry;
        self.n_sums += 1;
    }

    /// Adds what was counted to `counts`, and begins anew.
    #[target_feature(enable = "avx512f")]
    fn read(&mut self, is_odd: bool, counts: &mut Counts) {
        let n_pairs = self.n_sums * (6 * BLOCK) as u64;
        let mut n_seen = 0;
        let mut note = |vector: __m512i, level: usize| {
            for mut word in lanes::words(vector) {
                while word != 0 {
                    let place = word.trailing_zeros() as usize;
                    // Of the two places of a distance the upper counts for two.
                    let n = 1 << (level + place % 2);
                    counts[place / 2 * 2 + usize::from(is_odd)] += n;
                    n_seen += n;
                    word &= word - 1;
                }
            }
        };
        for level in 0..LEVELS {
            note(self.levels[level], level);
            if level >= WAITING && self.n_sums >> (level - WAITING) & 1 == 1 {
                note(self.waiting[level], level);
            }
        }
        counts[64] += n_pairs - n_seen;
        *self = Self::new();
    }
}
