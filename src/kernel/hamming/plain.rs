//! Simple portable versions of the loops, which are also the slow twins of the vector versions.
//!
//! They are always inlined, so that [`super::avx2`] compiles them for AVX2.
#![expect(clippy::inline_always, reason = "a loop must take the instructions of its caller")]

use super::{
    near::near,
    parity::SameParity,
    tile::{Counts, Hit},
};

/// See [`super::tile`].
#[inline(always)]
pub(super) fn tile(rows: &[u64], columns: &[u64], k: u32, hits: &mut Vec<Hit>) {
    for (row, &value) in rows.iter().enumerate() {
        near(value, columns, k, |column, _| hits.push((row as u32, column as u32)));
    }
}

/// See [`super::triangle`].
#[inline(always)]
pub(super) fn triangle(values: &[u64], k: u32, hits: &mut Vec<Hit>) {
    for (row, &value) in values.iter().enumerate() {
        let first = row + 1;
        near(value, &values[first..], k, |column, _| {
            hits.push((row as u32, (first + column) as u32));
        });
    }
}

/// See [`super::fold_tile`].
#[inline(always)]
pub(super) fn fold_tile(rows: &[u32], columns: &[u32], k: u32, hits: &mut Vec<Hit>) {
    for (row, &fold) in rows.iter().enumerate() {
        near(fold, columns, k, |column, _| hits.push((row as u32, column as u32)));
    }
}

/// See [`super::fold_triangle`].
#[inline(always)]
pub(super) fn fold_triangle(folds: &[u32], n: usize, k: u32, hits: &mut Vec<Hit>) {
    let folds = &folds[..n];
    for (row, &fold) in folds.iter().enumerate() {
        let first = row + 1;
        near(fold, &folds[first..], k, |column, _| {
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
