//! The format of a file: as requested, otherwise by its extension, otherwise by its first bytes.

use serde::de::IgnoredAny;

use super::fields::RowError;
use super::options::InputFormat;

/// The format of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DetectedFormat {
    Text,
    Lines,
    Jsonl,
    /// Rows with this delimiter.
    Delimited(u8),
    Fingerprints,
}

/// The facts about an input that are known before it is read.
pub(super) struct FormatHints<'a> {
    /// The format that the user requested.
    pub(super) asked: InputFormat,
    /// The file's name.
    pub(super) name: &'a str,
    /// The first bytes, decoded.
    pub(super) head: &'a [u8],
    /// Whether `head` is the whole input.
    pub(super) head_is_all: bool,
    /// Whether it is a pipe. Plain text from a pipe is read as lines, because a single document would have no
    /// neighbour.
    pub(super) is_stream: bool,
    /// The delimiter that the user requested.
    pub(super) delimiter: Option<u8>,
}

/// Decides the format of a file.
///
/// # Errors
/// The problem, for JSON that does not have one object on each line.
pub(super) fn decide(hints: &FormatHints<'_>) -> Result<DetectedFormat, RowError> {
    let csv =
        || DetectedFormat::Delimited(hints.delimiter.unwrap_or_else(|| delimiter(hints.head)));
    let tsv = || DetectedFormat::Delimited(hints.delimiter.unwrap_or(b'\t'));
    match hints.asked {
        InputFormat::Text => return Ok(DetectedFormat::Text),
        InputFormat::Lines => return Ok(DetectedFormat::Lines),
        InputFormat::Jsonl => return Ok(DetectedFormat::Jsonl),
        InputFormat::Csv => return Ok(csv()),
        InputFormat::Tsv => return Ok(tsv()),
        InputFormat::Fingerprints => return Ok(DetectedFormat::Fingerprints),
        InputFormat::Auto => {}
    }
    match extension(hints.name).as_str() {
        "jsonl" | "ndjson" => return Ok(DetectedFormat::Jsonl),
        "csv" => return Ok(csv()),
        "tsv" | "tab" => return Ok(tsv()),
        "json" if hints.head.trim_ascii_start().starts_with(b"[") => {
            return Err(RowError::new(
                "one JSON array, not one object on each line",
                "write it with jq -c '.[]'",
            ));
        }
        _ => {}
    }
    if begins_with_an_object(hints.head, hints.head_is_all) {
        return Ok(DetectedFormat::Jsonl);
    }
    Ok(if hints.is_stream { DetectedFormat::Lines } else { DetectedFormat::Text })
}

/// The delimiter that occurs most often outside quotes in the first row; a comma if there is none.
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
    // The first of equally frequent delimiters.
    let most = counts.iter().max().copied().unwrap_or(0);
    KNOWN[counts.iter().position(|count| *count == most).unwrap_or(0)]
}

/// Whether these bytes begin a WARC file: records of a web crawl, each with a header.
#[cfg(feature = "formats")]
pub(super) fn is_warc(head: &[u8]) -> bool {
    head.starts_with(b"WARC/0.") || head.starts_with(b"WARC/1.")
}

/// Whether these bytes begin an Arrow stream: a marker, the length of its schema, and the schema.
#[cfg(feature = "columnar")]
pub(super) fn is_arrow_stream(head: &[u8]) -> bool {
    let [0xff, 0xff, 0xff, 0xff, length @ .., _, _, _, _] = head.get(..12).unwrap_or_default()
    else {
        return false;
    };
    let length = u32::from_le_bytes(length.try_into().unwrap_or_default());
    // The length of the schema is a small multiple of eight.
    length > 0 && length < 1 << 24 && length.is_multiple_of(8)
}

/// Whether a file holds rows, according to the requested format or its name.
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

/// The extension in lower case, without extensions for compression.
pub(super) fn extension(name: &str) -> String {
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

/// Whether the first line is a JSON object, or begins like one if the line is longer than `head`.
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
    fn a_first_line_longer_than_the_head_may_still_be_an_object() {
        let long = format!("{{\"text\":\"{}", "a".repeat(200));
        assert_eq!(decided("a", long.as_bytes(), false), DetectedFormat::Jsonl);
        let long = format!("{{{}", "a".repeat(200));
        assert_eq!(decided("a", long.as_bytes(), false), DetectedFormat::Text);
    }

    #[test]
    fn the_requested_format_comes_first() {
        let hints = FormatHints {
            delimiter: None,
            asked: InputFormat::Lines,
            name: "a.jsonl",
            head: b"{}",
            head_is_all: true,
            is_stream: false,
        };
        assert_eq!(decide(&hints), Ok(DetectedFormat::Lines));
    }
}
