//! The loops as anyone would write them: the portable way, and what the others are tested against.

use super::{Counts, Hit, near};

/// See [`super::tile`].
#[inline]
pub(super) fn tile(rows: &[u64], columns: &[u64], k: u32, hits: &mut Vec<Hit>) {
    for (row, &value) in rows.iter().enumerate() {
        near(value, columns, k, |column, _| hits.push((row as u32, column as u32)));
    }
}

/// See [`super::triangle`].
#[inline]
pub(super) fn triangle(values: &[u64], k: u32, hits: &mut Vec<Hit>) {
    for (row, &value) in values.iter().enumerate() {
        let first = row + 1;
        near(value, &values[first..], k, |column, _| {
            hits.push((row as u32, (first + column) as u32));
        });
    }
}

/// See [`super::fold_tile`].
#[inline]
pub(super) fn fold_tile(rows: &[u32], columns: &[u32], k: u32, hits: &mut Vec<Hit>) {
    for (row, &fold) in rows.iter().enumerate() {
        near(fold, columns, k, |column, _| hits.push((row as u32, column as u32)));
    }
}

/// See [`super::fold_triangle`].
#[inline]
pub(super) fn fold_triangle(folds: &[u32], k: u32, hits: &mut Vec<Hit>) {
    for (row, &fold) in folds.iter().enumerate() {
        let first = row + 1;
        near(fold, &folds[first..], k, |column, _| {
            hits.push((row as u32, (first + column) as u32));
        });
    }
}

/// See [`super::count`].
#[inline]
pub(super) fn count(rows: &[u64], columns: &[u64], counts: &mut Counts) {
    for row in rows {
        for column in columns {
            counts[(row ^ column).count_ones() as usize] += 1;
        }
    }
}
