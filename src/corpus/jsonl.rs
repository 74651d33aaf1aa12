//! JSON Lines: an object a line, of which only the named fields are taken.
//!
//! The parser borrows: strings without escapes are copied once, into the document; all other fields
//! are skipped without being built, however deeply they nest.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;
use std::io::Read;
use std::sync::Arc;

use crossbeam_channel::{Receiver, bounded};
use rayon::prelude::*;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use crate::progress::{Cancelled, Progress};

use super::blocks::{Block, Blocks};
use super::document::{Content, Flags, Record};
use super::row::{Complaint, Fields, Row, Value};
use super::shelf::{Halt, Reading};
use super::source::{Shape, Source};

/// Lines that are parsed one after the other: enough to be worth handing over.
const LINES_AT_ONCE: usize = 32;

/// Blocks under way: enough that nobody waits for the reader.
const BLOCKS_AT_ONCE: usize = 3;

/// Reads every line of `input`, whose first byte lies at `start` of its store: blocks of lines are parsed
/// on all cores while the next are read.
pub(super) fn read(
    input: impl Read,
    start: u64,
    is_pipe: bool,
    fields: &Arc<Fields>,
    reading: &mut Reading<'_, '_>,
) -> Result<(), Halt> {
    let source = reading.source(Shape::Jsonl(Arc::clone(fields)));
    let mut blocks = Blocks::new(input, start, is_pipe);
    let progress = reading.shelf.progress;
    // A core that waited for the others here could not help them, and may be the only one.
    if rayon::current_thread_index().is_some() {
        while let Some(block) = blocks.next()? {
            let parsed = parse_all(&block, fields, progress)?;
            push_all(&block, parsed, &source, reading)?;
            blocks.give_back(block);
        }
        return Ok(());
    }
    rayon::in_place_scope(|scope| {
        let mut under_way: VecDeque<Receiver<(Block, Result<Vec<_>, Cancelled>)>> = VecDeque::new();
        let (mut ended, mut waits, mut failed) = (false, false, None);
        loop {
            while let Some(first) = under_way.front() {
                let is_done = !first.is_empty();
                if !is_done && !ended && !waits && under_way.len() < BLOCKS_AT_ONCE {
                    break;
                }
                // It panicked, and so will this scope.
                let Ok((block, parsed)) = first.recv() else { return Ok(()) };
                under_way.pop_front();
                push_all(&block, parsed?, &source, reading)?;
                blocks.give_back(block);
            }
            if ended {
                return failed.map_or(Ok(()), |error| Err(Halt::Io(error)));
            }
            match blocks.next() {
                Ok(Some(block)) => {
                    // What comes slowly is not kept waiting for more to come, nor is what fills memory.
                    waits = !block.is_full;
                    let (sender, receiver) = bounded(1);
                    under_way.push_back(receiver);
                    scope.spawn(move |_| {
                        let parsed = parse_all(&block, fields, progress);
                        // Nobody waits for it after a stop.
                        drop(sender.send((block, parsed)));
                    });
                }
                Ok(None) => ended = true,
                // What came before it stays.
                Err(error) => (ended, failed) = (true, Some(error)),
            }
        }
    })
}

/// Puts the documents of a block on the shelf.
fn push_all(
    block: &Block,
    parsed: Vec<Result<Option<Parsed>, Complaint>>,
    source: &Arc<Source>,
    reading: &mut Reading<'_, '_>,
) -> Result<(), Halt> {
    for (line, parsed) in block.iter().zip(parsed) {
        reading.check()?;
        match parsed {
            _ if line.too_long => reading.complain_too_large(line.number),
            Ok(None) => {}
            Ok(Some(Parsed { content, id, complaint, lossy })) => {
                if let Some(complaint) = complaint {
                    reading.complain(line.number, &complaint);
                }
                let record = Record {
                    offset: line.offset,
                    length: line.bytes.len(),
                    number: line.number,
                    flags: content.flags().with(Flags::LOSSY, lossy),
                    id: id.as_deref(),
                };
                reading.push(source, &record, content)?;
            }
            Err(complaint) => reading.complain(line.number, &complaint),
        }
    }
    Ok(())
}

/// What a line says.
struct Parsed {
    content: Content,
    id: Option<String>,
    /// What is wrong with its id.
    complaint: Option<Complaint>,
    lossy: bool,
}

/// What each line says, `None` for a blank one, or what is wrong with it.
fn parse_all(
    block: &Block,
    fields: &Fields,
    progress: &Progress,
) -> Result<Vec<Result<Option<Parsed>, Complaint>>, Cancelled> {
    let lines = (0..block.len()).into_par_iter().with_min_len(LINES_AT_ONCE);
    let parse = |at| {
        progress.check()?;
        Ok(parse_line(block.line(at).bytes, fields))
    };
    lines.map(parse).collect()
}

fn parse_line(bytes: &[u8], fields: &Fields) -> Result<Option<Parsed>, Complaint> {
    if bytes.trim_ascii().is_empty() {
        return Ok(None);
    }
    let text = decoded(bytes);
    let mut row = parse(&text, fields).map_err(|error| broken(&error))?;
    let (id, complaint) = row.take_id(fields);
    let lossy = matches!(text, Cow::Owned(_));
    Ok(Some(Parsed { content: row.into_content(fields)?, id, complaint, lossy }))
}

/// The document in the bytes of one line, or `None` if they are not what they were.
pub(super) fn content(bytes: &[u8], fields: &Fields) -> Option<Content> {
    let text = decoded(bytes);
    parse(&text, fields).ok()?.into_content(fields).ok()
}

/// The bytes as text, what is invalid as U+FFFD: `from_utf8_lossy`, which goes byte by byte even where
/// nothing is invalid, after a look that takes ASCII by the word.
fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

fn parse<'a>(line: &'a str, fields: &Fields) -> serde_json::Result<Row<'a>> {
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let row = RowSeed(fields).deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(row)
}

fn broken(error: &serde_json::Error) -> Complaint {
    if error.is_data() {
        return Complaint::new("not a JSON object", "write one object a line");
    }
    // A line is parsed by itself, so "line 1" says nothing.
    let told = error.to_string();
    let told = told.split(" at line ").next().unwrap_or_default();
    Complaint::new(
        format!("broken JSON at column {}: {told}", error.column()),
        "mend it or leave it out",
    )
}

struct RowSeed<'f>(&'f Fields);

impl<'de> DeserializeSeed<'de> for RowSeed<'_> {
    type Value = Row<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Row<'de>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RowSeed<'_> {
    type Value = Row<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Row<'de>, A::Error> {
        let mut row = Row::default();
        while let Some(roles) = map.next_key_seed(KeySeed(self.0))? {
            if roles == Roles::default() {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let value: Value<'de> = map.next_value()?;
            if roles.id {
                row.id = Some(value.clone());
            }
            if roles.fingerprint {
                row.fingerprint = Some(value.clone());
            }
            if roles.text {
                row.text = Some(value);
            }
        }
        Ok(row)
    }
}

/// What a field is wanted for; a user may name one field for several roles.
#[derive(Clone, Copy, Default, PartialEq)]
struct Roles {
    text: bool,
    id: bool,
    fingerprint: bool,
}

struct KeySeed<'f>(&'f Fields);

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = Roles;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Roles, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed<'_> {
    type Value = Roles;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Roles, E> {
        Ok(Roles {
            text: key == self.0.text,
            id: key == self.0.id,
            fingerprint: key == self.0.fingerprint,
        })
    }
}

impl<'de> Deserialize<'de> for Value<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Value<'de>, E> {
        Ok(Value::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value<'de>, E> {
        Ok(Value::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value<'de>, E> {
        Ok(Value::Literal(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value<'de>, E> {
        Ok(Value::Literal(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value<'de>, E> {
        Ok(Value::Literal(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value<'de>, E> {
        Ok(Value::Literal(value.to_string()))
    }

    fn visit_unit<E>(self) -> Result<Value<'de>, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value<'de>, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Nested)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value<'de>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Value::Nested)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::options::LoadOptions;

    fn fields() -> Fields {
        Fields::new(&LoadOptions::default())
    }

    fn text(line: &str) -> Result<Content, String> {
        let fields = fields();
        let row = parse(line, &fields).map_err(|error| broken(&error).problem)?;
        row.into_content(&fields).map_err(|complaint| complaint.problem)
    }

    #[test]
    fn strings_numbers_and_truth_values_are_text() {
        for (line, expected) in [
            (r#"{"text":"a\tb \ud83d\ude00"}"#, "a\tb 😀"),
            (r#"{"x":[[[]]],"text":5}"#, "5"),
            (r#"{"text":true,"y":{"text":"not this"}}"#, "true"),
            (r#"{"text":"first","text":"last"}"#, "last"),
            (r#"{"\u0074ext":"an escaped key"}"#, "an escaped key"),
        ] {
            assert_eq!(text(line), Ok(Content::Text(expected.to_owned())), "{line}");
        }
    }

    #[test]
    fn bytes_are_decoded_as_from_utf8_lossy_does() {
        let pieces: [&[u8]; 6] =
            [b"a", "é".as_bytes(), "😀".as_bytes(), b"\xf0\x9f", b"\xff", b"{"];
        for n in 0..6_usize.pow(4) {
            let bytes: Vec<u8> =
                (0..4).flat_map(|at| pieces[n / 6_usize.pow(at) % 6]).copied().collect();
            let (ours, theirs) = (decoded(&bytes), String::from_utf8_lossy(&bytes));
            assert_eq!(ours, theirs);
            assert_eq!(matches!(ours, Cow::Owned(_)), matches!(theirs, Cow::Owned(_)));
        }
    }

    #[test]
    fn a_fingerprint_serves_only_where_there_is_no_text() {
        let hex = |hex: &str| Ok(Content::Fingerprint(Some(hex.to_owned())));
        assert_eq!(text(r#"{"fingerprint":"00ff"}"#), hex("00ff"));
        assert_eq!(text(r#"{"fingerprint":null}"#), Ok(Content::Fingerprint(None)));
        assert_eq!(text(r#"{"fingerprint":"00ff","text":"a"}"#), Ok(Content::Text("a".into())));
        assert_eq!(
            text(r#"{"fingerprint":7}"#),
            Err("field \"fingerprint\" is not a string".into())
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (line, expected) in [
            ("[]", "not a JSON object"),
            ("1", "not a JSON object"),
            ("{}", "no field \"text\""),
            (r#"{"text":null}"#, "field \"text\" is not a string"),
            (r#"{"text":{"a":1}}"#, "field \"text\" is not a string"),
            (r#"{"text":"a"} {"#, "broken JSON at column 14: trailing characters"),
            (r#"{"text":"a"#, "broken JSON at column 10: EOF while parsing a string"),
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

    #[test]
    fn ids_are_strings_or_numbers() {
        let id = |line: &str| parse(line, &fields()).unwrap().take_id(&fields()).0;
        assert_eq!(id(r#"{"id":"a"}"#).as_deref(), Some("a"));
        assert_eq!(id(r#"{"id":7}"#).as_deref(), Some("7"));
        assert_eq!(id(r#"{"id":1.5}"#).as_deref(), Some("1.5"));
        for line in [r#"{"id":null}"#, r#"{"id":""}"#, r#"{"id":[1]}"#, "{}"] {
            assert_eq!(id(line), None, "{line}");
        }
    }
}
