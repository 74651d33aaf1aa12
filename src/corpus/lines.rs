//! The format in which a line is a document. The documents of a block share one allocation.

use std::borrow::Cow;
use std::io::Read;

use super::blocks::Blocks;
use super::decode::decoded;
use super::document::{Content, Flags, Record};
use super::shelf::{Halt, Reading};
use super::source::Shape;
use super::text::{Room, Text};

/// Reads every line of `input` as a document.
pub(super) fn read(
    input: impl Read,
    start: u64,
    is_pipe: bool,
    reading: &mut Reading<'_, '_>,
) -> Result<(), Halt> {
    let source = reading.source(Shape::Raw);
    let mut blocks = Blocks::new(input, start, is_pipe, reading.limits.document);
    let room = Room::default();
    while let Some(block) = blocks.next()? {
        let mut texts = room.take(block.n_bytes());
        let mut marks = Vec::with_capacity(block.len());
        for line in block.iter() {
            let start = texts.len();
            let text = decoded(if line.too_long { &[] } else { line.bytes });
            texts.push_str(&text);
            let flags = Content::text_flags(&text);
            marks.push((
                start..texts.len(),
                flags.with(Flags::LOSSY, matches!(text, Cow::Owned(_))),
            ));
        }
        let texts = room.share(texts);
        for (line, (text, flags)) in block.iter().zip(marks) {
            reading.check()?;
            if line.too_long {
                reading.complain_too_large(line.number);
                continue;
            }
            let (offset, length, number) = (line.offset, line.bytes.len(), line.number);
            let record = Record { offset, length, number, flags, id: None };
            reading.push(&source, &record, Content::Text(Text::of(&texts, text)))?;
        }
        blocks.give_back(block);
    }
    Ok(())
}
