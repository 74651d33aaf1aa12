//! The first step of grouping: rows by the leading bits of a block, run by run.
//!
//! Values are taken in runs of 65,536, and a run is sorted by a few bits. Scattering to hundreds of
//! destinations misses the cache on every row, so the counting pass prefetches the sources and destinations
//! of the run, which fit the second-level cache. A part is all rows with one key: a stretch of each run.
//! [`Runs::order`] then puts a part in order by the remaining bits. Parallel over runs.
//!
//! Costs 2 to 3 ns a row; memory is a row each, and the memory is used again for the next block.
//!
//! Source: Knuth, The Art of Computer Programming 3, section 5.2.5, from both ends.

use rayon::prelude::*;

use super::block::Block;
use crate::{
    kernel::{self, exclusive_prefix_sum},
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// Values of a run: the place of one in it fits 16 bits. A run takes well under a millisecond, the
/// time between two looks at the cancel flag.
const RUN: usize = 1 << 16;
/// Rows a part should have for what is made of it to stay in the first-level cache.
const PART: usize = 1 << 12;
/// Leading bits there may be: as many places are written to at once.
const MOST_LEADING: u32 = 8;
/// The most bits below the leading ones.
const MOST_BELOW: u32 = 16;
/// Rows made, or prefetched, at a time.
const SOME: usize = 32;
/// Values are prefetched so many places before they are counted.
const AHEAD: usize = 512;
/// The widest block: a bucket more than there are values of a block costs memory for nothing.
pub(super) const WIDEST: u32 = 22;

/// The key a run of bits makes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    low: u32,
    mask: u32,
}

impl Key {
    /// Keys of the `width` bits from `low` on; all 0 for no bits.
    pub(super) fn new(low: u32, width: u32) -> Self {
        Self { low: if width == 0 { 0 } else { low }, mask: (1 << width) - 1 }
    }

    /// The key that selects the part of a value, and the key inside a part.
    ///
    /// # Panics
    /// If the block is wider than [`WIDEST`].
    pub(super) fn split(n_values: usize, block: Block) -> (Self, Self) {
        assert!(block.width <= WIDEST, "a block of at most {WIDEST} bits");
        let parts_wanted = (n_values / PART).next_power_of_two().trailing_zeros();
        let leading = parts_wanted.min(MOST_LEADING).min(block.width);
        let below = (block.width - leading).min(MOST_BELOW);
        (Self::new(block.low + below, block.width - below), Self::new(block.low, below))
    }

    /// How many keys there are.
    pub(super) fn count(self) -> usize {
        self.mask as usize + 1
    }

    #[inline]
    pub(super) fn of<B: Bits>(self, value: B) -> usize {
        (value.shifted(self.low) & self.mask) as usize
    }
}

/// Rows in parts; the caller decides what a row holds.
pub(super) struct Runs<R> {
    rows: Vec<R>,
    n_parts: usize,
    /// Where each part ends in each run.
    ends: Vec<u32>,
    /// The content of a row before it is made.
    blank: R,
}

impl<R: Copy + Send + Sync> Runs<R> {
    /// No rows yet.
    pub(super) fn new(blank: R) -> Self {
        Self { rows: Vec::new(), n_parts: 1, ends: Vec::new(), blank }
    }

    /// Makes a row of each of `values` and its place in its run, in place of what was there before.
    /// Rows of a part keep their order.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled; the content is then of no use.
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
        // Memory is slow to touch for the first time.
        self.rows.par_extend(rayon::iter::repeat_n(self.blank, values.len() - self.rows.len()));
        self.ends.resize(values.len().div_ceil(RUN) * self.n_parts, 0);
        let ends = self.ends.par_chunks_mut(self.n_parts);
        let runs = values.par_chunks(RUN).zip(self.rows.par_chunks_mut(RUN)).zip(ends);
        runs.try_for_each(|((values, rows), ends)| {
            progress.check()?;
            sort(values, key, &row, rows, ends);
            Ok(())
        })
    }

    /// Number of parts.
    pub(super) fn n_parts(&self) -> usize {
        self.n_parts
    }

    /// The stretches of a part, each with the entry its run begins with.
    fn stretches(&self, part: usize) -> impl Iterator<Item = (u32, &[R])> {
        let runs = self.rows.chunks(RUN).zip(self.ends.chunks_exact(self.n_parts));
        runs.enumerate().map(move |(run, (rows, ends))| {
            let begin = part.checked_sub(1).map_or(0, |before| ends[before]);
            ((run * RUN) as u32, &rows[begin as usize..ends[part] as usize])
        })
    }

    /// Number of rows of a part.
    pub(super) fn n_rows(&self, part: usize) -> usize {
        self.stretches(part).map(|(_, rows)| rows.len()).sum()
    }

    /// Gives each row of `part` its place among them by `key`: calls `put(place, row, first)`, where
    /// `first` is the entry the row's run begins with. `ends` then has the end of each key's bucket.
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
        let mut stretches = self.stretches(part).peekable();
        while let Some((_, rows)) = stretches.next() {
            if let Some((_, next)) = stretches.peek() {
                kernel::prefetch_all(next);
            }
            for &row in rows {
                ends[key(row)] += 1;
            }
        }
        exclusive_prefix_sum(ends);
        for (first, rows) in self.stretches(part) {
            for &row in rows {
                let place = &mut ends[key(row)];
                put(*place as usize, row, first);
                *place += 1;
            }
        }
    }
}

/// Makes the rows of a run in the order of their keys; `ends` is where each key's end.
// A loop of its own: inside the closure that calls it, it is compiled to half the speed.
#[inline(never)]
fn sort<B: Bits, R: Copy>(
    values: &[B],
    key: Key,
    row: &impl Fn(B, u16) -> R,
    sorted: &mut [R],
    ends: &mut [u32],
) {
    ends.fill(0);
    for (at, some) in values.chunks(SOME).enumerate() {
        kernel::prefetch_all(behind(values, at * SOME + AHEAD));
        kernel::prefetch_all(behind(sorted, at * SOME));
        for &value in some {
            ends[key.of(value)] += 1;
        }
    }
    exclusive_prefix_sum(ends);
    // Rows are made some at a time, which takes vectors, before any is placed.
    let mut place_one = |value: B, made: R| {
        let end = &mut ends[key.of(value)];
        sorted[*end as usize] = made;
        *end += 1;
    };
    let (chunks, rest) = values.as_chunks::<SOME>();
    for (chunk, at) in chunks.iter().zip((0..).step_by(SOME)) {
        let made: [R; SOME] = std::array::from_fn(|place| row(chunk[place], (at + place) as u16));
        chunk.iter().zip(made).for_each(|(&value, made)| place_one(value, made));
    }
    for (&value, place) in rest.iter().zip(chunks.len() * SOME..) {
        place_one(value, row(value, place as u16));
    }
}

/// Some of `items` from `from` on, as far as there are any.
fn behind<T>(items: &[T], from: usize) -> &[T] {
    let rest = items.get(from..).unwrap_or_default();
    &rest[..rest.len().min(SOME)]
}
