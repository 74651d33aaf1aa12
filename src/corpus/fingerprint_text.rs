//! Fingerprints as other programs write them: hex, or decimal with and without a sign; and lists of them.
//!
//! Hex is handed on as it stands; a decimal number becomes hex behind `0x`, which may have fewer digits than a
//! fingerprint. A number below zero is the two's complement of 64 bits, as languages without unsigned numbers
//! have it.

use super::content::Content;
use super::fields::RowError;
use super::options::{FingerprintType, LoadOptions};
use super::pattern::Pattern;
use super::record_format::{CopyFormat, Parsed, RecordFormat};

/// The fingerprint that a string or cell holds; none where it is empty.
///
/// # Errors
/// It is neither decimal, as it should be, nor hex behind `0x`.
pub(super) fn fingerprint(text: &str, written: FingerprintType) -> Result<Content, RowError> {
    let text = text.trim();
    let is_hex = written == FingerprintType::Hex
        || text.starts_with("0x")
        || text.starts_with("0X")
        || text.is_empty();
    let hex = if is_hex { Some(text.to_owned()) } else { hex_of(text) };
    let hex = hex.ok_or_else(|| {
        let problem = format!("fingerprint {:?} is no whole number of 64 bits", shortened(text));
        RowError::new(problem, "write it in decimal, or give `fp-type` hex")
    })?;
    Ok(Content::Fingerprint(Some(hex).filter(|it| !it.is_empty())))
}

/// A decimal number as `0x` and hex digits; `None` if it is no whole number of 64 bits.
pub(super) fn hex_of(number: &str) -> Option<String> {
    decimal(number).map(|number| format!("{number:#x}"))
}

/// A decimal number of 64 bits: those that differ with and without a sign differ where they are written, so either is
/// read.
pub(super) fn decimal(number: &str) -> Option<u64> {
    number.parse().ok().or_else(|| number.parse::<i64>().ok().map(|number| number as u64))
}

/// The beginning of a value, for a message.
pub(super) fn shortened(found: &str) -> &str {
    found.char_indices().nth(40).map_or(found, |(end, _)| &found[..end])
}

/// A line is a fingerprint; an empty one is a document without one.
impl RecordFormat for FingerprintType {
    fn parse(&self, bytes: &[u8], _: &LoadOptions, _: &mut String) -> Parsed {
        Ok(Some(fingerprint(&String::from_utf8_lossy(bytes), *self)?.into()))
    }

    fn may_hold(&self, bytes: &[u8], words: &Pattern) -> bool {
        words.is_in_bytes(bytes)
    }

    fn copy_format(&self) -> CopyFormat {
        CopyFormat::Lines
    }
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
        for none in [
            "",
            "1.5",
            "10.0",
            "1e3",
            "true",
            "18446744073709551616",
            "-9223372036854775809",
            "0x10",
            "0b11",
            "deadbeef",
        ] {
            assert_eq!(hex(none), None, "{none}");
        }
    }

    #[test]
    fn a_string_is_hex_unless_told_otherwise() {
        let read = |text: &str, written| match fingerprint(text, written) {
            Ok(Content::Fingerprint(hex)) => hex,
            Ok(Content::Text(_) | Content::Hashes(_)) => None,
            Err(row_error) => Some(row_error.problem),
        };
        assert_eq!(read(" 12 ", FingerprintType::Hex).as_deref(), Some("12"));
        assert_eq!(read("12", FingerprintType::Uint64).as_deref(), Some("0xc"));
        assert_eq!(read("-2", FingerprintType::Int64).as_deref(), Some("0xfffffffffffffffe"));
        assert_eq!(read("0xabc", FingerprintType::Int64).as_deref(), Some("0xabc"));
        let said = Some("fingerprint \"abc\" is no whole number of 64 bits");
        assert_eq!(read(" abc", FingerprintType::Int64).as_deref(), said);
        assert_eq!(read("", FingerprintType::Int64), None);
    }
}
