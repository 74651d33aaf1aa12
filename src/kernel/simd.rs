//! Arrays to vectors of 512 bits and back, and prefetching.
#![expect(
    unsafe_code,
    reason = "loads and stores of arrays, which are as long as they say, and a prefetch"
)]

use std::arch::x86_64::{
    __m256i, __m512i, _MM_HINT_T0, _mm_prefetch, _mm256_loadu_si256, _mm512_loadu_si512,
    _mm512_maskz_loadu_epi8, _mm512_storeu_si512,
};

/// 64 bytes.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load_bytes(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: the array is 64 readable bytes; the instruction asks for no alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// Up to 64 bytes, and zeros after them.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn load_some_bytes(bytes: &[u8]) -> __m512i {
    let filled = if bytes.len() < 64 { (1 << bytes.len()) - 1 } else { u64::MAX };
    // SAFETY: lanes that are not filled are not read.
    unsafe { _mm512_maskz_loadu_epi8(filled, bytes.as_ptr().cast()) }
}

/// Eight words.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load_words(words: &[u64; 8]) -> __m512i {
    // SAFETY: the array is 64 readable bytes; the instruction asks for no alignment.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

/// Sixteen folds.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load_folds(folds: &[u32; 16]) -> __m512i {
    // SAFETY: the array is 64 readable bytes; the instruction asks for no alignment.
    unsafe { _mm512_loadu_si512(folds.as_ptr().cast()) }
}

/// 32 bytes.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load_half(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: the array is 32 readable bytes; the instruction asks for no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// Eight numbers of 32 bits.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load_numbers(numbers: &[u32; 8]) -> __m256i {
    // SAFETY: the array is 32 readable bytes; the instruction asks for no alignment.
    unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) }
}

/// All 64 bytes of a vector.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn store_bytes(bytes: &mut [u8; 64], vector: __m512i) {
    // SAFETY: the array is 64 writable bytes; the instruction asks for no alignment.
    unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), vector) };
}

/// The sixteen numbers of a vector.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn store_numbers(numbers: &mut [u32; 16], vector: __m512i) {
    // SAFETY: the array is 64 writable bytes; the instruction asks for no alignment.
    unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), vector) };
}

/// The eight words of a vector.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn words(vector: __m512i) -> [u64; 8] {
    let mut words = [0; 8];
    // SAFETY: the array is 64 writable bytes; the instruction asks for no alignment.
    unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), vector) };
    words
}

/// Asks the memory for what is going to be read soon.
#[inline]
pub(super) fn prefetch<T>(item: &T) {
    // SAFETY: the instruction is there on every processor of this kind, reads nothing, and fails at no
    // address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) };
}
