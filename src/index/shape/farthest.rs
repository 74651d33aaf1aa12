//! The diameter of a group: the distance of its two members that are farthest apart.
//!
//! A few sweeps from member to farthest member give a lower bound, which is often all that is asked. For up to
//! [`EXACT_UP_TO`] fingerprints all pairs are compared, 2e8 comparisons, a third of a second on one core; for more
//! fingerprints the distance of the sweeps is reported, as a lower bound.

use rayon::prelude::*;

use crate::progress::{Cancelled, Progress};
use crate::simhash::Bits;

/// The largest number of distinct fingerprints of at most 64 bits whose diameter is exact.
const EXACT_UP_TO: usize = 20_000;
/// The largest number of distinct fingerprints of more than 64 bits whose diameter is exact: there a comparison
/// costs twenty times as much.
const WIDE_EXACT_UP_TO: usize = 5_000;
/// The number of sweeps, each from the end of the one before. More sweeps rarely find a larger distance.
const SWEEPS: usize = 6;

/// The largest distance of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Farthest {
    /// The number of differing bits; 0 if there is only one value.
    pub distance: u32,
    /// Whether it is certain that no two values are farther apart.
    pub is_exact: bool,
}

/// The distance of the two of `values` that are farthest apart.
///
/// Exact up to 20,000 values, or 5,000 above 64 bits, and whenever two values differ in
/// all bits that vary. The result does not depend on the number of threads.
///
/// # Errors
/// [`Cancelled`] if cancelled.
///
/// # Panics
/// If there is no value.
pub fn farthest<B: Bits>(values: &[B], progress: &Progress) -> Result<Farthest, Cancelled> {
    let varying = values.iter().fold(0, |any, value| any | (*value ^ values[0]).to_wide());
    let bound = sweep(values);
    let is_exact = bound == varying.count_ones();
    let exact_up_to = if B::CAPACITY > u64::BITS { WIDE_EXACT_UP_TO } else { EXACT_UP_TO };
    if is_exact || values.len() > exact_up_to {
        return Ok(Farthest { distance: bound, is_exact });
    }
    let of_row = |row: usize| {
        progress.check()?;
        let others = values[row + 1..].iter().map(|other| values[row].distance(*other));
        Ok(others.max().unwrap_or(0))
    };
    let rows = (0..values.len()).into_par_iter().map(of_row);
    let distance = rows.try_reduce(|| bound, |one, other| Ok(one.max(other)))?;
    Ok(Farthest { distance, is_exact: true })
}

/// Goes from the first value to the farthest from it, from there to the farthest from that, and so on while the
/// distance grows.
fn sweep<B: Bits>(values: &[B]) -> u32 {
    let (mut from, mut found) = (values[0], 0);
    for _ in 0..SWEEPS {
        let mut far = (0, from);
        for &other in values {
            far = if from.distance(other) > far.0 { (from.distance(other), other) } else { far };
        }
        if far.0 <= found {
            break;
        }
        (found, from) = far;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_values_give_a_lower_bound_unless_every_bit_that_varies_differs() {
        let progress = Progress::new();
        let n = EXACT_UP_TO as u64 + 1;
        let spread: Vec<u64> = (0..n).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let bound = farthest(&spread, &progress).unwrap();
        assert!(!bound.is_exact && bound.distance >= 40, "{bound:?}");
        let exact = farthest(&spread[..EXACT_UP_TO], &progress).unwrap();
        assert!(exact.is_exact && exact.distance >= bound.distance, "{exact:?}");
        let counted: Vec<u64> = (0..1 << 15).collect();
        let whole = farthest(&counted, &progress).unwrap();
        assert_eq!((whole.distance, whole.is_exact), (15, true));
    }
}
