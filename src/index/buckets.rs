//! Fingerprints grouped by the bits of one block, into buckets that can be looked up by their key.
//!
//! Blocks with a radius need it, because their buckets are visited from the buckets around them. Grouping takes
//! two steps: [`Runs`] by the leading bits, then each part by the other bits. Memory: two words and 6 bytes for
//! each row, of which a word and 4 bytes are the result; 4 bytes for each bucket. The memory is reused for the
//! next block.

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
