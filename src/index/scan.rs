//! Compares all pairs without an index: finds the near ones, or counts the distances of all.
//!
//! Tiles of rows and columns stay in the first-level cache while their pairs are compared, so no comparison waits
//! for memory: 10 to 30 billion pairs a second on one core of a machine with AVX-512, and about twice that by
//! folds if the distance is small. A hundred thousand documents take a sixth to half a second. Below a few
//! thousand documents no index is faster, and the histogram has no other exact method.
//!
//! Finds the neighbours of one fingerprint by a scan.
//!
//! A scan compares the fingerprint with every other: about a millisecond for a million fingerprints of 64 bits,
//! exact for any distance, and without preparation. An index answers in microseconds but takes as long to build
//! as dozens of scans, and commands and screens search for one fingerprint at a time. To search for many
//! fingerprints, use a join: see [`near_pairs`](super::near_pairs()).
//!
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

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use rayon::prelude::*;

use super::block::n_pairs;
use super::pair::{Take, pass};
use super::partition::for_each_task;
use super::{Layout, Pair, Permutation, folds};
use crate::id::DocId;
use crate::kernel::hamming::{self, COUNT_COLUMNS, Hit, SameParity, TILE, Word};
use crate::progress::{Cancelled, Progress};
use crate::simhash::Bits;

/// The number of rows that are counted with [`COUNT_COLUMNS`] columns: each row takes 20 ns, so together they
/// outweigh transposing the columns, which takes 2.5 us.
const COUNT_ROWS: usize = 1 << 13;

/// Passes every pair of `values` within `k` bits to `take`, each once, `a < b`, in no order.
///
/// Exact for any k. `progress` counts comparisons if `counts`; otherwise this is a part of a larger search.
///
/// # Errors
/// [`Cancelled`] if cancelled, or if `take` wants no more; checked once for each tile.
///
/// # Panics
/// If there are 2^32 values or more.
pub(super) fn visit<B: Bits>(
    values: &[B],
    k: u32,
    progress: &Progress,
    counts: bool,
    take: Take<'_>,
) -> Result<(), Cancelled> {
    if counts {
        progress.begin(n_pairs(values.len()));
    }
    assert!(u32::try_from(values.len()).is_ok(), "fewer than 2^32 entries");
    if folds::are_selective(k) {
        let folds: Vec<u32> = values.iter().map(|value| value.folded()).collect();
        visit_words(values, &folds, k, progress, counts, take)
    } else {
        let words: Vec<u64> = values.iter().map(|value| value.low()).collect();
        visit_words(values, &words, k, progress, counts, take)
    }
}

/// Compares `words` in place of the values; the distance of two words is at most that of the values.
fn visit_words<B: Bits, W: Word + Sync>(
    values: &[B],
    words: &[W],
    k: u32,
    progress: &Progress,
    counts: bool,
    take: Take<'_>,
) -> Result<(), Cancelled> {
    let n = values.len();
    let buffers = || (Vec::new(), Vec::new());
    for_each_task(n.div_ceil(TILE), buffers, |(hits, pairs): &mut (Vec<Hit>, Vec<Pair>), tile| {
        let row = tile * TILE;
        for column in (row..n).step_by(TILE) {
            progress.check()?;
            let (rows, columns) = (row..n.min(row + TILE), column..n.min(column + TILE));
            hits.clear();
            let compared = if row == column {
                hamming::triangle(&words[rows.clone()], k, hits);
                n_pairs(rows.len())
            } else {
                hamming::tile(&words[rows.clone()], &words[columns.clone()], k, hits);
                (rows.len() * columns.len()) as u64
            };
            #[cfg(test)]
            hamming::effort::add_other(80 * hits.len());
            if counts {
                progress.add(compared);
            }
            pairs.clear();
            pairs.extend(hits.iter().filter_map(|&(a, b)| {
                let (a, b) = (row + a as usize, column + b as usize);
                let distance = values[a].distance(values[b]);
                (distance <= k).then_some(Pair { a: a as u32, b: b as u32, distance })
            }));
            pass(pairs, take, progress)?;
        }
        Ok(())
    })
}

/// The number of pairs of `values` at each distance: element d is the number at distance d, from 0 to the bits of
/// the word.
///
/// Exact, from all n(n-1)/2 pairs; equal values count at distance 0. `progress` counts pairs. Up to 64 bits it
/// runs about as fast as words can be compared; above, ten times slower.
///
/// # Errors
/// [`Cancelled`] if cancelled; checked once for each tile.
pub fn distance_histogram<B: Bits>(
    values: &[B],
    progress: &Progress,
) -> Result<Vec<u64>, Cancelled> {
    progress.begin(n_pairs(values.len()));
    if B::CAPACITY > u64::BITS {
        return wide_histogram(values, progress);
    }
    // The distance of two values is even if their parities are equal, otherwise odd.
    let words = values.iter().map(|value| value.low());
    let (odd, even): (Vec<u64>, Vec<u64>) = words.partition(|&word| hamming::has_odd_parity(word));
    let (odd, even) = (SameParity::new(&odd, true), SameParity::new(&even, false));
    let mut counts = vec![0; 65];
    for (rows, columns) in [(odd, odd), (even, even), (odd, even)] {
        let found = count_tiles(rows, columns, progress)?;
        add(&mut counts, &found);
    }
    Ok(counts)
}

/// Counts the distances of all pairs of `rows` and `columns`; if they are the same, of all pairs within them.
fn count_tiles(
    rows: SameParity<'_>,
    columns: SameParity<'_>,
    progress: &Progress,
) -> Result<Vec<u64>, Cancelled> {
    let is_same = std::ptr::eq(rows.words(), columns.words());
    let n_columns = columns.words().len();
    let blocks = (0..n_columns).into_par_iter().step_by(COUNT_COLUMNS);
    summed(u64::BITS, blocks, |counts, first| {
        let columns = columns.slice(first..n_columns.min(first + COUNT_COLUMNS));
        let mut tile = |rows: SameParity<'_>, meet_twice: bool| {
            progress.check()?;
            let mut tile = [0; 65];
            hamming::count(rows, columns, &mut tile);
            if meet_twice {
                // Each value was also compared with itself.
                tile[0] -= rows.words().len() as u64;
                tile = tile.map(|count| count / 2);
            }
            progress.add(tile.iter().sum());
            add(counts, &tile);
            Ok(())
        };
        let n_rows = if is_same {
            tile(columns, true)?;
            first
        } else {
            rows.words().len()
        };
        for from in (0..n_rows).step_by(COUNT_ROWS) {
            tile(rows.slice(from..n_rows.min(from + COUNT_ROWS)), false)?;
        }
        Ok(())
    })
}

/// The numbers at each distance up to `most` that `count` adds up over the tasks, in parallel.
pub(crate) fn summed<T: Send>(
    most: u32,
    tasks: impl ParallelIterator<Item = T>,
    count: impl Fn(&mut [u64], T) -> Result<(), Cancelled> + Sync + Send,
) -> Result<Vec<u64>, Cancelled> {
    let zero = || vec![0; most as usize + 1];
    tasks.try_fold(zero, |mut counts, task| count(&mut counts, task).map(|()| counts)).try_reduce(
        zero,
        |mut left, right| {
            add(&mut left, &right);
            Ok(left)
        },
    )
}

fn add(left: &mut [u64], right: &[u64]) {
    left.iter_mut().zip(right).for_each(|(left, right)| *left += right);
}

fn wide_histogram<B: Bits>(values: &[B], progress: &Progress) -> Result<Vec<u64>, Cancelled> {
    summed(B::CAPACITY, (0..values.len()).into_par_iter(), |counts, row| {
        progress.check()?;
        let later = &values[row + 1..];
        for other in later {
            counts[values[row].distance(*other) as usize] += 1;
        }
        progress.add(later.len() as u64);
        Ok(())
    })
}

/// A neighbour: an entry and its distance from the query. Ordered by distance, then entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Match {
    /// The number of differing bits.
    pub distance: u32,
    /// The neighbour's entry.
    pub entry: u32,
}

/// A document near another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The document.
    pub document: DocId,
    /// The number of differing bits.
    pub distance: u32,
}

/// The entries within `k` bits of `value`, each once, nearest first, then by entry. Exact for any k.
///
/// The result includes an entry equal to `value`, at distance 0. Costs one comparison for each entry.
pub fn neighbours<B: Bits>(values: &[B], value: B, k: u32) -> Vec<Match> {
    let mut matches = Vec::new();
    hamming::near(value, values, k, |entry, distance| {
        matches.push(Match { distance, entry: entry as u32 });
    });
    matches.sort_unstable();
    matches
}

/// The [`neighbours`] that share a key of `layout` with `value`, as a look-up in each of its tables would find
/// them. These are all neighbours if the layout guarantees `k`.
pub fn neighbours_by_tables<B: Bits>(
    values: &[B],
    layout: &Layout,
    value: B,
    k: u32,
) -> Vec<Match> {
    let mut matches = neighbours(values, value, k);
    matches.retain(|found| {
        let xor = (values[found.entry as usize] ^ value).to_wide();
        layout.first_table_with_shared_key(xor).is_some()
    });
    matches
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_histogram_of_many_tiles_is_that_of_one_comparison_at_a_time() {
        // Both parities have more values than the rows and columns of a tile, and no multiple of either.
        let n = 2 * (COUNT_ROWS + COUNT_COLUMNS) as u64 + 1234;
        let mixed = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (i % 50);
        let values: Vec<u64> = (0..n).map(mixed).collect();
        let mut expected = vec![0; 65];
        for (row, value) in values.iter().enumerate() {
            for other in &values[row + 1..] {
                expected[value.distance(*other) as usize] += 1;
            }
        }
        assert_eq!(distance_histogram(&values, &Progress::new()).unwrap(), expected);
    }

    #[test]
    fn neighbours_of_a_handful_by_hand() {
        let values = [0b0000_u64, 0b0001, 0b0011, 0b1111, 0b0000];
        let found = |distance, entry| Match { distance, entry };
        let expected = [found(1, 2), found(1, 3), found(2, 1), found(3, 0), found(3, 4)];
        assert_eq!(neighbours(&values, 0b0111, 3), expected);
        assert_eq!(neighbours(&values, 0b0111, 1), expected[..2]);
        // Two blocks of two bits: 1111 shares the lower one, 0001 and 0011 the upper ones of 00.
        let layout = Layout::blocks(4, 2, 1).unwrap();
        let by_tables = neighbours_by_tables(&values, &layout, 0b0111, 3);
        assert_eq!(by_tables, [found(1, 2), found(1, 3)]);
    }
}
