//! Loads and stores of 512-bit vectors, and prefetching.
#![expect(
    unsafe_code,
    reason = "loads and stores of arrays, which are as long as they say, and a prefetch"
)]

use std::arch::x86_64::{
    __m256i, __m512i, _MM_HINT_T0, _mm_prefetch, _mm256_loadu_si256, _mm512_loadu_si512,
    _mm512_maskz_loadu_epi8, _mm512_storeu_si512,
};

/// A whole number: any bytes are a valid one, and it has no padding.
pub(super) trait Number: Copy {}

impl Number for u8 {}
impl Number for u32 {}
impl Number for u64 {}

/// Loads numbers that fill a vector.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load<T: Number, const N: usize>(numbers: &[T; N]) -> __m512i {
    const { assert!(size_of::<[T; N]>() == 64, "numbers fill a vector") };
    // SAFETY: the array is 64 readable bytes; the instruction needs no alignment.
    unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) }
}

/// Loads up to 64 bytes; the other bytes of the vector are 0.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn load_some_bytes(bytes: &[u8]) -> __m512i {
    let filled = if bytes.len() < 64 { (1 << bytes.len()) - 1 } else { u64::MAX };
    // SAFETY: lanes that are not filled are not read.
    unsafe { _mm512_maskz_loadu_epi8(filled, bytes.as_ptr().cast()) }
}

/// Loads numbers that fill half a vector.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load_half<T: Number, const N: usize>(numbers: &[T; N]) -> __m256i {
    const { assert!(size_of::<[T; N]>() == 32, "numbers fill half a vector") };
    // SAFETY: the array is 32 readable bytes; the instruction needs no alignment.
    unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) }
}

/// Stores the numbers of a vector.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn store<T: Number, const N: usize>(numbers: &mut [T; N], vector: __m512i) {
    const { assert!(size_of::<[T; N]>() == 64, "numbers fill a vector") };
    // SAFETY: the array is 64 writable bytes; the instruction needs no alignment.
    unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), vector) };
}

/// The eight words of a vector.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn words(vector: __m512i) -> [u64; 8] {
    let mut words = [0; 8];
    store(&mut words, vector);
    words
}

/// Starts loading `item` into the cache.
#[inline]
pub(super) fn prefetch<T>(item: &T) {
    // SAFETY: every processor of this kind has the instruction; it reads no value, and no address makes it fail.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) };
}
