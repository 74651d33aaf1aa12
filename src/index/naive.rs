//! The slow twin of all searches: compares all pairs.
//!
//! It is so simple that it is probably right, and tests compare the other searches with it. Costs n(n-1)/2
//! comparisons.

use rayon::prelude::*;

use super::pair::Pair;
use crate::{
    kernel::hamming,
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// Every pair of `values` at most `k` bits apart, each once, nearest first, then by `a` and `b`.
///
/// Exact for any k; equal values are reported at distance 0. `progress` counts comparisons. Parallel over rows.
///
/// # Errors
/// [`Cancelled`] if cancelled; checked once for each row.
///
/// # Panics
/// If there are 2^32 values or more.
pub fn all_pairs<B: Bits>(
    values: &[B],
    k: u32,
    progress: &Progress,
) -> Result<Vec<Pair>, Cancelled> {
    let n = values.len() as u64;
    progress.begin(n * n.saturating_sub(1) / 2);
    let n = u32::try_from(values.len()).expect("fewer than 2^32 entries");
    let pairs_of = |a: u32| {
        progress.check()?;
        let mut pairs = Vec::new();
        let later = &values[a as usize + 1..];
        hamming::near(values[a as usize], later, k, |place, distance| {
            pairs.push(Pair { a, b: a + 1 + place as u32, distance });
        });
        progress.add(later.len() as u64);
        Ok(pairs)
    };
    let found = (0..n).into_par_iter().map(pairs_of).collect::<Result<Vec<_>, Cancelled>>()?;
    let mut pairs = found.concat();
    pairs.sort_unstable();
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_a_handful_by_hand() {
        let values = [0b0000_u64, 0b0001, 0b0011, 0b1111, 0b0000];
        let pair = |a, b, distance| Pair { a, b, distance };
        let expected = [pair(0, 4, 0), pair(0, 1, 1), pair(1, 2, 1), pair(1, 4, 1)];
        assert_eq!(all_pairs(&values, 1, &Progress::new()).unwrap(), expected);
    }
}
