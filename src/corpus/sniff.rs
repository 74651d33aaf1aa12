//! The format of a file: as requested, otherwise by its extension, otherwise by its first bytes.

use std::borrow::Cow;

use serde::de::IgnoredAny;

use super::decode::decoded;
use super::fields::RowError;
use super::formats::{DetectedFormat, RecordKind};
use super::json_items::{JsonForm, Keys};
use super::json_string::mended;
use super::mail::MailForm;
use super::options::{InputFormat, LoadOptions};

/// The facts about an input that are known before it is read.
pub(super) struct FormatHints<'a> {
    /// The file's name.
    pub(super) name: &'a str,
    /// The first bytes, decoded.
    pub(super) head: &'a [u8],
    /// Whether `head` is the whole input.
    pub(super) head_is_all: bool,
    /// Whether it is a pipe. Plain text from a pipe is read as lines, because a single document would have no
    /// neighbour.
    pub(super) is_stream: bool,
    /// Whether it is a file in a folder that the user named, of which `head` is all.
    pub(super) is_small_in_folder: bool,
    pub(super) options: &'a LoadOptions,
}

/// Decides the format of a file.
///
/// # Errors
/// The problem, for what is almost JSON.
pub(super) fn decide(hints: &FormatHints<'_>) -> Result<DetectedFormat, RowError> {
    let named = extension(hints.name);
    let wanted = wanted(hints.options.input_format, &named);
    let records = |kind| Ok(DetectedFormat::Records(kind));
    let is_of_lines = wanted == InputFormat::JSONL;
    let may_be_json = is_of_lines || wanted == InputFormat::AUTO;
    let json = JsonHead::of(hints.head, hints.head_is_all);
    // A folder of sources has settings in JSON.
    let is_text = hints.options.input_format == InputFormat::AUTO
        && hints.is_small_in_folder
        && named == "json";
    if is_text && json.as_ref().is_some_and(|it| it.is_an_object_without(hints.options)) {
        return Ok(DetectedFormat::Text);
    }
    if may_be_json
        && let Some(form) = json.as_ref().and_then(|it| it.form(is_of_lines, hints.options))
    {
        return records(RecordKind::Json(form));
    }
    if let Some(format) = wanted.of(hints.head, hints.options) {
        return Ok(format);
    }
    if named == "eml" {
        return records(RecordKind::Mail(MailForm { is_mbox: false }));
    }
    if let Some(format) = InputFormat::of_head(hints.head).of(hints.head, hints.options) {
        return Ok(format);
    }
    if json.is_some_and(|it| it.begins_with_an_object()) {
        return records(RecordKind::Json(JsonForm::Lines));
    }
    if let Some((what, remedy)) = almost_json(hints.head, hints.head_is_all) {
        let remedy = format!("{remedy}, or read it as text with `input-format` text");
        return Err(RowError::new(format!("{what}, not JSON"), remedy));
    }
    if hints.is_stream { records(RecordKind::LINES) } else { Ok(DetectedFormat::Text) }
}

/// The format that the user requested, or that the ending of a name promises; `Auto` if neither does.
fn wanted(asked: InputFormat, ending: &str) -> InputFormat {
    if asked == InputFormat::AUTO { InputFormat::of_ending(ending) } else { asked }
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
    let ending = extension(name);
    match wanted(asked, &ending) {
        InputFormat::AUTO => matches!(ending.as_str(), "mbox" | "eml"),
        InputFormat::TEXT => false,
        _ => true,
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

/// The character before each row of a JSON text sequence.
const SEPARATOR: char = '\u{1e}';

/// The objects, not quite JSON, that the first lines look like, and how to mend them.
fn almost_json(head: &[u8], is_all: bool) -> Option<(&'static str, &'static str)> {
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
    if first.trim_start_matches(['[', '{', ' ']).starts_with('\'') {
        return Some(("Python dictionaries", "write each with json.dumps"));
    }
    Some(("broken JSON on the first line", "mend it"))
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

/// The kind of an object.
#[derive(PartialEq)]
enum ObjectKind {
    /// A row: it has a field that documents are made of.
    Row,
    /// No row, but it has a list of objects in the field of this name.
    RowsIn(String),
    Other,
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
        let head = head.strip_prefix(&[SEPARATOR as u8]).unwrap_or(head);
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

    /// The form of JSON that is not a row a line. An input that `is_of_lines` may have a line that is no object.
    fn form(&self, is_of_lines: bool, options: &LoadOptions) -> Option<JsonForm> {
        let Some((value, rest)) = first_value(&self.text, self.is_all) else {
            return self.form_of_damaged(options);
        };
        let is_one_line = !value.contains('\n');
        let is_json = rest.is_empty() || rest.starts_with(['[', '{']);
        if value.starts_with('[') {
            let is_left = is_one_line && is_of_lines && !rest.is_empty();
            return (is_json && !is_left).then_some(JsonForm::Array);
        }
        let gap = &self.text[value.len()..self.text.len() - rest.len()];
        let is_next = |rest: &str| rest.is_empty() && !self.is_all || rest.starts_with('{');
        // Commas or record separators stand between objects, or several of them on a line.
        let is_sequence = rest
            .strip_prefix([',', SEPARATOR])
            .map_or(rest.starts_with('{') && !gap.contains('\n'), |rest| {
                is_next(rest.trim_start())
            });
        if is_sequence {
            return Some(JsonForm::Sequence);
        }
        if let Some(records) = options.records.as_ref().filter(|_| is_json) {
            return Some(JsonForm::Inside(records.clone()));
        }
        let is_alone = !is_one_line || rest.is_empty() && !is_of_lines;
        let list = match self.object(options) {
            ObjectKind::RowsIn(name) if is_json && is_alone => Some(name),
            _ => None,
        };
        list.map(JsonForm::Inside)
            .or_else(|| (is_json && !is_one_line).then_some(JsonForm::Sequence))
    }

    /// The form of JSON of which the beginning has a fault: an array with a sound first item, or a list that is named.
    fn form_of_damaged(&self, options: &LoadOptions) -> Option<JsonForm> {
        let Some(items) = self.text.strip_prefix('[') else {
            return options.records.clone().map(JsonForm::Inside);
        };
        let (first, rest) = first_value(items.trim_start(), self.is_all)?;
        (first.starts_with('{') && rest.starts_with(',')).then_some(JsonForm::Array)
    }

    /// Whether it is one object that is no row and holds none.
    fn is_an_object_without(&self, options: &LoadOptions) -> bool {
        let whole = first_value(&self.text, true).is_some_and(|(_, rest)| rest.is_empty());
        let is_object = whole && self.text.starts_with('{');
        is_object && options.records.is_none() && self.object(options) == ObjectKind::Other
    }

    /// The kind of the object that the text begins with, as far as its fields are in it.
    fn object(&self, options: &LoadOptions) -> ObjectKind {
        let bytes = self.text.as_bytes();
        let (mut keys, mut at, mut list) = (Keys::default(), 0, None);
        while let Some(value) = keys.next(bytes, at) {
            let Some(name) = keys.name() else { break };
            if options.holds_content(&name) {
                return ObjectKind::Row;
            }
            let inside = self.text[value..].strip_prefix('[').map(str::trim_start);
            if list.is_none() && inside.is_some_and(|inside| inside.starts_with('{')) {
                list = Some(name);
            }
            at = value + 1;
        }
        list.map_or(ObjectKind::Other, ObjectKind::RowsIn)
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

    fn decided_as(
        format: InputFormat,
        name: &str,
        head: &[u8],
        head_is_all: bool,
        is_stream: bool,
    ) -> Result<DetectedFormat, RowError> {
        let options = &LoadOptions { input_format: format, ..LoadOptions::default() };
        let is_small_in_folder = name.starts_with("in/");
        decide(&FormatHints { name, head, head_is_all, is_stream, is_small_in_folder, options })
    }

    fn decided(name: &str, head: &[u8], is_stream: bool) -> DetectedFormat {
        decided_as(InputFormat::AUTO, name, head, head.len() < 100, is_stream).unwrap()
    }

    const LINES: DetectedFormat = rows_of(JsonForm::Lines);
    const PLAIN_LINES: DetectedFormat = DetectedFormat::Records(RecordKind::LINES);

    const fn rows_of(form: JsonForm) -> DetectedFormat {
        DetectedFormat::Records(RecordKind::Json(form))
    }

    #[test]
    fn the_extension_decides_then_the_content() {
        for (name, head, expected) in [
            ("a.jsonl", "plain", LINES),
            ("a.NDJSON.gz", "plain", LINES),
            ("a.csv.zst", "{}", DetectedFormat::Rows(b',')),
            ("a.tab", "", DetectedFormat::Rows(b'\t')),
            ("a.csv", "id;text, long;n\n1,2,3,4", DetectedFormat::Rows(b';')),
            ("a.csv", "id|text\n", DetectedFormat::Rows(b'|')),
            ("a.csv", "id\ttext", DetectedFormat::Rows(b'\t')),
            ("a.csv", "\"a;b;c\",text", DetectedFormat::Rows(b',')),
            ("a.csv", "text", DetectedFormat::Rows(b',')),
            ("a.txt", "plain", DetectedFormat::Text),
            ("a.txt", "{\"text\":1}\n{\"text\":", LINES),
            ("json", "\n{\"text\":1}", LINES),
            ("a.json", "{\n \"text\": 1, }", DetectedFormat::Text),
            ("a.md", "[1] Smith, 1999\n[2] Jones", DetectedFormat::Text),
            ("a.py", "{\n# not JSON\n}", DetectedFormat::Text),
            ("a.txt", "[1]\nthe notes", DetectedFormat::Text),
            ("a", "{\"loss\":NaN,\"text\":1}\n{}", LINES),
            // One line that is no object does not make the others an array.
            ("a.jsonl", "[1]\n{\"text\":1}", LINES),
            ("a.gz", "{not json}", DetectedFormat::Text),
            ("a.tex", "{\"a: the tide}, {'x'} at {\"b\"}", DetectedFormat::Text),
            ("a.c", "{\"tide\", 1},\n{\"ebb\", 2},", DetectedFormat::Text),
            ("a.css", "{ color: red }", DetectedFormat::Text),
            ("a.log", "{\"level\":1} the tide", DetectedFormat::Text),
            ("a.ini", "# tides\n[a]\nb=1", DetectedFormat::Text),
            ("a.md", "# Tides\n\n{\"text\":1}\n\nis an object", DetectedFormat::Text),
            (".gz", "{}", LINES),
        ] {
            assert_eq!(decided(name, head.as_bytes(), false), expected, "{name} {head}");
        }
        assert_eq!(decided("", b"plain", true), PLAIN_LINES);
    }

    /// Whatever it is named and wherever it comes from, but under a format that was asked for.
    #[test]
    fn json_need_not_be_a_row_on_each_line() {
        let inside = |name: &str| JsonForm::Inside(name.to_owned());
        for (json, form) in [
            ("[\n{\"text\":1}]", JsonForm::Array),
            ("[{\"text\":NaN}]\n", JsonForm::Array),
            ("[\"the tide\"]", JsonForm::Array),
            ("\n{\n \"text\": 1}", JsonForm::Sequence),
            ("{\n\"text\":1}\n{\n\"text\":2}", JsonForm::Sequence),
            ("{\"id\":1},\n{\"id\":2},\n", JsonForm::Sequence),
            ("{\"id\":1},{\"id\":2}", JsonForm::Sequence),
            ("{\"id\":1} {\"id\":2}\n", JsonForm::Sequence),
            ("\u{1e}{\"id\":1}\n\u{1e}{\"id\":2}\n", JsonForm::Sequence),
            ("{\"n\":2,\"data\":[\n{}]}", inside("data")),
            ("{\n\"n\":[1],\"rows\":[{}],\"more\":[{}]}", inside("rows")),
            // A row may have a list of objects, too.
            ("{\n\"text\":1,\"rows\":[{}]}", JsonForm::Sequence),
            ("{\n\"rows\":[{}],\"text\":1}", JsonForm::Sequence),
            ("{\n\"rows\":[1],\"name\":1}", JsonForm::Sequence),
        ] {
            for (name, is_stream) in
                [("a.json", false), ("a", false), ("-", true), ("a.txt", false)]
            {
                for asked in [InputFormat::AUTO, InputFormat::JSONL] {
                    let found = decided_as(asked, name, json.as_bytes(), true, is_stream);
                    let is_named =
                        asked == InputFormat::AUTO || !matches!(form, JsonForm::Inside(_));
                    if is_named {
                        assert_eq!(found, Ok(rows_of(form.clone())), "{name} {json}");
                    }
                }
            }
            let text = decided_as(InputFormat::TEXT, "a.json", json.as_bytes(), true, false);
            assert_eq!(text, Ok(DetectedFormat::Text));
            assert_ne!(decided("a.csv", json.as_bytes(), false), rows_of(form));
        }
        // A value that is longer than the head, wherever that ends.
        for head in ["[", "[\n {\"text\": \"a", "[1,-", "{\n\"x\":", "{\n\"x\": Na"] {
            let decided =
                |is_all| decided_as(InputFormat::AUTO, "a", head.as_bytes(), is_all, true);
            assert_ne!(decided(false), Ok(PLAIN_LINES), "{head}");
            assert_eq!(decided(true), Ok(PLAIN_LINES), "{head}");
        }
    }

    /// Settings in a folder of sources are texts; where they are named, or of rows, they are read as rows.
    #[test]
    fn an_object_in_a_folder_may_be_a_text() {
        for (head, is_text) in [
            ("{\"name\":\"x\",\"on\":[1]}", true),
            ("{\n\"name\":\"x\"\n}\n", true),
            ("{\n\"text\":\"x\"\n}\n", false),
            ("{\"rows\":[{}]}", false),
            ("{\"name\":1}\n{\"name\":2}", false),
        ] {
            for (name, may_be) in [("in/a.json", true), ("a.json", false), ("in/a.jsonl", false)] {
                let found = decided(name, head.as_bytes(), false);
                assert_eq!(found == DetectedFormat::Text, is_text && may_be, "{name} {head}");
            }
        }
    }

    #[test]
    fn the_list_of_rows_can_be_named() {
        let options = LoadOptions { records: Some("b".to_owned()), ..LoadOptions::default() };
        for (head, form) in [
            ("{\"a\":[{}],\"b\":[{}]}", JsonForm::Inside("b".to_owned())),
            ("{\"text\":\"x\",\"b\":[{}]}", JsonForm::Inside("b".to_owned())),
            ("[{\"b\":1}]", JsonForm::Array),
        ] {
            let hints = FormatHints {
                name: "a.json",
                head: head.as_bytes(),
                head_is_all: true,
                is_stream: false,
                is_small_in_folder: false,
                options: &options,
            };
            assert_eq!(decide(&hints), Ok(rows_of(form)), "{head}");
        }
    }

    /// With such a name each line is named.
    #[test]
    fn what_is_almost_json_is_named() {
        let broken = "broken JSON on the first line";
        for (head, what) in [
            ("{\"text\":\"a\",}\n", broken),
            ("[{\"text\":\"a\",}]\n", broken),
            ("{'text': 'a'}\n{'text': 'b'}", "Python dictionaries"),
            ("[{'text': 'a'}, {'text': 'b'}]", "Python dictionaries"),
            ("# rows\n{\"text\":\"a\"}\n", "a comment before JSON objects"),
            ("// rows\n\n// of it\n{\"id\":1}\n{\"id\":2}", "a comment before JSON objects"),
        ] {
            for (name, is_stream) in
                [("a.json", false), ("a.txt", false), ("a", false), ("-", true)]
            {
                let decide = |asked, name, head_is_all| {
                    decided_as(asked, name, head.as_bytes(), head_is_all, is_stream)
                };
                for is_all in [true, false] {
                    let refused = decide(InputFormat::AUTO, name, is_all).unwrap_err();
                    assert_eq!(refused.problem, format!("{what}, not JSON"), "{head}");
                }
                assert_eq!(decide(InputFormat::TEXT, name, true), Ok(DetectedFormat::Text));
                assert!(decide(InputFormat::AUTO, "a.csv", true).is_ok());
                if !head.starts_with('[') {
                    let jsonl = decide(InputFormat::AUTO, "a.jsonl", true);
                    assert_eq!(jsonl, Ok(LINES));
                }
            }
        }
        // A first line that is longer than the head.
        let long = format!("{{'text': '{}", "a".repeat(200));
        assert!(decided_as(InputFormat::AUTO, "a", long.as_bytes(), false, false).is_err());
    }

    #[test]
    fn a_first_line_longer_than_the_head_may_still_be_an_object() {
        let long = format!("{{\"text\":\"{}", "a".repeat(200));
        assert_eq!(decided("a", long.as_bytes(), false), LINES);
        // Wherever the head ends behind it.
        for end in ["{\"text\":\"the tide", "{", "{\"text", "{\"text\":nu", "", "{\"text\":1}"] {
            let rows = format!("{{\"text\":\"{}\"}}\n{end}", "a".repeat(200));
            assert_eq!(decided("a.jsonl", rows.as_bytes(), false), LINES, "{end}");
            assert_eq!(decided("-", rows.as_bytes(), true), LINES, "{end}");
        }
        let long = format!("{{{}", "a".repeat(200));
        assert_eq!(decided("a", long.as_bytes(), false), DetectedFormat::Text);
    }

    #[test]
    fn the_requested_format_comes_first() {
        let found = decided_as(InputFormat::LINES, "a.jsonl", b"{}", true, false);
        assert_eq!(found, Ok(PLAIN_LINES));
    }
}
