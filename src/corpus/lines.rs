//! The format in which a line is a document.

use std::io::Read;

use super::blocks::Blocks;
use super::decode::lossy;
use super::document::{Content, Flags, Record};
use super::shelf::{Halt, Reading};
use super::source::Shape;

/// Reads every line of `input` as a document.
pub(super) fn read(
    input: impl Read,
    start: u64,
    is_pipe: bool,
    reading: &mut Reading<'_, '_>,
) -> Result<(), Halt> {
    let source = reading.source(Shape::Raw);
    let mut blocks = Blocks::new(input, start, is_pipe);
    while let Some(block) = blocks.next()? {
        for line in block.iter() {
            reading.check()?;
            if line.too_long {
                reading.complain_too_large(line.number);
                continue;
            }
            let (text, lossy) = lossy(line.bytes.to_vec());
            let content = Content::Text(text.into());
            let record = Record {
                offset: line.offset,
                length: line.bytes.len(),
                number: line.number,
                flags: content.flags().with(Flags::LOSSY, lossy),
                id: None,
            };
            reading.push(&source, &record, content)?;
        }
        blocks.give_back(block);
    }
    Ok(())
}
