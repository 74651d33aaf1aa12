//! Fingerprints as other programs write them: hex, or decimal with and without a sign; and lists of them.
//!
//! Hex is handed on as it stands; a decimal number becomes hex behind `0x`, which may have fewer digits than a
//! fingerprint. A number below zero is the two's complement of 64 bits, as languages without unsigned numbers
//! have it.

use std::io::Read;

use super::batch_builder::{InputReading, LoadStop};
use super::blocks::LineBlocks;
use super::document::{Content, Record};
use super::options::FingerprintType;
use super::source::RecordKind;

/// The fingerprint that a string or cell holds; none where it is empty. A decimal number that is none stays as it
/// is, and is reported where it is read as hex.
pub(super) fn fingerprint(text: &str, written: FingerprintType) -> Content {
    let text = text.trim();
    let hex = match written {
        FingerprintType::Hex => None,
        // Both forms differ where they are written; either is read.
        FingerprintType::Uint64 | FingerprintType::Int64 => hex_of(text),
    };
    Content::Fingerprint(Some(hex.unwrap_or_else(|| text.to_owned())).filter(|it| !it.is_empty()))
}

/// A decimal number as `0x` and hex digits; `None` if it is no whole number of at most 128 bits, or below that of
/// 64 bits with a sign.
pub(super) fn hex_of(number: &str) -> Option<String> {
    if number.starts_with('-') {
        return number.parse().ok().map(|number: i64| format!("{number:#x}"));
    }
    // Some write a decimal of no places with a point.
    let whole = number.strip_suffix(".0").unwrap_or(number);
    whole.parse().ok().map(|number: u128| format!("{number:#x}"))
}

/// Reads every line of `input` as a fingerprint; empty lines are documents without one.
pub(super) fn read(
    input: impl Read,
    start: u64,
    is_pipe: bool,
    written: FingerprintType,
    reading: &mut InputReading<'_, '_>,
) -> Result<(), LoadStop> {
    let source = reading.source(RecordKind::Fingerprint(written));
    let mut blocks = LineBlocks::new(input, start, is_pipe, reading.limits.document);
    while let Some(block) = blocks.next()? {
        for line in block.iter() {
            reading.check()?;
            if line.too_long {
                reading.report_too_large(line.number);
                continue;
            }
            let content = fingerprint(&String::from_utf8_lossy(line.bytes), written);
            let (offset, length, number) = (line.offset, line.bytes.len(), line.number);
            let record = Record { offset, length, number, flags: content.flags(), id: None };
            reading.push(&source, &record, content)?;
        }
        blocks.give_back(block);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_numbers_become_hex() {
        let hex = |number: &str| hex_of(number);
        assert_eq!(hex("0").as_deref(), Some("0x0"));
        assert_eq!(hex("18446744073709551615").as_deref(), Some("0xffffffffffffffff"));
        assert_eq!(hex("-1").as_deref(), Some("0xffffffffffffffff"));
        assert_eq!(hex("-9223372036854775808").as_deref(), Some("0x8000000000000000"));
        assert_eq!(hex("9223372036854775808.0").as_deref(), Some("0x8000000000000000"));
        assert_eq!(hex("340282366920938463463374607431768211455").map(|hex| hex.len()), Some(34));
        for none in ["", "1.5", "1.8e19", "true", "-9223372036854775809", "0x10", "12a"] {
            assert_eq!(hex(none), None, "{none}");
        }
    }

    #[test]
    fn a_string_is_hex_unless_told_otherwise() {
        let read = |text: &str, written| match fingerprint(text, written) {
            Content::Fingerprint(hex) => hex,
            Content::Text(_) | Content::Hashes(_) => None,
        };
        assert_eq!(read(" 12 ", FingerprintType::Hex).as_deref(), Some("12"));
        assert_eq!(read("12", FingerprintType::Uint64).as_deref(), Some("0xc"));
        assert_eq!(read("-2", FingerprintType::Int64).as_deref(), Some("0xfffffffffffffffe"));
        assert_eq!(read("abc", FingerprintType::Int64).as_deref(), Some("abc"));
        assert_eq!(read("", FingerprintType::Int64), None);
    }
}
