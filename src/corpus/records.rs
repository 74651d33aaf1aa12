//! Reads records one behind the other: lines, items of JSON, messages.
//!
//! Blocks of them are parsed on all cores. The strings of some records are put end to end into one allocation,
//! and documents are pieces of it.

use std::io::{self, Read};
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{bounded, unbounded};
use rayon::prelude::*;

use crate::in_order::in_order;
use crate::progress::{Cancelled, Progress};

use super::batch_builder::{LONGEST_WAIT, LoadStop};
use super::blocks::{LineBlock, LineBlocks};
use super::content::{Content, TextSlice};
use super::document::Record;
use super::fields::RowError;
use super::formats::RecordKind;
use super::load::InputReading;
use super::record_format::{ParsedRow, RowContent};
use super::source::Source;

/// Records that are parsed one after the other: enough to be worth handing over.
const RECORDS_AT_ONCE: usize = 32;

/// Blocks under way: enough that no thread waits for the reader.
const BLOCKS_AT_ONCE: usize = 3;

/// Reads every record of `input`, whose first byte lies at `start` of its store: blocks of them are parsed on all cores
/// while the next are read.
pub(super) fn read(
    input: impl Read + Send,
    start: u64,
    kind: RecordKind,
    reading: &mut InputReading<'_, '_>,
) -> Result<(), LoadStop> {
    let source = &reading.source(kind);
    let most = reading.loader.options.limits.document;
    let mut blocks = LineBlocks::new(input, start, reading.is_pipe(), most);
    if let Some(cut) = source.shape.cut() {
        blocks = blocks.cut(cut);
    }
    let progress = reading.loader.builder.progress;
    let first = blocks.next()?;
    // Of many small files none is worth a thread.
    if blocks.is_at_end() {
        let Some(block) = first else { return Ok(()) };
        return push_all(&block, parse_all(&block, source, progress)?, source, reading);
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
            let parsed = parse_all(&block, source, progress);
            Ok((block, parsed))
        };
        in_order(&{ items }, BLOCKS_AT_ONCE, LONGEST_WAIT, work, |result| {
            let Some(result): Option<io::Result<ParsedBlock>> = result else {
                // A pipe is silent: its documents so far go out.
                reading.loader.builder.flush();
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
            if line.too_long {
                reading.report_too_large(line.number);
                continue;
            }
            let row = row.map_err(|row_error| reading.report_row(line.number, &row_error));
            let Ok(Some(row)) = row else { continue };
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
    strings: Arc<String>,
    /// Each line's, `None` for a blank one, or what is wrong with it.
    rows: Vec<Result<Option<ParsedRow>, RowError>>,
}

/// Parses the lines, some at a time.
fn parse_all(
    block: &LineBlock,
    source: &Source,
    progress: &Progress,
) -> Result<Vec<ParsedRows>, Cancelled> {
    let firsts = (0..block.len()).into_par_iter().step_by(RECORDS_AT_ONCE);
    let parse = |first| {
        let lines = first..block.len().min(first + RECORDS_AT_ONCE);
        let n_bytes = lines.clone().map(|at| block.line(at).bytes.len()).sum();
        let mut strings = String::with_capacity(n_bytes);
        let mut rows = Vec::with_capacity(lines.len());
        let format = &*source.shape;
        for at in lines {
            progress.check()?;
            rows.push(format.parse(block.line(at).bytes, &source.options, &mut strings));
        }
        if strings.len() < strings.capacity() / 4 {
            strings.shrink_to_fit();
        }
        Ok(ParsedRows { rows, strings: Arc::new(strings) })
    };
    firsts.map(parse).collect()
}
