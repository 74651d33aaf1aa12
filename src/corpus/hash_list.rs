//! Fingerprints and hashed features that stand in place of a text.
//!
//! Fingerprints are written as other programs do it: hex, or decimal with and without a sign. Hex is handed on as it
//! stands; a decimal number becomes hex behind `0x`, which may have fewer digits than a fingerprint. A number below
//! zero is the two's complement of 64 bits, as languages without unsigned numbers have it.
//!
//! Hashed features are what another program made of a text, a hash and a weight each. A row has them as JSON:
//! `[1, 3, 3]`, where a hash counts as often as it is there; `[[1, 0.5], [3, 2]]` or `[{"hash": 1, "weight": 0.5}]`
//! with weights; or `{"1": 0.5, "0x3": 2}`. A cell or a string holds the same.

use serde_json::{Map, Value};

use super::content::Content;
use super::fields::RowError;
use super::options::{FingerprintType, LoadOptions};
use super::pattern::Pattern;
use super::record_format::{CopyFormat, Parsed, RecordFormat};

/// The largest sum of the weights of a document: as a multiple of 2^-20 it stays far within 64 bits.
const MOST_WEIGHT: f64 = 1e12;

const REMEDY: &str = "write [hash, ..], [[hash, weight], ..] or {hash: weight, ..}, a hash of 64 bits as a number or in quotes";

/// The hashed features in this JSON; none where it is empty or null. `place` is its field in messages.
///
/// # Errors
/// The first element that is no hash with a weight.
pub(super) fn hashes(json: &str, place: &str) -> Result<Content, RowError> {
    let problem = |problem: String| RowError::new(format!("{place}: {problem}"), REMEDY);
    if json.trim().is_empty() {
        return Ok(Content::Hashes(Vec::new()));
    }
    let mut value: Value =
        serde_json::from_str(json).map_err(|error| problem(format!("broken JSON: {error}")))?;
    if let Value::String(inside) = &value {
        value = serde_json::from_str(inside).map_err(|_| problem("it is no list".to_owned()))?;
    }
    let hashes: Result<Vec<_>, String> = match &value {
        Value::Null => Ok(Vec::new()),
        Value::Array(list) => {
            let numbered = (1..).zip(list);
            let read = |(at, element)| feature(element).map_err(|it| format!("element {at}: {it}"));
            numbered.map(read).collect()
        }
        Value::Object(object) => {
            object.iter().map(|(key, weight)| Ok((hash_in(key)?, weight_of(weight)?))).collect()
        }
        other => Err(format!("it is {}, and no list", shortened(&other.to_string()))),
    };
    let mut hashes = hashes.map_err(problem)?;
    let sum: f64 = hashes.iter().map(|(_, weight)| weight).sum();
    if sum > MOST_WEIGHT {
        let remedy = "divide all of them by the same number: only their ratios count";
        return Err(RowError::new(
            format!("{place}: its weights add up to more than 10^12"),
            remedy,
        ));
    }
    // A power of two changes no ratio, and small weights keep their bits.
    let most = hashes.iter().map(|(_, weight)| *weight).fold(0.0, f64::max);
    if 0.0 < most && most < 1.0 {
        let up = most.log2().floor().abs().min(1000.0).exp2();
        for (_, weight) in &mut hashes {
            *weight *= up;
        }
    }
    Ok(Content::Hashes(hashes))
}

/// An element of a list.
fn feature(element: &Value) -> Result<(u64, f64), String> {
    match element {
        Value::Array(pair) => match pair.as_slice() {
            [hash, weight] => Ok((hash_of(hash)?, weight_of(weight)?)),
            other => Err(format!("{} values, and not a hash and its weight", other.len())),
        },
        Value::Object(pair) => {
            Ok((named(pair, "hash", hash_of)?, named(pair, "weight", weight_of)?))
        }
        hash => Ok((hash_of(hash)?, 1.0)),
    }
}

/// A field of an element.
fn named<T>(
    pair: &Map<String, Value>,
    name: &str,
    read: impl Fn(&Value) -> Result<T, String>,
) -> Result<T, String> {
    pair.get(name).ok_or_else(|| format!("no \"{name}\"")).and_then(read)
}

fn hash_of(value: &Value) -> Result<u64, String> {
    match value {
        Value::String(text) => hash_in(text),
        Value::Number(number) => hash_in(&number.to_string()),
        other => Err(no_hash(&other.to_string())),
    }
}

/// The hash in a string: decimal, with a sign or without, or hex behind `0x`.
fn hash_in(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let hash = match text.strip_prefix("0x").filter(|digits| !digits.starts_with('+')) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => decimal(text),
    };
    hash.ok_or_else(|| no_hash(text))
}

fn no_hash(found: &str) -> String {
    format!("{} is no hash of 64 bits", shortened(found))
}

fn weight_of(value: &Value) -> Result<f64, String> {
    let weight = value.as_f64().filter(|weight| weight.is_finite() && *weight >= 0.0);
    weight.ok_or_else(|| format!("{} is no weight from 0 up", shortened(&value.to_string())))
}

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

    fn read(json: &str) -> Result<Vec<(u64, f64)>, String> {
        match hashes(json, "it") {
            Ok(Content::Hashes(hashes)) => Ok(hashes),
            Ok(other) => Err(format!("{other:?}")),
            Err(row_error) => Err(row_error.problem),
        }
    }

    #[test]
    fn hashes_are_numbers_or_strings_with_a_weight_or_without() {
        let all = [(1, 0.5), (u64::MAX, 2.0)];
        for json in [
            "[[1,0.5],[18446744073709551615,2]]",
            r#"[["1",0.5],["0xffffffffffffffff",2]]"#,
            "[[1,0.5],[-1,2]]",
            r#"{"1":0.5,"18446744073709551615":2}"#,
            r#"[{"hash":1,"weight":0.5},{"weight":2,"hash":-1}]"#,
            r#""[[1,0.5],[-1,2.0]]""#,
        ] {
            assert_eq!(read(json).as_deref(), Ok(&all[..]), "{json}");
        }
        assert_eq!(read("[3,1,3]"), Ok(vec![(3, 1.0), (1, 1.0), (3, 1.0)]));
        for json in ["[]", "{}", "null", "", " "] {
            assert_eq!(read(json), Ok(vec![]), "{json}");
        }
    }

    #[test]
    fn weights_below_one_are_scaled_up_together() {
        assert_eq!(read("[[1,0.25],[2,0.0625]]"), Ok(vec![(1, 1.0), (2, 0.25)]));
        assert_eq!(read("[[1,0],[2,0]]"), Ok(vec![(1, 0.0), (2, 0.0)]));
        let tiny = read("[[1,1e-300],[2,3e-300]]").unwrap();
        assert!(tiny[1].1 >= 1.0 && tiny[1].1 < 2.0 && tiny[0].1 > 0.3, "{tiny:?}");
        let least = read("[[1,5e-324]]").unwrap();
        assert!(least[0].1 > 0.0 && least[0].1.is_finite(), "{least:?}");
    }

    #[test]
    fn what_is_no_hash_is_said() {
        for (json, problem) in [
            ("[1,1.5]", "element 2: 1.5 is no hash of 64 bits"),
            ("[18446744073709551616]", "element 1: 1.8446744073709552e+19 is no hash of 64 bits"),
            (r#"["ff"]"#, "element 1: ff is no hash of 64 bits"),
            (r#"["0x10000000000000000"]"#, "element 1: 0x10000000000000000 is no hash of 64 bits"),
            (r#"["0x+1"]"#, "element 1: 0x+1 is no hash of 64 bits"),
            ("[[1]]", "element 1: 1 values, and not a hash and its weight"),
            ("[[1,-1]]", "element 1: -1 is no weight from 0 up"),
            (r#"[[1,"2"]]"#, "element 1: \"2\" is no weight from 0 up"),
            (r#"[{"hash":1}]"#, "element 1: no \"weight\""),
            (r#"{"tide":1}"#, "tide is no hash of 64 bits"),
            ("7", "it is 7, and no list"),
            ("[1", "broken JSON: EOF while parsing a list at line 1 column 2"),
            ("[[1,1e400]]", "broken JSON: number out of range at line 1 column 9"),
            (r#""tide""#, "it is no list"),
            ("[[1,1e12],[2,1]]", "its weights add up to more than 10^12"),
        ] {
            assert_eq!(read(json), Err(format!("it: {problem}")), "{json}");
        }
    }

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
