//! CSV and TSV: rows below a header row, or without one, quoted as RFC 4180 has it.
//!
//! A row with more or fewer fields than the header is a diagnostic, the rest loads. Of a repeated
//! column the first counts. Where the rows lie is the business of [`RowStream`].

use std::borrow::Cow;
use std::io::Read;
use std::sync::Arc;

use csv::ByteRecord;

use super::batch_builder::{InputReading, LoadStop};
use super::columns::{CellKind, RowColumns};
use super::document::{Content, ContentFlags, Record};
use super::fields::{BETWEEN, FieldNames, RowError};
use super::fingerprint_text::fingerprint;
use super::hash_list::hashes;
use super::rows::{RowFault, RowParser, RowPlace, RowStream};
use super::source::RecordKind;
use crate::number::counted;

/// Reads every row of `input`, whose first byte lies at `start` of its store.
pub(super) fn read(
    input: impl Read,
    start: u64,
    delimiter: u8,
    fields: &FieldNames,
    reading: &mut InputReading<'_, '_>,
) -> Result<(), LoadStop> {
    let mut rows = RowStream::new(input, (delimiter, fields.escape), reading.limits);
    let Some(header) = rows.next()? else {
        return Ok(());
    };
    if header.is_too_large() {
        tell_of_fault(&header, reading);
        return Ok(());
    }
    let numbered: ByteRecord = (1..=rows.record.len()).map(|number| number.to_string()).collect();
    let names = if fields.has_header { &rows.record } else { &numbered };
    let columns = match RowColumns::resolve(names, delimiter, fields) {
        Ok(columns) => {
            let head = if fields.has_header { rows.raw_with_end(&header) } else { Vec::new() };
            Arc::new(RowColumns { head, ..columns })
        }
        Err(row_error) => {
            reading.report_row(header.number, &row_error);
            return Ok(());
        }
    };
    for at in columns.content.iter().copied().chain(columns.id).chain(columns.title) {
        let name = &columns.names[at];
        let n = columns.names.iter().filter(|other| *other == name).count();
        if n > 1 {
            let problem = format!("{n} columns are named \"{name}\", and the first is read");
            reading.remark(header.number, &problem, "give each its own name");
        }
    }
    if fields.id_asked && columns.id.is_none() {
        let row_error = RowError::new(
            format!("no column \"{}\", so ids are places", fields.id),
            "name another with `id-field`",
        );
        reading.report_row(header.number, &row_error);
    }
    let source = reading.source(RecordKind::Delimited(Arc::clone(&columns)));
    let mut first = (!fields.has_header).then_some(header);
    loop {
        let Some(row) = first.take().map_or_else(|| rows.next(), |row| Ok(Some(row)))? else {
            return Ok(());
        };
        reading.check()?;
        tell_of_fault(&row, reading);
        if row.is_too_large() {
            continue;
        }
        if rows.record.len() != columns.width {
            let row_error = ragged(rows.record.len(), &columns);
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
        let content = columns.content(&rows.record);
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
}

/// Tells of a row that is too large, or that a stray quote may have made of several.
fn tell_of_fault(row: &RowPlace, reading: &mut InputReading<'_, '_>) {
    let lines = || counted(row.lines, "line");
    let remedy = "double the quotes of a text, and close its cell with one";
    match row.fault {
        Some(RowFault::TooLarge) => reading.report_too_large(row.number),
        Some(RowFault::TooLargeToTheEnd) => {
            let problem = reading.limits.too_large() + ", so the rows behind it are not read";
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

/// The document in the bytes of one row, or `None` if they are not what they were.
pub(super) fn content(
    bytes: &[u8],
    columns: &RowColumns,
    parser: &mut RowParser,
) -> Option<Content> {
    let record = parser.parse(bytes, columns)?;
    (record.len() == columns.width).then(|| columns.content(record).ok()).flatten().map(|it| it.0)
}

fn ragged(found: usize, columns: &RowColumns) -> RowError {
    let expected = columns.width;
    let first = if columns.has_header { "header" } else { "first row" };
    let s = if found == 1 { "" } else { "s" };
    RowError::new(
        format!("{found} field{s} where the {first} has {expected}"),
        "quote fields that hold the delimiter or a line end",
    )
}

impl RowColumns {
    fn resolve(header: &ByteRecord, delimiter: u8, fields: &FieldNames) -> Result<Self, RowError> {
        let find = |name: &str| header.iter().position(|column| column == name.as_bytes());
        let (name, option) = fields.content();
        let whole = find(name).map(|at| vec![at]);
        let parts = || {
            let parts: Option<Vec<_>> = fields.parts().map(find).collect();
            parts.filter(|_| fields.takes_text() && fields.has_parts())
        };
        let named = whole.or_else(parts);
        let kind = match named {
            Some(_) if fields.hashes.is_some() => CellKind::Hashes,
            Some(_) if fields.takes_text() => CellKind::Text,
            _ => CellKind::Fingerprint,
        };
        let instead =
            || find(&fields.fingerprint).filter(|_| fields.takes_text()).map(|at| vec![at]);
        let Some(content) = named.or_else(instead) else {
            let problem = format!("no column \"{name}\" among {}", listed(header));
            let or = match (header.len(), fields.has_header) {
                (1, _) => "; if that is a whole row, give its `delimiter`",
                (_, true) => "; a file without a header needs `no-header`",
                (_, false) => "",
            };
            return Err(RowError::new(problem, format!("name it with {option}{or}")));
        };
        let id = find(&fields.id);
        let names = header.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        let title = fields.titles().find_map(find);
        let fingerprint_type = fields.fingerprint_type;
        let (width, has_header) = (header.len(), fields.has_header);
        let (escape, head) = (fields.escape, Vec::new());
        Ok(Self {
            delimiter,
            escape,
            head,
            has_header,
            width,
            id,
            content,
            kind,
            fingerprint_type,
            names,
            title,
        })
    }

    /// The content of the row, and whether some of it was not valid UTF-8.
    fn content(&self, record: &ByteRecord) -> Result<(Content, bool), RowError> {
        let cells = self.content.iter().map(|at| String::from_utf8_lossy(&record[*at]));
        let cells: Vec<_> = cells.collect();
        let lossy = cells.iter().any(|cell| matches!(cell, Cow::Owned(_)));
        let content = match (self.kind, &cells[..]) {
            (CellKind::Text, [cell]) => Content::Text(String::from(&**cell).into()),
            (CellKind::Text, _) => {
                let cells: Vec<_> =
                    cells.iter().map(|it| &**it).filter(|it| !it.is_empty()).collect();
                Content::Text(cells.join(BETWEEN).into())
            }
            (CellKind::Fingerprint, _) => fingerprint(&cells[0], self.fingerprint_type)?,
            (CellKind::Hashes, _) => {
                hashes(&cells[0], &format!("column \"{}\"", self.names[self.content[0]]))?
            }
        };
        Ok((content, lossy))
    }
}

/// The first few columns, in quotes.
fn listed(header: &ByteRecord) -> String {
    let names: Vec<_> = header.iter().map(String::from_utf8_lossy).collect();
    quoted_names(&names)
}

/// The first few names, in quotes.
pub(super) fn quoted_names(names: &[impl AsRef<str>]) -> String {
    const SHOWN: usize = 8;
    let quoted = names.iter().take(SHOWN).map(|name| {
        let name = name.as_ref();
        let short: String = name.chars().take(40).collect();
        let dots = if short.len() < name.len() { "…" } else { "" };
        format!("\"{short}{dots}\"")
    });
    let more = names.len().saturating_sub(SHOWN);
    let quoted = quoted.collect::<Vec<_>>().join(", ");
    if more == 0 { quoted } else { format!("{quoted} and {more} more") }
}
