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
//! Memory: one table, and the entries of a bucket.

use std::{
    ops::ControlFlow,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use rayon::prelude::*;

use super::{
    Distinct, Layout, Plan,
    block::n_pairs,
    partition::{equal_keys, runs_of_equal},
    visit_pairs,
};
use crate::{
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// Up to this many entries, the pairs of a bucket are compared one by one.
const SMALL: usize = 64;

/// The number of pairs of documents that share a key of the layout, each counted once. Pairs of copies count too.
///
/// `progress` counts tables times entries. Costs about as much as sorting, and at most a few comparisons for
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
    let values = distinct.values();
    progress.begin(layout.tables().len() as u64 * values.len() as u64);
    let masks: Vec<B> = layout.tables().iter().map(|table| B::from_wide(table.mask)).collect();
    let copies = |entry: u32| distinct.documents(entry).len() as u64;
    let across = if let Some(across) = by_tables(distinct, layout, &masks, progress)? {
        across
    } else {
        let entries = (0..).zip(values).map(|(entry, &value)| (value, copies(entry)));
        shared_by_pairs(&entries.collect::<Vec<_>>(), &masks, progress)?
    };
    Ok(pairs_of_copies(distinct) + across)
}

/// The candidates of different entries, counted table by table; `None` if that costs more than comparing all
/// pairs.
fn by_tables<B: Bits>(
    distinct: &Distinct<B>,
    layout: &Layout,
    masks: &[B],
    progress: &Progress,
) -> Result<Option<u64>, Cancelled> {
    let values = distinct.values();
    let most = cost_of_pairs(values.len(), masks);
    let spent = Mutex::new(0.0);
    let is_over = |cost: f64| {
        // No code panics while it holds the lock.
        let mut spent = spent.lock().unwrap_or_else(PoisonError::into_inner);
        *spent += cost;
        *spent > most
    };
    let mut candidates = 0;
    for number in 0..masks.len() {
        let buckets = equal_keys(values, layout.tables()[number].mask, progress)?;
        let parts = (0..buckets.n_parts()).into_par_iter().map_init(Vec::new, |rows, part| {
            buckets.read_part(part, rows, progress)?;
            let (mut sum, mut cost) = (0, 0.0);
            for bucket in runs_of_equal(rows).filter(|bucket| bucket.len() > 1) {
                let entry = |&(_, entry): &(B, u32)| {
                    (values[entry as usize], distinct.documents(entry).len() as u64)
                };
                let mut bucket: Vec<(B, u64)> = bucket.iter().map(entry).collect();
                let before = shared(&mut bucket, &masks[..number], &mut cost, progress)?;
                sum += across(&bucket) - before;
            }
            progress.add(rows.len() as u64);
            progress.check()?;
            Ok((!is_over(cost)).then_some(sum))
        });
        let sum = parts.try_reduce(
            || Some(0),
            |left, right| Ok(left.zip(right).map(|(left, right)| left + right)),
        )?;
        match sum {
            Some(sum) => candidates += sum,
            None => return Ok(None),
        }
    }
    Ok(Some(candidates))
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
fn cost_of_sorting(n: usize) -> f64 {
    /// Measured with fingerprints of 64 bits, for each entry and each of log2(n) halvings.
    const AN_ENTRY: f64 = 1.5;
    AN_ENTRY * n as f64 * (n.max(2) as f64).log2()
}

/// The cost of comparing all pairs of `n` entries with these keys until one is shared, in nanoseconds on one core.
fn cost_of_pairs<B: Bits>(n: usize, masks: &[B]) -> f64 {
    /// Measured with fingerprints of 64 bits, for each pair and key.
    const A_KEY: f64 = 0.7;
    let p = masks.first().map_or(1.0, |mask| 0.5_f64.powf(f64::from(mask.to_wide().count_ones())));
    let keys = (1.0 - (1.0 - p).powf(masks.len() as f64)) / p;
    A_KEY * (1.0 + keys) * n as f64 * n as f64 / 2.0
}

/// The number of pairs of documents from different entries that share at least one of these keys, counted the
/// cheaper way. Adds the cost to `cost`.
fn shared<B: Bits>(
    entries: &mut [(B, u64)],
    masks: &[B],
    cost: &mut f64,
    progress: &Progress,
) -> Result<u64, Cancelled> {
    let of_pairs = cost_of_pairs(entries.len(), masks);
    if entries.len() > SMALL {
        let mut spent = 0.0;
        let sum = shared_by_keys(entries, masks, of_pairs, &mut spent, progress)?;
        *cost += spent;
        if let Some(sum) = sum {
            return Ok(sum);
        }
    }
    *cost += of_pairs;
    shared_by_pairs(entries, masks, progress)
}

/// [`shared`] by keys; `None` if that costs more than `most`.
fn shared_by_keys<B: Bits>(
    entries: &mut [(B, u64)],
    masks: &[B],
    most: f64,
    cost: &mut f64,
    progress: &Progress,
) -> Result<Option<u64>, Cancelled> {
    let mut sum = 0;
    for (number, &mask) in masks.iter().enumerate() {
        progress.check()?;
        *cost += cost_of_sorting(entries.len());
        if *cost > most {
            return Ok(None);
        }
        entries.sort_unstable_by_key(|entry| entry.0 & mask);
        for bucket in entries.chunk_by_mut(|left, right| left.0 & mask == right.0 & mask) {
            if bucket.len() > 1 {
                sum += across(bucket) - shared(bucket, &masks[..number], cost, progress)?;
                if *cost > most {
                    return Ok(None);
                }
            }
        }
    }
    Ok(Some(sum))
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
