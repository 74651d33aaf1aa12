//! The diameter of a group: its two members that are farthest apart.
//!
//! A value far from another is near its complement, so the search for near pairs also finds far ones. A few
//! sweeps from member to farthest member give a lower bound, then only pairs at least that far apart are
//! examined. For up to [`EXACT_UP_TO`] fingerprints, that is 2e8 comparisons, about 15 ms on one core with
//! AVX-512; for more fingerprints the distance of the sweeps is reported, as a lower bound.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use crate::{
    kernel::hamming::{self, Hit, TILE},
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// The largest number of distinct fingerprints of at most 64 bits whose diameter is exact.
pub const EXACT_UP_TO: usize = 20_000;
/// The largest number of distinct fingerprints of more than 64 bits whose diameter is exact: there a comparison
/// costs twenty times as much.
pub const WIDE_EXACT_UP_TO: usize = 5_000;
/// The number of sweeps, each from the end of the one before. More sweeps rarely find a larger distance.
const SWEEPS: usize = 6;

/// Two values and their distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Farthest {
    /// The first value.
    pub a: u32,
    /// The other value; the same if there is only one value.
    pub b: u32,
    /// The number of differing bits.
    pub distance: u32,
    /// Whether it is certain that no two values are farther apart.
    pub is_exact: bool,
}

/// The two of `values` that are farthest apart. If the result is exact, it is the first such pair by `a`, then
/// `b`.
///
/// Exact up to [`EXACT_UP_TO`] values, or [`WIDE_EXACT_UP_TO`] above 64 bits, and whenever the pair differs in
/// all bits that vary. The result does not depend on the number of threads.
///
/// # Errors
/// [`Cancelled`] if cancelled.
///
/// # Panics
/// If there is no value, or 2^32 or more.
pub fn farthest<B: Bits>(values: &[B], progress: &Progress) -> Result<Farthest, Cancelled> {
    let varying = values.iter().fold(0, |any, value| any | (*value ^ values[0]).to_wide());
    let bound = sweep(values);
    if bound.distance == varying.count_ones() && values.len() <= 2 {
        return Ok(bound);
    }
    let exact_up_to = if B::CAPACITY > u64::BITS { WIDE_EXACT_UP_TO } else { EXACT_UP_TO };
    if values.len() > exact_up_to {
        let is_exact = bound.distance == varying.count_ones();
        return Ok(Farthest { is_exact, ..bound });
    }
    let found = by_complements(values, varying, bound.distance, progress)?;
    let (a, b, distance) = found.expect("a pair at least as far as the bound one");
    Ok(Farthest { a, b, distance, is_exact: true })
}

/// Goes from the first value to the farthest from it, from there to the farthest from that, and so on while the
/// distance grows.
fn sweep<B: Bits>(values: &[B]) -> Farthest {
    let mut found = Farthest { a: 0, b: 0, distance: 0, is_exact: true };
    let mut from = 0;
    for _ in 0..SWEEPS {
        let value = values[from as usize];
        let mut far = (0, 0);
        for (at, other) in (0..).zip(values) {
            far = if value.distance(*other) > far.0 { (value.distance(*other), at) } else { far };
        }
        if far.0 <= found.distance {
            break;
        }
        found = Farthest { a: from.min(far.1), b: from.max(far.1), distance: far.0, ..found };
        from = far.1;
    }
    found
}

/// The first of the farthest pairs; `None` if all are nearer than `best`.
type Found = Option<(u32, u32, u32)>;

/// The farther of two pairs; the first of equally far pairs.
fn farther(left: Found, right: Found) -> Found {
    let key = |found: Found| found.map(|(a, b, distance)| (distance, !a, !b));
    if key(left) >= key(right) { left } else { right }
}

/// Compares tiles of values with complements: `a` and `!b` agree in the bits in which `a` and `b` differ. Of wide
/// words the low ones are compared, which agree at least as far. Pairs nearer than `best` may be left out.
fn by_complements<B: Bits>(
    values: &[B],
    varying: u128,
    best: u32,
    progress: &Progress,
) -> Result<Found, Cancelled> {
    let (best, n_varying) = (AtomicU32::new(best), varying.count_ones());
    let mut buffer = Vec::new();
    let words = B::low_words(values, &mut buffer);
    let complements: Vec<u64> = words.iter().map(|word| word ^ varying as u64).collect();
    let rows = (0..words.len()).into_par_iter().step_by(TILE);
    let tiles = rows.map_init(Vec::new, |hits: &mut Vec<Hit>, row| {
        let rows = &words[row..words.len().min(row + TILE)];
        let mut found = None;
        for column in (row..words.len()).step_by(TILE) {
            progress.check()?;
            hits.clear();
            let columns = &complements[column..words.len().min(column + TILE)];
            hamming::tile(rows, columns, n_varying - best.load(Relaxed), hits);
            for &(a, b) in hits.iter() {
                let (a, b) = (row as u32 + a, column as u32 + b);
                let distance = values[a as usize].distance(values[b as usize]);
                if a < b {
                    best.fetch_max(distance, Relaxed);
                    found = farther(found, Some((a, b, distance)));
                }
            }
        }
        Ok(found)
    });
    tiles.try_reduce(|| None, |left, right| Ok(farther(left, right)))
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
