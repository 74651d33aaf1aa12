//! Counts the pairs at each distance: compares a row with 512 columns at once, and a vector holds one bit of each
//! distance.
//!
//! ```text
//! columns   transposed: plane b is bit b of 512 columns
//! groups    for three bits and each of their eight patterns in a row: the number of the three bits in
//!           which each column differs, as two planes; 21 groups, 22 KB
//! row       its 21 patterns look up 42 planes, and full adders add them: the distances, as planes
//! sums      for every subset of the planes: the number of pairs that have all of its bits. At the end
//!           inclusion and exclusion turns these sums into the number of pairs at each distance
//! ```
//!
//! No single distance is computed: 512 pairs take 170 vector instructions, where comparing them eight at a time
//! takes 192. Between rows of one parity and columns of one parity all distances are even, or all odd, so their
//! lowest plane is known and half the sums suffice.
//!
//! Source: the carry-save adders of Harley and Seal, in Warren, Hacker's Delight, section 5-1.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_popcnt_epi64, _mm512_set1_epi64,
    _mm512_setzero_si512, _mm512_ternarylogic_epi64, _mm512_test_epi64_mask, _mm512_xor_si512,
};
use std::hint::black_box;

use super::plain::COUNT_COLUMNS as COLUMNS;
use super::{Counts, SameParity};
use crate::kernel::simd;

/// Groups of three bits.
const GROUPS: usize = 21;
/// The bit that is in no group.
const LAST: usize = 63;
/// The number of subsets of the five lower planes of half a distance.
const SUBSETS: usize = 32;
/// One sum for each subset, then the sum of the sixth plane.
type Sums = [__m512i; SUBSETS + 1];

/// See [`super::count`].
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
pub(super) fn count(rows: SameParity<'_>, columns: SameParity<'_>, counts: &mut Counts) {
    let is_odd = rows.is_odd() != columns.is_odd();
    // The last block is filled up with a word of the same parity; the counts of its pairs are subtracted again.
    let filling = u64::from(columns.is_odd());
    let (rows, columns) = (rows.words(), columns.words());
    for columns in columns.chunks(COLUMNS) {
        let mut block = [filling; COLUMNS];
        block[..columns.len()].copy_from_slice(columns);
        let mut sums = [_mm512_setzero_si512(); SUBSETS + 1];
        Planes::new(&block, is_odd).add_up(rows, &mut sums);
        read(&sums, is_odd, counts);
        if columns.len() < COLUMNS {
            let n_filled = (COLUMNS - columns.len()) as u64;
            for row in rows {
                counts[(row ^ filling).count_ones() as usize] -= n_filled;
            }
        }
    }
}

/// The transposed columns, and the tables that rows look up in them.
struct Planes {
    /// By group and pattern: the two planes of the number of bits, 0 to 3, in which each column differs.
    groups: Box<[[[__m512i; 2]; 8]; GROUPS]>,
    /// By the last bit of the row: a plane with the columns whose half distance is larger by one because of it.
    last: [__m512i; 2],
}

impl Planes {
    #[target_feature(enable = "avx512f")]
    fn new(columns: &[u64; COLUMNS], is_odd: bool) -> Self {
        let mut planes = [[0; 64]; 64];
        for (byte, eight) in columns.as_chunks::<8>().0.iter().enumerate() {
            let eight = simd::load(eight);
            for (bit, plane) in planes.iter_mut().enumerate() {
                plane[byte] = _mm512_test_epi64_mask(eight, _mm512_set1_epi64(1 << bit));
            }
        }
        let (none, all) = (_mm512_setzero_si512(), _mm512_set1_epi64(-1));
        let differs = |bit: usize, is_set: bool| {
            let plane = simd::load(&planes[bit]);
            _mm512_xor_si512(plane, if is_set { all } else { none })
        };
        let mut groups = vec![[[none; 2]; 8]; GROUPS];
        for (group, patterns) in groups.iter_mut().enumerate() {
            for (pattern, planes) in patterns.iter_mut().enumerate() {
                let bit = |at: usize| differs(3 * group + at, pattern >> at & 1 == 1);
                let mut ones = bit(0);
                let twos = full_add(&mut ones, bit(1), bit(2));
                *planes = [ones, twos];
            }
        }
        // Halving the distance of the other 63 bits rounds down. If all distances are odd, that is correct; if
        // they are even, the result is too small by one exactly if the last bit differs too.
        let last = if is_odd { [none; 2] } else { [false, true].map(|bit| differs(LAST, bit)) };
        Self { groups: groups.try_into().expect("one element for each group"), last }
    }

    /// Adds to the sum of each subset of planes the number of pairs that have all of its bits.
    #[target_feature(enable = "avx512f,avx512vpopcntdq")]
    fn add_up(&self, rows: &[u64], sums: &mut Sums) {
        let all = _mm512_set1_epi64(-1);
        for &row in rows {
            // Without this the compiler (rustc 1.95) keeps the sums in the registers that the planes need, and
            // the loop reaches 0.4 of the machine's limit instead of 0.9; the rows histogram/ of
            // `cargo bench --bench rivals` show it. `inline(never)` does not help.
            let sums = black_box(&mut *sums);
            let (by_subset, [at_64]) = sums.as_chunks_mut::<8>() else { unreachable!() };
            let [one, two, four, eight, sixteen, whole] = self.half_distances(row);
            let both = _mm512_and_si512(one, two);
            let [with_one, with_two] = [_mm512_and_si512(one, four), _mm512_and_si512(two, four)];
            let lower =
                [all, one, two, both, four, with_one, with_two, _mm512_and_si512(both, four)];
            let upper = [all, eight, sixteen, _mm512_and_si512(eight, sixteen)];
            for (upper, sums) in upper.into_iter().zip(by_subset) {
                for (lower, sum) in lower.into_iter().zip(sums) {
                    let both = _mm512_and_si512(lower, upper);
                    *sum = _mm512_add_epi64(*sum, _mm512_popcnt_epi64(both));
                }
            }
            *at_64 = _mm512_add_epi64(*at_64, _mm512_popcnt_epi64(whole));
        }
    }

    /// The planes of half the distances, rounded down: those of 1, 2, 4, 8, 16 and 32.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn half_distances(&self, row: u64) -> [__m512i; 6] {
        let [mut ones, mut twos] = self.group(row, GROUPS - 1);
        let mut four_groups = |first: usize| {
            let (a, b) = (self.group(row, first), self.group(row, first + 1));
            let (c, d) = (self.group(row, first + 2), self.group(row, first + 3));
            let from_ones = [full_add(&mut ones, a[0], b[0]), full_add(&mut ones, c[0], d[0])];
            [
                full_add(&mut twos, a[1], b[1]),
                full_add(&mut twos, c[1], d[1]),
                full_add(&mut twos, from_ones[0], from_ones[1]),
            ]
        };
        let (first, second) = (four_groups(0), four_groups(4));
        let mut fours = first[0];
        let mut eights = full_add(&mut fours, first[1], first[2]);
        let eight = full_add(&mut fours, second[0], second[1]);
        let third = four_groups(8);
        let other = full_add(&mut fours, second[2], third[0]);
        let mut sixteens = full_add(&mut eights, eight, other);
        let eight = full_add(&mut fours, third[1], third[2]);
        let fourth = four_groups(12);
        let other = full_add(&mut fours, fourth[0], fourth[1]);
        let sixteen = full_add(&mut eights, eight, other);
        let fifth = four_groups(16);
        let eight = full_add(&mut fours, fourth[2], fifth[0]);
        let other = full_add(&mut fours, fifth[1], fifth[2]);
        let other = full_add(&mut eights, eight, other);
        let mut thirty_twos = full_add(&mut sixteens, sixteen, other);
        // Add the last bit.
        let four = half_add(&mut twos, self.last[(row >> LAST) as usize]);
        let eight = half_add(&mut fours, four);
        let sixteen = half_add(&mut eights, eight);
        let thirty_two = half_add(&mut sixteens, sixteen);
        let whole = half_add(&mut thirty_twos, thirty_two);
        [twos, fours, eights, sixteens, thirty_twos, whole]
    }

    /// The planes of the number of bits of the group in which the columns differ from `row`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn group(&self, row: u64, group: usize) -> [__m512i; 2] {
        self.groups[group][(row >> (3 * group) & 7) as usize]
    }
}

/// Adds two bits to `sum` in every bit position; returns the carries.
#[inline]
#[target_feature(enable = "avx512f")]
fn full_add(sum: &mut __m512i, a: __m512i, b: __m512i) -> __m512i {
    let carry = _mm512_ternarylogic_epi64::<0xe8>(*sum, a, b);
    *sum = _mm512_ternarylogic_epi64::<0x96>(*sum, a, b);
    carry
}

/// Adds a bit to `sum` in every bit position; returns the carries.
#[inline]
#[target_feature(enable = "avx512f")]
fn half_add(sum: &mut __m512i, a: __m512i) -> __m512i {
    let carry = _mm512_and_si512(*sum, a);
    *sum = _mm512_xor_si512(*sum, a);
    carry
}

/// Computes the counts from the sums and adds them to `counts`.
#[target_feature(enable = "avx512f")]
fn read(sums: &Sums, is_odd: bool, counts: &mut Counts) {
    let mut halves = [0_u64; SUBSETS + 1];
    for (half, &sum) in halves.iter_mut().zip(sums) {
        *half = simd::words(sum).iter().sum();
    }
    // Inclusion and exclusion: from "at least these bits" to "exactly these bits".
    for bit in [1, 2, 4, 8, 16] {
        for without in (0..SUBSETS).filter(|subset| subset & bit == 0) {
            halves[without] -= halves[without | bit];
        }
    }
    halves[0] -= halves[SUBSETS];
    for (half, n_pairs) in halves.into_iter().enumerate() {
        if n_pairs > 0 {
            counts[2 * half + usize::from(is_odd)] += n_pairs;
        }
    }
}
