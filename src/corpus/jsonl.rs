//! JSON: objects, a line each or items of an array, of which only the named fields are taken; and mail.
//!
//! Blocks of them are parsed on all cores. The strings of some lines are put end to end into one allocation,
//! and documents are pieces of it.

use std::borrow::Cow;
use std::io::{self, Read};
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{bounded, unbounded};
use rayon::prelude::*;
use serde::de::Error as _;

use crate::in_order::in_order;
use crate::progress::{Cancelled, Progress};

use super::batch_builder::{InputReading, LONGEST_WAIT, LoadStop};
use super::blocks::{LineBlock, LineBlocks, RecordCut};
use super::decode::decoded;
use super::document::{Content, ContentFlags, Record};
use super::fields::{FieldNames, RowError};
use super::json_items::{Items, JsonForm};
use super::json_row::{broken, parse};
use super::json_string::{mended, unescape};
use super::mail;
use super::mbox::Mbox;
use super::row::{HalfPair, ParsedRow, RowContent, append, inside_quotes};
use super::source::{RecordKind, Source};
use super::text::{BufferPool, TextSlab, TextSlice};

/// Lines that are parsed one after the other: enough to be worth handing over.
const LINES_AT_ONCE: usize = 32;

/// Blocks under way: enough that no thread waits for the reader.
const BLOCKS_AT_ONCE: usize = 3;

/// Reads every line, item or message of `input`, whose first byte lies at `start` of its store: blocks of them are parsed
/// on all cores while the next are read.
pub(super) fn read(
    input: impl Read + Send,
    start: u64,
    is_pipe: bool,
    kind: RecordKind,
    reading: &mut InputReading<'_, '_>,
) -> Result<(), LoadStop> {
    let cut = match &kind {
        RecordKind::Json(_, form) if *form != JsonForm::Lines => {
            RecordCut::Items(Items::new(form.clone()))
        }
        RecordKind::Mail(_, is_mbox) => RecordCut::Mail(is_mbox.then(Mbox::default)),
        _ => RecordCut::Lines,
    };
    let source = &reading.source(kind);
    let kind = &source.shape;
    let mut blocks = LineBlocks::new(input, start, is_pipe, reading.limits.document).cut(cut);
    let progress = reading.builder.progress;
    let pool = &BufferPool::default();
    let first = blocks.next()?;
    // Of many small files none is worth a thread.
    if blocks.is_at_end() {
        let Some(block) = first else { return Ok(()) };
        return push_all(&block, parse_all(&block, kind, pool, progress)?, source, reading);
    }
    let (give_back, spare) = unbounded();
    let (sender, items) = bounded(1);
    thread::scope(move |scope| {
        scope.spawn(move || {
            // Blocks that were not given back.
            let mut n_out = 0;
            let mut next = first.map(Ok);
            while let Some(block) = next {
                // After a short block (a slow pipe) or a giant line its rows are delivered before more is read.
                let waits = block.as_ref().map_or(true, |block: &LineBlock| !block.is_full);
                if sender.send(block).is_err() {
                    return;
                }
                n_out += 1;
                loop {
                    let must_wait = waits && n_out > 0;
                    let block = if must_wait { spare.recv().ok() } else { spare.try_recv().ok() };
                    let Some(block) = block else { break };
                    blocks.give_back(block);
                    n_out -= 1;
                }
                next = blocks.next().transpose();
            }
        });
        let work = |block: io::Result<LineBlock>| {
            let block = block?;
            let parsed = parse_all(&block, kind, pool, progress);
            Ok((block, parsed))
        };
        in_order(&{ items }, BLOCKS_AT_ONCE, LONGEST_WAIT, work, |result| {
            let Some(result): Option<io::Result<ParsedBlock>> = result else {
                // A pipe is silent: its documents so far go out.
                reading.builder.flush();
                return Ok(());
            };
            // The rows before the error are kept.
            let (block, parsed) = result?;
            push_all(&block, parsed?, source, reading)?;
            // The reader may have come to the end.
            drop(give_back.send(block));
            Ok(())
        })
    })
}

/// A block and its rows, unless cancelled.
type ParsedBlock = (LineBlock, Result<Vec<ParsedRows>, Cancelled>);

/// Puts the documents of a block into the batch.
fn push_all(
    block: &LineBlock,
    parsed: Vec<ParsedRows>,
    source: &Arc<Source>,
    reading: &mut InputReading<'_, '_>,
) -> Result<(), LoadStop> {
    let mut lines = block.iter();
    for ParsedRows { strings, rows } in parsed {
        for (row, line) in rows.into_iter().zip(&mut lines) {
            reading.check()?;
            let row = match row {
                _ if line.too_long => {
                    reading.report_too_large(line.number);
                    continue;
                }
                Ok(None) => continue,
                Ok(Some(row)) => row,
                Err(row_error) => {
                    reading.report_row(line.number, &row_error);
                    continue;
                }
            };
            if let Some(row_error) = row.row_error {
                reading.report_row(line.number, &row_error);
            }
            let record = Record {
                offset: line.offset,
                length: line.bytes.len(),
                number: line.number,
                flags: row.flags,
                id: row.id.map(|id| &strings[id]),
            };
            let content = match row.content {
                RowContent::Text(text) => Content::Text(TextSlice::of(&strings, text)),
                RowContent::Other(content) => content,
            };
            reading.push(source, &record, content)?;
        }
    }
    Ok(())
}

/// The rows of some lines.
struct ParsedRows {
    /// Texts and ids, end to end.
    strings: Arc<TextSlab>,
    /// Each line's, `None` for a blank one, or what is wrong with it.
    rows: Vec<Result<Option<ParsedRow>, RowError>>,
}

/// Parses the lines, some at a time.
fn parse_all(
    block: &LineBlock,
    kind: &RecordKind,
    pool: &BufferPool,
    progress: &Progress,
) -> Result<Vec<ParsedRows>, Cancelled> {
    let firsts = (0..block.len()).into_par_iter().step_by(LINES_AT_ONCE);
    let parse = |first| {
        let lines = first..block.len().min(first + LINES_AT_ONCE);
        let n_bytes = lines.clone().map(|at| block.line(at).bytes.len()).sum();
        let mut strings = pool.take(n_bytes);
        let mut rows = Vec::with_capacity(lines.len());
        for at in lines {
            progress.check()?;
            rows.push(parse_record(block.line(at).bytes, kind, &mut strings));
        }
        Ok(ParsedRows { rows, strings: pool.share(strings) })
    };
    firsts.map(parse).collect()
}

/// Parses a record; its strings are appended to `strings`.
fn parse_record(
    bytes: &[u8],
    kind: &RecordKind,
    strings: &mut String,
) -> Result<Option<ParsedRow>, RowError> {
    match kind {
        RecordKind::Json(fields, _) => parse_line(bytes, fields, strings),
        RecordKind::Mail(fields, is_mbox) => {
            mail::parse(bytes, *is_mbox, !fields.no_quotes, strings)
        }
        _ => unreachable!("other records have readers of their own"),
    }
}

/// Parses a line; its strings are appended to `strings`.
fn parse_line(
    bytes: &[u8],
    fields: &FieldNames,
    strings: &mut String,
) -> Result<Option<ParsedRow>, RowError> {
    if bytes.trim_ascii().is_empty() {
        return Ok(None);
    }
    let line = decoded(bytes);
    let start = strings.len();
    // Only a line that the strict parser refuses is searched for what Python writes.
    let mut is_mended = false;
    let row = parse_json(&line, fields, strings).or_else(|error| {
        strings.truncate(start);
        is_mended = true;
        let row = mended(&line).and_then(|line| parse_json(&line, fields, strings).ok());
        row.ok_or(error)
    });
    let mut row = row.map_err(|error| broken(&error))??;
    let is_lossy =
        matches!(line, Cow::Owned(_)) || is_mended && strings[start..].contains('\u{fffd}');
    row.flags = row.flags.with(ContentFlags::LOSSY, is_lossy);
    Ok(Some(row))
}

/// Parses a line of standard JSON.
///
/// # Errors
/// It is none, or has half of a surrogate pair in one of its fields.
fn parse_json(
    line: &str,
    fields: &FieldNames,
    strings: &mut String,
) -> serde_json::Result<Result<ParsedRow, RowError>> {
    let half = |_| serde_json::Error::custom("half of a surrogate pair");
    let row = parse(line, fields)?;
    let (id, row_error) = row.id(fields).map_err(half)?;
    let start = strings.len();
    let escaped = row.text.filter(|_| fields.takes_text()).and_then(inside_quotes);
    let content = if let Some(escaped) = escaped {
        unescape(escaped, strings).ok_or(HalfPair).map_err(half)?;
        RowContent::Text(start..strings.len())
    } else {
        match row.content(fields).map_err(half)? {
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

/// The document in the bytes of one record, or `None` if they are not what they were.
pub(super) fn content(bytes: &[u8], kind: &RecordKind) -> Option<Content> {
    let mut strings = String::new();
    match parse_record(bytes, kind, &mut strings).ok()??.content {
        RowContent::Text(text) => {
            strings.truncate(text.end);
            strings.shrink_to_fit();
            Some(Content::Text(strings.into()))
        }
        RowContent::Other(content) => Some(content),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::corpus::options::LoadOptions;

    fn fields() -> FieldNames {
        FieldNames::new(&LoadOptions::default())
    }

    /// Content, id, what is wrong with that, and marks.
    type Told = (Content, Option<String>, Option<RowError>, ContentFlags);

    /// Parses a line with every string built by the parser: the slow reference.
    fn built(bytes: &[u8], fields: &FieldNames) -> Result<Option<Told>, RowError> {
        if bytes.trim_ascii().is_empty() {
            return Ok(None);
        }
        let line = decoded(bytes);
        let read = |line: &str| {
            let row = parse(line, fields)?;
            let named = [row.text.filter(|_| fields.takes_text()), row.id, row.fingerprint];
            let quoted = named.into_iter().flatten().filter(|raw| raw.starts_with('"'));
            quoted.map(serde_json::from_str::<String>).try_for_each(|text| text.map(drop))?;
            let half = |_: HalfPair| serde_json::Error::custom("");
            let (id, content) = (row.id(fields).map_err(half)?, row.content(fields).map_err(half)?);
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
        fields: &FieldNames,
        strings: &mut String,
    ) -> Result<Option<Told>, RowError> {
        let row = parse_line(bytes, fields, strings)?;
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
            let mut fields = fields();
            match named {
                1 => fields.fingerprint_asked = true,
                2 => fields.id = "text".to_owned(),
                3 => fields.id_asked = true,
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
                    let expected = built(&bytes, &fields);
                    prop_assert_eq!(&parsed(&bytes, &fields, &mut strings), &expected);
                    let content = expected.ok().flatten().map(|(content, ..)| content);
                    let kind = RecordKind::Json(Arc::new(fields.clone()), JsonForm::Lines);
                    prop_assert_eq!(super::content(&bytes, &kind), content);
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
