//! The loops in vectors of eight words, with a population count for each lane.
//!
//! [`super::plain`] does the same without vectors.

use std::arch::x86_64::{
    __m512i, _mm512_alignr_epi64, _mm512_cmple_epu64_mask, _mm512_min_epu32, _mm512_popcnt_epi64,
    _mm512_set1_epi64, _mm512_xor_si512,
};

use super::Hit;
pub(super) use super::{
    folds::{tile as fold_tile, triangle as fold_triangle},
    planes::count,
};
use crate::kernel::simd::load;

/// Words in a vector.
const LANES: usize = 8;
/// Vectors of columns that stay in registers while all rows are compared with them.
const VECTORS: usize = 8;
/// Columns that stay in registers.
const BLOCK: usize = LANES * VECTORS;

#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn distances(row: __m512i, columns: __m512i) -> __m512i {
    _mm512_popcnt_epi64(_mm512_xor_si512(row, columns))
}

/// See [`super::plain`]. A block of columns stays in registers while all rows are compared with it; the smallest
/// of 128 distances decides whether two rows are examined again. A minimum can run beside a population count
/// where a comparison cannot, which is a third faster than comparing each vector.
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
pub(super) fn tile(rows: &[u64], columns: &[u64], k: u32, hits: &mut Vec<Hit>) {
    let (blocks, rest) = columns.as_chunks::<BLOCK>();
    for (at, block) in blocks.iter().enumerate() {
        tile_block(rows, block, k, |row, column| hits.push((row, (at * BLOCK) as u32 + column)));
    }
    if let Some(&last) = rest.last() {
        // The last block is filled up with copies of the last word; hits in copies are dropped.
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
    let (words, _) = block.as_chunks::<LANES>();
    let columns: [__m512i; VECTORS] = std::array::from_fn(|vector| load(&words[vector]));
    let limit = _mm512_set1_epi64(i64::from(k));
    let mut report_hits = |row: usize, value: __m512i| {
        for (vector, &column) in columns.iter().enumerate() {
            let mask = _mm512_cmple_epu64_mask(distances(value, column), limit);
            for lane in Lanes(mask.into()) {
                found(row as u32, (vector * LANES) as u32 + lane);
            }
        }
    };
    // One branch for every two rows.
    let (pairs, last) = rows.as_chunks::<2>();
    for (at, pair) in pairs.iter().enumerate() {
        let values = pair.map(|value| _mm512_set1_epi64(value as i64));
        let nearest =
            _mm512_min_epu32(nearest_of(values[0], &columns), nearest_of(values[1], &columns));
        if _mm512_cmple_epu64_mask(nearest, limit) != 0 {
            report_hits(2 * at, values[0]);
            report_hits(2 * at + 1, values[1]);
        }
    }
    if let [value] = last {
        report_hits(2 * pairs.len(), _mm512_set1_epi64(*value as i64));
    }
}

/// For each lane the smallest distance from `value` to the columns in that lane.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn nearest_of(value: __m512i, columns: &[__m512i; VECTORS]) -> __m512i {
    // Distances are below 2^32 and the upper halves are zero.
    let pair = |vector: usize| {
        _mm512_min_epu32(distances(value, columns[vector]), distances(value, columns[vector + 1]))
    };
    _mm512_min_epu32(_mm512_min_epu32(pair(0), pair(2)), _mm512_min_epu32(pair(4), pair(6)))
}

/// See [`super::triangle`]. Many words are compared by tiles: the last block with all words before it, then the
/// block before it, and so on.
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

/// For a few vectors, like most buckets: compares the last vector with itself, rotated by one to four lanes, and
/// with all words before it; then the vector before it. Only a vector whose smallest distance is within k is
/// examined again.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
fn small_triangle(values: &[u64], k: u32, mut found: impl FnMut(u32, u32)) {
    let limit = _mm512_set1_epi64(i64::from(k));
    let mut rest = values;
    while let Some((before, last)) = rest.split_last_chunk::<LANES>() {
        let columns = load(last);
        let first = before.len() as u32;
        inside(columns, LANES, limit, |row, column| found(first + row, first + column));
        let mut nearest = _mm512_set1_epi64(i64::from(u64::BITS) + 1);
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
    // Fewer words than a vector holds are left: the words after them, if there are any, fill it up.
    if rest.len() > 1 {
        match values.first_chunk::<LANES>() {
            Some(words) => inside(load(words), rest.len(), limit, found),
            None => each_inside(rest, k, found),
        }
    }
}

/// Calls `found` for the near pairs among the first `n` lanes. Every two lanes are compared when one copy of the
/// vector is rotated by one to four lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn inside(words: __m512i, n: usize, limit: __m512i, mut found: impl FnMut(u32, u32)) {
    let rotated = [
        distances(words, _mm512_alignr_epi64::<1>(words, words)),
        distances(words, _mm512_alignr_epi64::<2>(words, words)),
        distances(words, _mm512_alignr_epi64::<3>(words, words)),
        distances(words, _mm512_alignr_epi64::<4>(words, words)),
    ];
    let nearest = _mm512_min_epu32(
        _mm512_min_epu32(rotated[0], rotated[1]),
        _mm512_min_epu32(rotated[2], rotated[3]),
    );
    if _mm512_cmple_epu64_mask(nearest, limit) == 0 {
        return;
    }
    for (by, near) in (1..).zip(rotated) {
        // Rotated by half, every two lanes are compared twice.
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

/// Calls `found` for the near pairs of fewer words than two vectors hold.
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

/// The numbers of the bits that are set. A closure cannot replace it, because a closure is compiled without the
/// target features of the function around it.
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
