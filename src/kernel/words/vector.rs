//! The words of 64 bytes without a branch for each word.
//!
//! A table look-up gives the class of every byte, a test gives the mask of each class, and a dozen operations on
//! masks give the bytes that are in words. One instruction moves these bytes and the blank after each word
//! together, and another finds the starts of the words.
#![expect(unsafe_code, reason = "a call carried a check of the processor")]

use std::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_castsi512_si128, _mm512_cvtepu8_epi32,
    _mm512_extracti32x4_epi32, _mm512_mask_mov_epi8, _mm512_maskz_compress_epi8,
    _mm512_permutex2var_epi8, _mm512_set1_epi8, _mm512_set1_epi32, _mm512_ternarylogic_epi64,
    _mm512_test_epi8_mask, _pext_u64,
};

use super::BLOCK;
use crate::kernel::isa::{Isa, Level};
use crate::kernel::simd;

/// The most words that can begin in a block.
const MOST_WORDS: usize = BLOCK / 2;

/// The number of starts for which space is added at a time.
const STARTS_AT_ONCE: usize = 64 * MOST_WORDS;

// The class of a byte: at most one bit, except for punctuation that joins both letters and digits, and for
// capitals.
const LETTER: u8 = 1;
const DIGIT: u8 = 2;
const JOIN: u8 = 4;
const HOLDS_LETTERS: u8 = 8;
const HOLDS_DIGITS: u8 = 16;
/// A capital letter; setting this bit makes it a small letter.
const CAPITAL: u8 = 32;

/// The class of every ASCII byte.
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

/// The numbers from 0 to 63.
const NUMBERS: [u8; BLOCK] = {
    let mut numbers = [0; BLOCK];
    let mut number = 0;
    while number < BLOCK {
        numbers[number] = number as u8;
        number += 1;
    }
    numbers
};

/// See [`super::pack`]. Returns `None`, and writes no word, below the level AVX-512, or if the text may hold a
/// run of only `_`, which is not a word.
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
    let classes = CLASSES.map(|half| simd::load(&half));
    let numbers = simd::load(&NUMBERS);
    let capital = _mm512_set1_epi8(if lower { CAPITAL as i8 } else { 0 });

    let n_before = starts.len();
    let mut n = n_before;
    let mut before = Before::default();
    for (number, block) in text.chunks(BLOCK).enumerate() {
        let bytes = simd::load_some_bytes(block);
        let class = _mm512_permutex2var_epi8(classes[0], bytes, classes[1]);
        let next = text.get((number + 1) * BLOCK).map_or(0, |&byte| class_of(byte));
        let Some(BlockWords { words, begins, ends }) = find(class, next, &mut before) else {
            starts.truncate(n_before);
            return None;
        };
        // bytes | class & capital
        let bytes = _mm512_ternarylogic_epi64::<0xf8>(bytes, class, capital);
        let bytes = _mm512_mask_mov_epi8(bytes, ends, _mm512_set1_epi8(b' ' as i8));
        let kept = words | ends;
        let packed = _mm512_maskz_compress_epi8(kept, bytes);
        simd::store(buffer[filled..].first_chunk_mut::<BLOCK>().expect("room"), packed);

        if starts.len() < n + MOST_WORDS {
            starts.resize(n + STARTS_AT_ONCE, 0);
        }
        let places = _mm512_maskz_compress_epi8(_pext_u64(begins, kept), numbers);
        let first = _mm512_set1_epi32(filled as i32);
        let places = [_mm512_castsi512_si128(places), _mm512_extracti32x4_epi32::<1>(places)]
            .map(|places| _mm512_add_epi32(_mm512_cvtepu8_epi32(places), first));
        let (room, _) = starts[n..].as_chunks_mut::<16>();
        simd::store(&mut room[0], places[0]);
        simd::store(&mut room[1], places[1]);

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

/// The class of the byte before a block; each field is 0 or 1.
#[derive(Default)]
struct Before {
    word: u64,
    letter: u64,
    digit: u64,
}

/// The words of a block, one bit for each byte.
struct BlockWords {
    words: u64,
    /// The first bytes of words.
    begins: u64,
    /// The bytes after words.
    ends: u64,
}

/// Finds the words of a block; `next` is the class of the byte after it. Returns `None` if a word may consist
/// only of `_`.
#[inline]
#[target_feature(enable = "avx512bw")]
fn find(class: __m512i, next: u8, before: &mut Before) -> Option<BlockWords> {
    let is = |class_bit: u8| _mm512_test_epi8_mask(class, _mm512_set1_epi8(class_bit as i8));
    let (letters, digits, joins) = (is(LETTER), is(DIGIT), is(JOIN));
    let next_is = |class_bit: u8| u64::from(next & class_bit != 0) << (BLOCK - 1);
    let between =
        |kind: u64, before: u64, class_bit| (kind << 1 | before) & (kind >> 1 | next_is(class_bit));
    let held = is(HOLDS_LETTERS) & between(letters, before.letter, LETTER)
        | is(HOLDS_DIGITS) & between(digits, before.digit, DIGIT);
    let words = letters | digits | joins | held;
    let shifted = words << 1 | before.word;
    let (begins, ends) = (words & !shifted, !words & shifted);
    if begins & joins != 0 {
        // Adding the start of a run of `_` that begins a word carries through the run, and sets the bit after it.
        let (carried, overflow) = joins.overflowing_add(begins & joins);
        if overflow || carried & !joins & !words != 0 {
            return None;
        }
    }
    let last = |kind: u64| kind >> (BLOCK - 1);
    *before = Before { word: last(words), letter: last(letters), digit: last(digits) };
    Some(BlockWords { words, begins, ends })
}
