//! The format of a file: as the user says, else by its extension, else by its first bytes.

use serde::de::IgnoredAny;

use super::fields::RowError;
use super::options::InputFormat;

/// A format that has been decided on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DetectedFormat {
    Text,
    Lines,
    Jsonl,
    /// Rows with this delimiter.
    Delimited(u8),
    Fingerprints,
}

/// The facts known before reading.
pub(super) struct FormatHints<'a> {
    /// The format that the user asked for.
    pub(super) asked: InputFormat,
    /// The file's name.
    pub(super) name: &'a str,
    /// The first bytes, decoded.
    pub(super) head: &'a [u8],
    /// Whether `head` is everything.
    pub(super) head_is_all: bool,
    /// A pipe: as one document it would have no neighbour, so plain text is lines.
    pub(super) is_stream: bool,
    /// The delimiter that the user asked for.
    pub(super) delimiter: Option<u8>,
}

/// Decides how to read a file.
///
/// # Errors
/// A complaint for JSON that is not a line an object.
pub(super) fn decide(clues: &FormatHints<'_>) -> Result<DetectedFormat, RowError> {
    let csv =
        || DetectedFormat::Delimited(clues.delimiter.unwrap_or_else(|| delimiter(clues.head)));
    let tsv = || DetectedFormat::Delimited(clues.delimiter.unwrap_or(b'\t'));
    match clues.asked {
        InputFormat::Text => return Ok(DetectedFormat::Text),
        InputFormat::Lines => return Ok(DetectedFormat::Lines),
        InputFormat::Jsonl => return Ok(DetectedFormat::Jsonl),
        InputFormat::Csv => return Ok(csv()),
        InputFormat::Tsv => return Ok(tsv()),
        InputFormat::Fingerprints => return Ok(DetectedFormat::Fingerprints),
        InputFormat::Auto => {}
    }
    match extension(clues.name).as_str() {
        "jsonl" | "ndjson" => return Ok(DetectedFormat::Jsonl),
        "csv" => return Ok(csv()),
        "tsv" | "tab" => return Ok(tsv()),
        "json" if clues.head.trim_ascii_start().starts_with(b"[") => {
            return Err(RowError::new(
                "one JSON array, not an object a line",
                "write it with jq -c '.[]'",
            ));
        }
        _ => {}
    }
    if begins_with_an_object(clues.head, clues.head_is_all) {
        return Ok(DetectedFormat::Jsonl);
    }
    Ok(if clues.is_stream { DetectedFormat::Lines } else { DetectedFormat::Text })
}

/// The delimiter that the first row has most outside of quotes; a comma if it has none.
fn delimiter(head: &[u8]) -> u8 {
    const KNOWN: [u8; 4] = [b',', b';', b'\t', b'|'];
    let (mut counts, mut is_quoted) = ([0; KNOWN.len()], false);
    for &byte in head {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\n' if !is_quoted => break,
            _ if is_quoted => {}
            _ => {
                if let Some(at) = KNOWN.iter().position(|known| *known == byte) {
                    counts[at] += 1;
                }
            }
        }
    }
    // Of equal ones the first.
    let most = counts.iter().max().copied().unwrap_or(0);
    KNOWN[counts.iter().position(|count| *count == most).unwrap_or(0)]
}

/// Whether this is the beginning of a WARC file: pages of a web crawl, each behind a header.
#[cfg(feature = "formats")]
pub(super) fn is_warc(head: &[u8]) -> bool {
    head.starts_with(b"WARC/0.") || head.starts_with(b"WARC/1.")
}

/// Whether this is the beginning of an Arrow stream: a mark, the length of its schema, and the schema.
#[cfg(feature = "columnar")]
pub(super) fn is_arrow_stream(head: &[u8]) -> bool {
    let [0xff, 0xff, 0xff, 0xff, length @ .., _, _, _, _] = head.get(..12).unwrap_or_default()
    else {
        return false;
    };
    let length = u32::from_le_bytes(length.try_into().unwrap_or_default());
    // Metadata is a small multiple of eight.
    length > 0 && length < 1 << 24 && length.is_multiple_of(8)
}

/// Whether a file is one of rows by what was asked for, or by its name.
pub(super) fn holds_rows(asked: InputFormat, name: &str) -> bool {
    match asked {
        InputFormat::Auto => {
            matches!(extension(name).as_str(), "jsonl" | "ndjson" | "csv" | "tsv" | "tab")
        }
        InputFormat::Text => false,
        InputFormat::Lines
        | InputFormat::Jsonl
        | InputFormat::Csv
        | InputFormat::Tsv
        | InputFormat::Fingerprints => true,
    }
}

/// The extension in lower case, below any that say how the file is packed.
fn extension(name: &str) -> String {
    let mut name = name.to_ascii_lowercase();
    loop {
        let Some((stem, extension)) = name.rsplit_once('.') else {
            return String::new();
        };
        if !matches!(extension, "gz" | "gzip" | "zst" | "zstd" | "bz2" | "xz") {
            return extension.to_owned();
        }
        name = stem.to_owned();
    }
}

/// Whether the first line is a JSON object, or its beginning if it is longer than what is known.
fn begins_with_an_object(head: &[u8], head_is_all: bool) -> bool {
    let head = head.trim_ascii_start();
    if !head.starts_with(b"{") {
        return false;
    }
    let end = head.iter().position(|byte| *byte == b'\n');
    let is_whole = end.is_some() || head_is_all;
    match serde_json::from_slice::<IgnoredAny>(&head[..end.unwrap_or(head.len())]) {
        Ok(_) => true,
        Err(error) => !is_whole && error.is_eof(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(name: &str, head: &[u8], is_stream: bool) -> DetectedFormat {
        let head_is_all = head.len() < 100;
        let asked = InputFormat::Auto;
        decide(&FormatHints { asked, name, head, head_is_all, is_stream, delimiter: None }).unwrap()
    }

    #[test]
    fn the_extension_decides_then_the_content() {
        for (name, head, expected) in [
            ("a.jsonl", "plain", DetectedFormat::Jsonl),
            ("a.NDJSON.gz", "plain", DetectedFormat::Jsonl),
            ("a.csv.zst", "{}", DetectedFormat::Delimited(b',')),
            ("a.tab", "", DetectedFormat::Delimited(b'\t')),
            ("a.csv", "id;text, long;n\n1,2,3,4", DetectedFormat::Delimited(b';')),
            ("a.csv", "id|text\n", DetectedFormat::Delimited(b'|')),
            ("a.csv", "id\ttext", DetectedFormat::Delimited(b'\t')),
            ("a.csv", "\"a;b;c\",text", DetectedFormat::Delimited(b',')),
            ("a.csv", "text", DetectedFormat::Delimited(b',')),
            ("a.txt", "plain", DetectedFormat::Text),
            ("a.txt", "{\"text\":1}\n{\"text\":", DetectedFormat::Jsonl),
            ("json", "\n{\"text\":1}", DetectedFormat::Jsonl),
            ("a.json", "{\n \"text\": 1}", DetectedFormat::Text),
            ("a.gz", "{not json}", DetectedFormat::Text),
            (".gz", "{}", DetectedFormat::Jsonl),
        ] {
            assert_eq!(decided(name, head.as_bytes(), false), expected, "{name} {head}");
        }
        assert_eq!(decided("", b"plain", true), DetectedFormat::Lines);
    }

    #[test]
    fn a_first_line_longer_than_the_look_may_still_be_an_object() {
        let long = format!("{{\"text\":\"{}", "a".repeat(200));
        assert_eq!(decided("a", long.as_bytes(), false), DetectedFormat::Jsonl);
        let long = format!("{{{}", "a".repeat(200));
        assert_eq!(decided("a", long.as_bytes(), false), DetectedFormat::Text);
    }

    #[test]
    fn what_the_user_says_goes_before_all() {
        let clues = FormatHints {
            delimiter: None,
            asked: InputFormat::Lines,
            name: "a.jsonl",
            head: b"{}",
            head_is_all: true,
            is_stream: false,
        };
        assert_eq!(decide(&clues), Ok(DetectedFormat::Lines));
    }
}
