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

use super::{
    Layout, Pair,
    pair::{Take, pass, pass_kept},
    partition::{equal_keys, for_each_task, runs_of_equal},
    scan,
};
use crate::{
    kernel::hamming,
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// From this many rows a bucket is divided among threads.
const LARGE: usize = 1 << 11;
/// The approximate number of pairs passed to `take` at a time.
const BATCH: usize = 1 << 12;

/// Passes every pair of `values` at most `k` bits apart that shares a key of `layout` to `take`, each once,
/// `a < b`, in no order, until `take` returns `Break`. These are all pairs within k if the layout guarantees k.
///
/// `progress` counts tables times entries. Parallel over buckets and, in large buckets, over rows. Memory is 4
/// bytes for each entry, and a bucket for each thread.
///
/// # Errors
/// [`Cancelled`] if cancelled, or if `take` wants no more; checked every few milliseconds, whatever the buckets.
///
/// # Panics
/// If there are 2^32 values or more, or if the layout is wider than the word.
pub(super) fn visit<B: Bits>(
    values: &[B],
    layout: &Layout,
    k: u32,
    progress: &Progress,
    take: Take<'_>,
) -> Result<(), Cancelled> {
    assert!(layout.width() <= B::CAPACITY, "the layout's bits fit the word");
    progress.begin(layout.tables().len() as u64 * values.len() as u64);
    for number in 0..layout.tables().len() {
        let buckets = equal_keys(values, layout.tables()[number].mask, progress)?;
        let table = Table { layout, number, k, progress, take };
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
struct Table<'a> {
    layout: &'a Layout,
    number: usize,
    k: u32,
    progress: &'a Progress,
    take: Take<'a>,
}

impl Table<'_> {
    /// Finds the pairs of a bucket that share no key of an earlier table.
    fn visit_bucket<B: Bits>(
        &self,
        bucket: &Bucket<B>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Cancelled> {
        let Bucket { entries, values } = bucket;
        let new = |pair: &Pair| {
            let [a, b] = pair.ends().map(|row| row as usize);
            let xor = (values[a] ^ values[b]).to_wide();
            let is_new = self.layout.first_table_with_shared_key(xor) == Some(self.number);
            let [a, b] = [entries[a].min(entries[b]), entries[a].max(entries[b])];
            is_new.then_some(Pair { a, b, ..*pair })
        };
        self.progress.add(values.len() as u64);
        if values.len() >= LARGE {
            let take = |found: &[Pair]| pass_kept(found, new, self.take);
            return scan::visit(values, self.k, self.progress, false, &take);
        }
        for (a, &value) in (0..).zip(values) {
            let later = &values[a as usize + 1..];
            hamming::near(value, later, self.k, |place, distance| {
                pairs.extend(new(&Pair { a, b: a + 1 + place as u32, distance }));
            });
            if pairs.len() >= BATCH {
                self.flush(pairs)?;
            }
        }
        Ok(())
    }

    fn flush(&self, pairs: &mut Vec<Pair>) -> Result<(), Cancelled> {
        pass(pairs, self.take, self.progress)?;
        pairs.clear();
        Ok(())
    }
}
