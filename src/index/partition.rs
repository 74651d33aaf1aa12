//! Distributes tasks to all threads: a thread that has finished takes the next task.
//!
//! Rayon divides a loop into halves of halves, and idle threads take pieces that have not started. If tasks reuse
//! memory, these pieces must be few, and a slow piece keeps one thread busy when all others have finished. Here
//! each thread allocates its memory once, and at the end the other threads wait for at most one task. Costs one
//! atomic addition for each task.
//!
//! Groups equal values: scatters values into parts small enough to be sorted within the cache.
//!
//! One pass counts the values of each part, a prefix sum turns the counts into the starts of the parts, and a second
//! pass moves every number to its part.
//!
//! Only the numbers of the values are scattered, by a hash of the values: 4 bytes each, however wide the values
//! are. The values of a part are looked up again when the part is read. Costs about 20 ns for each value, half of
//! it for sorting. All copies of a value are in one part; each takes a word and 4 bytes, and half as much again
//! while the part is sorted.
//!
//! Source: Knuth, The Art of Computer Programming 3, section 5.2.5.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use crate::kernel::exclusive_prefix_sum;
use crate::progress::{Cancelled, Progress};
use crate::simhash::Bits;

/// Items between two checks for cancellation: well under a millisecond.
pub(crate) const STRIDE: usize = 1 << 16;

/// Calls `work` with each number below `n` and with the memory of its thread, which `memory` creates.
///
/// # Errors
/// An error that `work` returns; tasks that have not started are then dropped.
pub(crate) fn for_each_task<M, E: Send>(
    n: usize,
    memory: impl Fn() -> M + Sync,
    work: impl Fn(&mut M, usize) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let threads = (0..rayon::current_num_threads().min(n)).into_par_iter().with_max_len(1);
    threads.try_for_each(|_| {
        let mut memory = memory();
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= n {
                return Ok(());
            }
            work(&mut memory, number).inspect_err(|_| next.store(n, Relaxed))?;
        }
    })
}

/// The approximate number of values of a part.
const PART: usize = 1 << 12;
/// The largest number of parts is 2^11; more would be too many destinations to write to at once.
const MOST_PART_BITS: u32 = 11;

/// The numbers of values, in parts; equal values are in the same part.
pub(super) struct EqualValues<F> {
    value: F,
    /// The numbers, part by part, ascending in a part.
    numbers: Vec<u32>,
    /// The end of each part.
    ends: Vec<usize>,
}

/// Groups the entries of `values` by the bits of `mask`, so that entries with the same key of a table are
/// together.
///
/// # Errors
/// [`Cancelled`] if cancelled.
///
/// # Panics
/// If there are 2^32 values or more.
pub(super) fn equal_keys<B: Bits>(
    values: &[B],
    mask: u128,
    progress: &Progress,
) -> Result<EqualValues<impl Fn(u32) -> Option<B>>, Cancelled> {
    let mask = B::from_wide(mask);
    EqualValues::new(values.len(), move |entry| Some(values[entry as usize] & mask), progress)
}

impl<F> EqualValues<F> {
    /// Partitions the numbers below `n`; numbers without a value are left out.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled; checked every few milliseconds.
    ///
    /// # Panics
    /// If there are 2^32 values or more.
    pub(super) fn new<B: Bits>(n: usize, value: F, progress: &Progress) -> Result<Self, Cancelled>
    where
        F: Fn(u32) -> Option<B>,
    {
        let n = u32::try_from(n).expect("fewer than 2^32 values");
        let n_bits = (n as usize / PART).max(1).ilog2().min(MOST_PART_BITS);
        let part = |number| Some((part_of(value(number)?, n_bits), number));
        let chunks = || {
            let starts = (0..n).step_by(STRIDE);
            starts.map(|from| (from..n.min(from.saturating_add(STRIDE as u32))).filter_map(part))
        };
        let mut ends = vec![0; 1 << n_bits];
        for chunk in chunks() {
            progress.check()?;
            chunk.for_each(|(part, _)| ends[part] += 1);
        }
        let mut numbers = vec![0; exclusive_prefix_sum(&mut ends)];
        for chunk in chunks() {
            progress.check()?;
            for (part, number) in chunk {
                numbers[ends[part]] = number;
                ends[part] += 1;
            }
        }
        Ok(Self { value, numbers, ends })
    }

    /// The number of parts.
    pub(super) fn n_parts(&self) -> usize {
        self.ends.len()
    }

    /// Replaces `rows` with the values of a part and their numbers, sorted by value, then by number.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub(super) fn read_part<B: Bits>(
        &self,
        part: usize,
        rows: &mut Vec<(B, u32)>,
        progress: &Progress,
    ) -> Result<(), Cancelled>
    where
        F: Fn(u32) -> Option<B>,
    {
        let from = part.checked_sub(1).map_or(0, |before| self.ends[before]);
        let numbers = &self.numbers[from..self.ends[part]];
        rows.clear();
        rows.reserve_exact(numbers.len());
        for numbers in numbers.chunks(STRIDE) {
            progress.check()?;
            rows.extend(numbers.iter().filter_map(|&number| Some(((self.value)(number)?, number))));
        }
        // Only copies make a part large, and few distinct values are quick to sort.
        rows.sort_by_key(|row| row.0);
        progress.check()
    }
}

/// The runs of equal values in the rows of a part.
pub(super) fn runs_of_equal<B: Bits>(rows: &[(B, u32)]) -> impl Iterator<Item = &[(B, u32)]> {
    rows.chunk_by(|one, other| one.0 == other.0)
}

/// The part of a value: the upper bits of a product, which depend on all bits of the value.
#[inline]
fn part_of<B: Bits>(value: B, n_bits: u32) -> usize {
    let wide = value.to_wide();
    let mixed =
        (wide as u64 ^ ((wide >> 64) as u64).rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32 >> (32 - n_bits)) as usize
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn it_stops_when_told() {
        let progress = Progress::new();
        progress.cancel();
        assert!(EqualValues::new(1, |_| Some(1_u64), &progress).is_err());
    }

    #[test]
    fn each_task_is_done_once_and_none_after_an_error() {
        for n in [0, 1, 2, 1000] {
            let done = Mutex::new(Vec::new());
            let work = |count: &mut usize, number| {
                *count += 1;
                done.lock().unwrap().push(number);
                if *count == 600 { Err(number) } else { Ok(()) }
            };
            let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            let outcome = one_thread.install(|| for_each_task(n, || 0, work));
            assert_eq!(outcome, if n < 600 { Ok(()) } else { Err(599) });
            assert_eq!(done.into_inner().unwrap(), (0..n.min(600)).collect::<Vec<_>>());

            let done: Vec<AtomicUsize> = (0..n).map(|_| AtomicUsize::new(0)).collect();
            let count = |(): &mut (), number: usize| {
                done[number].fetch_add(1, Relaxed);
                Ok::<(), ()>(())
            };
            assert_eq!(for_each_task(n, || (), count), Ok(()));
            assert!(done.iter().all(|times| times.load(Relaxed) == 1));
        }
    }

    #[test]
    fn equal_values_are_in_one_part_by_number() {
        for (n, different) in [(0, 1), (1, 1), (50_000, 20_000), (50_000, 3)] {
            let value = |number: u32| {
                let mixed = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
                (!number.is_multiple_of(7)).then_some(mixed % different)
            };
            let equal = EqualValues::new(n as usize, value, &Progress::new()).unwrap();
            let (mut found, mut rows) = (Vec::new(), Vec::new());
            for part in 0..equal.n_parts() {
                equal.read_part(part, &mut rows, &Progress::new()).unwrap();
                found.extend(runs_of_equal(&rows).map(<[_]>::to_vec));
            }
            let mut expected: Vec<_> = (0..n).filter_map(|at| Some((value(at)?, at))).collect();
            expected.sort_unstable();
            let mut expected: Vec<_> =
                expected.chunk_by(|one, other| one.0 == other.0).map(<[_]>::to_vec).collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected);
        }
    }
}
