//! Turns JSON strings, as written in a line, into text.
//!
//! The parser finds where a string begins and ends. It would build a string with escapes byte by byte in a
//! separate buffer; this code writes it directly to the target. It gives up on anything that is not a valid
//! string, and the parser then reports the error. [`mended`] makes standard JSON of what Python writes beside it.

use memchr::memchr;

/// Appends the meaning of `escaped`, a JSON string without its quotes. Returns `None` if it is not valid; some
/// of it may have been appended then.
pub(super) fn unescape(escaped: &str, text: &mut String) -> Option<()> {
    let mut rest = escaped;
    while let Some(at) = memchr(b'\\', rest.as_bytes()) {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let letter = *rest.as_bytes().first()?;
        let (character, length) = match letter {
            b'"' | b'\\' | b'/' => (char::from(letter), 1),
            b'b' => ('\u{8}', 1),
            b'f' => ('\u{c}', 1),
            b'n' => ('\n', 1),
            b'r' => ('\r', 1),
            b't' => ('\t', 1),
            b'u' => match unit(rest.get(1..5)?)? {
                high @ 0xd800..=0xdbff => {
                    let low = unit(rest.get(5..11)?.strip_prefix("\\u")?)?;
                    let is_pair = (0xdc00..=0xdfff).contains(&low);
                    let pair = 0x10000 + ((high & 0x3ff) << 10 | low & 0x3ff);
                    (char::from_u32(pair).filter(|_| is_pair)?, 11)
                }
                alone => (char::from_u32(alone)?, 5),
            },
            _ => return None,
        };
        text.push(character);
        rest = &rest[length..];
    }
    text.push_str(rest);
    Some(())
}

/// Standard JSON for a line that has what Python writes beside it: `null` for a number that JSON lacks (`NaN`,
/// `Infinity`), U+FFFD for half of a surrogate pair. `None` if the line has neither.
pub(super) fn mended(line: &str) -> Option<String> {
    let (mut mended, mut done) = (String::new(), 0);
    let (mut at, mut is_quoted) = (0, false);
    while let Some(&byte) = line.as_bytes().get(at) {
        let rest = &line.as_bytes()[at..];
        let (length, instead) = match byte {
            b'"' => {
                is_quoted = !is_quoted;
                (1, "")
            }
            b'\\' if is_quoted => match (half(rest), rest.get(6..).and_then(half)) {
                (Some(Half::High), Some(Half::Low)) => (12, ""),
                (Some(_), _) => (6, "\\ufffd"),
                (None, _) => (2, ""),
            },
            b'N' | b'I' | b'-' if !is_quoted => {
                let names = [&b"NaN"[..], b"Infinity", b"-Infinity"];
                let name = names.into_iter().find(|name| rest.starts_with(name));
                name.map_or((1, ""), |name| (name.len(), "null"))
            }
            _ => (1, ""),
        };
        if !instead.is_empty() {
            mended.push_str(&line[done..at]);
            mended.push_str(instead);
            done = at + length;
        }
        at += length;
    }
    (done > 0).then(|| mended + &line[done..])
}

/// The halves of a surrogate pair.
enum Half {
    High,
    Low,
}

/// The half that an escape at the beginning stands for.
fn half(rest: &[u8]) -> Option<Half> {
    let &[b'\\', b'u', b'd' | b'D', third, fourth, fifth] = rest.get(..6)? else { return None };
    if ![fourth, fifth].iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    match third {
        b'8' | b'9' | b'a' | b'b' | b'A' | b'B' => Some(Half::High),
        b'c'..=b'f' | b'C'..=b'F' => Some(Half::Low),
        _ => None,
    }
}

/// Four hexadecimal digits.
fn unit(digits: &str) -> Option<u32> {
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::value::RawValue;

    use super::*;

    proptest! {
        /// Pieces of escapes, whole and broken, in any order.
        #[test]
        fn it_reads_what_the_parser_reads(
            pieces in prop::collection::vec(
                prop::sample::select(vec![
                    "a", "é", "😀", "\\n", "\\\\", "\\/", "\\\"", "\\b\\f\\r\\t", "\\u00e9", "\\uD83D",
                    "\\ude00", "\\ud83d\\uDE00", "\\u+041", "\\u12", "\\x", "\\", "\\u0000", "n",
                ]),
                0..8,
            ),
        ) {
            let escaped = pieces.concat();
            let quoted = format!("\"{escaped}\"");
            // `unescape` gets only the inside of one string.
            if serde_json::from_str::<&RawValue>(&quoted).is_err() {
                return Ok(());
            }
            let expected = serde_json::from_str::<String>(&quoted).ok();
            let mut text = String::new();
            let found = unescape(&escaped, &mut text).map(|()| text);
            prop_assert_eq!(found, expected, "{}", escaped);
        }
    }
}
