//! The medoid: the member with the smallest sum of distances to all others.
//!
//! The distances from one member to all others can be summed bit by bit: each bit adds the number of documents in
//! which it differs. So the sums of all members cost O(members * bits), without comparing pairs.

use crate::simhash::Bits;

/// The value with the smallest sum of distances to all others, each weighted; the first of equally good values.
///
/// # Panics
/// If there is no value.
pub(super) fn medoid<B: Bits>(values: &[B], weights: &[u32]) -> u32 {
    let mut ones = vec![0_i64; B::CAPACITY as usize];
    let mut total = 0;
    for (value, &weight) in values.iter().zip(weights) {
        total += i64::from(weight);
        each_one(*value, |bit| ones[bit] += i64::from(weight));
    }
    // The sum of a value of zeros is the number of ones of all values. Every value has this constant in its sum,
    // so only the change by each of its own ones is computed.
    let sum = |value: &B| {
        let mut sum = 0;
        each_one(*value, |bit| sum += total - 2 * ones[bit]);
        sum
    };
    let (at, _) = (0..).zip(values).min_by_key(|(at, value)| (sum(value), *at)).expect("a value");
    at
}

/// Calls `each` with every bit that is set.
fn each_one<B: Bits>(value: B, mut each: impl FnMut(usize)) {
    let mut rest = value.to_wide();
    while rest != 0 {
        each(rest.trailing_zeros() as usize);
        rest &= rest - 1;
    }
}
