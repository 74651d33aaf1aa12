//! Whole fingerprints grouped by the bits of one block: buckets that can be looked up by their key.
//!
//! Needed where a block has a radius, so that the buckets around one are visited. Two steps: [`Runs`] by
//! the leading bits, then each part by the bits left. Two words and 6 bytes a row, of which the columns
//! that are kept are a word and 4; 4 bytes a bucket. The memory is used again for the next block.

use std::ops::Range;

use rayon::prelude::*;

use super::{
    block::Block,
    runs::{Key, Runs},
};
use crate::{
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// A value and its place in its run, without a gap.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed(2))]
struct PlacedValue<B> {
    value: B,
    place: u16,
}

/// Rows in the order of one block's bits.
pub(super) struct Buckets<B> {
    runs: Runs<PlacedValue<B>>,
    values: Vec<B>,
    entries: Vec<u32>,
    /// The first row of each bucket, and behind them all the number of rows.
    starts: Vec<u32>,
}

impl<B: Bits> Buckets<B> {
    /// No buckets yet.
    pub(super) fn new() -> Self {
        let runs = Runs::new(PlacedValue { value: B::from_wide(0), place: 0 });
        Self { runs, values: Vec::new(), entries: Vec::new(), starts: vec![0, 0] }
    }

    /// Groups `values` by `block`, in place of what was there before. Rows of a bucket keep their
    /// order.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled; the content is then of no use.
    ///
    /// # Panics
    /// As [`Runs::group`] and [`Key::split`].
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

        let mut parts = Vec::with_capacity(self.runs.n_parts());
        let (mut values, mut entries) = (&mut self.values[..], &mut self.entries[..]);
        let mut first = 0;
        let starts = self.starts[..1 << block.width].chunks_exact_mut(below.count());
        for (part, starts) in starts.enumerate() {
            let n = self.runs.n_rows(part);
            let (of_part, rest) = values.split_at_mut(n);
            let (entries_of_part, rest_of_entries) = entries.split_at_mut(n);
            parts.push((part, first, of_part, entries_of_part, starts));
            (values, entries) = (rest, rest_of_entries);
            first += n as u32;
        }
        parts.into_par_iter().try_for_each(|(part, first, values, entries, starts)| {
            progress.check()?;
            order(&self.runs, part, below, starts, values, entries);
            // From the ends of buckets in their part to the beginnings of buckets.
            let mut begin = first;
            for start in starts {
                begin = first + std::mem::replace(start, begin);
            }
            Ok(())
        })?;
        if let Some(end) = self.starts.last_mut() {
            *end = first;
        }
        Ok(())
    }

    /// Number of buckets, empty ones included: 2^width.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The values whose block is `key`, and their entries.
    #[inline]
    pub(super) fn rows(&self, key: usize) -> (&[B], &[u32]) {
        let rows = self.starts[key] as usize..self.starts[key + 1] as usize;
        (&self.values[rows.clone()], &self.entries[rows])
    }

    /// How many rows the buckets `keys` have together.
    pub(super) fn n_rows(&self, keys: Range<usize>) -> usize {
        (self.starts[keys.end] - self.starts[keys.start]) as usize
    }
}

/// Puts the rows of a part in order; `ends` is where each of its buckets ends.
// A loop of its own: inside the closure that calls it, it is compiled to half the speed.
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
