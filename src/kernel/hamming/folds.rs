//! Compares folds of 32 bits, sixteen in a vector.
//!
//! Most buckets fill only one or two vectors, so branches are the main cost: distances are computed without
//! branches, and only their minimum is compared with `k`.

use std::arch::x86_64::{
    __m512i, _mm512_alignr_epi32, _mm512_cmple_epu32_mask, _mm512_min_epu32, _mm512_popcnt_epi32,
    _mm512_set1_epi32, _mm512_xor_si512,
};

use super::{FOLD_LANES, Hit, vector::Lanes};
use crate::kernel::simd;

/// Vectors of columns that stay in registers while all rows are compared with them.
const VECTORS: usize = 8;
/// Folds in a vector.
const LANES: u32 = FOLD_LANES as u32;
/// Folds in four vectors.
const FOUR: usize = 4 * FOLD_LANES;
/// Columns that stay in registers.
const BLOCK: usize = FOLD_LANES * VECTORS;

/// The first sixteen folds as a vector.
///
/// # Panics
/// If there are fewer than sixteen.
#[inline]
#[target_feature(enable = "avx512f")]
fn load(folds: &[u32]) -> __m512i {
    simd::load(folds.first_chunk::<FOLD_LANES>().expect("sixteen folds"))
}

/// See [`super::fold_triangle`]. Many folds are compared by tiles: the last block with all folds before it, then
/// the block before it, and so on.
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
pub(super) fn triangle(folds: &[u32], n: usize, k: u32, hits: &mut Vec<Hit>) {
    assert!(n + FOLD_LANES <= folds.len(), "a vector of folds after the first n");
    let limit = _mm512_set1_epi32(k as i32);
    let mut rest = n;
    while rest > BLOCK + BLOCK / 2 {
        let first = rest - BLOCK;
        let block = folds[first..].first_chunk().expect("a block");
        tile_block(&folds[..first], block, first as u32, limit, hits);
        small_triangle(&folds[first..], BLOCK, limit, |row, column| {
            hits.push((first as u32 + row, first as u32 + column));
        });
        rest = first;
    }
    small_triangle(folds, rest, limit, |row, column| hits.push((row, column)));
}

#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn distances(left: __m512i, right: __m512i) -> __m512i {
    _mm512_popcnt_epi32(_mm512_xor_si512(left, right))
}

#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn distances_to(fold: u32, columns: __m512i) -> __m512i {
    distances(_mm512_set1_epi32(fold as i32), columns)
}

/// See [`super::fold_tile`]. Compares all rows with one block of columns after the other.
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
pub(super) fn tile(rows: &[u32], columns: &[u32], k: u32, hits: &mut Vec<Hit>) {
    let limit = _mm512_set1_epi32(k as i32);
    let (blocks, rest) = columns.as_chunks();
    for (at, block) in blocks.iter().enumerate() {
        tile_block(rows, block, (at * BLOCK) as u32, limit, hits);
    }
    if let Some(&last) = rest.last() {
        // The last block is filled up with copies of the last fold; hits in copies are removed.
        let mut block = [last; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        let from = hits.len();
        tile_block(rows, &block, (blocks.len() * BLOCK) as u32, limit, hits);
        let mut kept = from;
        for at in from..hits.len() {
            hits[kept] = hits[at];
            kept += usize::from((hits[at].1 as usize) < columns.len());
        }
        hits.truncate(kept);
    }
}

/// Compares all rows with one block of columns, which stays in registers; `first` is the number of its first
/// column.
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
fn tile_block(
    rows: &[u32],
    columns: &[u32; BLOCK],
    first: u32,
    limit: __m512i,
    hits: &mut Vec<Hit>,
) {
    let columns: [__m512i; VECTORS] =
        std::array::from_fn(|vector| load(&columns[vector * FOLD_LANES..]));
    let nearest = |fold: u32| {
        let pair = |vector: usize| {
            let second = distances_to(fold, columns[vector + 1]);
            _mm512_min_epu32(distances_to(fold, columns[vector]), second)
        };
        _mm512_min_epu32(_mm512_min_epu32(pair(0), pair(2)), _mm512_min_epu32(pair(4), pair(6)))
    };
    let mut push_hits = |row: usize, nearest: __m512i| {
        if _mm512_cmple_epu32_mask(nearest, limit) == 0 {
            return;
        }
        let fold = rows[row];
        for (at, four) in columns.as_chunks().0.iter().enumerate() {
            let first = first + (at * FOUR) as u32;
            let near = four_distances(fold, four);
            for lane in near_lanes(near, limit) {
                hits.push((row as u32, first + lane));
            }
        }
    };
    // One branch for every two rows.
    let (pairs, last) = rows.as_chunks::<2>();
    for (at, pair) in pairs.iter().enumerate() {
        let each = [nearest(pair[0]), nearest(pair[1])];
        if _mm512_cmple_epu32_mask(_mm512_min_epu32(each[0], each[1]), limit) != 0 {
            push_hits(2 * at, each[0]);
            push_hits(2 * at + 1, each[1]);
        }
    }
    if let [fold] = last {
        push_hits(2 * pairs.len(), nearest(*fold));
    }
}

/// Compares the last vector with itself and with all folds before it; then the vector before it, and so on.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
fn small_triangle(folds: &[u32], n: usize, limit: __m512i, mut found: impl FnMut(u32, u32)) {
    let mut rest = n;
    while let Some(first) = rest.checked_sub(FOLD_LANES) {
        let columns = load(&folds[first..]);
        inside(columns, FOLD_LANES, limit, |row, column| {
            found(first as u32 + row, first as u32 + column);
        });
        let before = &folds[..first];
        let mut nearest = _mm512_set1_epi32(u32::BITS as i32 + 1);
        for &fold in before {
            nearest = _mm512_min_epu32(nearest, distances_to(fold, columns));
        }
        if _mm512_cmple_epu32_mask(nearest, limit) != 0 {
            let (fours, others) = before.as_chunks();
            for (at, four) in fours.iter().enumerate() {
                for lane in near_lanes(distances_to_four(four, columns), limit) {
                    found(4 * at as u32 + lane / LANES, first as u32 + lane % LANES);
                }
            }
            for (row, &fold) in (4 * fours.len() as u32..).zip(others) {
                let near = _mm512_cmple_epu32_mask(distances_to(fold, columns), limit);
                for lane in Lanes(near.into()) {
                    found(row, first as u32 + lane);
                }
            }
        }
        rest = first;
    }
    if rest > 1 {
        inside(load(folds), rest, limit, found);
    }
}

/// Calls `found` for the near pairs among the first `n` lanes. Every two lanes are compared when one copy of the
/// vector is rotated by one to eight lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn inside(folds: __m512i, n: usize, limit: __m512i, mut found: impl FnMut(u32, u32)) {
    let rotated = [
        distances(folds, _mm512_alignr_epi32::<1>(folds, folds)),
        distances(folds, _mm512_alignr_epi32::<2>(folds, folds)),
        distances(folds, _mm512_alignr_epi32::<3>(folds, folds)),
        distances(folds, _mm512_alignr_epi32::<4>(folds, folds)),
        distances(folds, _mm512_alignr_epi32::<5>(folds, folds)),
        distances(folds, _mm512_alignr_epi32::<6>(folds, folds)),
        distances(folds, _mm512_alignr_epi32::<7>(folds, folds)),
        distances(folds, _mm512_alignr_epi32::<8>(folds, folds)),
    ];
    let four = |from: usize| {
        let two = _mm512_min_epu32(rotated[from], rotated[from + 1]);
        _mm512_min_epu32(two, _mm512_min_epu32(rotated[from + 2], rotated[from + 3]))
    };
    if _mm512_cmple_epu32_mask(_mm512_min_epu32(four(0), four(4)), limit) == 0 {
        return;
    }
    for (at, four) in rotated.as_chunks().0.iter().enumerate() {
        for lane in near_lanes(*four, limit) {
            let (by, lane) = (4 * at as u32 + 1 + lane / LANES, lane % LANES);
            let other = (lane + by) % LANES;
            let (row, column) = (lane.min(other), lane.max(other));
            // Rotated by half, every two lanes are compared twice.
            if (column as usize) < n && (by < LANES / 2 || lane < other) {
                found(row, column);
            }
        }
    }
}

/// The lanes of four vectors that are within the limit, as one mask.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn near_lanes(distances: [__m512i; 4], limit: __m512i) -> Lanes {
    let mut near = 0;
    for (vector, distances) in distances.into_iter().enumerate() {
        let mask = u64::from(_mm512_cmple_epu32_mask(distances, limit));
        near |= mask << (vector * FOLD_LANES);
    }
    Lanes(near)
}

#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn four_distances(fold: u32, columns: &[__m512i; 4]) -> [__m512i; 4] {
    let to = |vector: usize| distances_to(fold, columns[vector]);
    [to(0), to(1), to(2), to(3)]
}

#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn distances_to_four(folds: &[u32; 4], columns: __m512i) -> [__m512i; 4] {
    let to = |row: usize| distances_to(folds[row], columns);
    [to(0), to(1), to(2), to(3)]
}
