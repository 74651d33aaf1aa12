//! Counts the candidates of a layout: pairs of documents that share a key.
//!
//! Counting avoids listing pairs. A bucket of s documents has s (s - 1) / 2 pairs. From these, the pairs that an
//! earlier table also brings together are subtracted; they are counted the same way inside the bucket, by the
//! earlier keys. If keys are wide, a bucket splits at once into small ones, and the cost is that of sorting. If
//! keys are narrow, it does not: inclusion and exclusion visits all sets of tables, 2^63 sets for 64 bands of a
//! bit. So counting a bucket by keys stops once it has cost as much as comparing its pairs, which are then
//! compared. The cost is at most twice that of the cheaper way, for any data. Copies are one entry; the counts
//! are multiplied by their number.
//!
//! Memory: a word and 8 bytes for each entry.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::block::n_pairs;
use super::{Distinct, Layout, Plan, visit_pairs};
use crate::progress::{Cancelled, Progress};
use crate::simhash::Bits;

/// Up to this many entries, the pairs of a bucket are compared one by one.
const SMALL: usize = 64;

/// The number of pairs of documents that share a key of the layout, each counted once. Pairs of copies count too.
///
/// Costs about as much as sorting, and at most a few comparisons for
/// every pair of entries that shares a key.
///
/// # Errors
/// [`Cancelled`] if cancelled; checked between buckets, and inside large ones.
///
/// # Panics
/// If the layout is wider than the word.
pub fn count_candidates<B: Bits>(
    distinct: &Distinct<B>,
    layout: &Layout,
    progress: &Progress,
) -> Result<u64, Cancelled> {
    progress.begin(0);
    let masks: Vec<B> = layout.tables().iter().map(|table| B::from_wide(table.mask)).collect();
    let copies = |entry: u32| distinct.documents(entry).len() as u64;
    let entries = (0..).zip(distinct.values()).map(|(entry, &value)| (value, copies(entry)));
    let mut entries: Vec<(B, u64)> = entries.collect();
    let across = shared(&mut entries, &masks, &AtomicU64::new(0), progress)?;
    Ok(pairs_of_copies(distinct) + across)
}

/// The number of pairs of documents at each distance from 0 to the plan's k, including pairs of copies. Needs constant
/// memory.
///
/// # Errors
/// [`Cancelled`] if cancelled.
///
/// # Panics
/// If [`visit_pairs`] panics.
pub fn count_at_distances<B: Bits>(
    distinct: &Distinct<B>,
    plan: &Plan,
    progress: &Progress,
) -> Result<Vec<u64>, Cancelled> {
    let copies = |entry: u32| distinct.documents(entry).len() as u64;
    let counts: Vec<AtomicU64> = (0..=plan.k()).map(|_| AtomicU64::new(0)).collect();
    counts[0].store(pairs_of_copies(distinct), Ordering::Relaxed);
    visit_pairs(distinct.values(), plan, progress, &|pairs| {
        // An addition to a shared counter costs more than finding a pair, so each batch is counted first.
        let mut some = vec![0; counts.len()];
        for pair in pairs {
            some[pair.distance as usize] += copies(pair.a) * copies(pair.b);
        }
        for (count, some) in counts.iter().zip(some).filter(|(_, some)| *some > 0) {
            count.fetch_add(some, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    })?;
    Ok(counts.into_iter().map(AtomicU64::into_inner).collect())
}

/// The number of pairs of documents with equal fingerprints.
fn pairs_of_copies<B: Bits>(distinct: &Distinct<B>) -> u64 {
    distinct.copied().map(|entry| n_pairs(distinct.documents(entry).len())).sum()
}

/// The number of pairs of documents from different entries.
fn across<B>(entries: &[(B, u64)]) -> u64 {
    let (mut sum, mut before) = (0, 0);
    for &(_, copies) in entries {
        sum += before * copies;
        before += copies;
    }
    sum
}

/// The cost of sorting `n` entries by a key, in nanoseconds on one core.
fn cost_of_sorting(n: usize) -> u64 {
    /// Measured with fingerprints of 64 bits, for each entry and each of log2(n) halvings.
    const AN_ENTRY: f64 = 1.5;
    (AN_ENTRY * n as f64 * (n.max(2) as f64).log2()) as u64
}

/// The cost of comparing all pairs of `n` entries with these keys until one is shared, in nanoseconds on one core.
fn cost_of_pairs<B: Bits>(n: usize, masks: &[B]) -> u64 {
    /// Measured with fingerprints of 64 bits, for each pair and key.
    const A_KEY: f64 = 0.7;
    let p = masks.first().map_or(1.0, |mask| 0.5_f64.powf(f64::from(mask.to_wide().count_ones())));
    let keys = (1.0 - (1.0 - p).powf(masks.len() as f64)) / p;
    (A_KEY * (1.0 + keys) * n as f64 * n as f64 / 2.0) as u64
}

/// The number of pairs of documents from different entries that share at least one of these keys, counted the
/// cheaper way. Adds the cost to `cost`.
fn shared<B: Bits>(
    entries: &mut [(B, u64)],
    masks: &[B],
    cost: &AtomicU64,
    progress: &Progress,
) -> Result<u64, Cancelled> {
    let of_pairs = cost_of_pairs(entries.len(), masks);
    if entries.len() > SMALL {
        let spent = AtomicU64::new(0);
        let sum = shared_by_keys(entries, masks, of_pairs, &spent, progress)?;
        cost.fetch_add(spent.into_inner(), Ordering::Relaxed);
        if let Some(sum) = sum {
            return Ok(sum);
        }
    }
    cost.fetch_add(of_pairs, Ordering::Relaxed);
    shared_by_pairs(entries, masks, progress)
}

/// [`shared`] by keys, the buckets of a key in parallel; `None` if that costs more than `most`.
fn shared_by_keys<B: Bits>(
    entries: &mut [(B, u64)],
    masks: &[B],
    most: u64,
    cost: &AtomicU64,
    progress: &Progress,
) -> Result<Option<u64>, Cancelled> {
    let is_over = || cost.load(Ordering::Relaxed) > most;
    let mut sum = 0;
    for (number, &mask) in masks.iter().enumerate() {
        progress.check()?;
        cost.fetch_add(cost_of_sorting(entries.len()), Ordering::Relaxed);
        if is_over() {
            return Ok(None);
        }
        entries.par_sort_unstable_by_key(|entry| entry.0 & mask);
        let buckets = entries.par_chunk_by_mut(|left, right| left.0 & mask == right.0 & mask);
        let new = buckets.filter(|bucket| bucket.len() > 1).map(|bucket| {
            if is_over() {
                return Ok(0);
            }
            Ok(across(bucket) - shared(bucket, &masks[..number], cost, progress)?)
        });
        sum += new.try_reduce(|| 0, |left, right| Ok(left + right))?;
    }
    Ok((!is_over()).then_some(sum))
}

/// [`shared`] by comparing all pairs.
fn shared_by_pairs<B: Bits>(
    entries: &[(B, u64)],
    masks: &[B],
    progress: &Progress,
) -> Result<u64, Cancelled> {
    let nothing = B::from_wide(0);
    let of_row = |at: usize| {
        let (value, copies) = entries[at];
        let shares = |other: B| {
            let xor = value ^ other;
            masks.iter().any(|&mask| xor & mask == nothing)
        };
        let others = entries[at + 1..].iter().filter(|(other, _)| shares(*other));
        copies * others.map(|(_, others)| others).sum::<u64>()
    };
    if entries.len() <= SMALL {
        return Ok((0..entries.len()).map(of_row).sum());
    }
    let rows = (0..entries.len()).into_par_iter().with_max_len(SMALL);
    let sums = rows.map(|at| progress.check().map(|()| of_row(at)));
    sums.try_reduce(|| 0, |left, right| Ok(left + right))
}
