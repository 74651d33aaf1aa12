//! JSON Lines: an object a line, of which only the named fields are taken.
//!
//! Blocks of lines are parsed on all cores. The strings of some lines are put end to end into one allocation,
//! and documents are pieces of it.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::Read;
use std::ops::Range;
use std::sync::Arc;

use crossbeam_channel::{Receiver, bounded};
use rayon::prelude::*;

use crate::progress::{Cancelled, Progress};

use super::blocks::{Block, Blocks};
use super::document::{Content, Flags, Record};
use super::json_row::{MEND, Strings, broken, decoded, parse};
use super::json_string::unescape;
use super::row::{Complaint, Fields, Said};
use super::shelf::{Halt, Reading};
use super::source::{Shape, Source};
use super::text::{Room, Shared, Text};

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
    let room = &Room::default();
    // A core that waited for the others here could not help them, and may be the only one.
    if rayon::current_thread_index().is_some() {
        while let Some(block) = blocks.next()? {
            let parsed = parse_all(&block, fields, room, progress)?;
            push_all(&block, parsed, &source, reading)?;
            blocks.give_back(block);
        }
        return Ok(());
    }
    rayon::in_place_scope(|scope| {
        let mut under_way: VecDeque<Receiver<ParsedBlock>> = VecDeque::new();
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
                        let parsed = parse_all(&block, fields, room, progress);
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

/// A block, and what its lines say unless told to stop.
type ParsedBlock = (Block, Result<Vec<Parsed>, Cancelled>);

/// Puts the documents of a block on the shelf.
fn push_all(
    block: &Block,
    parsed: Vec<Parsed>,
    source: &Arc<Source>,
    reading: &mut Reading<'_, '_>,
) -> Result<(), Halt> {
    let mut lines = block.iter();
    for Parsed { strings, rows } in parsed {
        for (row, line) in rows.into_iter().zip(&mut lines) {
            reading.check()?;
            let row = match row {
                _ if line.too_long => {
                    reading.complain_too_large(line.number);
                    continue;
                }
                Ok(None) => continue,
                Ok(Some(row)) => row,
                Err(complaint) => {
                    reading.complain(line.number, &complaint);
                    continue;
                }
            };
            if let Some(complaint) = row.complaint {
                reading.complain(line.number, &complaint);
            }
            let record = Record {
                offset: line.offset,
                length: line.bytes.len(),
                number: line.number,
                flags: row.flags,
                id: row.id.map(|id| &strings[id]),
            };
            let content = match row.said {
                Kept::Text(text) => Content::Text(Text::of(&strings, text)),
                Kept::Fingerprint(hex) => Content::Fingerprint(hex),
            };
            reading.push(source, &record, content)?;
        }
    }
    Ok(())
}

/// What some lines say.
struct Parsed {
    /// Texts and ids, end to end.
    strings: Arc<Shared>,
    /// Each line's, `None` for a blank one, or what is wrong with it.
    rows: Vec<Result<Option<ParsedRow>, Complaint>>,
}

/// What a line says, its strings as pieces of one.
struct ParsedRow {
    said: Kept,
    id: Option<Range<usize>>,
    /// What is wrong with its id.
    complaint: Option<Complaint>,
    flags: Flags,
}

/// A document's content.
enum Kept {
    Text(Range<usize>),
    Fingerprint(Option<String>),
}

/// What the lines say, some at a time.
fn parse_all(
    block: &Block,
    fields: &Fields,
    room: &Room,
    progress: &Progress,
) -> Result<Vec<Parsed>, Cancelled> {
    let firsts = (0..block.len()).into_par_iter().step_by(LINES_AT_ONCE);
    let parse = |first| {
        let lines = first..block.len().min(first + LINES_AT_ONCE);
        let n_bytes = lines.clone().map(|at| block.line(at).bytes.len()).sum();
        let mut strings = room.take(n_bytes);
        let mut rows = Vec::with_capacity(lines.len());
        for at in lines {
            progress.check()?;
            rows.push(parse_line(block.line(at).bytes, fields, &mut strings));
        }
        Ok(Parsed { rows, strings: room.share(strings) })
    };
    firsts.map(parse).collect()
}

fn parse_line(
    bytes: &[u8],
    fields: &Fields,
    strings: &mut String,
) -> Result<Option<ParsedRow>, Complaint> {
    if bytes.trim_ascii().is_empty() {
        return Ok(None);
    }
    let text = decoded(bytes);
    let mut row = parse(&text, fields, Strings::Escaped).map_err(|error| broken(&error))?;
    let (id, complaint) = row.take_id(fields);
    let start = strings.len();
    let (said, flags) = match row.into_said(fields)? {
        Said::Text(text) => {
            strings.push_str(&text);
            (Kept::Text(start..strings.len()), Content::text_flags(&text))
        }
        Said::Escaped(escaped) => {
            if unescape(escaped, strings).is_none() {
                strings.truncate(start);
                let error = parse(&text, fields, Strings::Built).err();
                let unknown = || Complaint::new("broken JSON", MEND);
                return Err(error.map_or_else(unknown, |error| broken(&error)));
            }
            (Kept::Text(start..strings.len()), Content::text_flags(&strings[start..]))
        }
        Said::Fingerprint(hex) => {
            let flags = Content::fingerprint_flags(hex.as_deref());
            (Kept::Fingerprint(hex), flags)
        }
    };
    let lossy = matches!(text, Cow::Owned(_));
    let id = id.map(|id| {
        let start = strings.len();
        strings.push_str(&id);
        start..strings.len()
    });
    Ok(Some(ParsedRow { said, id, complaint, flags: flags.with(Flags::LOSSY, lossy) }))
}

/// The document in the bytes of one line, or `None` if they are not what they were.
pub(super) fn content(bytes: &[u8], fields: &Fields) -> Option<Content> {
    let text = decoded(bytes);
    parse(&text, fields, Strings::Escaped).ok()?.into_said(fields).ok()?.into_content()
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
        let fast = parse_line(line.as_bytes(), &fields, &mut String::new());
        let built = parse(line, &fields, Strings::Built).map_err(|error| broken(&error));
        let content = built.and_then(|row| row.into_said(&fields));
        assert_eq!(fast.err(), content.as_ref().err().cloned());
        let content = content.map(|said| said.into_content().unwrap());
        assert_eq!(super::content(line.as_bytes(), &fields), content.as_ref().ok().cloned());
        content.map_err(|complaint| complaint.problem)
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
            assert_eq!(text(line), Ok(Content::Text(expected.into())), "{line}");
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
            (r#"{"text":"a\ud800 b"}"#, "broken JSON at column 17: unexpected end of hex escape"),
            (
                r#"{"text":"a\udc00"}"#,
                "broken JSON at column 16: lone leading surrogate in hex escape",
            ),
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
