//! CSV and TSV: rows below a header row, or without one, quoted as RFC 4180 has it.
//!
//! A row with more or fewer fields than the header is a diagnostic, the rest loads. Of a repeated
//! column the first counts. Where the rows lie is the business of [`RowStream`].

use std::io::Read;
use std::sync::Arc;

use csv::ByteRecord;

use super::batch_builder::LoadStop;
use super::columns::RowColumns;
use super::content::ContentFlags;
use super::document::Record;
use super::fields::RowError;
use super::formats::RecordKind;
use super::load::InputReading;
use super::rows::{RowFault, RowPlace, RowStream};
use crate::number::counted;

/// Reads every row of `input`, whose first byte lies at `start` of its store.
pub(super) fn read(
    input: impl Read,
    start: u64,
    delimiter: u8,
    reading: &mut InputReading<'_, '_>,
) -> Result<(), LoadStop> {
    let options = Arc::clone(&reading.loader.options);
    let mut rows = RowStream::new(input, (delimiter, options.csv_escape), options.limits);
    let Some(header) = rows.next()? else {
        return Ok(());
    };
    if header.is_too_large() {
        tell_of_fault(&header, reading);
        return Ok(());
    }
    let numbered: ByteRecord = (1..=rows.record.len()).map(|number| number.to_string()).collect();
    let names = if options.no_header { &numbered } else { &rows.record };
    let columns = RowColumns::resolve(names, delimiter, &options);
    let columns = columns.map_err(|row_error| reading.report_row(header.number, &row_error));
    let Ok(columns) = columns else { return Ok(()) };
    let head = if options.no_header { Vec::new() } else { rows.raw_with_end(&header) };
    let columns = Arc::new(RowColumns { head, ..columns });
    for at in columns.content.iter().copied().chain(columns.id).chain(columns.title) {
        let name = &columns.names[at];
        let n = columns.names.iter().filter(|other| *other == name).count();
        if n > 1 {
            let problem = format!("{n} columns are named \"{name}\", and the first is read");
            reading.remark(header.number, &problem, "give each its own name");
        }
    }
    if options.id_field.is_some() && columns.id.is_none() {
        let row_error = RowError::new(
            format!("no column \"{}\", so ids are places", options.id()),
            "name another with `id-field`",
        );
        reading.report_row(header.number, &row_error);
    }
    let source = reading.source(RecordKind::Delimited(Arc::clone(&columns)));
    let mut first = options.no_header.then_some(header);
    while let Some(row) = first.take().map_or_else(|| rows.next(), |row| Ok(Some(row)))? {
        reading.check()?;
        tell_of_fault(&row, reading);
        if row.is_too_large() {
            continue;
        }
        if rows.record.len() != columns.width {
            let row_error = ragged(rows.record.len(), columns.width, options.no_header);
            reading.report_row(row.number, &row_error);
            continue;
        }
        if row.fault == Some(RowFault::Unclosed) {
            let row_error = RowError::new(
                "a quote is never closed, so the rest of the file is one row",
                "close it or double it",
            );
            reading.report_row(row.number, &row_error);
        }
        let id = columns.id.map(|column| String::from_utf8_lossy(&rows.record[column]));
        let content = columns.document(&rows.record, &options);
        let content = content.map_err(|error| reading.report_row(row.number, &error));
        let Ok((content, lossy)) = content else { continue };
        let record = Record {
            offset: start + row.offset,
            length: row.length,
            number: row.number,
            flags: content.flags().with(ContentFlags::LOSSY, lossy),
            id: id.as_deref().filter(|id| !id.is_empty()),
        };
        reading.push(&source, &record, content)?;
    }
    Ok(())
}

/// Tells of a row that is too large, or that a stray quote may have made of several.
fn tell_of_fault(row: &RowPlace, reading: &mut InputReading<'_, '_>) {
    let lines = || counted(row.lines, "line");
    let remedy = "double the quotes of a text, and close its cell with one";
    match row.fault {
        Some(RowFault::TooLarge) => reading.report_too_large(row.number),
        Some(RowFault::TooLargeToTheEnd) => {
            let problem =
                reading.loader.options.limits.too_large() + ", so the rows behind it are not read";
            let remedy = "close its quotes, split it, or allow more with `max-document`";
            reading.report_row(row.number, &RowError::new(problem, remedy));
        }
        Some(RowFault::Loose) => {
            let problem =
                format!("text follows a closing quote, so {} are read as one row", lines());
            reading.report_row(row.number, &RowError::new(problem, remedy));
        }
        Some(RowFault::Swallows) => {
            let problem = format!("this row spans {} that look like rows: a stray quote?", lines());
            reading.remark(row.number, &problem, remedy);
        }
        Some(RowFault::Unclosed) | None => {}
    }
}

fn ragged(found: usize, expected: usize, no_header: bool) -> RowError {
    let first = if no_header { "first row" } else { "header" };
    let s = if found == 1 { "" } else { "s" };
    RowError::new(
        format!("{found} field{s} where the {first} has {expected}"),
        "quote fields that hold the delimiter or a line end",
    )
}
