//! The candidates of a layout: pairs of documents that share a key, counted.
//!
//! Counting never lists a pair it need not. A bucket of s documents holds s (s - 1) / 2 pairs; of those,
//! the ones that an earlier table has too are counted the same way inside the bucket, by the earlier
//! keys, and taken away. Where keys are wide a bucket falls apart at once and the cost is that of sorting.
//! Where they are narrow it does not: inclusion and exclusion visits all sets of tables, 2^63 for 64 bands of
//! a bit. So counting a bucket by keys is given up once it has cost as much as comparing its pairs, which are
//! then compared: at most twice the cheaper way, whatever the data. Copies are one entry and are multiplied.
//!
//! Memory: one table and, in a bucket, its entries.

use std::{
    ops::ControlFlow,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use rayon::prelude::*;

use super::{
    distinct::Distinct,
    equal_values::{equal_keys, runs_of_equal},
    layout::Layout,
    near_pairs::visit_pairs,
    plan::Plan,
};
use crate::{
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// Entries of a bucket whose pairs are gone through one by one.
const SMALL: usize = 64;

/// The number of pairs of documents that share a key of the layout, each counted once, copies among them.
///
/// `progress` counts tables times entries. Costs at most a comparison or a few for every pair of entries
/// that shares a key, and mostly what sorting costs.
///
/// # Errors
/// [`Cancelled`] if cancelled; noticed between buckets, and inside large ones.
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
    let of_copies: u64 = (0..values.len() as u32).map(|entry| pairs_of(copies(entry))).sum();
    let across = if let Some(across) = by_tables(distinct, layout, &masks, progress)? {
        across
    } else {
        let entries = (0..).zip(values).map(|(entry, &value)| (value, copies(entry)));
        shared_by_pairs(&entries.collect::<Vec<_>>(), &masks, progress)?
    };
    Ok(of_copies + across)
}

/// The candidates of different entries, table by table; `None` if that costs more than comparing all pairs.
fn by_tables<B: Bits>(
    distinct: &Distinct<B>,
    layout: &Layout,
    masks: &[B],
    progress: &Progress,
) -> Result<Option<u64>, Cancelled> {
    let values = distinct.values();
    let most = Cost::of_pairs(values.len(), masks);
    let spent = Mutex::new(Cost::default());
    let is_spent = |cost: Cost| {
        // No code panics while it holds the lock.
        let mut spent = spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.0 += cost.0;
        spent.0 > most.0
    };
    let mut candidates = 0;
    for number in 0..masks.len() {
        let buckets = equal_keys(values, layout.tables()[number].mask, progress)?;
        let parts = (0..buckets.n_parts()).into_par_iter().map_init(Vec::new, |rows, part| {
            buckets.read_part(part, rows, progress)?;
            let (mut sum, mut cost) = (0, Cost::default());
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
            Ok((!is_spent(cost)).then_some(sum))
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

/// The number of pairs of documents within the plan's k, copies among them. Constant memory.
///
/// # Errors
/// [`Cancelled`] if cancelled.
///
/// # Panics
/// As [`visit_pairs`].
pub fn count_within<B: Bits>(
    distinct: &Distinct<B>,
    plan: &Plan,
    progress: &Progress,
) -> Result<u64, Cancelled> {
    Ok(count_at_distances(distinct, plan, progress)?.into_iter().sum())
}

/// The number of pairs of documents at each distance from 0 to the plan's k, copies among them.
///
/// # Errors
/// [`Cancelled`] if cancelled.
///
/// # Panics
/// As [`visit_pairs`].
pub fn count_at_distances<B: Bits>(
    distinct: &Distinct<B>,
    plan: &Plan,
    progress: &Progress,
) -> Result<Vec<u64>, Cancelled> {
    let copies = |entry: u32| distinct.documents(entry).len() as u64;
    let counts: Vec<AtomicU64> = (0..=plan.k()).map(|_| AtomicU64::new(0)).collect();
    let of_copies = (0..distinct.len() as u32).map(|entry| pairs_of(copies(entry))).sum();
    counts[0].store(of_copies, Ordering::Relaxed);
    visit_pairs(distinct.values(), plan, progress, &|pairs| {
        // An addition that all threads see costs more than finding the pair.
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

/// The slow twin of [`count_candidates`]: every pair of values, every key.
pub fn naive<B: Bits>(distinct: &Distinct<B>, layout: &Layout) -> u64 {
    let copies = |entry: usize| distinct.documents(entry as u32).len() as u64;
    let values = distinct.values();
    let mut candidates = 0;
    for a in 0..values.len() {
        candidates += pairs_of(copies(a));
        for b in a + 1..values.len() {
            let xor = values[a].xor(values[b]).to_wide();
            if layout.first_table_hit(xor).is_some() {
                candidates += copies(a) * copies(b);
            }
        }
    }
    candidates
}

fn pairs_of(n: u64) -> u64 {
    n * n.saturating_sub(1) / 2
}

/// Pairs of documents of different entries.
fn across<B>(entries: &[(B, u64)]) -> u64 {
    let (mut sum, mut before) = (0, 0);
    for &(_, copies) in entries {
        sum += before * copies;
        before += copies;
    }
    sum
}

/// An estimated cost, in nanoseconds of a core.
#[derive(Clone, Copy, Debug, Default)]
struct Cost(f64);

impl Cost {
    /// Sorting so many entries by a key.
    fn of_sorting(n: usize) -> Self {
        /// Measured on fingerprints of 64 bits, for each entry and halving.
        const AN_ENTRY: f64 = 1.5;
        Self(AN_ENTRY * n as f64 * (n.max(2) as f64).log2())
    }

    /// Going through all pairs of so many entries, asking each for these keys until one is shared.
    fn of_pairs<B: Bits>(n: usize, masks: &[B]) -> Self {
        /// Measured likewise, for each pair and key.
        const A_KEY: f64 = 0.7;
        let p =
            masks.first().map_or(1.0, |mask| 0.5_f64.powf(f64::from(mask.to_wide().count_ones())));
        let keys = (1.0 - (1.0 - p).powf(masks.len() as f64)) / p;
        Self(A_KEY * (1.0 + keys) * n as f64 * n as f64 / 2.0)
    }
}

/// Pairs of documents of different entries that share at least one of these keys, the cheaper way; adds to
/// `cost` what it takes.
fn shared<B: Bits>(
    entries: &mut [(B, u64)],
    masks: &[B],
    cost: &mut Cost,
    progress: &Progress,
) -> Result<u64, Cancelled> {
    let of_pairs = Cost::of_pairs(entries.len(), masks);
    if entries.len() > SMALL {
        let mut spent = Cost::default();
        let sum = shared_by_keys(entries, masks, of_pairs, &mut spent, progress)?;
        cost.0 += spent.0;
        if let Some(sum) = sum {
            return Ok(sum);
        }
    }
    cost.0 += of_pairs.0;
    shared_by_pairs(entries, masks, progress)
}

/// [`shared`] by keys; `None` if that costs more than `most`.
fn shared_by_keys<B: Bits>(
    entries: &mut [(B, u64)],
    masks: &[B],
    most: Cost,
    cost: &mut Cost,
    progress: &Progress,
) -> Result<Option<u64>, Cancelled> {
    let mut sum = 0;
    for (number, &mask) in masks.iter().enumerate() {
        progress.check()?;
        cost.0 += Cost::of_sorting(entries.len()).0;
        if cost.0 > most.0 {
            return Ok(None);
        }
        entries.sort_unstable_by_key(|entry| entry.0.and(mask));
        for bucket in entries.chunk_by_mut(|left, right| left.0.and(mask) == right.0.and(mask)) {
            if bucket.len() > 1 {
                sum += across(bucket) - shared(bucket, &masks[..number], cost, progress)?;
                if cost.0 > most.0 {
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
            let xor = value.xor(other);
            masks.iter().any(|&mask| xor.and(mask) == nothing)
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
