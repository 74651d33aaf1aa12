//! CSV and TSV: rows below a header row, quoted as RFC 4180 has it.
//!
//! The `csv` crate finds the rows; a [`History`] under it keeps the bytes of the row at hand, so that
//! each row's address is exact and its line number that of its first line. A row with more or fewer
//! fields than the header is a diagnostic, the rest loads. Of a repeated column the first counts.

use std::borrow::Cow;
use std::io::{self, Read};
use std::sync::Arc;

use csv::ByteRecord;

use super::decode::{DOCUMENT_LIMIT, too_large};
use super::document::{Content, Flags, Record};
use super::lines::BUFFER;
use super::row::{Complaint, Fields};
use super::shelf::{Halt, Reading};
use super::source::Shape;

/// Which columns matter, and how many there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    delimiter: u8,
    width: usize,
    id: Option<usize>,
    /// The text, or the fingerprint if `is_fingerprint`.
    content: usize,
    is_fingerprint: bool,
}

/// Reads every row of `input`, whose first byte lies at `start` of its store.
pub(super) fn read(
    input: impl Read,
    start: u64,
    delimiter: u8,
    fields: &Fields,
    reading: &mut Reading<'_, '_>,
) -> Result<(), Halt> {
    let mut rows = Rows::new(input, delimiter);
    let Some(header) = rows.next()? else {
        return Ok(());
    };
    let columns = match Columns::resolve(&rows.record, delimiter, fields) {
        Ok(columns) => Arc::new(columns),
        Err(complaint) => {
            reading.complain(header.number, &complaint);
            return Ok(());
        }
    };
    if fields.id_asked && columns.id.is_none() {
        let complaint = Complaint::new(
            format!("no column \"{}\", so ids are places", fields.id),
            "name another with --id-field",
        );
        reading.complain(header.number, &complaint);
    }
    let source = reading.source(Shape::Delimited(Arc::clone(&columns)));
    while let Some(row) = rows.next()? {
        reading.check()?;
        if rows.record.len() != columns.width {
            let complaint = ragged(rows.record.len(), columns.width);
            reading.complain(row.number, &complaint);
            continue;
        }
        if row.unclosed {
            let complaint = Complaint::new(
                "a quote is never closed, so the rest of the file is one row",
                "close it or double it",
            );
            reading.complain(row.number, &complaint);
        }
        let id = columns
            .id
            .map(|column| String::from_utf8_lossy(&rows.record[column]));
        let (content, lossy) = columns.content(&rows.record);
        let record = Record {
            offset: start + row.offset,
            length: row.length,
            number: row.number,
            flags: content.flags().with(Flags::LOSSY, lossy),
            id: id.as_deref().filter(|id| !id.is_empty()),
        };
        reading.push(&source, &record, content)?;
    }
    Ok(())
}

/// The document in the bytes of one row, or `None` if they are not what they were.
pub(super) fn content(bytes: &[u8], columns: &Columns) -> Option<Content> {
    let mut record = ByteRecord::new();
    let mut reader = builder(columns.delimiter).from_reader(bytes);
    let found = reader.read_byte_record(&mut record).ok()?;
    (found && record.len() == columns.width).then(|| columns.content(&record).0)
}

fn builder(delimiter: u8) -> csv::ReaderBuilder {
    let mut builder = csv::ReaderBuilder::new();
    builder
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter);
    builder
}

fn ragged(found: usize, expected: usize) -> Complaint {
    let s = if found == 1 { "" } else { "s" };
    Complaint::new(
        format!("{found} field{s} where the header has {expected}"),
        "quote fields that hold the delimiter or a line end",
    )
}

impl Columns {
    fn resolve(header: &ByteRecord, delimiter: u8, fields: &Fields) -> Result<Self, Complaint> {
        let find = |name: &str| header.iter().position(|column| column == name.as_bytes());
        let text = if fields.fingerprint_asked {
            None
        } else {
            find(&fields.text)
        };
        let is_fingerprint = text.is_none();
        let content = match text {
            Some(text) => Some(text),
            None => find(&fields.fingerprint),
        };
        let (name, flag) = if fields.fingerprint_asked {
            (&fields.fingerprint, "--fingerprint-field")
        } else {
            (&fields.text, "--text-field")
        };
        let Some(content) = content else {
            let problem = format!("no column \"{name}\" among {}", listed(header));
            return Err(Complaint::new(problem, format!("name it with {flag}")));
        };
        let id = find(&fields.id);
        Ok(Self {
            delimiter,
            width: header.len(),
            id,
            content,
            is_fingerprint,
        })
    }

    /// What the row says, and whether some of it was not valid UTF-8.
    fn content(&self, record: &ByteRecord) -> (Content, bool) {
        let cell = String::from_utf8_lossy(&record[self.content]);
        let lossy = matches!(cell, Cow::Owned(_));
        let cell = cell.into_owned();
        if self.is_fingerprint {
            (
                Content::Fingerprint(Some(cell).filter(|hex| !hex.is_empty())),
                lossy,
            )
        } else {
            (Content::Text(cell), lossy)
        }
    }
}

/// The first few columns, in quotes.
fn listed(header: &ByteRecord) -> String {
    const SHOWN: usize = 8;
    let names: Vec<_> = header
        .iter()
        .take(SHOWN)
        .map(|name| {
            let name = String::from_utf8_lossy(name);
            let short: String = name.chars().take(40).collect();
            let dots = if short.len() < name.len() { "…" } else { "" };
            format!("\"{short}{dots}\"")
        })
        .collect();
    let more = header.len().saturating_sub(SHOWN);
    let names = names.join(", ");
    if more == 0 {
        names
    } else {
        format!("{names} and {more} more")
    }
}

/// Where a row lies.
struct Place {
    /// First byte, counted from the start of the input.
    offset: u64,
    /// Bytes, line end excluded.
    length: usize,
    /// Line, from 1.
    number: u64,
    /// Ends with the input, inside a quoted field.
    unclosed: bool,
}

/// Rows with their places; the fields of the row at hand are in `record`.
struct Rows<R> {
    reader: csv::Reader<History<R>>,
    record: ByteRecord,
    /// Line ends of a lone CR so far, which `csv` does not count.
    lone_returns: u64,
    last: u8,
}

impl<R: Read> Rows<R> {
    fn new(input: R, delimiter: u8) -> Self {
        let history = History {
            inner: input,
            bytes: Vec::new(),
            start: 0,
            limit: DOCUMENT_LIMIT,
            ended: false,
        };
        let reader = builder(delimiter)
            .buffer_capacity(BUFFER)
            .from_reader(history);
        Self {
            reader,
            record: ByteRecord::new(),
            lone_returns: 0,
            last: 0,
        }
    }

    fn next(&mut self) -> io::Result<Option<Place>> {
        let (start, line) = (self.reader.position().byte(), self.reader.position().line());
        self.reader.get_mut().forget(start);
        if !self
            .reader
            .read_byte_record(&mut self.record)
            .map_err(into_io)?
        {
            return Ok(None);
        }
        let end = self.reader.position().byte();
        let history = self.reader.get_ref();
        let raw = history.since(start, end);
        // Only a row without a line end of its own needs the end of the input to end.
        let at_end = history.ended;
        // The LF of the CRLF before, and blank lines, come before the row proper.
        let is_break = |byte: &u8| matches!(byte, b'\r' | b'\n');
        let lead = raw.iter().take_while(|byte| is_break(byte)).count();
        let mut feeds = 0;
        for &byte in raw.iter().take(lead + 1) {
            feeds += u64::from(byte == b'\n');
            self.lone_returns += u64::from(self.last == b'\r' && byte != b'\n');
            self.last = byte;
        }
        self.last = raw.last().copied().unwrap_or(0);
        let body = &raw[lead..];
        let tail = body.iter().rev().take_while(|byte| is_break(byte)).count();
        let open = |body: &[u8]| body.iter().filter(|byte| **byte == b'"').count() % 2 == 1;
        // A quote left open swallows line ends up to the very end; else quotes come in pairs.
        let unclosed = at_end && body.contains(&b'\n') && open(body);
        let length = if unclosed {
            body.len()
        } else {
            body.len() - tail
        };
        let number = line + feeds + self.lone_returns;
        Ok(Some(Place {
            offset: start + lead as u64,
            length,
            number,
            unclosed,
        }))
    }
}

fn into_io(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    }
}

/// Keeps what it reads until told to forget, so that a row's own bytes can be looked at.
struct History<R> {
    inner: R,
    bytes: Vec<u8>,
    /// Position of the first byte kept.
    start: u64,
    limit: usize,
    /// There is no more.
    ended: bool,
}

impl<R> History<R> {
    /// The bytes from `from` up to `to`.
    fn since(&self, from: u64, to: u64) -> &[u8] {
        &self.bytes[(from - self.start) as usize..(to - self.start) as usize]
    }

    /// Lets go of what comes before `from`, now or when it is worth the move.
    fn forget(&mut self, from: u64) {
        let old = (from - self.start) as usize;
        if old >= BUFFER {
            self.bytes.drain(..old);
            self.start = from;
        }
    }
}

impl<R: Read> Read for History<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.ended |= count == 0;
        self.bytes.extend_from_slice(&buffer[..count]);
        if self.bytes.len() > self.limit + 2 * BUFFER {
            return Err(io::Error::other(too_large()));
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(input: &[u8]) -> Vec<(u64, String)> {
        let mut rows = Rows::new(input, b',');
        let mut found = Vec::new();
        while let Some(place) = rows.next().unwrap() {
            let bytes = &input[place.offset as usize..][..place.length];
            found.push((place.number, String::from_utf8_lossy(bytes).into_owned()));
        }
        found
    }

    #[test]
    fn rows_know_their_lines_whatever_ends_them() {
        for end in ["\n", "\r\n", "\r"] {
            let input = ["a,b", "c,d", "", "e,f"].join(end);
            let expected = [(1, "a,b"), (2, "c,d"), (4, "e,f")].map(|(n, row)| (n, row.to_owned()));
            assert_eq!(places(input.as_bytes()), expected, "{end:?}");
        }
    }

    #[test]
    fn a_quoted_line_end_belongs_to_its_row() {
        let found = places(b"\r\nid,text\r\n1,\"two\r\nlines\n\"\r\n2,x\r\n");
        let expected = [(2, "id,text"), (3, "1,\"two\r\nlines\n\""), (6, "2,x")];
        assert_eq!(found, expected.map(|(n, row)| (n, row.to_owned())));
    }

    #[test]
    fn a_quote_never_closed_is_noticed() {
        let mut rows = Rows::new(&b"id,text\n1,\"open\n2,swallowed\n"[..], b',');
        assert!(!rows.next().unwrap().unwrap().unclosed);
        assert!(rows.next().unwrap().unwrap().unclosed);
        assert!(rows.next().unwrap().is_none());
    }

    #[test]
    fn history_forgets_only_what_is_done_with() {
        let mut history = History {
            inner: io::repeat(b'x'),
            bytes: vec![],
            start: 0,
            limit: 1,
            ended: false,
        };
        let mut buffer = vec![0; BUFFER + 5];
        assert_eq!(history.read(&mut buffer).unwrap(), BUFFER + 5);
        history.forget(3);
        assert_eq!(history.since(0, 2), b"xx");
        history.forget(BUFFER as u64);
        assert_eq!(history.since(BUFFER as u64, BUFFER as u64 + 5), b"xxxxx");
        assert!(history.read(&mut buffer).is_ok());
        assert!(history.read(&mut buffer).is_err());
    }
}
