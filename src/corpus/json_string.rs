//! Makes standard JSON of what Python writes beside it.

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
