//! The rows of a permuted table around one fingerprint, without the table.
//!
//! A permuted table is all fingerprints with their blocks reordered, sorted: rows with equal keys lie
//! together. The row of a fingerprint is the number of fingerprints before it, and the rows that share its
//! key lie between the smallest and the largest value with that key. So one pass that counts finds the
//! place of everything, and keeps the few rows nearest before and behind. Some 10 ms for a million, a fifth
//! of the time that sorting takes, and no memory beside the wanted rows. The slow reference is the sorted
//! table itself, in `tests/index`.
//!
//! Source: Manku, Jain and Das Sarma (2007), section 3.1.

use std::{cmp::Reverse, collections::BinaryHeap, ops::Range};

use super::permutation::Permutation;
use crate::simhash::Bits;

/// One comparison of the binary search for a window. Rows `low..high` are still possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchStep {
    /// Which end of the window is searched.
    pub end: WindowEnd,
    /// The first row that may still be the answer.
    pub low: usize,
    /// One past the last row that may still lie before the answer.
    pub high: usize,
    /// The row looked at.
    pub middle: usize,
    /// Whether that row lies before the answer, so that the search goes on behind it.
    pub goes_up: bool,
}

/// An end of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowEnd {
    /// The first row with the key.
    First,
    /// The first row behind those with the key.
    Past,
}

/// Some rows of a table, around one fingerprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexWindow {
    /// Rows of the whole table.
    pub n_rows: usize,
    /// The rows that share the fingerprint's key.
    pub matching: Range<usize>,
    /// The fingerprint's own row; none if no entry has it.
    pub query: Option<usize>,
    /// The row of the first entry here; the others follow.
    pub first: usize,
    /// The entries of these rows.
    pub entries: Vec<u32>,
}

impl IndexWindow {
    /// Up to `height` rows of the table that sorts `values` by `permutation`, around `value`.
    ///
    /// All that share its key if they fit, with equal room above and below; else `value` is in the middle.
    ///
    /// # Panics
    /// If there are 2^32 values or more.
    pub fn around<B: Bits>(
        values: &[B],
        permutation: &Permutation,
        value: B,
        height: usize,
    ) -> Self {
        assert!(u32::try_from(values.len()).is_ok(), "fewer than 2^32 entries");
        let query = permutation.apply(value);
        let (least, most) = permutation.key_range(query);
        // The first row shown is known only after the pass; no row shown is farther from `value` than this.
        let reach = height + 2;
        let (mut before, mut behind) = (BinaryHeap::new(), BinaryHeap::new());
        let (mut matching, mut place, mut is_there) = (0..0, 0, false);
        for (entry, &value) in (0_u32..).zip(values) {
            let permuted = permutation.apply(value);
            matching.start += usize::from(permuted < least);
            matching.end += usize::from(permuted <= most);
            if permuted < query {
                place += 1;
                keep_least(&mut before, Reverse((permuted, entry)), reach);
            } else {
                is_there |= permuted == query;
                keep_least(&mut behind, (permuted, entry), reach);
            }
        }
        let centre =
            if matching.len() > height { place } else { matching.start.midpoint(matching.end) };
        let n_rows = values.len();
        let first = centre.saturating_sub(height / 2).min(n_rows.saturating_sub(height));
        let top = place - before.len();
        let before = before.into_sorted_vec().into_iter().rev().map(|Reverse((_, entry))| entry);
        let around = before.chain(behind.into_sorted_vec().into_iter().map(|(_, entry)| entry));
        let entries = around.skip(first - top).take(height).collect();
        Self { n_rows, matching, query: is_there.then_some(place), first, entries }
    }

    /// Comparison by comparison, the search for the rows that share the key.
    pub fn steps(&self) -> Vec<SearchStep> {
        steps(self.n_rows, &self.matching)
    }
}

/// The comparisons of the two binary searches that find `window` among so many rows.
fn steps(n_rows: usize, window: &Range<usize>) -> Vec<SearchStep> {
    let mut steps = Vec::new();
    for (end, from, answer) in
        [(WindowEnd::First, 0, window.start), (WindowEnd::Past, window.start, window.end)]
    {
        let (mut low, mut high) = (from, n_rows);
        while low < high {
            let middle = low.midpoint(high);
            let goes_up = middle < answer;
            steps.push(SearchStep { end, low, high, middle, goes_up });
            if goes_up {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
    }
    steps
}

/// Adds `row` to the `n` least rows so far, if it is one of them.
#[inline]
fn keep_least<T: Ord>(rows: &mut BinaryHeap<T>, row: T, n: usize) {
    if rows.len() < n {
        rows.push(row);
    } else if let Some(mut most) = rows.peek_mut()
        && row < *most
    {
        *most = row;
    }
}
