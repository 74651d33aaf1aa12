//! Fingerprints grouped by the bits of one block: who agrees on it lies together.
//!
//! A counting sort in two steps, so that neither writes to more places at once than the caches hold:
//! first by the leading bits of the block into parts of a few thousand rows, then each part by the
//! bits left, either as it is read or for good. Parallel over runs of rows, then over parts. A row
//! takes its word and 4 bytes, a bucket 4 bytes; the memory is used again for the next block.
//!
//! Source: Knuth, The Art of Computer Programming 3, section 5.2.5, from both ends.

use std::ops::Range;

use rayon::prelude::*;

use super::block::Block;
use crate::{
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// Rows of a run in the first step: well under a millisecond between two looks at the cancel flag.
const RUN: usize = 1 << 16;
/// Rows a part should have for its two copies to stay in the second-level cache.
const PART: usize = 1 << 13;
/// Leading bits the first step may look at: as many places are written to at once.
const MOST_LEADING: u32 = 8;
/// The widest block: a bucket more than there are values of a block costs memory for nothing.
pub(super) const WIDEST: u32 = 22;

/// A value and its entry, without a gap.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed(4))]
pub(super) struct Row<B> {
    pub(super) value: B,
    pub(super) entry: u32,
}

/// Rows in the order of one block's bits.
pub(super) struct Buckets<B> {
    /// Bits of the block.
    width: u32,
    /// The lower of them, which tell the buckets of a part apart.
    below: Key,
    rows: Vec<Row<B>>,
    /// Where each part begins, and behind them all the number of rows.
    parts: Vec<usize>,
    /// The first row of each bucket, and behind them all the number of rows; once put in order.
    starts: Vec<u32>,
}

/// The rows of one part, bucket by bucket, column by column.
#[derive(Debug)]
pub(super) struct Part<B> {
    pub(super) values: Vec<B>,
    pub(super) entries: Vec<u32>,
    /// Where each bucket ends.
    pub(super) ends: Vec<u32>,
}

impl<B: Bits> Part<B> {
    pub(super) fn new() -> Self {
        Self { values: Vec::new(), entries: Vec::new(), ends: Vec::new() }
    }

    /// Forgets all rows.
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.entries.clear();
        self.ends.clear();
    }

    /// Adds `rows` as they are.
    pub(super) fn extend(&mut self, rows: &[Row<B>]) {
        self.values.extend(rows.iter().map(|row| row.value));
        self.entries.extend(rows.iter().map(|row| row.entry));
    }

    /// Takes `rows`, grouped by `key`.
    #[inline(never)]
    fn order(&mut self, rows: &[Row<B>], key: Key) {
        self.ends.clear();
        self.ends.resize(key.count(), 0);
        for row in rows {
            self.ends[key.of(row.value)] += 1;
        }
        let mut begin = 0;
        for end in &mut self.ends {
            begin += std::mem::replace(end, begin);
        }
        self.values.resize(rows.len(), B::from_wide(0));
        self.entries.resize(rows.len(), 0);
        // Each bucket's beginning moves up to its end.
        let (values, entries) = (&mut self.values[..], &mut self.entries[..rows.len()]);
        for row in rows {
            let place = &mut self.ends[key.of(row.value)];
            values[*place as usize] = row.value;
            entries[*place as usize] = row.entry;
            *place += 1;
        }
    }
}

/// The key a run of bits makes.
#[derive(Clone, Copy, Debug)]
struct Key {
    low: u32,
    mask: u32,
}

impl Key {
    /// Keys of the `width` bits from `low` on; all 0 for no bits.
    fn new(low: u32, width: u32) -> Self {
        Self { low: if width == 0 { 0 } else { low }, mask: (1 << width) - 1 }
    }

    /// How many keys there are.
    fn count(self) -> usize {
        self.mask as usize + 1
    }

    #[inline]
    fn of<B: Bits>(self, value: B) -> usize {
        (value.shifted(self.low) & self.mask) as usize
    }
}

// Loops of their own: inside the closures that call them they are compiled to half the speed.

/// Adds to `counts` how many `values` have each key.
#[inline(never)]
fn count<B: Bits>(values: &[B], key: Key, counts: &mut [u32]) {
    for &value in values {
        counts[key.of(value)] += 1;
    }
}

/// Moves `values`, whose first entry is `first`, to the slots of their keys, which `left` says how full
/// they will be.
#[inline(never)]
fn scatter<B: Bits>(
    values: &[B],
    first: u32,
    key: Key,
    slots: &mut [&mut [Row<B>]],
    left: &mut [u32],
) {
    for (at, &value) in values.iter().enumerate().rev() {
        let slot = key.of(value);
        let place = &mut left[slot];
        *place -= 1;
        slots[slot][*place as usize] = Row { value, entry: first + at as u32 };
    }
}

impl<B: Bits> Buckets<B> {
    /// No buckets yet.
    pub(super) fn new() -> Self {
        let (rows, parts, starts) = (Vec::new(), vec![0, 0], vec![0, 0]);
        Self { width: 0, below: Key::new(0, 0), rows, parts, starts }
    }

    /// Groups `values` by the leading bits of `block` into parts, in place of what was there before.
    /// Rows of a part keep their order.
    ///
    /// # Errors
    /// [`Cancelled`] if told to stop; what is grouped is then of no use.
    ///
    /// # Panics
    /// If there are 2^32 values or more, or if the block is wider than [`WIDEST`].
    pub(super) fn part(
        &mut self,
        values: &[B],
        block: Block,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        assert!(u32::try_from(values.len()).is_ok(), "fewer than 2^32 entries");
        assert!(block.width <= WIDEST, "a block of at most {WIDEST} bits");
        let parts_wanted = (values.len() / PART).next_power_of_two().trailing_zeros();
        let leading = parts_wanted.min(MOST_LEADING).min(block.width);
        let n_parts = 1_usize << leading;
        let leads = Key::new(block.low + block.width - leading, leading);
        self.width = block.width;
        self.below = Key::new(block.low, block.width - leading);
        self.rows.resize(values.len(), Row { value: B::from_wide(0), entry: 0 });

        let counted = |run: &[B]| {
            progress.check()?;
            let mut counts = vec![0; n_parts];
            count(run, leads, &mut counts);
            Ok(counts)
        };
        let counts = values.par_chunks(RUN).map(counted).collect::<Result<Vec<_>, _>>()?;

        // Each run of rows knows its slice of every part beforehand and waits for no other.
        let mut slots: Vec<Vec<&mut [Row<B>]>> =
            counts.iter().map(|_| Vec::with_capacity(n_parts)).collect();
        self.parts.clear();
        let (mut rest, mut begin) = (&mut self.rows[..], 0);
        for part in 0..n_parts {
            self.parts.push(begin);
            for (slots, counts) in slots.iter_mut().zip(&counts) {
                let (slot, others) = rest.split_at_mut(counts[part] as usize);
                begin += slot.len();
                slots.push(slot);
                rest = others;
            }
        }
        self.parts.push(begin);
        let runs = values.par_chunks(RUN).zip(slots).zip(counts).enumerate();
        runs.try_for_each(|(run, ((values, mut slots), mut left))| {
            progress.check()?;
            scatter(values, (run * RUN) as u32, leads, &mut slots, &mut left);
            Ok(())
        })
    }

    /// Number of parts.
    pub(super) fn n_parts(&self) -> usize {
        self.parts.len() - 1
    }

    /// Puts the rows of part `number` in order, in `part`.
    pub(super) fn read_part(&self, number: usize, part: &mut Part<B>) {
        part.order(&self.rows[self.parts[number]..self.parts[number + 1]], self.below);
    }

    /// Puts all rows in order where they are, after [`Buckets::part`].
    ///
    /// # Errors
    /// [`Cancelled`] if told to stop.
    pub(super) fn order(&mut self, progress: &Progress) -> Result<(), Cancelled> {
        let n_rows = self.rows.len();
        self.starts.resize((1 << self.width) + 1, 0);
        let mut rest = &mut self.rows[..];
        let mut parts = Vec::with_capacity(self.parts.len());
        let starts = self.starts.chunks_exact_mut(self.below.count());
        for (ends, starts) in self.parts.windows(2).zip(starts) {
            let (rows, others) = rest.split_at_mut(ends[1] - ends[0]);
            parts.push((ends[0] as u32, rows, starts));
            rest = others;
        }
        let below = self.below;
        parts.into_par_iter().try_for_each_init(Part::new, |part, (first, rows, starts)| {
            progress.check()?;
            part.order(rows, below);
            let columns = part.values.iter().zip(&part.entries);
            for (row, (&value, &entry)) in rows.iter_mut().zip(columns) {
                *row = Row { value, entry };
            }
            let mut begin = first;
            for (start, &end) in starts.iter_mut().zip(&part.ends) {
                *start = begin;
                begin = first + end;
            }
            Ok(())
        })?;
        if let Some(end) = self.starts.last_mut() {
            *end = n_rows as u32;
        }
        Ok(())
    }

    /// Number of buckets, empty ones included: 2^width.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The rows whose block is `key`, once in order.
    #[inline]
    pub(super) fn rows(&self, key: usize) -> &[Row<B>] {
        &self.rows[self.starts[key] as usize..self.starts[key + 1] as usize]
    }

    /// The columns of all rows, and where each bucket begins, once in order.
    pub(super) fn into_columns(self) -> (Vec<B>, Vec<u32>, Vec<u32>) {
        let values = self.rows.iter().map(|row| row.value).collect();
        let entries = self.rows.iter().map(|row| row.entry).collect();
        (values, entries, self.starts)
    }

    /// How many rows the buckets `keys` have together, once in order.
    pub(super) fn n_rows(&self, keys: Range<usize>) -> usize {
        (self.starts[keys.end] - self.starts[keys.start]) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_hold_the_rows_of_their_key_in_order() {
        let mixed = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (i % 40);
        for n in [0, 1, 100, 20_000, 150_000] {
            let values: Vec<u64> = (0..n).map(mixed).collect();
            let mut buckets = Buckets::new();
            for (low, width) in [(0, 1), (48, 16), (20, 12), (11, 3), (42, 22)] {
                let key_of = |value: u64| value >> low & ((1 << width) - 1);
                let mut expected: Vec<(u64, u32)> =
                    values.iter().zip(0..).map(|(&value, entry)| (value, entry)).collect();
                expected.sort_by_key(|&(value, _)| key_of(value));

                buckets.part(&values, Block { low, width }, &Progress::new()).unwrap();
                let mut part = Part::new();
                let mut rows = Vec::new();
                let mut n_buckets = 0;
                for number in 0..buckets.n_parts() {
                    buckets.read_part(number, &mut part);
                    rows.extend(part.values.iter().copied().zip(part.entries.iter().copied()));
                    let mut from = 0;
                    for &end in &part.ends {
                        let values = &part.values[from..end as usize];
                        assert!(values.iter().all(|&value| key_of(value) == n_buckets));
                        from = end as usize;
                        n_buckets += 1;
                    }
                }
                assert_eq!(rows, expected, "{n} values, {width} bits");
                assert_eq!(n_buckets, 1 << width);

                buckets.order(&Progress::new()).unwrap();
                assert_eq!(buckets.len(), 1 << width);
                let rows: Vec<(u64, u32)> = (0..buckets.len())
                    .flat_map(|key| buckets.rows(key).iter().map(|row| (row.value, row.entry)))
                    .collect();
                assert_eq!(rows, expected, "{n} values, {width} bits");
                assert_eq!(buckets.n_rows(0..buckets.len()), values.len());
            }
        }
    }
}
