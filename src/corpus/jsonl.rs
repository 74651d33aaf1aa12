//! JSON: objects, a line each or items of an array, of which only the named fields are taken.

use std::borrow::Cow;

use serde::de::Error as _;
use serde_json::value::RawValue;

use super::blocks::RecordCut;
use super::content::{Content, ContentFlags};
use super::decode::decoded;
use super::fields::RowError;
use super::json_items::{Items, JsonForm};
use super::json_path::{Values, at_path, is_path};
use super::json_row::{broken, parse};
use super::json_string::{mended, unescape};
use super::options::LoadOptions;
use super::pattern::Pattern;
use super::record_format::{CopyFormat, Parsed, ParsedRow, RecordFormat, RowContent, append};
use super::row::{HalfPair, inside_quotes};

impl RecordFormat for JsonForm {
    fn cut(&self) -> Option<Box<dyn RecordCut>> {
        (*self != Self::Lines).then(|| Box::new(Items::new(self.clone())) as Box<dyn RecordCut>)
    }

    fn parse(&self, bytes: &[u8], options: &LoadOptions, strings: &mut String) -> Parsed {
        if bytes.trim_ascii().is_empty() {
            return Ok(None);
        }
        let line = decoded(bytes);
        let start = strings.len();
        // Only a line that the strict parser refuses is searched for what Python writes.
        let mut is_mended = false;
        let row = parse_json(&line, options, strings).or_else(|error| {
            strings.truncate(start);
            is_mended = true;
            let row = mended(&line).and_then(|line| parse_json(&line, options, strings).ok());
            row.ok_or(error)
        });
        let mut row = row.map_err(|error| broken(&error))??;
        let is_lossy =
            matches!(line, Cow::Owned(_)) || is_mended && strings[start..].contains('\u{fffd}');
        row.flags = row.flags.with(ContentFlags::LOSSY, is_lossy);
        Ok(Some(row))
    }

    fn title(&self, bytes: &[u8], options: &LoadOptions) -> Option<String> {
        let mut found = self.fields(bytes);
        let at = options.titles().find_map(|name| {
            found.iter().position(|(field, value)| field == name && !value.trim().is_empty())
        });
        let inside = || {
            let path = options.title_field.as_ref().filter(|name| is_path(name))?;
            scalar(at_path(&standard(bytes), path)?)
        };
        at.map(|at| found.swap_remove(at).1).or_else(inside)
    }

    fn fields(&self, bytes: &[u8]) -> Vec<(String, String)> {
        let line = standard(bytes);
        let Ok(Values(found)) = serde_json::from_str(&line) else { return Vec::new() };
        let named = |(name, value): (Cow<'_, str>, &RawValue)| {
            Some((name.into_owned(), scalar(value.get())?))
        };
        found.into_iter().filter_map(named).collect()
    }

    /// Parses the whole record, but builds only this field.
    fn field(&self, bytes: &[u8], name: &str) -> Option<String> {
        let line = standard(bytes);
        let Values(found) = serde_json::from_str(&line).ok()?;
        match found.into_iter().find(|(field, _)| field == name) {
            Some((_, value)) => scalar(value.get()),
            None if is_path(name) => scalar(at_path(&line, name)?),
            None => None,
        }
    }

    fn parts(&self, bytes: &[u8], options: &LoadOptions) -> Vec<(String, String)> {
        let line = standard(bytes);
        parse(&line, options).map_or_else(|_| Vec::new(), |row| row.parts(options))
    }

    fn may_hold(&self, bytes: &[u8], words: &Pattern) -> bool {
        words.may_be_in_json(bytes)
    }

    fn copy_format(&self) -> CopyFormat {
        match self {
            Self::Lines => CopyFormat::Jsonl,
            Self::Sequence => CopyFormat::Json { is_array: false },
            Self::Array | Self::Inside(_) => CopyFormat::Json { is_array: true },
        }
    }

    fn cut_behind(&self) -> Option<Box<dyn RecordCut>> {
        Some(Box::new(Items::behind_an_item(self.clone())))
    }
}

/// A line of JSON without what Python writes beside the standard.
fn standard(bytes: &[u8]) -> Cow<'_, str> {
    let line = decoded(bytes);
    mended(&line).map_or(line, Cow::Owned)
}

/// A JSON value as text, if it is a text, a number or a truth value.
fn scalar(value: &str) -> Option<String> {
    match value.as_bytes().first() {
        Some(b'"') => serde_json::from_str(value).ok(),
        Some(b'[' | b'{' | b'n') | None => None,
        Some(_) => Some(value.to_owned()),
    }
}

/// Parses a line of standard JSON.
///
/// # Errors
/// It is none, or has half of a surrogate pair in one of its fields.
fn parse_json(
    line: &str,
    options: &LoadOptions,
    strings: &mut String,
) -> serde_json::Result<Result<ParsedRow, RowError>> {
    let half = |_| serde_json::Error::custom("half of a surrogate pair");
    let row = parse(line, options)?;
    let (id, row_error) = row.id(options).map_err(half)?;
    let start = strings.len();
    let escaped = row.text.filter(|_| options.takes_text()).and_then(inside_quotes);
    let content = if let Some(escaped) = escaped {
        unescape(escaped, strings).ok_or(HalfPair).map_err(half)?;
        RowContent::Text(start..strings.len())
    } else {
        match row.content(options).map_err(half)? {
            Ok(Content::Text(text)) => RowContent::Text(append(strings, &text)),
            Ok(other) => RowContent::Other(other),
            Err(row_error) => return Ok(Err(row_error)),
        }
    };
    let flags = match &content {
        RowContent::Text(text) => Content::text_flags(&strings[text.clone()]),
        RowContent::Other(content) => content.flags(),
    };
    let id = id.map(|id| append(strings, &id));
    Ok(Ok(ParsedRow { content, id, row_error, flags }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fields() -> LoadOptions {
        LoadOptions::default()
    }

    /// Content, id, what is wrong with that, and marks.
    type Told = (Content, Option<String>, Option<RowError>, ContentFlags);

    /// Parses a line with every string built by the parser: the slow reference.
    fn built(bytes: &[u8], options: &LoadOptions) -> Result<Option<Told>, RowError> {
        if bytes.trim_ascii().is_empty() {
            return Ok(None);
        }
        let line = decoded(bytes);
        let read = |line: &str| {
            let row = parse(line, options)?;
            let named = [row.text.filter(|_| options.takes_text()), row.id, row.fingerprint];
            let quoted = named.into_iter().flatten().filter(|raw| raw.starts_with('"'));
            quoted.map(serde_json::from_str::<String>).try_for_each(|text| text.map(drop))?;
            let half = |_: HalfPair| serde_json::Error::custom("");
            let (id, content) =
                (row.id(options).map_err(half)?, row.content(options).map_err(half)?);
            serde_json::Result::Ok(content.map(|content| (content, id.0, id.1)))
        };
        let mended = || mended(&line).filter(|line| read(line).is_ok());
        let (text, is_mended) = match read(&line).err().and_then(|_| mended()) {
            Some(mended) => (mended, true),
            None => (line.to_string(), false),
        };
        let (content, id, row_error) = read(&text).map_err(|error| broken(&error))??;
        let has_mark = |text: &str| text.contains('\u{fffd}');
        let marked = content.text().is_some_and(has_mark) || id.as_deref().is_some_and(has_mark);
        let is_lossy = matches!(line, Cow::Owned(_)) || is_mended && marked;
        let flags = content.flags().with(ContentFlags::LOSSY, is_lossy);
        Ok(Some((content, id, row_error, flags)))
    }

    /// Parses the same line as loading does, after the content of `strings`.
    fn parsed(
        bytes: &[u8],
        options: &LoadOptions,
        strings: &mut String,
    ) -> Result<Option<Told>, RowError> {
        let row = JsonForm::Lines.parse(bytes, options, strings)?;
        Ok(row.map(|ParsedRow { content, id, row_error, flags }| {
            let content = match content {
                RowContent::Text(text) => Content::Text(strings[text].into()),
                RowContent::Other(content) => content,
            };
            (content, id.map(|id| strings[id].to_owned()), row_error, flags)
        }))
    }

    fn text(line: &str) -> Result<Content, String> {
        let expected = built(line.as_bytes(), &fields());
        assert_eq!(
            parsed(line.as_bytes(), &fields(), &mut "before".to_owned()),
            expected,
            "{line}"
        );
        let (content, ..) = expected.map_err(|row_error| row_error.problem)?.expect("a row");
        Ok(content)
    }

    fn key() -> impl Strategy<Value = &'static str> {
        let keys = ["\"text\"", "\"id\"", "\"fingerprint\"", "\"x\"", r#""\u0074ext""#];
        prop::sample::select(keys.to_vec())
    }

    fn value() -> impl Strategy<Value = &'static str> {
        let strings = [
            r#""a""#,
            r#""b\n\\c\u00e9""#,
            r#""\ud83d\ude00""#,
            "\"é😀\"",
            r#""""#,
            r#"" ""#,
            r#""00ff""#,
        ];
        let broken =
            [r#""\ud800""#, r#""\udc00""#, "\"\t\"", "[1,]", "1e999", "-1e999", r#"{"text":"n",}"#];
        let others = ["7", "-1.50", "true", "null", "[[]]", r#"{"text":"n"}"#];
        prop_oneof![
            4 => prop::sample::select(strings.to_vec()),
            1 => prop::sample::select(broken.to_vec()),
            1 => prop::sample::select(others.to_vec()),
        ]
    }

    /// A byte where it does not belong.
    fn noise() -> impl Strategy<Value = u8> {
        prop::sample::select(b"\xff\"\\\t,:}{ 1u".to_vec())
    }

    proptest! {
        /// Lines one after the other in the same string, valid and broken, under several names.
        #[test]
        fn lines_say_what_the_parser_builds(
            lines in prop::collection::vec(
                (prop::collection::vec((key(), value()), 0..4), noise(), any::<prop::sample::Index>()),
                1..5,
            ),
            named in 0..4_u8,
        ) {
            let mut options = fields();
            match named {
                1 => options.fingerprint_field = Some("fingerprint".to_owned()),
                2 => options.id_field = Some("text".to_owned()),
                3 => options.id_field = Some("id".to_owned()),
                _ => {}
            }
            let mut strings = String::new();
            for (row, noise, place) in lines {
                let row: Vec<String> = row.iter().map(|(key, value)| format!("{key}:{value}")).collect();
                let mut bytes = format!("{{{}}}", row.join(",")).into_bytes();
                for is_whole in [true, false] {
                    if !is_whole {
                        bytes.insert(place.index(bytes.len() + 1), noise);
                    }
                    let expected = built(&bytes, &options);
                    prop_assert_eq!(&parsed(&bytes, &options, &mut strings), &expected);
                    let content = expected.ok().flatten().map(|(content, ..)| content);
                    prop_assert_eq!(JsonForm::Lines.content(&bytes, &options), content);
                }
            }
        }
    }

    #[test]
    fn strings_numbers_and_truth_values_are_text() {
        for (line, expected) in [
            (r#"{"text":"a\tb \ud83d\ude00"}"#, "a\tb 😀"),
            (r#"{"x":[[[]]],"text":5}"#, "5"),
            (r#"{"text":true,"y":{"text":"not this"}}"#, "true"),
            (r#"{"text":"first","text":"last"}"#, "last"),
            (r#"{"\u0074ext":"an escaped key"}"#, "an escaped key"),
            (r#"{"text":"\ud800","text":"ok"}"#, "ok"),
            (r#"{"text":1e999}"#, "1e999"),
            // Python writes these beside standard JSON.
            (r#"{"x":NaN,"y":[Infinity,-Infinity],"text":"NaN \"Infinity"}"#, "NaN \"Infinity"),
            (r#"{"\ud83d":"\udc00","text":"a"}"#, "a"),
            (
                r#"{"text":"a\ud800 b\\ud800 \uD83D\uDE00\udc00\ud83d\ud83d\ude00"}"#,
                "a\u{fffd} b\\ud800 😀\u{fffd}\u{fffd}😀",
            ),
        ] {
            assert_eq!(text(line), Ok(Content::Text(expected.into())), "{line}");
        }
    }

    #[test]
    fn a_fingerprint_serves_only_where_there_is_no_text() {
        let hex = |hex: &str| Ok(Content::Fingerprint(Some(hex.to_owned())));
        assert_eq!(text(r#"{"fingerprint":"00ff"}"#), hex("00ff"));
        assert_eq!(text(r#"{"fingerprint":null}"#), Ok(Content::Fingerprint(None)));
        assert_eq!(text(r#"{"fingerprint":"00ff","text":"a"}"#), Ok(Content::Text("a".into())));
        // A number is the bit pattern of a 64-bit integer, signed or not.
        assert_eq!(text(r#"{"fingerprint":7}"#), hex("0x7"));
        assert_eq!(text(r#"{"fingerprint":-1}"#), hex("0xffffffffffffffff"));
        for (value, expected) in [
            ("1.5", "field \"fingerprint\" is 1.5, a float or more than 64 bits"),
            ("[7]", "field \"fingerprint\" is no string and no number"),
        ] {
            let line = format!(r#"{{"fingerprint":{value}}}"#);
            assert_eq!(text(&line), Err(expected.into()), "{line}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (line, expected) in [
            ("[]", "not a JSON object"),
            ("1", "not a JSON object"),
            ("{}", "no field \"text\""),
            (r#"{"text":null}"#, "field \"text\" is null"),
            (r#"{"text":{"a":1}}"#, "field \"text\" is not a string"),
            (r#"{"text":"a"} {"#, "broken JSON at column 14: trailing characters"),
            (r#"{"text":"a"#, "broken JSON at column 10: EOF while parsing a string"),
            (
                "{\"text\":\"a\tb\"}",
                "broken JSON at column 10: control character (\\u0000-\\u001F) found while parsing a string",
            ),
            (r#"{"text":NaN}"#, "field \"text\" is null"),
            (r#"{"text":"a","x":-NaN}"#, "broken JSON at column 18: invalid number"),
            (r#"{"text":[1,]}"#, "broken JSON at column 12: expected value"),
        ] {
            assert_eq!(text(line), Err(expected.to_owned()), "{line}");
        }
    }

    #[test]
    fn depth_does_no_harm_where_it_is_not_wanted() {
        let deep =
            format!("{{\"x\":{}{},\"text\":\"a\"}}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(text(&deep), Ok(Content::Text("a".into())));
        let deep = format!("{{\"text\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(text(&deep), Err("field \"text\" is not a string".into()));
    }
}
