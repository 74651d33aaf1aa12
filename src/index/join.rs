//! Every near pair at once, block by block, bucket by bucket.
//!
//! For each of the [`Pigeonholes`] the values are grouped by its block. The rows of a bucket are
//! compared with each other and, if the block has a reach, with those of the buckets around it, which
//! are gathered first so that short runs become one long one. A pair is kept by the first hole that
//! has it, which the XOR alone tells; nothing is remembered between holes, and memory is one grouping
//! and the answer. A bucket of thousands is a small corpus in itself, its fingerprints shorter by the
//! block they share, and is searched as one: skewed data cost little more than random ones.
//!
//! Cost: holes times values to group, then a comparison for each two rows that meet: at best 0.1 ns.
//!
//! Sources: Manku, Jain and Das Sarma (2007), section 3; Norouzi, Punjani and Fleet (2014); the rule of
//! the first hole is the canonical test of Uno, "Multi-sorting algorithm for finding pairs of similar
//! short substrings" (2010).

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::{
    buckets::{Buckets, Part},
    kernel::{self, Hit, TILE},
    pair::{Pair, Stop, Take, pass},
    pigeonhole::{Pigeonholes, around},
    plan::Method,
    price, scan,
    varying::Varying,
};
use crate::{progress::Progress, simhash::Bits};

/// Tasks a grouping is divided into: enough to even out buckets of different sizes.
const TASKS: usize = 1 << 10;
/// Rows from which a bucket is searched as a corpus of its own instead of pair by pair.
pub(super) const CROWD: usize = 1536;
/// Pairs passed on at a time.
const BATCH: usize = 1 << 13;

/// Passes every pair of `values` within the holes' k to `take`, each once, `a < b`, in no order.
///
/// `width` is the number of bits in use. `progress` counts holes times values.
///
/// # Errors
/// [`Stop`] if told to, or if no more is wanted; noticed within milliseconds, whatever the buckets.
///
/// # Panics
/// If there are 2^32 values or more, or if a block is wider than a grouping takes.
pub(super) fn visit<B: Bits>(
    values: &[B],
    width: u32,
    holes: &Pigeonholes,
    progress: &Progress,
    take: Take<'_>,
) -> Result<(), Stop> {
    progress.begin((holes.holes().len() * values.len()) as u64);
    let mut buckets = Buckets::new();
    visit_with(&mut buckets, values, width, holes, progress, true, take)
}

/// The same in given memory; `counts` whether progress is made.
fn visit_with<B: Bits>(
    buckets: &mut Buckets<B>,
    values: &[B],
    width: u32,
    holes: &Pigeonholes,
    progress: &Progress,
    counts: bool,
    take: Take<'_>,
) -> Result<(), Stop> {
    for (number, hole) in holes.holes().iter().enumerate() {
        buckets.part(values, hole.block, progress)?;
        let block = hole.block;
        let join = Join { holes, number, width, progress, take };
        let done = |n_rows| {
            if counts {
                progress.add(n_rows as u64);
            }
            progress.check().map_err(Stop::from)
        };
        if hole.reach == 0 {
            (0..buckets.n_parts()).into_par_iter().try_for_each_init(
                Work::new,
                |work, number| {
                    buckets.read_part(number, &mut work.rows);
                    let mut rows = std::mem::replace(&mut work.rows, Part::new());
                    let mut from = 0;
                    for &to in &rows.ends {
                        let bucket = from..to as usize;
                        from = bucket.end;
                        join.inside(&rows.values[bucket.clone()], &rows.entries[bucket], work)?;
                    }
                    std::mem::swap(&mut rows, &mut work.rows);
                    work.flush(take)?;
                    done(work.rows.values.len())
                },
            )?;
        } else {
            buckets.order(progress)?;
            let around = around(block.width, hole.reach);
            let step = buckets.len().div_ceil(TASKS);
            let tasks = (0..buckets.len()).into_par_iter().step_by(step);
            tasks.try_for_each_init(Work::new, |work, from| {
                let keys = from..buckets.len().min(from + step);
                for key in keys.clone() {
                    join.around(buckets, key, &around, work)?;
                }
                work.flush(take)?;
                done(buckets.n_rows(keys))
            })?;
        }
    }
    Ok(())
}

/// One hole at work.
struct Join<'a> {
    holes: &'a Pigeonholes,
    number: usize,
    width: u32,
    progress: &'a Progress,
    take: Take<'a>,
}

/// Memory of one thread.
struct Work<B> {
    /// The rows of a part, or of a bucket.
    rows: Part<B>,
    /// Rows gathered from the buckets around.
    others: Part<B>,
    hits: Vec<Hit>,
    pairs: Vec<Pair>,
    words: [Vec<u64>; 2],
}

impl<B: Bits> Work<B> {
    fn new() -> Self {
        let (hits, pairs, words) = (Vec::new(), Vec::new(), [Vec::new(), Vec::new()]);
        Self { rows: Part::new(), others: Part::new(), hits, pairs, words }
    }

    fn flush(&mut self, take: Take<'_>) -> Result<(), Stop> {
        pass(&self.pairs, take)?;
        self.pairs.clear();
        Ok(())
    }
}

impl Join<'_> {
    /// The pairs inside a bucket.
    #[inline]
    fn inside<B: Bits>(
        &self,
        values: &[B],
        entries: &[u32],
        work: &mut Work<B>,
    ) -> Result<(), Stop> {
        if values.len() >= CROWD {
            return self.crowd(values, entries);
        }
        if values.len() > 1 {
            let Work { hits, pairs, words: [words, _], .. } = work;
            hits.clear();
            kernel::triangle(B::low_words(values, words), self.holes.k(), hits);
            for &(left, right) in &*hits {
                let (left, right) = (left as usize, right as usize);
                let left = (values[left], entries[left]);
                pairs.extend(self.kept(left, (values[right], entries[right])));
            }
            if pairs.len() >= BATCH {
                work.flush(self.take)?;
                self.progress.check()?;
            }
        }
        Ok(())
    }

    /// The pairs of the bucket `key` with itself and with later buckets around it.
    fn around<B: Bits>(
        &self,
        buckets: &Buckets<B>,
        key: usize,
        around: &[u32],
        work: &mut Work<B>,
    ) -> Result<(), Stop> {
        let bucket = buckets.rows(key);
        if bucket.is_empty() {
            return Ok(());
        }
        let mut rows = std::mem::replace(&mut work.rows, Part::new());
        rows.clear();
        rows.extend(bucket);
        self.inside(&rows.values, &rows.entries, work)?;
        work.others.clear();
        for &change in around {
            let other = key ^ change as usize;
            // Two buckets meet once, when it is the smaller one's turn.
            if other > key {
                for run in buckets.rows(other).chunks(TILE) {
                    work.others.extend(run);
                    if work.others.values.len() >= TILE {
                        self.across(&rows, work)?;
                    }
                }
            }
        }
        self.across(&rows, work)?;
        work.rows = rows;
        Ok(())
    }

    /// The pairs of the rows of a bucket and those gathered, which are then forgotten.
    fn across<B: Bits>(&self, rows: &Part<B>, work: &mut Work<B>) -> Result<(), Stop> {
        for (values, entries) in rows.values.chunks(TILE).zip(rows.entries.chunks(TILE)) {
            let Work { others, hits, pairs, words: [words, other_words], .. } = work;
            hits.clear();
            let columns = B::low_words(&others.values, other_words);
            kernel::tile(B::low_words(values, words), columns, self.holes.k(), hits);
            for &(row, column) in &*hits {
                let (row, column) = (row as usize, column as usize);
                let left = (values[row], entries[row]);
                pairs.extend(self.kept(left, (others.values[column], others.entries[column])));
            }
            if pairs.len() >= BATCH {
                work.flush(self.take)?;
            }
            self.progress.check()?;
        }
        work.others.clear();
        Ok(())
    }

    /// The pair of two rows, if it is near and no hole before has it.
    #[inline]
    fn kept<B: Bits>(&self, left: (B, u32), right: (B, u32)) -> Option<Pair> {
        let xor = left.0.xor(right.0);
        let distance = left.0.distance(right.0);
        let is_ours = distance <= self.holes.k() && self.holes.escapes_until(xor, self.number);
        let (a, b) = (left.1.min(right.1), left.1.max(right.1));
        is_ours.then_some(Pair { a, b, distance })
    }

    /// The pairs of a large bucket, searched as a corpus of its own over the bits that still vary, if
    /// that clearly costs less than to compare them all.
    fn crowd<B: Bits>(&self, values: &[B], entries: &[u32]) -> Result<(), Stop> {
        let take = |found: &[Pair]| {
            let ours = |pair: &Pair| {
                let (a, b) = (pair.a as usize, pair.b as usize);
                self.kept((values[a], entries[a]), (values[b], entries[b]))
            };
            let kept: Vec<Pair> = found.iter().filter_map(ours).collect();
            if kept.is_empty() { ControlFlow::Continue(()) } else { (self.take)(&kept) }
        };
        let varying = Varying::of(values, self.width);
        let (shorter, width, k) = (varying.compress(values), varying.width(), self.holes.k());
        match price::for_crowd(&shorter, width, k) {
            Method::Holes(holes) => {
                let mut buckets = Buckets::new();
                visit_with(&mut buckets, &shorter, width, &holes, self.progress, false, &take)
            }
            Method::Scan => scan::visit_part(&shorter, k, self.progress, false, &take),
        }
    }
}
