//! Finds all near pairs, block by block and bucket by bucket.
//!
//! The values are grouped by each block of the [`BlockPlan`] in turn. The rows of a bucket are compared with each
//! other, for small distances by their [`folds`]. If the block has a radius, they are also compared with the rows
//! of the buckets around it, which are first gathered so that short runs become one long run. A pair is kept by
//! the first block that finds it, which the XOR of the pair determines; so no pairs are stored between blocks,
//! and memory is one grouping and the result: 8 bytes for each fingerprint by folds, 23 by buckets of 64 bits, 39
//! by buckets of 128 bits. A bucket of thousands of rows is a small corpus, whose fingerprints are shorter by the
//! block they share, and is searched like a corpus; so skewed data cost little more than random data.
//!
//! Bands find only the pairs that share a band: each band is a block, and a pair is kept by the first table whose key
//! it shares.
//!
//! Cost: grouping blocks times values, then a comparison for each two rows in a bucket: at best 0.03 ns.
//!
//! Sources: Manku, Jain and Das Sarma (2007), section 3; Norouzi, Punjani and Fleet (2014). The rule of the first
//! block is the canonical test of Uno, "Multi-sorting algorithm for finding pairs of similar short substrings"
//! (2010).

use std::ops::Range;

use super::{
    BlockPlan, Method, Pair, Plan,
    block_plan::{filled, keys_around},
    folds::{self, Folds, Part},
    pair::{Take, pass, pass_kept},
    partition::for_each_task,
    plan::{HEAVY, choose_in_bucket},
    runs::Buckets,
    scan,
};
use crate::{
    kernel::{
        self,
        hamming::{self, Hit, TILE},
    },
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// The number of tasks of a grouping: enough to balance buckets of different sizes.
const TASKS: usize = 1 << 10;
/// Rows of a part between two checks for cancellation: a millisecond or two.
const CHECK_INTERVAL: usize = 1 << 16;
/// The number of pairs passed to `take` at a time.
const BATCH: usize = 1 << 13;

/// Passes every pair of `values` that the plan finds to `take`, each once, `a < b`, in no order. If `counts`,
/// `progress` counts blocks or tables times values, or what a scan counts; otherwise this is a part of a larger
/// search.
///
/// # Errors
/// [`Cancelled`] if cancelled, or if `take` wants no more; checked every few milliseconds, whatever the buckets.
///
/// # Panics
/// If there are 2^32 values or more, if a block is wider than [`Key::split`](super::runs::Key::split) allows, if
/// bits vary that did not vary in the values of the plan, or if tables have more bits than the word.
pub(super) fn visit<B: Bits>(
    values: &[B],
    plan: &Plan,
    progress: &Progress,
    counts: bool,
    take: Take<'_>,
) -> Result<(), Cancelled> {
    let values = &*plan.compaction.compress(values);
    let begin = |n: usize| {
        if counts {
            progress.begin((n * values.len()) as u64);
        }
    };
    match &plan.method {
        Method::Scan => scan::visit(values, plan.k(), progress, counts, take),
        Method::Blocks(blocks) => {
            begin(blocks.blocks().len());
            by_blocks(values, blocks, progress, counts, take)
        }
        Method::Tables(layout) => {
            assert!(layout.width() <= B::CAPACITY, "the layout's bits fit the word");
            begin(layout.tables().len());
            for (number, table) in layout.tables().iter().enumerate() {
                // The key has these bits and perhaps more, so not every pair that they find shares it.
                let block = filled(layout.block_list()[table.key_blocks[0]], values.len());
                let ours = |pair: &Pair| {
                    let [a, b] = pair.ends().map(|entry| values[entry as usize]);
                    let first = layout.first_table_with_shared_key((a ^ b).to_wide());
                    (first == Some(number)).then_some(*pair)
                };
                let take = |found: &[Pair]| pass_kept(found, ours, take);
                let block = BlockPlan::alone(block, plan.k());
                by_blocks(values, &block, progress, counts, &take)?;
            }
            Ok(())
        }
    }
}

/// Passes every pair that the blocks find to `take`.
fn by_blocks<B: Bits>(
    values: &[B],
    plan: &BlockPlan,
    progress: &Progress,
    counts: bool,
    take: Take<'_>,
) -> Result<(), Cancelled> {
    // The next block of the same kind reuses the memory.
    let (mut folds, mut buckets) = (Folds::new(), Buckets::new());
    for (number, probed) in plan.blocks().iter().enumerate() {
        let join = Join { values, plan, number, progress, counts, take };
        if folds::are_used(*probed, plan.k()) {
            buckets = Buckets::new();
            folds.group(values, probed.block, progress)?;
            join.by_folds(&folds)?;
        } else {
            folds = Folds::new();
            buckets.group(values, probed.block, progress)?;
            join.by_buckets(&buckets, &keys_around(probed.block.width, probed.radius))?;
        }
    }
    Ok(())
}

/// The join by one block.
struct Join<'a, B> {
    values: &'a [B],
    plan: &'a BlockPlan,
    number: usize,
    progress: &'a Progress,
    counts: bool,
    take: Take<'a>,
}

/// The buffers of one thread.
struct Work<B> {
    /// Rows gathered from the buckets around a bucket.
    others: (Vec<B>, Vec<u32>),
    words: [Vec<u64>; 2],
    hits: Vec<Hit>,
    pairs: Vec<Pair>,
}

impl<B: Bits> Work<B> {
    fn new() -> Self {
        let (others, words) = ((Vec::new(), Vec::new()), [Vec::new(), Vec::new()]);
        Self { others, words, hits: Vec::new(), pairs: Vec::new() }
    }
}

impl<B: Bits> Join<'_, B> {
    /// Finds the pairs inside buckets by folds, part by part.
    fn by_folds(&self, folds: &Folds) -> Result<(), Cancelled> {
        let memory = || (Part::default(), Work::new());
        for_each_task(folds.n_parts(), memory, |(part, work), number| {
            folds.read(number, part);
            let mut next_check = CHECK_INTERVAL;
            for bucket in part.buckets() {
                if bucket.end >= next_check {
                    self.progress.check()?;
                    next_check = bucket.end + CHECK_INTERVAL;
                }
                self.inside_folds(part, bucket, work)?;
            }
            self.keep_folds(part, work)?;
            self.done(part.len(), work)
        })
    }

    /// Finds the pairs inside buckets and with the buckets around them, a few buckets in each task.
    fn by_buckets(&self, buckets: &Buckets<B>, around: &[u32]) -> Result<(), Cancelled> {
        let step = buckets.len().div_ceil(TASKS);
        for_each_task(buckets.len().div_ceil(step), Work::new, |work, task| {
            let from = task * step;
            let keys = from..buckets.len().min(from + step);
            for key in keys.clone() {
                self.around_bucket(buckets, key, around, work)?;
            }
            self.done(buckets.n_rows(keys), work)
        })
    }

    /// Passes on the pairs of a task over `n_rows` rows.
    fn done(&self, n_rows: usize, work: &mut Work<B>) -> Result<(), Cancelled> {
        self.flush(work)?;
        if self.counts {
            self.progress.add(n_rows as u64);
        }
        Ok(())
    }

    fn flush(&self, work: &mut Work<B>) -> Result<(), Cancelled> {
        pass(&work.pairs, self.take, self.progress)?;
        work.pairs.clear();
        Ok(())
    }

    /// Finds the hits inside a bucket of folds, as rows of the part. The pairs of a heavy bucket are passed on at
    /// once.
    #[inline]
    fn inside_folds(
        &self,
        part: &Part,
        bucket: Range<usize>,
        work: &mut Work<B>,
    ) -> Result<(), Cancelled> {
        let n = bucket.len();
        if n >= HEAVY {
            let entries: Vec<u32> = bucket.map(|row| part.entry(row)).collect();
            let value = |&entry: &u32| self.values[entry as usize];
            return self.heavy_bucket(&entries.iter().map(value).collect::<Vec<B>>(), &entries);
        }
        if n > 1 {
            let (first, from) = (bucket.start as u32, work.hits.len());
            hamming::fold_triangle(part.folds_from(bucket.start), n, self.plan.k(), &mut work.hits);
            for (row, column) in &mut work.hits[from..] {
                (*row, *column) = (*row + first, *column + first);
                for row in [*row, *column] {
                    kernel::prefetch(&self.values[part.entry(row as usize) as usize]);
                }
            }
            if work.hits.len() >= BATCH {
                return self.keep_folds(part, work);
            }
        }
        Ok(())
    }

    /// Turns the hits so far into pairs.
    fn keep_folds(&self, part: &Part, work: &mut Work<B>) -> Result<(), Cancelled> {
        let row = |row: u32| {
            let entry = part.entry(row as usize);
            (self.values[entry as usize], entry)
        };
        self.keep(row, row, work)
    }

    /// Finds the pairs inside a bucket.
    #[inline]
    fn inside(&self, values: &[B], entries: &[u32], work: &mut Work<B>) -> Result<(), Cancelled> {
        if values.len() >= HEAVY {
            return self.heavy_bucket(values, entries);
        }
        if values.len() > 1 {
            let Work { hits, words: [words, _], .. } = work;
            hamming::triangle(B::low_words(values, words), self.plan.k(), hits);
            let row = |row: u32| (values[row as usize], entries[row as usize]);
            self.keep(row, row, work)?;
        }
        Ok(())
    }

    /// Finds the pairs inside the bucket `key` and with later buckets around it.
    fn around_bucket(
        &self,
        buckets: &Buckets<B>,
        key: usize,
        around: &[u32],
        work: &mut Work<B>,
    ) -> Result<(), Cancelled> {
        let (values, entries) = buckets.rows(key);
        if values.is_empty() {
            return Ok(());
        }
        self.inside(values, entries, work)?;
        #[cfg(test)]
        hamming::effort::add_other(60 * around.len());
        for &change in around {
            let other = key ^ change as usize;
            // Two buckets are compared once, when the smaller key is visited.
            if other > key {
                let (others, other_entries) = buckets.rows(other);
                for (others, other_entries) in others.chunks(TILE).zip(other_entries.chunks(TILE)) {
                    work.others.0.extend_from_slice(others);
                    work.others.1.extend_from_slice(other_entries);
                    if work.others.0.len() >= TILE {
                        self.across(values, entries, work)?;
                    }
                }
            }
        }
        self.across(values, entries, work)
    }

    /// Finds the pairs of a bucket's rows with the gathered rows, and clears the gathered rows.
    fn across(&self, values: &[B], entries: &[u32], work: &mut Work<B>) -> Result<(), Cancelled> {
        let (others, other_entries) = std::mem::take(&mut work.others);
        for (values, entries) in values.chunks(TILE).zip(entries.chunks(TILE)) {
            let Work { hits, words: [words, other_words], .. } = work;
            let columns = B::low_words(&others, other_words);
            hamming::tile(B::low_words(values, words), columns, self.plan.k(), hits);
            let row = |row: u32| (values[row as usize], entries[row as usize]);
            let column = |column: u32| (others[column as usize], other_entries[column as usize]);
            self.keep(row, column, work)?;
            self.progress.check()?;
        }
        work.others = (others, other_entries);
        work.others.0.clear();
        work.others.1.clear();
        Ok(())
    }

    /// Turns hits into pairs and clears them: a hit becomes a pair if it is near and no earlier block finds it.
    ///
    /// Half of the hits become pairs, so a branch would often be mispredicted: each pair is written, and the next
    /// one overwrites it unless it is kept.
    #[inline]
    fn keep(
        &self,
        row: impl Fn(u32) -> (B, u32),
        column: impl Fn(u32) -> (B, u32),
        work: &mut Work<B>,
    ) -> Result<(), Cancelled> {
        let Work { hits, pairs, .. } = work;
        #[cfg(test)]
        hamming::effort::add_other(80 * hits.len());
        let mut n = pairs.len();
        pairs.resize(n + hits.len(), Pair::default());
        for &(left, right) in &*hits {
            let (pair, is_kept) = self.pair(row(left), column(right));
            pairs[n] = pair;
            n += usize::from(is_kept);
        }
        pairs.truncate(n);
        hits.clear();
        if n >= BATCH { self.flush(work) } else { Ok(()) }
    }

    /// The pair of two rows, and whether it is near and no earlier block finds it.
    #[inline]
    fn pair(&self, left: (B, u32), right: (B, u32)) -> (Pair, bool) {
        let distance = left.0.distance(right.0);
        let is_kept =
            (distance <= self.plan.k()) & self.plan.is_new_at(left.0 ^ right.0, self.number);
        let (a, b) = (left.1.min(right.1), left.1.max(right.1));
        (Pair { distance, a, b }, is_kept)
    }

    /// Finds the pairs of a heavy bucket: searched like a corpus over the bits that still vary, if that clearly
    /// costs less than comparing all of them.
    fn heavy_bucket(&self, values: &[B], entries: &[u32]) -> Result<(), Cancelled> {
        let ours = |pair: &Pair| {
            let (a, b) = (pair.a as usize, pair.b as usize);
            let (pair, is_kept) = self.pair((values[a], entries[a]), (values[b], entries[b]));
            is_kept.then_some(pair)
        };
        let take = |found: &[Pair]| pass_kept(found, ours, self.take);
        let plan = choose_in_bucket(values, self.plan.k());
        visit(values, &plan, self.progress, false, &take)
    }
}
