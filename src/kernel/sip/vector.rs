//! Hashes eight slices at once, one in each lane.
//!
//! A slice has one round for each of its words; a shorter slice waits for the longest. Words are loaded four at a
//! time and transposed, so that each vector holds the same word of all slices.
#![expect(unsafe_code, reason = "a call behind a check of the processor")]

use std::arch::x86_64::{
    __m512i, __mmask8, _mm512_add_epi64, _mm512_and_si512, _mm512_castsi256_si512,
    _mm512_cmpeq_epu64_mask, _mm512_cmple_epu64_mask, _mm512_cvtepu32_epi64, _mm512_inserti64x4,
    _mm512_mask_and_epi64, _mm512_mask_mov_epi64, _mm512_mask_or_epi64, _mm512_mask_xor_epi64,
    _mm512_rol_epi64, _mm512_set1_epi64, _mm512_setzero_si512, _mm512_shuffle_i64x2,
    _mm512_slli_epi64, _mm512_sllv_epi64, _mm512_srli_epi64, _mm512_sub_epi64,
    _mm512_unpackhi_epi64, _mm512_unpacklo_epi64, _mm512_xor_si512,
};

use super::Sip13;
use crate::kernel::isa::{Isa, Level};
use crate::kernel::{Slices, simd};

/// Slices hashed at once.
const LANES: usize = 8;
/// Words of a slice that are loaded at once.
const WORDS: usize = 4;
/// The bytes of these words.
const LOADED: usize = 8 * WORDS;
const _: () = assert!(LOADED <= Sip13::PADDING, "words after a slice are loaded too");

/// Appends the hash of each slice to `hashes` and returns true, if the level is AVX-512.
///
/// # Panics
/// If there are fewer than [`Sip13::PADDING`] bytes after the last slice.
#[inline]
pub(super) fn hash_each(start: [u64; 4], slices: Slices<'_>, hashes: &mut Vec<u64>) -> bool {
    let has_avx512 = Isa::get().level() == Level::Avx512;
    if has_avx512 {
        // SAFETY: an `Isa` of this level exists only where the processor has the instructions.
        unsafe { each(start, slices, hashes) };
    }
    has_avx512
}

#[target_feature(enable = "avx512f")]
fn each(start: [u64; 4], slices: Slices<'_>, hashes: &mut Vec<u64>) {
    let Slices { bytes, starts, ends, gap } = slices;
    let last_end = ends.last().map_or(0, |&end| (end - gap) as usize);
    assert!(
        last_end + Sip13::PADDING <= bytes.len() || ends.is_empty(),
        "the buffer has padding after the slices"
    );
    debug_assert!(
        ends.is_sorted() && starts.iter().zip(ends).all(|(start, end)| start + gap <= *end),
        "slices in order, none that ends before it begins"
    );
    let state = start.map(|word| _mm512_set1_epi64(word as i64));
    hashes.reserve(starts.len());
    let (eights, rest) = starts.as_chunks::<LANES>();
    let (ends_of_eights, ends_of_rest) = ends.as_chunks::<LANES>();
    for (starts, ends) in eights.iter().zip(ends_of_eights) {
        hashes.extend_from_slice(&eight(state, bytes, starts, ends, gap));
    }
    if let (Some(&start), Some(&end)) = (rest.last(), ends_of_rest.last()) {
        // The last eight are filled up with copies of the last slice, whose hashes are dropped.
        let (mut starts, mut ends) = ([start; LANES], [end; LANES]);
        starts[..rest.len()].copy_from_slice(rest);
        ends[..rest.len()].copy_from_slice(ends_of_rest);
        hashes.extend_from_slice(&eight(state, bytes, &starts, &ends, gap)[..rest.len()]);
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn eight(
    start: [__m512i; 4],
    bytes: &[u8],
    starts: &[u32; LANES],
    ends: &[u32; LANES],
    gap: u32,
) -> [u64; LANES] {
    let wide = |numbers: &[u32; LANES]| _mm512_cvtepu32_epi64(simd::load_half(numbers));
    let all = |number: i64| _mm512_set1_epi64(number);
    let lengths = _mm512_sub_epi64(wide(ends), _mm512_add_epi64(wide(starts), all(gap.into())));
    let n_whole = _mm512_srli_epi64::<3>(lengths);
    // The last word holds the remaining 0 to 7 bytes, and the length in its top byte.
    let left = _mm512_slli_epi64::<3>(_mm512_and_si512(lengths, all(7)));
    let tail = _mm512_sub_epi64(_mm512_sllv_epi64(all(1), left), all(1));
    let length = _mm512_slli_epi64::<56>(lengths);

    let mut state = start;
    let (mut number, mut offset) = (_mm512_setzero_si512(), 0);
    while _mm512_cmple_epu64_mask(number, n_whole) != 0 {
        for word in load(bytes, starts, offset) {
            let is_last = _mm512_cmpeq_epu64_mask(number, n_whole);
            let word = _mm512_mask_and_epi64(word, is_last, word, tail);
            let word = _mm512_mask_or_epi64(word, is_last, word, length);
            state = take(state, word, _mm512_cmple_epu64_mask(number, n_whole));
            number = _mm512_add_epi64(number, all(1));
        }
        offset += LOADED;
    }
    state[2] = _mm512_xor_si512(state[2], all(0xff));
    for _ in 0..3 {
        state = round(state);
    }
    let [a, b, c, d] = state;
    simd::words(_mm512_xor_si512(_mm512_xor_si512(a, b), _mm512_xor_si512(c, d)))
}

/// The next words of each slice; a vector holds the same word of all slices. Words after the end of a slice hold
/// the bytes that follow it in the buffer.
#[inline]
#[target_feature(enable = "avx512f")]
fn load(bytes: &[u8], starts: &[u32; LANES], offset: usize) -> [__m512i; WORDS] {
    // A lane that waits may be past the end of the buffer; any bytes will do for it.
    let last = bytes.len() - LOADED;
    let words = |lane: usize| {
        let at = (starts[lane] as usize + offset).min(last);
        simd::load_half(bytes[at..].first_chunk::<LOADED>().expect("four words"))
    };
    let two = |low, high| _mm512_inserti64x4::<1>(_mm512_castsi256_si512(words(low)), words(high));
    // Transposed in two steps; lanes are paired so that the result is in order.
    let (a, b, c, d) = (two(0, 2), two(1, 3), two(4, 6), two(5, 7));
    let (even, odd) = (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
    let (later_even, later_odd) = (_mm512_unpacklo_epi64(c, d), _mm512_unpackhi_epi64(c, d));
    [
        _mm512_shuffle_i64x2::<0x88>(even, later_even),
        _mm512_shuffle_i64x2::<0x88>(odd, later_odd),
        _mm512_shuffle_i64x2::<0xdd>(even, later_even),
        _mm512_shuffle_i64x2::<0xdd>(odd, later_odd),
    ]
}

/// Updates the state of the lanes in `open` with a word.
#[inline]
#[target_feature(enable = "avx512f")]
fn take([a, b, c, d]: [__m512i; 4], word: __m512i, open: __mmask8) -> [__m512i; 4] {
    let taken = round([a, b, c, _mm512_xor_si512(d, word)]);
    [
        _mm512_mask_xor_epi64(a, open, taken[0], word),
        _mm512_mask_mov_epi64(b, open, taken[1]),
        _mm512_mask_mov_epi64(c, open, taken[2]),
        _mm512_mask_mov_epi64(d, open, taken[3]),
    ]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn round([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    let a = _mm512_add_epi64(a, b);
    let c = _mm512_add_epi64(c, d);
    let b = _mm512_xor_si512(_mm512_rol_epi64::<13>(b), a);
    let d = _mm512_xor_si512(_mm512_rol_epi64::<16>(d), c);
    let a = _mm512_rol_epi64::<32>(a);
    let c = _mm512_add_epi64(c, b);
    let a = _mm512_add_epi64(a, d);
    let b = _mm512_xor_si512(_mm512_rol_epi64::<17>(b), c);
    let d = _mm512_xor_si512(_mm512_rol_epi64::<21>(d), a);
    let c = _mm512_rol_epi64::<32>(c);
    [a, b, c, d]
}
