//! The format of a file: as requested, otherwise by its extension, otherwise by its first bytes.

use std::borrow::Cow;

use serde::de::IgnoredAny;

use super::decode::decoded;
use super::fields::RowError;
use super::json_string::mended;
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
    let named = extension(hints.name);
    let is_table = matches!(named.as_str(), "csv" | "tsv" | "tab");
    let is_of_lines =
        hints.asked == InputFormat::Jsonl || matches!(named.as_str(), "jsonl" | "ndjson");
    let may_be_json =
        hints.asked == InputFormat::Jsonl || hints.asked == InputFormat::Auto && !is_table;
    let json = JsonHead::of(hints.head, hints.head_is_all);
    let refuse = |(what, remedy): NotLines| {
        let remedy = format!("{remedy}, or read it as text with `input-format` text");
        Err(RowError::new(format!("{what}, not JSON Lines"), remedy))
    };
    if may_be_json && let Some(other) = json.as_ref().and_then(|it| it.other(is_of_lines)) {
        return refuse(other);
    }
    match hints.asked {
        InputFormat::Text => return Ok(DetectedFormat::Text),
        InputFormat::Lines => return Ok(DetectedFormat::Lines),
        InputFormat::Jsonl => return Ok(DetectedFormat::Jsonl),
        InputFormat::Csv => return Ok(csv()),
        InputFormat::Tsv => return Ok(tsv()),
        InputFormat::Fingerprints => return Ok(DetectedFormat::Fingerprints),
        InputFormat::Auto => {}
    }
    match named.as_str() {
        "jsonl" | "ndjson" => return Ok(DetectedFormat::Jsonl),
        "csv" => return Ok(csv()),
        "tsv" | "tab" => return Ok(tsv()),
        _ => {}
    }
    if json.is_some_and(|it| it.begins_with_an_object()) {
        return Ok(DetectedFormat::Jsonl);
    }
    if let Some(other) = almost_json(hints.head, hints.head_is_all) {
        return refuse(other);
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

/// Whether a text of this name that begins with these bytes is an HTML page.
pub(super) fn is_page(name: &str, head: &[u8]) -> bool {
    let begin = head.trim_ascii_start();
    let begins_with =
        |tag: &[u8]| begin.get(..tag.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(tag));
    matches!(extension(name).as_str(), "html" | "htm" | "xhtml")
        || begins_with(b"<!doctype html")
        || begins_with(b"<html")
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

/// JSON that is not one object on each line, and how to make lines of it.
type NotLines = (&'static str, &'static str);

/// The objects, not one on each line or not quite JSON, that the first lines look like.
fn almost_json(head: &[u8], is_all: bool) -> Option<NotLines> {
    const SEPARATOR: char = '\u{1e}';
    let text = decoded(head);
    let lines = text
        .split_inclusive('\n')
        .filter(|line| !line.trim().is_empty())
        .map(|line| (line.trim().trim_start_matches(SEPARATOR), is_all || line.ends_with('\n')));
    let is_comment = |line: &str| line.starts_with('#') || line.starts_with("//");
    let n_comments = lines.clone().take_while(|(line, _)| is_comment(line)).count();
    let mut lines = lines.skip(n_comments);
    let (first, is_whole) = lines.next()?;
    if !looks_like_an_object(first, is_whole) {
        return None;
    }
    if n_comments > 0 {
        // A heading stands above other lines, too.
        let is_like = |(line, is_whole): (&str, bool)| {
            !is_whole || is_comment(line) || looks_like_an_object(line, true)
        };
        return lines.all(is_like).then_some(("a comment before JSON objects", "remove it"));
    }
    if text.trim_start().starts_with(SEPARATOR) {
        return Some(("JSON behind record separators", "remove them with tr -d '\\036'"));
    }
    if first.trim_start_matches(['[', '{', ' ']).starts_with('\'') {
        return Some(("Python dictionaries", "write each with json.dumps"));
    }
    Some(match first_value(first, is_whole) {
        Some((_, rest)) if rest.starts_with(',') => {
            ("JSON objects with commas between them", "remove the commas")
        }
        Some((_, rest)) if rest.starts_with('{') => {
            ("several JSON objects on a line", "make a line of each with jq -c . FILE")
        }
        _ => ("broken JSON on the first line", "mend it"),
    })
}

/// Whether a line begins like an object in JSON or Python, with the name of a field, and ends like one if it is whole.
fn looks_like_an_object(line: &str, is_whole: bool) -> bool {
    let line = line.trim_start_matches(['[', ' ']);
    let inside = line.strip_prefix('{').unwrap_or_default().trim_start();
    let mut parts = inside.splitn(3, if inside.starts_with('"') { '"' } else { '\'' });
    parts.next() == Some("")
        && parts.nth(1).is_some_and(|behind| behind.trim_start().starts_with(':'))
        && (!is_whole || line.trim_end_matches([',', ']', ' ']).ends_with('}'))
}

/// The first bytes of an input that may be JSON.
struct JsonHead<'a> {
    /// Without what Python writes beside standard JSON.
    text: Cow<'a, str>,
    is_all: bool,
}

impl<'a> JsonHead<'a> {
    fn of(head: &'a [u8], is_all: bool) -> Option<Self> {
        let head = head.trim_ascii_start();
        if !matches!(head.first(), Some(b'[' | b'{')) {
            return None;
        }
        let text = decoded(head);
        let text = mended(&text).map_or(text, Cow::Owned);
        Some(Self { text, is_all })
    }

    /// Whether the first line is an object, or begins like one if it is longer than the head.
    fn begins_with_an_object(&self) -> bool {
        let (line, is_whole) = match self.text.split_once('\n') {
            Some((line, _)) => (line, true),
            None => (&*self.text, self.is_all),
        };
        line.starts_with('{')
            && first_value(line, is_whole).is_some_and(|(_, rest)| rest.is_empty())
    }

    /// JSON that is not one object on each line, and how to make lines of it. An input that `is_of_lines` may have a
    /// line that is no object.
    fn other(&self, is_of_lines: bool) -> Option<NotLines> {
        let (value, rest) = first_value(&self.text, self.is_all)?;
        let is_json = rest.is_empty() || rest.starts_with(['[', '{']);
        let is_one_line = !value.contains('\n');
        if value.starts_with('[') {
            let way = "make lines of it with jq -c '.[]' FILE";
            let is_left = is_one_line && is_of_lines && !rest.is_empty();
            return (is_json && !is_left).then_some(("a JSON array", way));
        }
        let way = "make a line of each with jq -c . FILE (of a list in it, named data, with jq -c '.data[]' FILE)";
        (is_json && !is_one_line).then_some(("a JSON object over several lines", way))
    }
}

/// The JSON value that a text begins with, and what follows it; `None` if it begins with none. A text that is not whole
/// may end within the value.
fn first_value(text: &str, is_whole: bool) -> Option<(&str, &str)> {
    // The end may be a part of a name that Python writes.
    let names = ["NaN", "-Infinity", "Infinity"];
    let mut parts = names.iter().flat_map(|name| (1..name.len()).rev().map(|n| &name[..n]));
    let cut = parts.find_map(|part| text.strip_suffix(part)).filter(|_| !is_whole);
    let text = cut.unwrap_or(text);
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    match values.next()? {
        Ok(_) => {
            let (value, rest) = text.split_at(values.byte_offset());
            Some((value, rest.trim_start()))
        }
        Err(error) => (!is_whole && error.is_eof()).then_some((text, "")),
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
            ("a.json", "{\n \"text\": 1, }", DetectedFormat::Text),
            ("a.md", "[1] Smith, 1999\n[2] Jones", DetectedFormat::Text),
            ("a.py", "{\n# not JSON\n}", DetectedFormat::Text),
            ("a.txt", "[1]\nthe notes", DetectedFormat::Text),
            ("a", "{\"loss\":NaN,\"text\":1}\n{}", DetectedFormat::Jsonl),
            // One line that is no object does not make the others an array.
            ("a.jsonl", "[1]\n{\"text\":1}", DetectedFormat::Jsonl),
            ("a.gz", "{not json}", DetectedFormat::Text),
            ("a.tex", "{\"a: the tide}, {'x'} at {\"b\"}", DetectedFormat::Text),
            ("a.c", "{\"tide\", 1},\n{\"ebb\", 2},", DetectedFormat::Text),
            ("a.css", "{ color: red }", DetectedFormat::Text),
            ("a.log", "{\"level\":1} the tide", DetectedFormat::Text),
            ("a.ini", "# tides\n[a]\nb=1", DetectedFormat::Text),
            ("a.md", "# Tides\n\n{\"text\":1}\n\nis an object", DetectedFormat::Text),
            (".gz", "{}", DetectedFormat::Jsonl),
        ] {
            assert_eq!(decided(name, head.as_bytes(), false), expected, "{name} {head}");
        }
        assert_eq!(decided("", b"plain", true), DetectedFormat::Lines);
    }

    /// Whatever it is named and wherever it comes from, but under a format that was asked for.
    #[test]
    fn json_that_is_not_a_row_on_each_line_is_named() {
        let decide = |asked, name, head: &str, head_is_all, is_stream| {
            let head = head.as_bytes();
            decide(&FormatHints { asked, name, head, head_is_all, is_stream, delimiter: None })
        };
        for (json, what) in [
            ("[\n{\"text\":1}]", "a JSON array"),
            ("[{\"text\":NaN}]\n", "a JSON array"),
            ("[1]\n[2]\n", "a JSON array"),
            ("\n{\n \"text\": 1}", "a JSON object over several lines"),
            ("{\"data\":[\n]}\n{}", "a JSON object over several lines"),
        ] {
            for (name, is_stream) in
                [("a.json", false), ("a", false), ("-", true), ("a.txt", false)]
            {
                // Under the format each line is named.
                let n_asked = if json.starts_with("[1]\n[") { 1 } else { 2 };
                for asked in [InputFormat::Auto, InputFormat::Jsonl].into_iter().take(n_asked) {
                    let refused = decide(asked, name, json, true, is_stream).unwrap_err();
                    assert_eq!(refused.problem, format!("{what}, not JSON Lines"), "{name} {json}");
                }
            }
            let text = decide(InputFormat::Text, "a.json", json, true, false);
            assert_eq!(text, Ok(DetectedFormat::Text));
            assert!(decide(InputFormat::Auto, "a.csv", json, true, false).is_ok());
        }
        // A value that is longer than the head, wherever that ends.
        for head in ["[", "[\n {\"text\": \"a", "[1,-", "{\n\"x\":", "{\n\"x\": Na"] {
            assert!(decide(InputFormat::Auto, "a", head, false, true).is_err(), "{head}");
            assert!(decide(InputFormat::Auto, "a", head, true, false).is_ok(), "{head}");
        }
    }

    /// With such a name each line is named.
    #[test]
    fn what_is_almost_json_is_named() {
        let broken = "broken JSON on the first line";
        for (head, what) in [
            ("{\"id\":1},\n{\"id\":2},\n", "JSON objects with commas between them"),
            ("{\"id\":1},{\"id\":2}", "JSON objects with commas between them"),
            ("{\"id\":1} {\"id\":2}\n", "several JSON objects on a line"),
            ("{\"text\":\"a\",}\n", broken),
            ("[{\"text\":\"a\",}]\n", broken),
            ("{'text': 'a'}\n{'text': 'b'}", "Python dictionaries"),
            ("[{'text': 'a'}, {'text': 'b'}]", "Python dictionaries"),
            ("# rows\n{\"text\":\"a\"}\n", "a comment before JSON objects"),
            ("// rows\n\n// of it\n{\"id\":1}\n{\"id\":2}", "a comment before JSON objects"),
            ("\u{1e}{\"id\":1}\n\u{1e}{\"id\":2}\n", "JSON behind record separators"),
        ] {
            for (name, is_stream) in
                [("a.json", false), ("a.txt", false), ("a", false), ("-", true)]
            {
                let decide = |asked, name, head_is_all| {
                    let (head, delimiter) = (head.as_bytes(), None);
                    decide(&FormatHints { asked, name, head, head_is_all, is_stream, delimiter })
                };
                for is_all in [true, false] {
                    let refused = decide(InputFormat::Auto, name, is_all).unwrap_err();
                    assert_eq!(refused.problem, format!("{what}, not JSON Lines"), "{head}");
                }
                assert_eq!(decide(InputFormat::Text, name, true), Ok(DetectedFormat::Text));
                assert!(decide(InputFormat::Auto, "a.csv", true).is_ok());
                if !head.starts_with('[') {
                    let jsonl = decide(InputFormat::Auto, "a.jsonl", true);
                    assert_eq!(jsonl, Ok(DetectedFormat::Jsonl));
                }
            }
        }
        // A first line that is longer than the head.
        let long = format!("{{'text': '{}", "a".repeat(200));
        let (name, head, head_is_all) = ("a", long.as_bytes(), false);
        let hints = FormatHints {
            asked: InputFormat::Auto,
            name,
            head,
            head_is_all,
            is_stream: false,
            delimiter: None,
        };
        assert!(decide(&hints).is_err());
    }

    #[test]
    fn a_first_line_longer_than_the_head_may_still_be_an_object() {
        let long = format!("{{\"text\":\"{}", "a".repeat(200));
        assert_eq!(decided("a", long.as_bytes(), false), DetectedFormat::Jsonl);
        // Wherever the head ends behind it.
        for end in ["{\"text\":\"the tide", "{", "{\"text", "{\"text\":nu", "", "{\"text\":1}"] {
            let rows = format!("{{\"text\":\"{}\"}}\n{end}", "a".repeat(200));
            assert_eq!(decided("a.jsonl", rows.as_bytes(), false), DetectedFormat::Jsonl, "{end}");
            assert_eq!(decided("-", rows.as_bytes(), true), DetectedFormat::Jsonl, "{end}");
        }
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
