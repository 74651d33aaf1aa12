//! The words of 64 bytes in one go.
//!
//! A look-up gives the class of every byte, a test of it the mask of each class, and a dozen steps on masks
//! say which bytes are in words. Those and the byte behind each word, now a blank, are then moved together
//! by one instruction, and another finds where words begin: no step is a question about one word.
#![expect(unsafe_code, reason = "a call behind a check of the processor")]

use std::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_castsi512_si128, _mm512_cvtepu8_epi32,
    _mm512_extracti32x4_epi32, _mm512_mask_mov_epi8, _mm512_maskz_compress_epi8,
    _mm512_permutex2var_epi8, _mm512_set1_epi8, _mm512_set1_epi32, _mm512_ternarylogic_epi64,
    _mm512_test_epi8_mask, _pext_u64,
};

use super::BLOCK;
use crate::kernel::{
    isa::{Isa, Level},
    simd,
};

/// The most words that begin in a block.
const MOST: usize = BLOCK / 2;

/// Room for beginnings that is made at a time.
const STARTS: usize = 64 * MOST;

// The class of a byte: one of these at most, but for a mark that joins both letters and digits.
const LETTER: u8 = 1;
const DIGIT: u8 = 2;
const JOIN: u8 = 4;
const HOLDS_LETTERS: u8 = 8;
const HOLDS_DIGITS: u8 = 16;
/// A letter that is large; the same bit makes it small.
const CAPITAL: u8 = 32;

/// The class of every byte of ASCII.
const CLASSES: [[u8; BLOCK]; 2] = {
    let mut classes = [[0; BLOCK]; 2];
    let mut byte = 0;
    while byte < 128 {
        classes[byte / BLOCK][byte % BLOCK] = match byte as u8 {
            b'A'..=b'Z' => LETTER | CAPITAL,
            b'a'..=b'z' => LETTER,
            b'0'..=b'9' => DIGIT,
            b'_' => JOIN,
            b'\'' | b'.' => HOLDS_LETTERS | HOLDS_DIGITS,
            b':' => HOLDS_LETTERS,
            b',' | b';' => HOLDS_DIGITS,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

/// The numbers from 0 on.
const NUMBERS: [u8; BLOCK] = {
    let mut numbers = [0; BLOCK];
    let mut number = 0;
    while number < BLOCK {
        numbers[number] = number as u8;
        number += 1;
    }
    numbers
};

/// See [`super::pack`]. `None`, and nothing is done, below the level AVX-512, or where the text may hold a
/// run of nothing but `_`, which is not a word.
#[inline]
pub(super) fn pack(
    text: &[u8],
    lower: bool,
    buffer: &mut [u8],
    filled: usize,
    starts: &mut Vec<u32>,
) -> Option<usize> {
    if Isa::get().level() != Level::Avx512 {
        return None;
    }
    // SAFETY: an `Isa` of this level exists only where the processor has the instructions.
    unsafe { pack_all(text, lower, buffer, filled, starts) }
}

#[target_feature(enable = "avx512bw,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn pack_all(
    text: &[u8],
    lower: bool,
    buffer: &mut [u8],
    mut filled: usize,
    starts: &mut Vec<u32>,
) -> Option<usize> {
    let classes = CLASSES.map(|half| simd::load_bytes(&half));
    let numbers = simd::load_bytes(&NUMBERS);
    let capital = _mm512_set1_epi8(if lower { CAPITAL as i8 } else { 0 });

    let n_before = starts.len();
    let mut n = n_before;
    let mut before = Before::default();
    for (number, block) in text.chunks(BLOCK).enumerate() {
        let bytes = simd::load_some_bytes(block);
        let class = _mm512_permutex2var_epi8(classes[0], bytes, classes[1]);
        let next = text.get((number + 1) * BLOCK).map_or(0, |&byte| class_of(byte));
        let Some(Found { words, begins, ends }) = find(class, next, &mut before) else {
            starts.truncate(n_before);
            return None;
        };
        // bytes | class & capital
        let bytes = _mm512_ternarylogic_epi64::<0xf8>(bytes, class, capital);
        let bytes = _mm512_mask_mov_epi8(bytes, ends, _mm512_set1_epi8(b' ' as i8));
        let kept = words | ends;
        let packed = _mm512_maskz_compress_epi8(kept, bytes);
        simd::store_bytes(buffer[filled..].first_chunk_mut().expect("room"), packed);

        if starts.len() < n + MOST {
            starts.resize(n + STARTS, 0);
        }
        let places = _mm512_maskz_compress_epi8(_pext_u64(begins, kept), numbers);
        let first = _mm512_set1_epi32(filled as i32);
        let places = [_mm512_castsi512_si128(places), _mm512_extracti32x4_epi32::<1>(places)]
            .map(|places| _mm512_add_epi32(_mm512_cvtepu8_epi32(places), first));
        let (room, _) = starts[n..].as_chunks_mut();
        simd::store_numbers(&mut room[0], places[0]);
        simd::store_numbers(&mut room[1], places[1]);

        n += begins.count_ones() as usize;
        filled += kept.count_ones() as usize;
    }
    if before.word != 0 {
        buffer[filled] = b' ';
        filled += 1;
    }
    starts.truncate(n);
    Some(filled)
}

fn class_of(byte: u8) -> u8 {
    CLASSES[usize::from(byte) / BLOCK % 2][usize::from(byte) % BLOCK]
}

/// The class of the byte before a block: 1 or 0 each.
#[derive(Default)]
struct Before {
    word: u64,
    letter: u64,
    digit: u64,
}

/// The words of a block, a bit a byte.
struct Found {
    words: u64,
    /// The first bytes of words.
    begins: u64,
    /// The bytes after words.
    ends: u64,
}

/// `next` is the class of the byte behind the block. `None` where a word may be nothing but `_`.
#[inline]
#[target_feature(enable = "avx512bw")]
fn find(class: __m512i, next: u8, before: &mut Before) -> Option<Found> {
    let is = |what: u8| _mm512_test_epi8_mask(class, _mm512_set1_epi8(what as i8));
    let (letters, digits, joins) = (is(LETTER), is(DIGIT), is(JOIN));
    let next_is = |what: u8| u64::from(next & what != 0) << (BLOCK - 1);
    let between = |kind: u64, before: u64, what| (kind << 1 | before) & (kind >> 1 | next_is(what));
    let held = is(HOLDS_LETTERS) & between(letters, before.letter, LETTER)
        | is(HOLDS_DIGITS) & between(digits, before.digit, DIGIT);
    let words = letters | digits | joins | held;
    let shifted = words << 1 | before.word;
    let (begins, ends) = (words & !shifted, !words & shifted);
    if begins & joins != 0 {
        // A carry runs through each row of `_` that begins a word, and comes out behind it.
        let (behind, beyond) = joins.overflowing_add(begins & joins);
        if beyond || behind & !joins & !words != 0 {
            return None;
        }
    }
    let last = |kind: u64| kind >> (BLOCK - 1);
    *before = Before { word: last(words), letter: last(letters), digit: last(digits) };
    Some(Found { words, begins, ends })
}
