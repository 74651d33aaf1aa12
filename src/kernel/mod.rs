//! The innermost loops, where one vector instruction replaces dozens of scalar instructions.
//!
//! ```text
//! words     the UAX #29 words of ASCII, 64 bytes at a time
//! sip       SipHash-1-3 of eight slices side by side
//! hamming   XOR and population count, tile by tile
//! ```
//!
//! The level of the processor selects the version of each loop: see [`isa`]. Property tests compare every level
//! with the plain code, the slow twin. The `unsafe` code of this folder: loads, stores and a prefetch, all in
//! [`simd`], and calls of functions compiled for instructions whose presence an [`isa::Isa`] proves.

use std::ops::AddAssign;

pub(crate) mod hamming;
pub(crate) mod isa;
#[cfg(target_arch = "x86_64")]
mod simd;
pub(crate) mod sip;
mod slices;
pub(crate) mod words;

pub(crate) use slices::Slices;

/// The size of a cache line in bytes.
const LINE: usize = 64;

/// Starts loading `item` into the cache, because it will be read soon.
#[inline]
#[cfg_attr(
    not(target_arch = "x86_64"),
    expect(unused_variables, reason = "there is no portable prefetch")
)]
pub(crate) fn prefetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    simd::prefetch(item);
}

/// Starts loading all of `items` into the cache, one prefetch for each cache line.
#[inline]
pub(crate) fn prefetch_all<T>(items: &[T]) {
    items.iter().step_by((LINE / size_of::<T>().max(1)).max(1)).for_each(prefetch);
}

/// Turns the sizes of buckets into their starts, and returns the sum of all sizes. Scattering an item advances
/// the start of its bucket; after the last item each start has become the end of its bucket.
pub(crate) fn exclusive_prefix_sum<N: Copy + Default + AddAssign>(sizes: &mut [N]) -> N {
    let mut sum = N::default();
    for size in sizes {
        sum += std::mem::replace(size, sum);
    }
    sum
}
