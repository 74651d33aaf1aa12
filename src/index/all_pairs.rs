//! Every pair that the tables of a layout bring together: one table after the other, bucket by bucket.
//!
//! What bands find, and what any layout finds beyond its guarantee. Where all pairs within k are wanted,
//! whatever the layout, [`near_pairs`](super::near_pairs()) is faster.
//!
//! Grouping the entries by key puts all candidates of a table into buckets, whose members are compared
//! with each other. A pair that several tables bring together is kept by the first of them, which the
//! XOR alone tells; so nothing is remembered between tables, and memory is one table and the answer.
//! Cost: tables times entries to group, then one comparison for each pair in a bucket.
//!
//! Source: Manku, Jain and Das Sarma (2007), section 3; the rule of the first table replaces their
//! separate removal of duplicates.

use std::ops::{ControlFlow, Range};

use rayon::prelude::*;

use super::{
    layout::Layout,
    order::Ordered,
    pair::{Pair, Stop, Take, pass, unless_cancelled},
    table::{sorted_rows, split},
};
use crate::{
    kernel::hamming,
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// Rows of one task: small, since each may face a bucket of everything.
pub(super) const CHUNK: usize = 256;
/// Comparisons between two looks at the cancel flag: a few milliseconds.
const STRIDE: usize = 1 << 20;
/// Pairs passed on at a time, about.
const BATCH: usize = 1 << 12;

/// Every pair of `values` at most `k` bits apart, each once, nearest first, then by `a` and `b`.
///
/// Exact as long as the layout guarantees `k`; beyond that (and for bands) the pairs that share a key.
/// Equal values are reported at distance 0; collapse them first if there are many. `progress` counts
/// tables times entries. Parallel over buckets and, in large ones, over rows.
///
/// # Errors
/// [`Cancelled`] if told to stop; noticed within milliseconds, whatever the buckets.
///
/// # Panics
/// If there are 2^32 values or more, or if the layout is wider than the word.
pub fn all_pairs<B: Bits>(
    values: &[B],
    layout: &Layout,
    k: u32,
    progress: &Progress,
) -> Result<Vec<Pair>, Cancelled> {
    let ordered = Ordered::new(values.len(), k.min(B::CAPACITY));
    visit_all_pairs(values, layout, k, progress, &|pairs| {
        ordered.take(pairs, usize::MAX);
        ControlFlow::Continue(())
    })?;
    ordered.sorted(progress)
}

/// The same pairs, passed to `take` in no order instead of kept, until it says stop. Memory is one
/// table.
///
/// # Errors
/// As [`all_pairs`].
///
/// # Panics
/// As [`all_pairs`].
pub fn visit_all_pairs<B: Bits>(
    values: &[B],
    layout: &Layout,
    k: u32,
    progress: &Progress,
    take: Take<'_>,
) -> Result<(), Cancelled> {
    progress.begin(layout.tables().len() as u64 * values.len() as u64);
    for number in 0..layout.tables().len() {
        let grouped = Grouped::new(values, layout, number, progress)?;
        let outcome = (0..grouped.len()).into_par_iter().step_by(CHUNK).try_for_each(|from| {
            let to = grouped.len().min(from + CHUNK);
            grouped.pairs_of_rows(from, to, k, progress, take)?;
            progress.add((to - from) as u64);
            Ok(())
        });
        if outcome == Err(Stop::Enough) {
            break;
        }
        unless_cancelled(outcome)?;
    }
    Ok(())
}

/// One table's permuted values, grouped by key.
pub(super) struct Grouped<'a, B> {
    values: &'a [B],
    layout: &'a Layout,
    number: usize,
    key_mask: B,
    permuted: Vec<B>,
    entries: Vec<u32>,
}

impl<'a, B: Bits> Grouped<'a, B> {
    pub(super) fn new(
        values: &'a [B],
        layout: &'a Layout,
        number: usize,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        assert!(layout.width() <= B::CAPACITY, "the layout's bits fit the word");
        let permutation = layout.permutation(number);
        // The key alone is sorted by, and the few bits below it that fill its last byte.
        let n_bytes = permutation.key_bits().div_ceil(8);
        let from = permutation.width().saturating_sub(8 * n_bytes);
        let rows = sorted_rows(values, &permutation, from, n_bytes, progress)?;
        let (permuted, entries) = split(&rows, progress)?;
        let key_mask = B::from_wide(permutation.key_mask());
        Ok(Self { values, layout, number, key_mask, permuted, entries })
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.permuted.len()
    }

    /// The entries of these rows.
    pub(super) fn entries(&self, rows: Range<usize>) -> &[u32] {
        &self.entries[rows]
    }

    /// Whether no row before this one is in its bucket.
    pub(super) fn begins_bucket(&self, row: usize) -> bool {
        let key = |row: usize| self.permuted[row].and(self.key_mask);
        row.checked_sub(1).is_none_or(|before| key(before) != key(row))
    }

    /// The pairs of rows `from..to` with later rows of their buckets.
    fn pairs_of_rows(
        &self,
        from: usize,
        to: usize,
        k: u32,
        progress: &Progress,
        take: Take<'_>,
    ) -> Result<(), Stop> {
        let mut pairs: Vec<Pair> = Vec::new();
        let mut bucket_end = 0;
        for row in from..to {
            if row >= bucket_end {
                bucket_end = self.bucket_end(row);
            }
            for start in (row + 1..bucket_end).step_by(STRIDE) {
                let others = start..bucket_end.min(start + STRIDE);
                hamming::near(self.permuted[row], &self.permuted[others], k, |place, distance| {
                    pairs.extend(self.verified(row, start + place, distance));
                });
                progress.check()?;
                if pairs.len() >= BATCH {
                    pass(&pairs, take)?;
                    pairs.clear();
                }
            }
        }
        pass(&pairs, take)
    }

    /// The first row behind the bucket of `row`, in steps that double until they are too long.
    pub(super) fn bucket_end(&self, row: usize) -> usize {
        let key = self.permuted[row].and(self.key_mask);
        let same = |other: &B| other.and(self.key_mask) == key;
        let rest = &self.permuted[row..];
        let mut reach = 1;
        while reach < rest.len() && same(&rest[reach]) {
            reach *= 2;
        }
        let known = reach / 2;
        row + known + rest[known..rest.len().min(reach)].partition_point(same)
    }

    /// The pair of two rows, unless an earlier table has it too.
    fn verified(&self, row: usize, other: usize, distance: u32) -> Option<Pair> {
        let (left, right) = (self.entries[row], self.entries[other]);
        let xor = self.values[left as usize].xor(self.values[right as usize]).to_wide();
        let is_first = self.layout.first_table_hit(xor) == Some(self.number);
        is_first.then(|| Pair { a: left.min(right), b: left.max(right), distance })
    }
}
