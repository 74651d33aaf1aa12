//! Finds all near pairs, block by block and bucket by bucket.
//!
//! The values are grouped by each block of the [`BlockPlan`] in turn. The rows of a bucket are compared with each
//! other, for small distances by their [`folds`]. If the block has a radius, they are also compared with the rows
//! of the buckets around it, which are first gathered so that short runs become one long run. A pair is kept by
//! the first block that finds it, which the XOR of the pair determines; so no pairs are stored between blocks,
//! and memory is one grouping and the result: 16 bytes for each fingerprint by folds, 24 by words. A bucket of
//! thousands of rows is a small corpus, whose fingerprints are shorter by the
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

use super::block_plan::{filled, keys_around};
use super::pair::{Take, pass, pass_kept};
use super::partition::for_each_task;
use super::plan::{HEAVY, choose_in_bucket};
use super::runs::Buckets;
use super::{BlockPlan, Method, Pair, Plan, folds, scan};
use crate::kernel::hamming::{self, Hit, TILE, Word};
use crate::progress::{Cancelled, Progress};
use crate::simhash::Bits;

/// The number of tasks of a grouping: enough to balance buckets of different sizes.
const TASKS: usize = 1 << 10;
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
/// If there are 2^32 values or more, if a block is wider than [`WIDEST`](super::runs::WIDEST), if
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
    let (mut folds, mut words) = (Buckets::default(), Buckets::default());
    for (number, probed) in plan.blocks().iter().enumerate() {
        let join = Join { values, plan, number, progress, counts, take };
        let around = keys_around(probed.block.width, probed.radius);
        if folds::are_used(*probed, plan.k()) {
            words = Buckets::default();
            folds.group(values, probed.block, B::folded, progress)?;
            join.by_buckets(&folds, &around)?;
        } else {
            folds = Buckets::default();
            words.group(values, probed.block, B::low, progress)?;
            join.by_buckets(&words, &around)?;
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
#[derive(Default)]
struct Work<W> {
    /// Rows gathered from the buckets around a bucket.
    others: (Vec<W>, Vec<u32>),
    hits: Vec<Hit>,
    pairs: Vec<Pair>,
}

impl<B: Bits> Join<'_, B> {
    /// Finds the pairs inside buckets and with the buckets around them, a few buckets in each task.
    fn by_buckets<W: Word + Default + Send + Sync>(
        &self,
        buckets: &Buckets<W>,
        around: &[u32],
    ) -> Result<(), Cancelled> {
        let step = buckets.len().div_ceil(TASKS);
        for_each_task(buckets.len().div_ceil(step), Work::default, |work, task| {
            let from = task * step;
            let keys = from..buckets.len().min(from + step);
            for key in keys.clone() {
                let (words, entries) = buckets.rows(key);
                if words.len() > 1 {
                    self.inside(words, entries, work)?;
                }
                if !words.is_empty() && !around.is_empty() {
                    self.around(buckets, key, around, work)?;
                }
            }
            self.flush(work)?;
            if self.counts {
                self.progress.add(buckets.n_rows(keys) as u64);
            }
            Ok(())
        })
    }

    fn flush<W>(&self, work: &mut Work<W>) -> Result<(), Cancelled> {
        pass(&work.pairs, self.take, self.progress)?;
        work.pairs.clear();
        Ok(())
    }

    /// Finds the pairs inside a bucket.
    #[inline]
    fn inside<W: Word>(
        &self,
        words: &[W],
        entries: &[u32],
        work: &mut Work<W>,
    ) -> Result<(), Cancelled> {
        if words.len() >= HEAVY {
            return self.heavy_bucket(entries);
        }
        hamming::triangle(words, self.plan.k(), &mut work.hits);
        self.keep(entries, entries, work)
    }

    /// Finds the pairs of the bucket `key` with later buckets around it.
    fn around<W: Word + Default + Send + Sync>(
        &self,
        buckets: &Buckets<W>,
        key: usize,
        around: &[u32],
        work: &mut Work<W>,
    ) -> Result<(), Cancelled> {
        #[cfg(test)]
        hamming::effort::add_other(60 * around.len());
        let rows = buckets.rows(key);
        for &change in around {
            let other = key ^ change as usize;
            // Two buckets are compared once, when the smaller key is visited.
            if other > key {
                let (others, other_entries) = buckets.rows(other);
                for (others, other_entries) in others.chunks(TILE).zip(other_entries.chunks(TILE)) {
                    work.others.0.extend_from_slice(others);
                    work.others.1.extend_from_slice(other_entries);
                    if work.others.0.len() >= TILE {
                        self.across(rows, work)?;
                    }
                }
            }
        }
        self.across(rows, work)
    }

    /// Finds the pairs of a bucket's rows with the gathered rows, and clears the gathered rows.
    fn across<W: Word>(
        &self,
        (words, entries): (&[W], &[u32]),
        work: &mut Work<W>,
    ) -> Result<(), Cancelled> {
        let (mut others, mut other_entries) = std::mem::take(&mut work.others);
        for (words, entries) in words.chunks(TILE).zip(entries.chunks(TILE)) {
            hamming::tile(words, &others, self.plan.k(), &mut work.hits);
            self.keep(entries, &other_entries, work)?;
            self.progress.check()?;
        }
        others.clear();
        other_entries.clear();
        work.others = (others, other_entries);
        Ok(())
    }

    /// Turns hits into pairs and clears them: a hit becomes a pair if it is near and no earlier block finds it.
    ///
    /// Half of the hits become pairs, so a branch would often be mispredicted: each pair is written, and the next
    /// one overwrites it unless it is kept.
    #[inline]
    fn keep<W>(&self, rows: &[u32], columns: &[u32], work: &mut Work<W>) -> Result<(), Cancelled> {
        let Work { hits, pairs, .. } = work;
        #[cfg(test)]
        hamming::effort::add_other(80 * hits.len());
        let mut n = pairs.len();
        pairs.resize(n + hits.len(), Pair::default());
        for &(left, right) in &*hits {
            let (pair, is_kept) = self.pair(rows[left as usize], columns[right as usize]);
            pairs[n] = pair;
            n += usize::from(is_kept);
        }
        pairs.truncate(n);
        hits.clear();
        if n >= BATCH { self.flush(work) } else { Ok(()) }
    }

    /// The pair of two entries, and whether it is near and no earlier block finds it.
    #[inline]
    fn pair(&self, left: u32, right: u32) -> (Pair, bool) {
        let [one, other] = [left, right].map(|entry| self.values[entry as usize]);
        let distance = one.distance(other);
        let is_kept = (distance <= self.plan.k()) & self.plan.is_new_at(one ^ other, self.number);
        (Pair { distance, a: left.min(right), b: left.max(right) }, is_kept)
    }

    /// Finds the pairs of a heavy bucket: searched like a corpus over the bits that still vary, if that clearly
    /// costs less than comparing all of them.
    fn heavy_bucket(&self, entries: &[u32]) -> Result<(), Cancelled> {
        let ours = |pair: &Pair| {
            let (pair, is_kept) = self.pair(entries[pair.a as usize], entries[pair.b as usize]);
            is_kept.then_some(pair)
        };
        let take = |found: &[Pair]| pass_kept(found, ours, self.take);
        let values: Vec<B> = entries.iter().map(|&entry| self.values[entry as usize]).collect();
        let plan = choose_in_bucket(&values, self.plan.k());
        visit(&values, &plan, self.progress, false, &take)
    }
}
