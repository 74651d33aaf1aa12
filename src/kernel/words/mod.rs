//! UAX #29 words of ASCII text, 64 bytes at a time.
//!
//! Most text is ASCII, and only a few rules of the annex apply to ASCII characters: letters, digits and `_`
//! belong together; `'` and `.` join two letters or two digits, `:` two letters, `,` and `;` two digits. So each
//! block of bytes is turned into a mask of the bytes that are in words, and the runs of this mask are the words.
//! This is about ten times as fast as the general tables, and with AVX-512 thirty times; property tests compare
//! both versions with the tables. Source: Unicode Standard Annex #29, rules WB5 to WB13.

use std::ops::Range;

#[cfg(target_arch = "x86_64")]
mod vector;

/// Bytes in a block: one for each bit of a mask.
const BLOCK: usize = 64;

/// Bytes that a buffer for the words of a text must have in addition to the length of the text.
pub(crate) const PADDING: usize = BLOCK + 1;

/// Words of up to this many bytes, which are nearly all words, are copied by one copy of fixed length.
const SHORT: usize = 16;

/// Copies the words of `text`, in lower case if `lower`, each followed by a blank, to `buffer` from `filled` on,
/// and appends their starts to `starts`. Returns the end of the last blank; bytes after it may have changed too.
///
/// # Panics
/// If `buffer` has fewer than the length of the text plus [`PADDING`] bytes from `filled` on; in debug builds, if
/// the text is not ASCII.
#[inline]
pub(crate) fn pack(
    text: &[u8],
    lower: bool,
    buffer: &mut [u8],
    filled: usize,
    starts: &mut Vec<u32>,
) -> usize {
    debug_assert!(text.is_ascii(), "only ASCII has so few rules");
    #[cfg(target_arch = "x86_64")]
    if let Some(filled) = vector::pack(text, lower, buffer, filled, starts) {
        return filled;
    }
    pack_plain(text, lower, buffer, filled, starts)
}

fn pack_plain(
    text: &[u8],
    lower: bool,
    buffer: &mut [u8],
    mut filled: usize,
    starts: &mut Vec<u32>,
) -> usize {
    let from = filled;
    for_each(text, |place| {
        starts.push(filled as u32);
        filled = copy_word(text, place, buffer, filled) + 1;
    });
    if lower {
        buffer[from..filled].make_ascii_lowercase();
    }
    filled
}

/// Copies the word at `place` of `text` and a blank after it to `buffer` from `filled` on; returns the end of the
/// word.
///
/// # Panics
/// If `buffer` is too small for [`SHORT`] bytes, or for the word and a blank.
#[inline]
pub(crate) fn copy_word(
    text: &[u8],
    place: Range<usize>,
    buffer: &mut [u8],
    filled: usize,
) -> usize {
    let end = filled + place.len();
    match text.get(place.start..place.start + SHORT) {
        // A copy of fixed length is two instructions; the bytes after the word are overwritten later.
        Some(more) if place.len() <= SHORT => {
            buffer[filled..filled + SHORT].copy_from_slice(more);
        }
        _ => buffer[filled..end].copy_from_slice(&text[place]),
    }
    buffer[end] = b' ';
    end
}

/// Calls `word` with the byte range of every word of `text`, in order.
///
/// # Panics
/// In debug builds, if `text` is not ASCII.
#[inline]
pub(crate) fn for_each(text: &[u8], mut word: impl FnMut(Range<usize>)) {
    debug_assert!(text.is_ascii(), "only ASCII has so few rules");
    // The start of the current word, and 1 if the byte before the block is in it.
    let (mut start, mut inside) = (0, 0);
    let (blocks, rest) = text.as_chunks::<BLOCK>();
    // The last block is never full, so it ends in a space, and its last word ends in it.
    let mut last = [b' '; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    for (number, block) in blocks.iter().chain([&last]).enumerate() {
        let first = number * BLOCK;
        let Masks { mut words, marks } = masks(block);
        // Single punctuation marks after a word and before a word, as far as this block shows.
        let mut single = marks & (words << 1 | inside) & (words >> 1 | 1 << (BLOCK - 1));
        while single != 0 {
            let at = single.trailing_zeros() as usize;
            words |= u64::from(joins_at(text, first + at)) << at;
            single &= single - 1;
        }
        let shifted = words << 1 | inside;
        let (mut starts, mut ends) = (words & !shifted, !words & shifted);
        let mut next_start = || {
            let at = first + starts.trailing_zeros() as usize;
            starts &= starts.wrapping_sub(1);
            at
        };
        if inside == 0 {
            start = next_start();
        }
        while ends != 0 {
            let end = first + ends.trailing_zeros() as usize;
            // `_` is part of words, but alone it is not a word.
            if text[start] != b'_' || text[start..end].iter().any(|&byte| byte != b'_') {
                word(start..end);
            }
            ends &= ends - 1;
            start = next_start();
        }
        inside = words >> (BLOCK - 1);
    }
}

/// Whether the punctuation mark at `at` joins the characters before and after it into one word.
fn joins_at(text: &[u8], at: usize) -> bool {
    let (Some(before), Some(after)) = (text.get(at.wrapping_sub(1)), text.get(at + 1)) else {
        return false;
    };
    let letters = before.is_ascii_alphabetic() && after.is_ascii_alphabetic();
    let digits = before.is_ascii_digit() && after.is_ascii_digit();
    match text[at] {
        b'\'' | b'.' => letters || digits,
        b':' => letters,
        b',' | b';' => digits,
        _ => false,
    }
}

/// The classes of the bytes of a block; bit 0 is the first byte.
struct Masks {
    /// Letters, digits and `_`.
    words: u64,
    /// Visible bytes that are not in `words`: punctuation.
    marks: u64,
}

/// Classifies eight bytes at once, each in its lane of a word: adding to a byte below 128 sets its high bit if
/// the byte reaches a bound, and never changes the next lane.
#[inline]
fn masks(block: &[u8; BLOCK]) -> Masks {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const fn reaches(bytes: u64, bound: u8) -> u64 {
        bytes.wrapping_add((0x80 - bound as u64) * EACH)
    }
    let (mut words, mut shown) = (0, 0);
    for (lane, bytes) in block.as_chunks::<8>().0.iter().enumerate() {
        let bytes = u64::from_le_bytes(*bytes);
        let lower = bytes | (0x20 * EACH);
        let letters = reaches(lower, b'a') & !reaches(lower, b'z' + 1);
        let digits = reaches(bytes, b'0') & !reaches(bytes, b'9' + 1);
        let joins = reaches(bytes, b'_') & !reaches(bytes, b'_' + 1);
        words |= high_bits(letters | digits | joins) << (8 * lane);
        shown |= high_bits(reaches(bytes, b'!')) << (8 * lane);
    }
    Masks { words, marks: shown & !words }
}

/// The high bits of eight bytes, moved together into the low eight bits.
#[inline]
fn high_bits(bytes: u64) -> u64 {
    (bytes >> 7 & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;

    use super::*;
    use crate::kernel::isa::tests::at_every_level;

    /// A buffer and starts that already have a word.
    fn packed(text: &str, lower: bool) -> (String, Vec<u32>) {
        let mut buffer = vec![b'?'; 4 + text.len() + PADDING];
        let mut starts = vec![0];
        let filled = pack(text.as_bytes(), lower, &mut buffer, 4, &mut starts);
        (String::from_utf8(buffer[4..filled].to_vec()).unwrap(), starts)
    }

    proptest! {
        #[test]
        fn words_are_those_of_the_annex(
            pieces in proptest::collection::vec("[a-zA-Z]{1,9}|[0-9]{1,3}|[_'.:,; -]|[\\x00-\\x7f]", 0..150),
            lower: bool,
        ) {
            let text = pieces.concat();
            let (mut expected, mut starts) = (String::new(), vec![0]);
            for word in text.unicode_words() {
                starts.push(4 + expected.len() as u32);
                expected += &if lower { word.to_lowercase() } else { word.to_owned() };
                expected.push(' ');
            }
            at_every_level(|| {
                prop_assert_eq!(packed(&text, lower), (expected.clone(), starts.clone()));
                Ok(())
            })?;
        }
    }

    #[test]
    fn no_word_is_nothing_but_joins_wherever_blocks_end() {
        for n in 0..BLOCK {
            for joins in ["_", "____", "_a", "a_", "_'_", "_1_"] {
                let text = format!("{} {joins} tide", "x".repeat(n));
                let expected: String = text.unicode_words().flat_map(|word| [word, " "]).collect();
                let same_at_level = || -> Result<(), ()> {
                    assert_eq!(packed(&text, false).0, expected);
                    Ok(())
                };
                at_every_level(same_at_level).unwrap();
            }
        }
    }
}
