//! The loops in vectors of eight words, with a population count for each lane.
//!
//! [`super::plain`] does the same one by one.

use std::arch::x86_64::{
    __m512i, _mm512_alignr_epi64, _mm512_cmple_epu64_mask, _mm512_min_epu32, _mm512_popcnt_epi64,
    _mm512_set1_epi64, _mm512_xor_si512,
};

use super::tile::Hit;
pub(super) use super::{
    folds::{tile as fold_tile, triangle as fold_triangle},
    planes::count,
};
use crate::kernel::simd::load_words;

/// Words in a vector.
const LANES: usize = 8;
/// Vectors of columns that stay in registers while the rows pass.
const HELD: usize = 8;
/// Columns that stay in registers.
const BLOCK: usize = LANES * HELD;

/// The vectors of a block of columns.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_block(block: &[u64; BLOCK]) -> [__m512i; HELD] {
    let (words, _) = block.as_chunks::<LANES>();
    std::array::from_fn(|vector| load_words(&words[vector]))
}

#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn distances(row: __m512i, columns: __m512i) -> __m512i {
    _mm512_popcnt_epi64(_mm512_xor_si512(row, columns))
}

/// A block of columns stays in registers while all rows pass; the smallest of 128 distances decides
/// whether two rows are looked at again. A minimum can run beside a population count where a comparison
/// cannot: a third faster than comparing each vector.
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
pub(super) fn tile(rows: &[u64], columns: &[u64], k: u32, hits: &mut Vec<Hit>) {
    let (blocks, rest) = columns.as_chunks::<BLOCK>();
    for (at, block) in blocks.iter().enumerate() {
        tile_block(rows, block, k, |row, column| hits.push((row, (at * BLOCK) as u32 + column)));
    }
    if let Some(&last) = rest.last() {
        // Filled up with copies, whose hits are dropped.
        let mut block = [last; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        let first = (blocks.len() * BLOCK) as u32;
        tile_block(rows, &block, k, |row, column| {
            if (column as usize) < rest.len() {
                hits.push((row, first + column));
            }
        });
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
fn tile_block(rows: &[u64], block: &[u64; BLOCK], k: u32, mut found: impl FnMut(u32, u32)) {
    let columns = load_block(block);
    let limit = _mm512_set1_epi64(i64::from(k));
    let mut look_again = |row: usize, value: __m512i| {
        for (vector, &column) in columns.iter().enumerate() {
            let mask = _mm512_cmple_epu64_mask(distances(value, column), limit);
            for lane in Lanes(mask.into()) {
                found(row as u32, (vector * LANES) as u32 + lane);
            }
        }
    };
    // Two rows between two decisions.
    let (pairs, last) = rows.as_chunks::<2>();
    for (at, pair) in pairs.iter().enumerate() {
        let values = pair.map(|value| _mm512_set1_epi64(value as i64));
        let nearest =
            _mm512_min_epu32(nearest_of(values[0], &columns), nearest_of(values[1], &columns));
        if _mm512_cmple_epu64_mask(nearest, limit) != 0 {
            look_again(2 * at, values[0]);
            look_again(2 * at + 1, values[1]);
        }
    }
    if let [value] = last {
        look_again(2 * pairs.len(), _mm512_set1_epi64(*value as i64));
    }
}

/// In each lane the smallest distance from `value` to those columns.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn nearest_of(value: __m512i, columns: &[__m512i; HELD]) -> __m512i {
    // Distances are below 2^32 and the upper halves are zero.
    let pair = |vector: usize| {
        _mm512_min_epu32(distances(value, columns[vector]), distances(value, columns[vector + 1]))
    };
    _mm512_min_epu32(_mm512_min_epu32(pair(0), pair(2)), _mm512_min_epu32(pair(4), pair(6)))
}

/// Long runs go by tiles: the last block against all before it, and so on down.
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
pub(super) fn triangle(values: &[u64], k: u32, hits: &mut Vec<Hit>) {
    let mut rest = values;
    while rest.len() > BLOCK + LANES {
        let (before, block) = rest.split_at(rest.len() - BLOCK);
        let (first, from) = (before.len() as u32, hits.len());
        tile(before, block, k, hits);
        hits[from..].iter_mut().for_each(|hit| hit.1 += first);
        small_triangle(block, k, |row, column| hits.push((first + row, first + column)));
        rest = before;
    }
    small_triangle(rest, k, |row, column| hits.push((row, column)));
}

/// A bucket as they mostly are, a few vectors: the last vector against itself, turned by one to four
/// lanes, and against all words before it; then the one before. Only a vector whose smallest distance
/// is within k is looked at again.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
fn small_triangle(values: &[u64], k: u32, mut found: impl FnMut(u32, u32)) {
    let limit = _mm512_set1_epi64(i64::from(k));
    let mut rest = values;
    while let Some((before, last)) = rest.split_last_chunk::<LANES>() {
        let columns = load_words(last);
        let first = before.len() as u32;
        inside(columns, LANES, limit, |row, column| found(first + row, first + column));
        let mut nearest = limit_of_distances();
        for &row in before {
            nearest = _mm512_min_epu32(nearest, distances(_mm512_set1_epi64(row as i64), columns));
        }
        if _mm512_cmple_epu64_mask(nearest, limit) != 0 {
            for (row, &value) in before.iter().enumerate() {
                let near = distances(_mm512_set1_epi64(value as i64), columns);
                let mask = _mm512_cmple_epu64_mask(near, limit);
                for lane in Lanes(mask.into()) {
                    found(row as u32, first + lane);
                }
            }
        }
        rest = before;
    }
    // Fewer than a vector are left: those behind them, if there are any, fill it up.
    if rest.len() > 1 {
        match values.first_chunk() {
            Some(words) => inside(load_words(words), rest.len(), limit, found),
            None => each_inside(rest, k, found),
        }
    }
}

/// Calls `found` for the near pairs of the first `n` lanes: each two lanes meet when one is turned by
/// one to four.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn inside(words: __m512i, n: usize, limit: __m512i, mut found: impl FnMut(u32, u32)) {
    let turned = [
        distances(words, _mm512_alignr_epi64::<1>(words, words)),
        distances(words, _mm512_alignr_epi64::<2>(words, words)),
        distances(words, _mm512_alignr_epi64::<3>(words, words)),
        distances(words, _mm512_alignr_epi64::<4>(words, words)),
    ];
    let nearest = _mm512_min_epu32(
        _mm512_min_epu32(turned[0], turned[1]),
        _mm512_min_epu32(turned[2], turned[3]),
    );
    if _mm512_cmple_epu64_mask(nearest, limit) == 0 {
        return;
    }
    for (by, near) in (1..).zip(turned) {
        // Turned by half, every two meet twice.
        let once = if by == 4 { 0x0f } else { 0xff };
        for lane in Lanes((_mm512_cmple_epu64_mask(near, limit) & once).into()) {
            let other = (lane + by) % LANES as u32;
            let (row, column) = (lane.min(other), lane.max(other));
            if (column as usize) < n {
                found(row, column);
            }
        }
    }
}

/// More than any distance, in every lane.
#[inline]
#[target_feature(enable = "avx512f")]
fn limit_of_distances() -> __m512i {
    _mm512_set1_epi64(i64::from(u64::BITS) + 1)
}

/// Calls `found` for the pairs of fewer words than two vectors hold.
#[inline]
#[target_feature(enable = "popcnt")]
fn each_inside(words: &[u64], k: u32, mut found: impl FnMut(u32, u32)) {
    for (row, value) in words.iter().enumerate() {
        for (column, other) in words.iter().enumerate().skip(row + 1) {
            if (value ^ other).count_ones() <= k {
                found(row as u32, column as u32);
            }
        }
    }
}

/// The numbers of the bits that are set.
// No closure: a closure is compiled without the target features of the function around it.
pub(super) struct Lanes(pub(super) u64);

impl Iterator for Lanes {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let lane = self.0.trailing_zeros();
        (self.0 != 0).then(|| {
            self.0 &= self.0 - 1;
            lane
        })
    }
}
