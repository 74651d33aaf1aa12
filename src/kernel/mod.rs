//! The innermost loops, where one instruction does what takes dozens.
//!
//! ```text
//! words     the UAX #29 words of ASCII, 64 bytes at a time
//! sip       SipHash-1-3 of eight slices side by side
//! hamming   XOR and population count, tile by tile
//! ```
//!
//! Each is chosen by the processor: vectors of AVX-512, and as the safe twin, which property tests hold
//! them to, plain code for any. This is the only `unsafe` code of the crate: loads, stores and a fetch, all
//! in [`lanes`], and in each `vector` the calls of functions compiled for instructions that the processor
//! was seen to have.

use std::ops::AddAssign;

pub(crate) mod hamming;
#[cfg(target_arch = "x86_64")]
mod lanes;
pub(crate) mod sip;
mod slices;
pub(crate) mod words;

pub(crate) use slices::Slices;

/// Bytes that come from memory together.
const LINE: usize = 64;

/// Asks for what is going to be read soon, so that it need not be waited for.
#[inline]
#[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables, reason = "nobody to ask"))]
pub(crate) fn fetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    lanes::fetch(item);
}

/// Asks for all of `items`, line by line.
#[inline]
pub(crate) fn fetch_all<T>(items: &[T]) {
    items.iter().step_by((LINE / size_of::<T>().max(1)).max(1)).for_each(fetch);
}

/// Turns the sizes of buckets into their starts, and returns the sum of all sizes. Placing an item
/// advances the start of its bucket; when all are placed, each start has become an end.
pub(crate) fn exclusive_prefix_sum<N: Copy + Default + AddAssign>(sizes: &mut [N]) -> N {
    let mut sum = N::default();
    for size in sizes {
        sum += std::mem::replace(size, sum);
    }
    sum
}
