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
//!
//! Many slices of one buffer, as starts and ends.

pub(crate) mod hamming;
pub(crate) mod isa;
#[cfg(target_arch = "x86_64")]
mod simd;
pub(crate) mod sip;
pub(crate) mod words;

use std::ops::AddAssign;

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

/// Turns the sizes of buckets into their starts, and returns the sum of all sizes. Scattering an item advances
/// the start of its bucket; after the last item each start has become the end of its bucket.
pub(crate) fn exclusive_prefix_sum<N: Copy + Default + AddAssign>(sizes: &mut [N]) -> N {
    let mut sum = N::default();
    for size in sizes {
        sum += std::mem::replace(size, sum);
    }
    sum
}

/// Slices of a buffer; they may overlap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slices<'a> {
    /// The buffer.
    pub(crate) bytes: &'a [u8],
    /// The start of each slice.
    pub(crate) starts: &'a [u32],
    /// The end of each slice plus `gap`.
    pub(crate) ends: &'a [u32],
    /// The bytes between two tokens.
    pub(crate) gap: u32,
}

impl<'a> Slices<'a> {
    /// No slices.
    pub(crate) const NONE: Self = Self { bytes: &[], starts: &[], ends: &[], gap: 0 };

    /// The number of slices.
    pub(crate) fn len(self) -> usize {
        self.starts.len()
    }

    /// The slices in order.
    #[inline]
    pub(crate) fn iter(self) -> impl ExactSizeIterator<Item = &'a [u8]> {
        let Self { bytes, starts, ends, gap } = self;
        let slice =
            move |(&start, &end): (&u32, &u32)| &bytes[start as usize..(end - gap) as usize];
        starts.iter().zip(ends).map(slice)
    }

    /// The slices, `n` at a time.
    pub(crate) fn chunks(self, n: usize) -> impl Iterator<Item = Self> {
        let Self { bytes, starts, ends, gap } = self;
        let chunks = starts.chunks(n).zip(ends.chunks(n));
        chunks.map(move |(starts, ends)| Self { bytes, starts, ends, gap })
    }
}
