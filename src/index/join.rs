//! Every near pair at once, block by block, bucket by bucket.
//!
//! For each of the [`Pigeonholes`] the values are grouped by its block. The rows of a bucket are
//! compared with each other, for small distances by their [`folds`], and, if the block has a reach, with
//! those of the buckets around it, which are gathered first so that short runs become one long one. A
//! pair is kept by the first hole that has it, which the XOR alone tells; nothing is remembered between
//! holes, and memory is one grouping and the answer: 8 bytes a fingerprint by folds, 23 by buckets of 64
//! bits, 39 of 128. A bucket of thousands is a small corpus in itself, its fingerprints shorter by the
//! block they share, and is searched as one: skewed data cost little more than random ones.
//!
//! Cost: holes times values to group, then a comparison for each two rows that meet: at best 0.03 ns.
//!
//! Sources: Manku, Jain and Das Sarma (2007), section 3; Norouzi, Punjani and Fleet (2014); the rule of
//! the first hole is the canonical test of Uno, "Multi-sorting algorithm for finding pairs of similar
//! short substrings" (2010).

use std::ops::{ControlFlow, Range};

use super::{
    buckets::Buckets,
    folds::{self, Folds, Part},
    pair::{Pair, Stop, Take, pass},
    pigeonhole::{Pigeonholes, around},
    plan::Method,
    price, scan,
    share::share,
    varying::Varying,
};
use crate::{
    kernel::{
        self,
        hamming::{self, Hit, TILE},
    },
    progress::Progress,
    simhash::Bits,
};

/// Tasks a grouping is divided into: enough to even out buckets of different sizes.
const TASKS: usize = 1 << 10;
/// Rows from which a bucket is searched as a corpus of its own instead of pair by pair.
pub(super) const CROWD: usize = 1536;
/// Rows between two looks at the cancel flag inside a part: a millisecond or two.
const LOOK: usize = 1 << 16;
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
    visit_part(values, width, holes, progress, true, take)
}

/// The same as a part of something larger; `counts` whether progress is made.
fn visit_part<B: Bits>(
    values: &[B],
    width: u32,
    holes: &Pigeonholes,
    progress: &Progress,
    counts: bool,
    take: Take<'_>,
) -> Result<(), Stop> {
    // Memory that is used again for the next hole if it is of the same kind.
    let (mut folds, mut buckets) = (Folds::new(), Buckets::new());
    for (number, hole) in holes.holes().iter().enumerate() {
        let join = Join { values, holes, number, width, progress, counts, take };
        if folds::serve(*hole, holes.k()) {
            buckets = Buckets::new();
            folds.group(values, hole.block, progress)?;
            join.by_folds(&folds)?;
        } else {
            folds = Folds::new();
            buckets.group(values, hole.block, progress)?;
            join.by_buckets(&buckets, &around(hole.block.width, hole.reach))?;
        }
    }
    Ok(())
}

/// One hole at work.
struct Join<'a, B> {
    values: &'a [B],
    holes: &'a Pigeonholes,
    number: usize,
    width: u32,
    progress: &'a Progress,
    counts: bool,
    take: Take<'a>,
}

/// Memory of one thread.
struct Work<B> {
    /// Rows gathered from the buckets around.
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
    /// The pairs inside buckets, part by part.
    fn by_folds(&self, folds: &Folds) -> Result<(), Stop> {
        let memory = || (Part::new(), Work::new());
        share(folds.n_parts(), memory, |(part, work), number| {
            folds.read(number, part);
            let mut look = LOOK;
            for bucket in part.buckets() {
                if bucket.end >= look {
                    self.progress.check()?;
                    look = bucket.end + LOOK;
                }
                self.inside_folds(part, bucket, work)?;
            }
            self.keep_folds(part, work)?;
            self.done(part.len(), work)
        })
    }

    /// The pairs inside buckets and with those around them, some buckets at a time.
    fn by_buckets(&self, buckets: &Buckets<B>, around: &[u32]) -> Result<(), Stop> {
        let step = buckets.len().div_ceil(TASKS);
        share(buckets.len().div_ceil(step), Work::new, |work, task| {
            let from = task * step;
            let keys = from..buckets.len().min(from + step);
            for key in keys.clone() {
                self.around(buckets, key, around, work)?;
            }
            self.done(buckets.n_rows(keys), work)
        })
    }

    /// Passes on what a task over so many rows has found.
    fn done(&self, n_rows: usize, work: &mut Work<B>) -> Result<(), Stop> {
        self.flush(work)?;
        if self.counts {
            self.progress.add(n_rows as u64);
        }
        Ok(())
    }

    fn flush(&self, work: &mut Work<B>) -> Result<(), Stop> {
        pass(&work.pairs, self.take)?;
        work.pairs.clear();
        Ok(self.progress.check()?)
    }

    /// The hits inside a bucket of folds, as rows of the part; the pairs inside a crowd.
    #[inline]
    fn inside_folds(
        &self,
        part: &Part,
        bucket: Range<usize>,
        work: &mut Work<B>,
    ) -> Result<(), Stop> {
        let n = bucket.len();
        if n >= CROWD {
            let entries: Vec<u32> = bucket.map(|row| part.entry(row)).collect();
            let value = |&entry: &u32| self.values[entry as usize];
            return self.crowd(&entries.iter().map(value).collect::<Vec<B>>(), &entries);
        }
        if n > 1 {
            let (first, from) = (bucket.start as u32, work.hits.len());
            hamming::fold_triangle(
                part.folds_from(bucket.start),
                n,
                self.holes.k(),
                &mut work.hits,
            );
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

    /// The hits of the buckets of a part so far.
    fn keep_folds(&self, part: &Part, work: &mut Work<B>) -> Result<(), Stop> {
        let row = |row: u32| {
            let entry = part.entry(row as usize);
            (self.values[entry as usize], entry)
        };
        self.keep(row, row, work)
    }

    /// The pairs inside a bucket.
    #[inline]
    fn inside(&self, values: &[B], entries: &[u32], work: &mut Work<B>) -> Result<(), Stop> {
        if values.len() >= CROWD {
            return self.crowd(values, entries);
        }
        if values.len() > 1 {
            let Work { hits, words: [words, _], .. } = work;
            hamming::triangle(B::low_words(values, words), self.holes.k(), hits);
            let row = |row: u32| (values[row as usize], entries[row as usize]);
            self.keep(row, row, work)?;
        }
        Ok(())
    }

    /// The pairs of the bucket `key` with itself and with later buckets around it.
    fn around(
        &self,
        buckets: &Buckets<B>,
        key: usize,
        around: &[u32],
        work: &mut Work<B>,
    ) -> Result<(), Stop> {
        let (values, entries) = buckets.rows(key);
        if values.is_empty() {
            return Ok(());
        }
        self.inside(values, entries, work)?;
        for &change in around {
            let other = key ^ change as usize;
            // Two buckets meet once, when it is the smaller one's turn.
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

    /// The pairs of the rows of a bucket and those gathered, which are then forgotten.
    fn across(&self, values: &[B], entries: &[u32], work: &mut Work<B>) -> Result<(), Stop> {
        let (others, other_entries) = std::mem::take(&mut work.others);
        for (values, entries) in values.chunks(TILE).zip(entries.chunks(TILE)) {
            let Work { hits, words: [words, other_words], .. } = work;
            let columns = B::low_words(&others, other_words);
            hamming::tile(B::low_words(values, words), columns, self.holes.k(), hits);
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

    /// Those hits that are near and that no hole before has become pairs; the hits are then forgotten.
    ///
    /// Whether one does is a coin's toss and not asked: each is written, and the next over it unless it
    /// is kept.
    #[inline]
    fn keep(
        &self,
        row: impl Fn(u32) -> (B, u32),
        column: impl Fn(u32) -> (B, u32),
        work: &mut Work<B>,
    ) -> Result<(), Stop> {
        let Work { hits, pairs, .. } = work;
        let mut n = pairs.len();
        pairs.resize(n + hits.len(), Pair::default());
        for &(left, right) in &*hits {
            let (pair, is_ours) = self.pair(row(left), column(right));
            pairs[n] = pair;
            n += usize::from(is_ours);
        }
        pairs.truncate(n);
        hits.clear();
        if n >= BATCH { self.flush(work) } else { Ok(()) }
    }

    /// The pair of two rows, and whether it is near and no hole before has it.
    #[inline]
    fn pair(&self, left: (B, u32), right: (B, u32)) -> (Pair, bool) {
        let distance = left.0.distance(right.0);
        let is_ours = (distance <= self.holes.k())
            & self.holes.escapes_until(left.0.xor(right.0), self.number);
        let (a, b) = (left.1.min(right.1), left.1.max(right.1));
        (Pair { a, b, distance }, is_ours)
    }

    /// The pairs of a large bucket, searched as a corpus of its own over the bits that still vary, if
    /// that clearly costs less than to compare them all.
    fn crowd(&self, values: &[B], entries: &[u32]) -> Result<(), Stop> {
        let take = |found: &[Pair]| {
            let ours = |pair: &Pair| {
                let (a, b) = (pair.a as usize, pair.b as usize);
                let (pair, is_ours) = self.pair((values[a], entries[a]), (values[b], entries[b]));
                is_ours.then_some(pair)
            };
            let kept: Vec<Pair> = found.iter().filter_map(ours).collect();
            if kept.is_empty() { ControlFlow::Continue(()) } else { (self.take)(&kept) }
        };
        let varying = Varying::of(values, self.width);
        let (shorter, width, k) = (varying.compress(values), varying.width(), self.holes.k());
        match price::for_crowd(&shorter, width, k) {
            Method::Holes(holes) => {
                visit_part(&shorter, width, &holes, self.progress, false, &take)
            }
            Method::Scan => scan::visit_part(&shorter, k, self.progress, false, &take),
        }
    }
}
