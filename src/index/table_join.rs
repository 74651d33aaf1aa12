//! Finds every pair that shares a key of a layout, table by table and bucket by bucket.
//!
//! Bands are searched this way, because they find only pairs that share a band. To find all pairs within k,
//! [`near_pairs`](super::near_pairs()) is faster.
//!
//! Grouping the entries by key puts all candidates of a table into buckets, whose members are compared with each
//! other. A pair that shares the keys of several tables is kept by the first of them, which the XOR of the pair
//! determines; so no pairs are stored between tables, and memory is the numbers of the entries, a bucket for each
//! thread, and the result. Cost: grouping tables times entries, then one comparison for each pair in a bucket.
//!
//! Source: Manku, Jain and Das Sarma (2007), section 3; the rule of the first table replaces their
//! separate removal of duplicates.

use std::ops::Range;

use super::{
    Layout, Pair,
    pair::{SearchStop, Take, pass},
    partition::{equal_keys, for_each_task, runs_of_equal},
};
use crate::{kernel::hamming, progress::Progress, simhash::Bits};

/// Rows of one task in a large bucket: few, because each may be compared with all other entries.
const CHUNK: usize = 256;
/// From this many rows a bucket is divided among threads.
const LARGE: usize = 1 << 11;
/// Comparisons between two checks for cancellation: a few milliseconds.
const STRIDE: usize = 1 << 20;
/// The approximate number of pairs passed to `take` at a time.
const BATCH: usize = 1 << 12;

/// Passes every pair of `values` at most `k` bits apart that shares a key of `layout` to `take`, each once,
/// `a < b`, in no order, until `take` returns `Break`. These are all pairs within k if the layout guarantees k.
///
/// `progress` counts tables times entries. Parallel over buckets and, in large buckets, over rows. Memory is 4
/// bytes for each entry, and a bucket for each thread.
///
/// # Errors
/// [`SearchStop`] if cancelled, or if `take` wants no more; checked every few milliseconds, whatever the buckets.
///
/// # Panics
/// If there are 2^32 values or more, or if the layout is wider than the word.
pub(super) fn visit<B: Bits>(
    values: &[B],
    layout: &Layout,
    k: u32,
    progress: &Progress,
    take: Take<'_>,
) -> Result<(), SearchStop> {
    assert!(layout.width() <= B::CAPACITY, "the layout's bits fit the word");
    progress.begin(layout.tables().len() as u64 * values.len() as u64);
    for number in 0..layout.tables().len() {
        let buckets = equal_keys(values, layout.tables()[number].mask, progress)?;
        let table = Table { values, layout, number, k, progress, take };
        let memory =
            || (Vec::new(), Bucket { entries: Vec::new(), values: Vec::new() }, Vec::new());
        for_each_task(buckets.n_parts(), memory, |(rows, bucket, pairs), part| {
            buckets.read_part(part, rows, progress)?;
            for rows in runs_of_equal(rows) {
                bucket.fill(values, rows);
                table.visit_bucket(bucket, pairs)?;
            }
            table.flush(pairs)
        })?;
    }
    Ok(())
}

/// The entries that share a key, and their values.
struct Bucket<B> {
    entries: Vec<u32>,
    values: Vec<B>,
}

impl<B: Bits> Bucket<B> {
    fn fill(&mut self, values: &[B], rows: &[(B, u32)]) {
        self.entries.clear();
        self.entries.extend(rows.iter().map(|row| row.1));
        self.values.clear();
        self.values.extend(self.entries.iter().map(|&entry| values[entry as usize]));
    }
}

/// The search in one table.
struct Table<'a, B> {
    values: &'a [B],
    layout: &'a Layout,
    number: usize,
    k: u32,
    progress: &'a Progress,
    take: Take<'a>,
}

impl<B: Bits> Table<'_, B> {
    /// Finds the pairs of a bucket that share no key of an earlier table.
    fn visit_bucket(&self, bucket: &Bucket<B>, pairs: &mut Vec<Pair>) -> Result<(), SearchStop> {
        let n = bucket.entries.len();
        if n < LARGE {
            return self.visit_rows(bucket, 0..n, pairs);
        }
        for_each_task(n.div_ceil(CHUNK), Vec::new, |pairs, chunk| {
            let from = chunk * CHUNK;
            self.visit_rows(bucket, from..n.min(from + CHUNK), pairs)?;
            self.flush(pairs)
        })
    }

    /// Finds the pairs of these rows with later rows of the bucket.
    fn visit_rows(
        &self,
        bucket: &Bucket<B>,
        rows: Range<usize>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), SearchStop> {
        let n = bucket.entries.len();
        let n_rows = rows.len() as u64;
        for row in rows {
            for start in (row + 1..n).step_by(STRIDE) {
                let others = &bucket.values[start..n.min(start + STRIDE)];
                hamming::near(bucket.values[row], others, self.k, |place, distance| {
                    let (a, b) = (bucket.entries[row], bucket.entries[start + place]);
                    if self.is_new(a, b) {
                        pairs.push(Pair { a: a.min(b), b: a.max(b), distance });
                    }
                });
                if n >= LARGE {
                    self.progress.check()?;
                }
                if pairs.len() >= BATCH {
                    self.flush(pairs)?;
                }
            }
        }
        self.progress.add(n_rows);
        Ok(())
    }

    /// Whether this is the first table in which the two entries share a key.
    fn is_new(&self, a: u32, b: u32) -> bool {
        let xor = (self.values[a as usize] ^ self.values[b as usize]).to_wide();
        self.layout.first_table_with_shared_key(xor) == Some(self.number)
    }

    fn flush(&self, pairs: &mut Vec<Pair>) -> Result<(), SearchStop> {
        pass(pairs, self.take)?;
        pairs.clear();
        Ok(self.progress.check()?)
    }
}
