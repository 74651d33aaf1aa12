//! What a layout makes its users compare: pairs of documents that share a key, counted and visited.
//!
//! Counting never lists a pair it need not. A bucket of s documents holds s (s - 1) / 2 pairs; of those,
//! the ones that an earlier table has too are counted the same way inside the bucket, by the earlier
//! keys, and taken away. Where keys are wide a bucket falls apart at once and the cost is that of sorting;
//! small buckets are simply gone through. Copies stand as one entry and are multiplied.
//!
//! Memory: one table and, in a bucket, its entries.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicU64, Ordering},
};

use rayon::prelude::*;

use super::{
    all_pairs::{CHUNK, Grouped},
    distinct::Distinct,
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

/// How many pairs of documents share a key of the layout, each counted once, copies among them.
///
/// `progress` counts tables times entries. The cost grows as 2^tables only where earlier keys do not
/// take a large bucket apart.
///
/// # Errors
/// [`Cancelled`] if told to stop; noticed between buckets, and inside large ones.
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
    let mut candidates: u64 = (0..values.len() as u32).map(|entry| pairs_of(copies(entry))).sum();
    for number in 0..masks.len() {
        let grouped = Grouped::new(values, layout, number, progress)?;
        let chunks = (0..grouped.len()).into_par_iter().step_by(CHUNK).map(|from| {
            let to = grouped.len().min(from + CHUNK);
            let mut sum = 0;
            let mut row = from;
            while row < to {
                let end = grouped.bucket_end(row);
                // A bucket is counted where it begins.
                if end - row > 1 && grouped.begins_bucket(row) {
                    let entries = grouped.entries(row..end).iter();
                    let mut bucket: Vec<(B, u64)> =
                        entries.map(|&entry| (values[entry as usize], copies(entry))).collect();
                    sum += across(&bucket) - shared(&mut bucket, &masks[..number], progress)?;
                }
                row = end;
            }
            progress.add((to - from) as u64);
            progress.check()?;
            Ok(sum)
        });
        candidates += chunks.try_reduce(|| 0, |left, right| Ok(left + right))?;
    }
    Ok(candidates)
}

/// How many pairs of documents are within the plan's k, copies among them. Constant memory.
///
/// # Errors
/// [`Cancelled`] if told to stop.
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

/// The same at each distance from 0 to the plan's k.
///
/// # Errors
/// [`Cancelled`] if told to stop.
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

/// Pairs of documents of different entries that share at least one of these keys.
fn shared<B: Bits>(
    entries: &mut [(B, u64)],
    masks: &[B],
    progress: &Progress,
) -> Result<u64, Cancelled> {
    if entries.len() <= SMALL {
        return Ok(shared_by_pairs(entries, masks));
    }
    let mut sum = 0;
    for (number, &mask) in masks.iter().enumerate() {
        progress.check()?;
        entries.sort_unstable_by_key(|entry| entry.0.and(mask));
        for bucket in entries.chunk_by_mut(|left, right| left.0.and(mask) == right.0.and(mask)) {
            if bucket.len() > 1 {
                sum += across(bucket) - shared(bucket, &masks[..number], progress)?;
            }
        }
    }
    Ok(sum)
}

fn shared_by_pairs<B: Bits>(entries: &[(B, u64)], masks: &[B]) -> u64 {
    let nothing = B::from_wide(0);
    let mut sum = 0;
    for (at, &(value, copies)) in entries.iter().enumerate() {
        for &(other, others) in &entries[at + 1..] {
            let xor = value.xor(other);
            if masks.iter().any(|&mask| xor.and(mask) == nothing) {
                sum += copies * others;
            }
        }
    }
    sum
}
