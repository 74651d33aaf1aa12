//! The format in which each line is a document. The documents of a block share one allocation.

use std::borrow::Cow;
use std::io::Read;

use super::batch_builder::{InputReading, LoadStop};
use super::blocks::LineBlocks;
use super::decode::decoded;
use super::document::{Content, ContentFlags, Record};
use super::source::RecordKind;
use super::text::{BufferPool, TextSlice};

/// Reads every line of `input` as a document.
pub(super) fn read(
    input: impl Read,
    start: u64,
    is_pipe: bool,
    reading: &mut InputReading<'_, '_>,
) -> Result<(), LoadStop> {
    let source = reading.source(RecordKind::Raw);
    let mut blocks = LineBlocks::new(input, start, is_pipe, reading.limits.document);
    let pool = BufferPool::default();
    while let Some(block) = blocks.next()? {
        let mut texts = pool.take(block.n_bytes());
        let mut marks = Vec::with_capacity(block.len());
        for line in block.iter() {
            let start = texts.len();
            let text = decoded(if line.too_long { &[] } else { line.bytes });
            texts.push_str(&text);
            let flags = Content::text_flags(&text);
            marks.push((
                start..texts.len(),
                flags.with(ContentFlags::LOSSY, matches!(text, Cow::Owned(_))),
            ));
        }
        let texts = pool.share(texts);
        for (line, (text, flags)) in block.iter().zip(marks) {
            reading.check()?;
            if line.too_long {
                reading.report_too_large(line.number);
                continue;
            }
            let (offset, length, number) = (line.offset, line.bytes.len(), line.number);
            let record = Record { offset, length, number, flags, id: None };
            reading.push(&source, &record, Content::Text(TextSlice::of(&texts, text)))?;
        }
        blocks.give_back(block);
    }
    Ok(())
}
