//! Equal values brought together: into parts small enough to be sorted within the cache.
//!
//! Numbers are scattered by a hash of their values, and only they: 4 bytes each, however wide the values.
//! A part's values are fetched again when it is looked at. Some 20 ns a value, half of it the sorting.
//! Copies of one value are in one part, which takes its word and 4 bytes a copy, and half as much again
//! while it is sorted.

use super::radix::STRIDE;
use crate::{
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// Values to a part, about.
const PART: usize = 1 << 12;
/// More parts than 2^11 would not be scattered to in one go.
const MOST_PART_BITS: u32 = 11;

/// The numbers of all values there are, equal ones in one part.
pub(super) struct Alike<F> {
    value: F,
    numbers: Vec<u32>,
    /// Where each part ends.
    ends: Vec<usize>,
}

impl<F> Alike<F> {
    /// Scatters the numbers below `n`; those without a value are left out.
    ///
    /// # Errors
    /// [`Cancelled`] if told to stop; noticed within milliseconds.
    ///
    /// # Panics
    /// If there are 2^32 or more.
    pub(super) fn new<B: Bits>(n: usize, value: F, progress: &Progress) -> Result<Self, Cancelled>
    where
        F: Fn(u32) -> Option<B>,
    {
        let n = u32::try_from(n).expect("fewer than 2^32 values");
        let n_bits = (n as usize / PART).max(1).ilog2().min(MOST_PART_BITS);
        let part = |number| Some(part_of(value(number)?, n_bits));
        let strides =
            || (0..n).step_by(STRIDE).map(|from| from..n.min(from.saturating_add(STRIDE as u32)));
        let mut ends = vec![0_usize; 1 << n_bits];
        for stride in strides() {
            progress.check()?;
            stride.filter_map(part).for_each(|part| ends[part] += 1);
        }
        let mut n_values = 0;
        for end in &mut ends {
            n_values += std::mem::replace(end, n_values);
        }
        let mut numbers = vec![0; n_values];
        for stride in strides() {
            progress.check()?;
            for number in stride {
                if let Some(part) = part(number) {
                    numbers[ends[part]] = number;
                    ends[part] += 1;
                }
            }
        }
        Ok(Self { value, numbers, ends })
    }

    /// Number of parts.
    pub(super) fn n_parts(&self) -> usize {
        self.ends.len()
    }

    /// The values of a part with their numbers, by value, then by number, in place of what is in `rows`.
    ///
    /// # Errors
    /// [`Cancelled`] if told to stop.
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
        // A part is only large where there are copies, and few different values are quick to sort.
        rows.sort_by_key(|row| row.0);
        progress.check()
    }
}

/// The part of a value: the upper bits of a product, which depend on all of its own.
#[inline]
fn part_of<B: Bits>(value: B, n_bits: u32) -> usize {
    let wide = value.to_wide();
    let mixed =
        (wide as u64 ^ ((wide >> 64) as u64).rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32 >> (32 - n_bits)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_are_in_one_part_by_number() {
        for (n, different) in [(0, 1), (1, 1), (50_000, 20_000), (50_000, 3)] {
            let value = |number: u32| {
                let mixed = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
                (!number.is_multiple_of(7)).then_some(mixed % different)
            };
            let alike = Alike::new(n as usize, value, &Progress::new()).unwrap();
            let (mut found, mut rows) = (Vec::new(), Vec::new());
            for part in 0..alike.n_parts() {
                alike.read_part(part, &mut rows, &Progress::new()).unwrap();
                let runs = rows.chunk_by(|one, other| one.0 == other.0);
                found.extend(runs.map(<[_]>::to_vec));
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
