//! Fingerprints grouped by the bits of one block, into buckets that can be looked up by their key.
//!
//! A row is a word that stands for the fingerprint, its fold or its low bits, and the number of its entry. Grouping
//! takes two steps. Values are taken in runs of 65,536, which fit the second-level cache, and a run is sorted by a few
//! leading bits of the block. A part is all rows with the same leading bits: a range of each run. Each part is then
//! sorted by the other bits of the block. Parallel over runs, then over parts.
//!
//! Memory: two words and 8 bytes for each row, of which a word and 4 bytes are the result; 4 bytes for each bucket.
//! The memory is reused for the next block.
//!
//! Source: Knuth, The Art of Computer Programming 3, section 5.2.5: leading bits first, then the low bits within
//! a part.

use std::ops::Range;

use rayon::prelude::*;

use super::Block;
use crate::kernel::exclusive_prefix_sum;
use crate::kernel::hamming::Word;
use crate::progress::{Cancelled, Progress};
use crate::simhash::Bits;

/// The number of values of a run, so that a position in a run fits 16 bits. A run takes well under a millisecond,
/// the time between two checks for cancellation.
const RUN: usize = 1 << 16;
/// The number of rows of a part with which its result stays in the first-level cache.
const PART: usize = 1 << 12;
/// The largest number of leading bits, which limits the number of destinations written to at once.
const MOST_LEADING: u32 = 8;
/// The largest number of bits below the leading bits.
const MOST_BELOW: u32 = 16;
/// The largest width of a block: more buckets than values only cost memory.
pub(super) const WIDEST: u32 = 22;

/// The key of a value: some of its consecutive bits.
#[derive(Clone, Copy, Debug)]
struct Key {
    low: u32,
    mask: u32,
}

impl Key {
    /// The key of the `width` bits from bit `low` up; always 0 for no bits.
    fn new(low: u32, width: u32) -> Self {
        Self { low: if width == 0 { 0 } else { low }, mask: (1 << width) - 1 }
    }

    /// The key that selects the part of a value, and the key within a part.
    ///
    /// # Panics
    /// If the block is wider than [`WIDEST`].
    fn split(n_values: usize, block: Block) -> (Self, Self) {
        assert!(block.width <= WIDEST, "a block has at most {WIDEST} bits");
        let parts_wanted = (n_values / PART).next_power_of_two().trailing_zeros();
        let leading = parts_wanted.min(MOST_LEADING).min(block.width);
        let below = (block.width - leading).min(MOST_BELOW);
        (Self::new(block.low + below, block.width - below), Self::new(block.low, below))
    }

    /// The number of keys.
    fn count(self) -> usize {
        self.mask as usize + 1
    }

    #[inline]
    fn of<B: Bits>(self, value: B) -> usize {
        (value.shifted(self.low) & self.mask) as usize
    }
}

/// A word, the rest of its key and its position in its run, without padding.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, packed(2))]
struct Row<W> {
    word: W,
    /// The key within the part.
    below: u16,
    place: u16,
}

/// Rows in the order of the bits of one block.
#[derive(Default)]
pub(super) struct Buckets<W> {
    /// The rows of each run, by their parts.
    rows: Vec<Row<W>>,
    /// The end of each part in each run.
    ends: Vec<u32>,
    words: Vec<W>,
    entries: Vec<u32>,
    /// The first row of each bucket, and at the end the number of rows.
    starts: Vec<u32>,
}

impl<W: Word + Default + Send + Sync> Buckets<W> {
    /// Groups the words of `values` by the `block` of the values, and replaces the previous content. Rows of a bucket
    /// keep their order.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled; the content is then unusable.
    ///
    /// # Panics
    /// If there are 2^32 values or more, or the block is wider than [`WIDEST`].
    pub(super) fn group<B: Bits>(
        &mut self,
        values: &[B],
        block: Block,
        word: impl Fn(B) -> W + Sync,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        assert!(u32::try_from(values.len()).is_ok(), "fewer than 2^32 entries");
        #[cfg(test)]
        crate::kernel::hamming::effort::add_other(60 * values.len() + 200_000);
        let (leads, below) = Key::split(values.len(), block);
        let n_parts = leads.count();
        self.rows.truncate(values.len());
        // The first write to new memory is slow, so it is done in parallel.
        let n_more = values.len() - self.rows.len();
        self.rows.par_extend(rayon::iter::repeat_n(Row::default(), n_more));
        self.ends.resize(values.len().div_ceil(RUN) * n_parts, 0);
        let ends = self.ends.par_chunks_mut(n_parts);
        let runs = values.par_chunks(RUN).zip(self.rows.par_chunks_mut(RUN)).zip(ends);
        let row = |value, place| Row { word: word(value), below: below.of(value) as u16, place };
        runs.try_for_each(|((values, rows), ends)| {
            progress.check()?;
            sort(values, leads, &row, rows, ends);
            Ok(())
        })?;
        self.words.resize(values.len(), W::default());
        self.entries.resize(values.len(), 0);
        self.starts.resize((1 << block.width) + 1, 0);
        self.order_parts(n_parts, below, progress)
    }

    /// Orders the rows of each part by the rest of their keys.
    fn order_parts(
        &mut self,
        n_parts: usize,
        below: Key,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        let (all, ends) = (&self.rows, &self.ends);
        // The rows of a part in each run, with the first entry of the run.
        let rows_by_run = |part: usize| -> Vec<(u32, &[Row<W>])> {
            let runs = all.chunks(RUN).zip(ends.chunks_exact(n_parts)).enumerate();
            runs.map(|(run, (rows, ends))| {
                let begin = part.checked_sub(1).map_or(0, |before| ends[before]);
                ((run * RUN) as u32, &rows[begin as usize..ends[part] as usize])
            })
            .collect()
        };
        let mut tasks = Vec::with_capacity(n_parts);
        let (mut words, mut entries) = (&mut self.words[..], &mut self.entries[..]);
        let mut first = 0;
        let (starts, last) = self.starts.split_at_mut(n_parts * below.count());
        for (part, starts) in starts.chunks_exact_mut(below.count()).enumerate() {
            let n = rows_by_run(part).iter().map(|(_, rows)| rows.len()).sum();
            let (of_part, rest) = words.split_at_mut(n);
            let (entries_of_part, rest_of_entries) = entries.split_at_mut(n);
            tasks.push((part, first, of_part, entries_of_part, starts));
            (words, entries) = (rest, rest_of_entries);
            first += n as u32;
        }
        last.fill(first);
        tasks.into_par_iter().try_for_each(|(part, first, words, entries, starts)| {
            progress.check()?;
            order(&rows_by_run(part), starts, words, entries);
            // Turns the ends of buckets within the part into their starts among all rows.
            let mut next_start = first;
            for start in starts {
                next_start = first + std::mem::replace(start, next_start);
            }
            Ok(())
        })
    }

    /// The number of buckets, including empty ones: 2^width.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The words of the values whose block is `key`, and their entries.
    #[inline]
    pub(super) fn rows(&self, key: usize) -> (&[W], &[u32]) {
        let rows = self.starts[key] as usize..self.starts[key + 1] as usize;
        (&self.words[rows.clone()], &self.entries[rows])
    }

    /// The number of rows in the buckets `keys`.
    pub(super) fn n_rows(&self, keys: Range<usize>) -> usize {
        (self.starts[keys.end] - self.starts[keys.start]) as usize
    }
}

/// Makes the rows of a run in the order of their keys; sets `ends` to the end of each key's rows. This is a
/// separate function because inside the closure that calls it the loop is compiled to half the speed.
#[inline(never)]
fn sort<B: Bits, W: Copy>(
    values: &[B],
    key: Key,
    row: &impl Fn(B, u16) -> Row<W>,
    sorted: &mut [Row<W>],
    ends: &mut [u32],
) {
    ends.fill(0);
    for &value in values {
        ends[key.of(value)] += 1;
    }
    exclusive_prefix_sum(ends);
    for (place, &value) in values.iter().enumerate() {
        let end = &mut ends[key.of(value)];
        sorted[*end as usize] = row(value, place as u16);
        *end += 1;
    }
}

/// Sorts the rows of a part; sets `ends` to the end of each of its buckets. This is a separate function because
/// inside the closure that calls it the loop is compiled to half the speed.
#[inline(never)]
fn order<W: Copy>(
    rows_by_run: &[(u32, &[Row<W>])],
    ends: &mut [u32],
    words: &mut [W],
    entries: &mut [u32],
) {
    ends.fill(0);
    for row in rows_by_run.iter().flat_map(|(_, rows)| *rows) {
        ends[usize::from(row.below)] += 1;
    }
    exclusive_prefix_sum(ends);
    for (first, rows) in rows_by_run {
        for row in *rows {
            let place = &mut ends[usize::from(row.below)];
            words[*place as usize] = row.word;
            entries[*place as usize] = first + u32::from(row.place);
            *place += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_hold_the_rows_of_their_key_in_order() {
        let mixed = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (i % 40);
        let (mut buckets, mut folds) = (Buckets::default(), Buckets::default());
        for n in [0, 1, 100, 20_000, 65_536, 150_000] {
            let values: Vec<u64> = (0..n).map(mixed).collect();
            for (low, width) in [(0, 1), (48, 16), (20, 12), (11, 3), (42, 22)] {
                let key_of = |value: u64| value >> low & ((1 << width) - 1);
                let mut expected: Vec<(u64, u32)> =
                    values.iter().zip(0..).map(|(&value, entry)| (value, entry)).collect();
                expected.sort_by_key(|&(value, _)| key_of(value));

                let (block, progress) = (Block { low, width }, Progress::new());
                buckets.group(&values, block, |value| value, &progress).unwrap();
                folds.group(&values, block, Bits::folded, &progress).unwrap();
                assert_eq!(buckets.len(), 1 << width);
                let mut rows = Vec::new();
                for key in 0..buckets.len() {
                    let (values, entries) = buckets.rows(key);
                    assert!(values.iter().all(|&value| key_of(value) == key as u64));
                    let (of_values, same_entries) = folds.rows(key);
                    let folded: Vec<u32> = values.iter().map(|value| value.folded()).collect();
                    assert_eq!((of_values, same_entries), (&*folded, entries));
                    rows.extend(values.iter().copied().zip(entries.iter().copied()));
                }
                assert_eq!(rows, expected, "{n} values, {width} bits");
                assert_eq!(buckets.n_rows(0..buckets.len()), values.len());
            }
        }
    }
}
