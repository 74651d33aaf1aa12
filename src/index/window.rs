//! The rows of a permuted table around one fingerprint, found without building the table.
//!
//! A permuted table has all fingerprints with their blocks reordered, sorted, so rows with equal keys are
//! together. The row of a fingerprint is the number of smaller fingerprints, and the rows that share its key are
//! between the smallest and the largest value with that key. So one pass that counts smaller values finds all
//! positions, and keeps the few nearest rows before and after. It takes about 10 ms for a million fingerprints, a
//! fifth of the time of sorting, and needs no memory except for the result. The slow reference is the sorted
//! table itself, in `tests/index`.
//!
//! Source: Manku, Jain and Das Sarma (2007), section 3.1.

use std::{cmp::Reverse, collections::BinaryHeap, ops::Range};

use super::permutation::Permutation;
use crate::simhash::Bits;

/// One comparison of the binary search for an end of a window. The answer is in `low..=high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchStep {
    /// The end that is searched.
    pub end: WindowEnd,
    /// The first row that may be the answer.
    pub low: usize,
    /// The last row that may be the answer.
    pub high: usize,
    /// The row that is compared.
    pub middle: usize,
    /// Whether that row is before the answer, so that the search continues after it.
    pub goes_up: bool,
}

/// An end of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowEnd {
    /// The first row with the key.
    First,
    /// The first row after the rows with the key.
    Past,
}

/// Some rows of a table around one fingerprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexWindow {
    /// The number of rows of the whole table.
    pub n_rows: usize,
    /// The rows that share the fingerprint's key.
    pub matching: Range<usize>,
    /// The row of the fingerprint; `None` if no entry has it.
    pub query: Option<usize>,
    /// The row of the first entry in `entries`; the others follow.
    pub first: usize,
    /// The entries of these rows.
    pub entries: Vec<u32>,
}

impl IndexWindow {
    /// Up to `height` rows of the table that sorts `values` by `permutation`, around `value`.
    ///
    /// If the rows that share its key fit, they are in the middle; otherwise `value` is in the middle.
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
        // The first row of the result is known only after the pass; no row of the result is farther from `value`
        // than this.
        let margin = height + 2;
        let (mut before, mut after) = (BinaryHeap::new(), BinaryHeap::new());
        let (mut matching, mut place, mut is_present) = (0..0, 0, false);
        for (entry, &value) in (0_u32..).zip(values) {
            let permuted = permutation.apply(value);
            matching.start += usize::from(permuted < least);
            matching.end += usize::from(permuted <= most);
            if permuted < query {
                place += 1;
                keep_least(&mut before, Reverse((permuted, entry)), margin);
            } else {
                is_present |= permuted == query;
                keep_least(&mut after, (permuted, entry), margin);
            }
        }
        let centre =
            if matching.len() > height { place } else { matching.start.midpoint(matching.end) };
        let n_rows = values.len();
        let first = centre.saturating_sub(height / 2).min(n_rows.saturating_sub(height));
        let top = place - before.len();
        let before = before.into_sorted_vec().into_iter().rev().map(|Reverse((_, entry))| entry);
        let around = before.chain(after.into_sorted_vec().into_iter().map(|(_, entry)| entry));
        let entries = around.skip(first - top).take(height).collect();
        Self { n_rows, matching, query: is_present.then_some(place), first, entries }
    }

    /// The comparisons of the two binary searches for the rows that share the key.
    pub fn steps(&self) -> Vec<SearchStep> {
        let Range { start, end } = self.matching;
        let mut steps = Vec::new();
        for (end, from, answer) in [(WindowEnd::First, 0, start), (WindowEnd::Past, start, end)] {
            let (mut low, mut high) = (from, self.n_rows);
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
}

/// Adds `row` to the `n` smallest rows so far, if it is one of them.
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
