//! The first step of grouping: sorts rows by the leading bits of a block, run by run.
//!
//! Values are taken in runs of 65,536, and a run is sorted by a few bits. Scattering to hundreds of destinations
//! misses the cache on every row, so the counting pass prefetches the sources and destinations of the run, which
//! fit the second-level cache. A part is all rows with one key: a range of each run. [`Runs::order`] then sorts a
//! part by the remaining bits. Parallel over runs.
//!
//! Costs 2 to 3 ns and the memory of one row for each value; the memory is reused for the next block.
//!
//! Source: Knuth, The Art of Computer Programming 3, section 5.2.5: leading bits first, then the low bits within
//! a part.
//!
//! Fingerprints grouped by the bits of one block, into buckets that can be looked up by their key.
//!
//! Blocks with a radius need it, because their buckets are visited from the buckets around them. Grouping takes
//! two steps: [`Runs`] by the leading bits, then each part by the other bits. Memory: two words and 6 bytes for
//! each row, of which a word and 4 bytes are the result; 4 bytes for each bucket. The memory is reused for the
//! next block.

use std::ops::Range;

use rayon::prelude::*;

use super::Block;
use crate::{
    kernel::{self, exclusive_prefix_sum},
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// The number of values of a run, so that a position in a run fits 16 bits. A run takes well under a millisecond,
/// the time between two checks for cancellation.
const RUN: usize = 1 << 16;
/// The number of rows of a part with which its result stays in the first-level cache.
const PART: usize = 1 << 12;
/// The largest number of leading bits, which limits the number of destinations written to at once.
const MOST_LEADING: u32 = 8;
/// The largest number of bits below the leading bits.
const MOST_BELOW: u32 = 16;
/// The number of rows that are made, or prefetched, at a time.
const CHUNK: usize = 32;
/// Values are prefetched this many positions before they are counted.
const PREFETCH_DISTANCE: usize = 512;
/// The largest width of a block: more buckets than values only cost memory.
pub(super) const WIDEST: u32 = 22;

/// The key of a value: some of its consecutive bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    low: u32,
    mask: u32,
}

impl Key {
    /// The key of the `width` bits from bit `low` up; always 0 for no bits.
    pub(super) fn new(low: u32, width: u32) -> Self {
        Self { low: if width == 0 { 0 } else { low }, mask: (1 << width) - 1 }
    }

    /// The key that selects the part of a value, and the key within a part.
    ///
    /// # Panics
    /// If the block is wider than [`WIDEST`].
    pub(super) fn split(n_values: usize, block: Block) -> (Self, Self) {
        assert!(block.width <= WIDEST, "a block has at most {WIDEST} bits");
        let parts_wanted = (n_values / PART).next_power_of_two().trailing_zeros();
        let leading = parts_wanted.min(MOST_LEADING).min(block.width);
        let below = (block.width - leading).min(MOST_BELOW);
        (Self::new(block.low + below, block.width - below), Self::new(block.low, below))
    }

    /// The number of keys.
    pub(super) fn count(self) -> usize {
        self.mask as usize + 1
    }

    #[inline]
    pub(super) fn of<B: Bits>(self, value: B) -> usize {
        (value.shifted(self.low) & self.mask) as usize
    }
}

/// Rows in parts; the caller decides the content of a row.
pub(super) struct Runs<R> {
    rows: Vec<R>,
    n_parts: usize,
    /// The end of each part in each run.
    ends: Vec<u32>,
    /// The initial content of a row.
    initial: R,
}

impl<R: Copy + Send + Sync> Runs<R> {
    /// An empty grouping.
    pub(super) fn new(initial: R) -> Self {
        Self { rows: Vec::new(), n_parts: 1, ends: Vec::new(), initial }
    }

    /// Makes a row of each of `values` and its position in its run, and replaces the previous content. Rows of a
    /// part keep their order.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled; the content is then unusable.
    ///
    /// # Panics
    /// If there are 2^32 values or more.
    pub(super) fn group<B: Bits>(
        &mut self,
        values: &[B],
        key: Key,
        row: impl Fn(B, u16) -> R + Sync,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        assert!(u32::try_from(values.len()).is_ok(), "fewer than 2^32 entries");
        #[cfg(test)]
        kernel::hamming::effort::add_other(60 * values.len() + 200_000);
        self.n_parts = key.count();
        self.rows.truncate(values.len());
        // The first write to new memory is slow, so it is done in parallel.
        self.rows.par_extend(rayon::iter::repeat_n(self.initial, values.len() - self.rows.len()));
        self.ends.resize(values.len().div_ceil(RUN) * self.n_parts, 0);
        let ends = self.ends.par_chunks_mut(self.n_parts);
        let runs = values.par_chunks(RUN).zip(self.rows.par_chunks_mut(RUN)).zip(ends);
        runs.try_for_each(|((values, rows), ends)| {
            progress.check()?;
            sort(values, key, &row, rows, ends);
            Ok(())
        })
    }

    /// The number of parts.
    pub(super) fn n_parts(&self) -> usize {
        self.n_parts
    }

    /// The rows of a part in each run, with the first entry of the run.
    fn rows_by_run(&self, part: usize) -> impl Iterator<Item = (u32, &[R])> {
        let runs = self.rows.chunks(RUN).zip(self.ends.chunks_exact(self.n_parts));
        runs.enumerate().map(move |(run, (rows, ends))| {
            let begin = part.checked_sub(1).map_or(0, |before| ends[before]);
            ((run * RUN) as u32, &rows[begin as usize..ends[part] as usize])
        })
    }

    /// The number of rows of a part.
    pub(super) fn n_rows(&self, part: usize) -> usize {
        self.rows_by_run(part).map(|(_, rows)| rows.len()).sum()
    }

    /// Sorts the rows of `part` by `key`: calls `put(place, row, first)` for each row, where `place` is its
    /// position in the part, and `first` is the first entry of the row's run. Afterwards `ends` has the end of
    /// each key's bucket.
    ///
    /// Rows of a key keep their order.
    #[inline]
    pub(super) fn order(
        &self,
        part: usize,
        ends: &mut [u32],
        key: impl Fn(R) -> usize,
        mut put: impl FnMut(usize, R, u32),
    ) {
        ends.fill(0);
        let mut rows_by_run = self.rows_by_run(part).peekable();
        while let Some((_, rows)) = rows_by_run.next() {
            if let Some((_, next)) = rows_by_run.peek() {
                kernel::prefetch_all(next);
            }
            for &row in rows {
                ends[key(row)] += 1;
            }
        }
        exclusive_prefix_sum(ends);
        for (first, rows) in self.rows_by_run(part) {
            for &row in rows {
                let place = &mut ends[key(row)];
                put(*place as usize, row, first);
                *place += 1;
            }
        }
    }
}

/// Makes the rows of a run in the order of their keys; sets `ends` to the end of each key's rows. This is a
/// separate function because inside the closure that calls it the loop is compiled to half the speed.
#[inline(never)]
fn sort<B: Bits, R: Copy>(
    values: &[B],
    key: Key,
    row: &impl Fn(B, u16) -> R,
    sorted: &mut [R],
    ends: &mut [u32],
) {
    ends.fill(0);
    for (at, some) in values.chunks(CHUNK).enumerate() {
        kernel::prefetch_all(chunk_from(values, at * CHUNK + PREFETCH_DISTANCE));
        kernel::prefetch_all(chunk_from(sorted, at * CHUNK));
        for &value in some {
            ends[key.of(value)] += 1;
        }
    }
    exclusive_prefix_sum(ends);
    // A chunk of rows is made, which the compiler vectorises, before any is scattered.
    let mut scatter = |value: B, made: R| {
        let end = &mut ends[key.of(value)];
        sorted[*end as usize] = made;
        *end += 1;
    };
    let (chunks, rest) = values.as_chunks::<CHUNK>();
    for (chunk, at) in chunks.iter().zip((0..).step_by(CHUNK)) {
        let made: [R; CHUNK] = std::array::from_fn(|place| row(chunk[place], (at + place) as u16));
        chunk.iter().zip(made).for_each(|(&value, made)| scatter(value, made));
    }
    for (&value, place) in rest.iter().zip(chunks.len() * CHUNK..) {
        scatter(value, row(value, place as u16));
    }
}

/// Up to [`CHUNK`] of `items` from position `from` on.
fn chunk_from<T>(items: &[T], from: usize) -> &[T] {
    let rest = items.get(from..).unwrap_or_default();
    &rest[..rest.len().min(CHUNK)]
}

/// A value and its position in its run, without padding.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed(2))]
struct PlacedValue<B> {
    value: B,
    place: u16,
}

/// Rows in the order of the bits of one block.
pub(super) struct Buckets<B> {
    runs: Runs<PlacedValue<B>>,
    values: Vec<B>,
    entries: Vec<u32>,
    /// The first row of each bucket, and at the end the number of rows.
    starts: Vec<u32>,
}

impl<B: Bits> Buckets<B> {
    /// An empty grouping.
    pub(super) fn new() -> Self {
        let runs = Runs::new(PlacedValue { value: B::from_wide(0), place: 0 });
        Self { runs, values: Vec::new(), entries: Vec::new(), starts: vec![0, 0] }
    }

    /// Groups `values` by `block`, and replaces the previous content. Rows of a bucket keep their order.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled; the content is then unusable.
    ///
    /// # Panics
    /// If [`Runs::group`] or [`Key::split`] panics.
    pub(super) fn group(
        &mut self,
        values: &[B],
        block: Block,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        let (leads, below) = Key::split(values.len(), block);
        self.runs.group(values, leads, |value, place| PlacedValue { value, place }, progress)?;
        self.values.resize(values.len(), B::from_wide(0));
        self.entries.resize(values.len(), 0);
        self.starts.resize((1 << block.width) + 1, 0);

        let mut tasks = Vec::with_capacity(self.runs.n_parts());
        let (mut values, mut entries) = (&mut self.values[..], &mut self.entries[..]);
        let mut first = 0;
        let starts = self.starts[..1 << block.width].chunks_exact_mut(below.count());
        for (part, starts) in starts.enumerate() {
            let n = self.runs.n_rows(part);
            let (of_part, rest) = values.split_at_mut(n);
            let (entries_of_part, rest_of_entries) = entries.split_at_mut(n);
            tasks.push((part, first, of_part, entries_of_part, starts));
            (values, entries) = (rest, rest_of_entries);
            first += n as u32;
        }
        tasks.into_par_iter().try_for_each(|(part, first, values, entries, starts)| {
            progress.check()?;
            order(&self.runs, part, below, starts, values, entries);
            // Turns the ends of buckets within the part into their starts among all rows.
            let mut next_start = first;
            for start in starts {
                next_start = first + std::mem::replace(start, next_start);
            }
            Ok(())
        })?;
        if let Some(end) = self.starts.last_mut() {
            *end = first;
        }
        Ok(())
    }

    /// The number of buckets, including empty ones: 2^width.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The values whose block is `key`, and their entries.
    #[inline]
    pub(super) fn rows(&self, key: usize) -> (&[B], &[u32]) {
        let rows = self.starts[key] as usize..self.starts[key + 1] as usize;
        (&self.values[rows.clone()], &self.entries[rows])
    }

    /// The number of rows in the buckets `keys`.
    pub(super) fn n_rows(&self, keys: Range<usize>) -> usize {
        (self.starts[keys.end] - self.starts[keys.start]) as usize
    }
}

/// Sorts the rows of a part; sets `ends` to the end of each of its buckets. This is a separate function because
/// inside the closure that calls it the loop is compiled to half the speed.
#[inline(never)]
fn order<B: Bits>(
    runs: &Runs<PlacedValue<B>>,
    part: usize,
    key: Key,
    ends: &mut [u32],
    values: &mut [B],
    entries: &mut [u32],
) {
    runs.order(
        part,
        ends,
        |row| key.of(row.value),
        |place, row, first| {
            values[place] = row.value;
            entries[place] = first + u32::from(row.place);
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_hold_the_rows_of_their_key_in_order() {
        let mixed = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (i % 40);
        let mut buckets = Buckets::new();
        for n in [0, 1, 100, 20_000, 65_536, 150_000] {
            let values: Vec<u64> = (0..n).map(mixed).collect();
            for (low, width) in [(0, 1), (48, 16), (20, 12), (11, 3), (42, 22)] {
                let key_of = |value: u64| value >> low & ((1 << width) - 1);
                let mut expected: Vec<(u64, u32)> =
                    values.iter().zip(0..).map(|(&value, entry)| (value, entry)).collect();
                expected.sort_by_key(|&(value, _)| key_of(value));

                buckets.group(&values, Block { low, width }, &Progress::new()).unwrap();
                assert_eq!(buckets.len(), 1 << width);
                let mut rows = Vec::new();
                for key in 0..buckets.len() {
                    let (values, entries) = buckets.rows(key);
                    assert!(values.iter().all(|&value| key_of(value) == key as u64));
                    rows.extend(values.iter().copied().zip(entries.iter().copied()));
                }
                assert_eq!(rows, expected, "{n} values, {width} bits");
                assert_eq!(buckets.n_rows(0..buckets.len()), values.len());
            }
        }
    }
}
