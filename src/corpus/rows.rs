//! The rows of a CSV or TSV file, with their positions.
//!
//! The `csv` crate finds the rows. A [`History`] below it keeps the bytes of the current row, so that the
//! position of each row is exact and its line number is that of its first line.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Chain, Read};

use csv::ByteRecord;

use super::blocks::BUFFER;
use super::options::InputLimits;

/// The position of a row.
pub(super) struct RowPlace {
    /// First byte, counted from the start of the input.
    pub(super) offset: u64,
    /// Bytes, line end excluded.
    pub(super) length: usize,
    /// Line number, from 1.
    pub(super) number: u64,
    /// The number of lines.
    pub(super) lines: u64,
    pub(super) fault: Option<RowFault>,
}

/// A fault of a row, or a doubt about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowFault {
    /// It is larger than a document may be.
    TooLarge,
    /// It is so large that neither its rest nor what follows is read, or goes on to the end of the input.
    TooLargeToTheEnd,
    /// The input ends inside a quoted field of this row.
    Unclosed,
    /// Text follows a closing quote in one of several lines: then the quote may have opened by mistake, and the lines be
    /// rows.
    Loose,
    /// Each of its lines but the first looks like a row of as many cells.
    Swallows,
}

impl RowPlace {
    /// Whether it is too large to be a document.
    pub(super) fn is_too_large(&self) -> bool {
        matches!(self.fault, Some(RowFault::TooLarge | RowFault::TooLargeToTheEnd))
    }
}

/// Rows with their positions; `record` holds the fields of the current row.
pub(super) struct RowStream<R> {
    reader: csv::Reader<History<R>>,
    pub(super) record: ByteRecord,
    /// Line ends of a single CR so far, which `csv` does not count.
    lone_returns: u64,
    last: u8,
    delimiter: u8,
    escape: Option<u8>,
}

impl<R: Read> RowStream<R> {
    pub(super) fn new(
        input: R,
        (delimiter, escape): (u8, Option<u8>),
        limits: InputLimits,
    ) -> Self {
        let history = History { inner: input, bytes: Vec::new(), start: 0, limits, ended: false };
        let reader = builder(delimiter, escape).buffer_capacity(BUFFER).from_reader(history);
        Self { reader, record: ByteRecord::new(), lone_returns: 0, last: 0, delimiter, escape }
    }

    /// The bytes of the row that was read last, and its line end.
    pub(super) fn raw_with_end(&self, row: &RowPlace) -> Vec<u8> {
        let history = self.reader.get_ref();
        let (row, rest) = history.since(row.offset, history.end()).split_at(row.length);
        let n = if rest.starts_with(b"\r\n") { 2 } else { rest.len().min(1) };
        [row, &rest[..n]].concat()
    }

    /// The next row, or `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<RowPlace>> {
        let (start, line) = (self.reader.position().byte(), self.reader.position().line());
        self.reader.get_mut().forget(start);
        let read = self.reader.read_byte_record(&mut self.record);
        let history = self.reader.get_ref();
        let is_cut = read.is_err() && history.is_full();
        if !is_cut && !read.map_err(into_io)? {
            return Ok(None);
        }
        let end = if is_cut { history.end() } else { self.reader.position().byte() };
        let raw = history.since(start, end);
        // Only a row without a line end makes the parser read to the end of the input.
        let at_end = history.ended;
        // The LF of the CRLF before the row, and blank lines, do not belong to the row.
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
        let open = |body: &[u8]| body.iter().fold(false, |open, byte| open != (*byte == b'"'));
        // A quote without its partner continues to the end of the input; in all other rows quotes come in
        // pairs.
        let unclosed = at_end && body.contains(&b'\n') && open(&unescaped(body, self.escape));
        let length = if unclosed { body.len() } else { body.len() - tail };
        let number = line + feeds + self.lone_returns;
        let lines = memchr::memchr_iter(b'\n', &body[..length]).count() as u64 + 1;
        let is_too_large = is_cut || length as u64 > history.limits.document;
        let fault = if is_too_large {
            let is_last = is_cut || unclosed;
            Some(if is_last { RowFault::TooLargeToTheEnd } else { RowFault::TooLarge })
        } else if unclosed {
            Some(RowFault::Unclosed)
        } else if lines == 1 {
            None
        } else if has_text_behind_a_quote(&unescaped(body, self.escape), self.delimiter) {
            Some(RowFault::Loose)
        } else {
            looks_like_rows(&body[..length], self.delimiter, self.record.len())
                .then_some(RowFault::Swallows)
        };
        let offset = start + lead as u64;
        Ok(Some(RowPlace { offset, length, number, lines, fault }))
    }
}

/// A row without its escaped bytes.
fn unescaped(row: &[u8], escape: Option<u8>) -> Cow<'_, [u8]> {
    let Some(escape) = escape else { return Cow::Borrowed(row) };
    let (mut rest, mut plain) = (row, Vec::new());
    while let Some(at) = memchr::memchr(escape, rest) {
        plain.extend_from_slice(&rest[..at]);
        rest = rest.get(at + 2..).unwrap_or_default();
    }
    plain.extend_from_slice(rest);
    Cow::Owned(plain)
}

/// Whether all lines of a row but the first have as many cells as the row, of which the first is a word and no white
/// space follows it: a sentence with a comma, or an address, hardly goes on like that. Of two lines both must look so,
/// with words that are counted alike.
fn looks_like_rows(row: &[u8], delimiter: u8, n_cells: usize) -> bool {
    let mut lines = row.split(|byte| *byte == b'\n');
    let is_like_a_row = |line: &[u8]| {
        let mut cells = line.split(|byte| *byte == delimiter);
        let is_word = |cell: &[u8]| !cell.is_empty() && !cell.iter().any(u8::is_ascii_whitespace);
        let first = cells.next().is_some_and(is_word);
        let second = cells.next().and_then(<[u8]>::first);
        first
            && second.is_some_and(|byte| !byte.is_ascii_whitespace())
            && cells.count() + 2 == n_cells
    };
    // So 9 and 10 are alike, and a7 and b12.
    let letters_and_digits = |line: &[u8]| {
        let word = line.split(|byte| *byte == delimiter).next().unwrap_or_default();
        let n = word.iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |at| at + 1);
        (n, n < word.len())
    };
    let (first, rest) = (lines.next().unwrap_or_default(), lines.collect::<Vec<_>>());
    let is_like_first =
        |line| is_like_a_row(first) && letters_and_digits(first) == letters_and_digits(line);
    rest.iter().copied().all(is_like_a_row)
        && (rest.len() > 1 || rest.iter().copied().any(is_like_first))
}

/// Whether a closing quote of a row is followed by something else than the end of its field.
fn has_text_behind_a_quote(row: &[u8], delimiter: u8) -> bool {
    let mut rest = row;
    loop {
        if let Some(quoted) = rest.strip_prefix(b"\"") {
            rest = quoted;
            // Two quotes are one of the text.
            while let Some(at) = memchr::memchr(b'"', rest) {
                rest = &rest[at + 1..];
                match rest.strip_prefix(b"\"") {
                    Some(after) => rest = after,
                    None => break,
                }
            }
            let is_end = |byte: &u8| *byte == delimiter || matches!(byte, b'\r' | b'\n');
            if rest.first().is_some_and(|byte| !is_end(byte)) {
                return true;
            }
        }
        match memchr::memchr(delimiter, rest) {
            Some(at) => rest = &rest[at + 1..],
            None => return false,
        }
    }
}

fn into_io(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    }
}

/// Keeps the bytes it reads until they are released, so that the bytes of a row can be inspected.
struct History<R> {
    inner: R,
    bytes: Vec<u8>,
    /// Position of the first kept byte.
    start: u64,
    limits: InputLimits,
    /// Whether the input has ended.
    ended: bool,
}

impl<R> History<R> {
    /// The bytes from `from` up to (not including) `to`.
    fn since(&self, from: u64, to: u64) -> &[u8] {
        &self.bytes[(from - self.start) as usize..(to - self.start) as usize]
    }

    /// The position behind the last byte that was read.
    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    /// Whether it has so many bytes that the row is too large.
    fn is_full(&self) -> bool {
        self.bytes.len() as u64 > self.limits.document.saturating_add(2 * BUFFER as u64)
    }

    /// Drops the bytes before `from`, now or once moving the rest is worth it.
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
        if self.is_full() {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, self.limits.too_large()));
        }
        Ok(count)
    }
}

/// The delimiter, and the byte that escapes a quote.
pub(super) type Dialect = (u8, Option<u8>);

thread_local! {
    static PARSER: RefCell<RowParser> = RefCell::default();
}

/// Takes something from the cells of a row; `None` if `row` is not exactly one row.
pub(super) fn from_cells<T>(
    row: &[u8],
    dialect: Dialect,
    take: impl FnOnce(&ByteRecord) -> T,
) -> Option<T> {
    PARSER.with_borrow_mut(|parser| parser.parse(row, dialect).map(take))
}

/// Parses single rows with one parser, because making a parser costs more than parsing a row.
#[derive(Default)]
struct RowParser {
    reader: Option<(Dialect, RowReader<RowFeed>)>,
    record: ByteRecord,
}

impl RowParser {
    /// The fields of the row; `None` if `row` is not exactly one row.
    fn parse(&mut self, row: &[u8], dialect: Dialect) -> Option<&ByteRecord> {
        let (_, reader) = match self.reader.take() {
            Some((same, reader)) if same == dialect => self.reader.insert((same, reader)),
            _ => self.reader.insert((dialect, past_a_first_row(RowFeed::default(), dialect))),
        };
        let start = reader.position().byte();
        reader.get_mut().get_mut().1.give(row);
        let found = reader.read_byte_record(&mut self.record).ok()?;
        // After two rows, one is left over. After a row that ends inside a quote, the parser has seen the end
        // of its input and has read our line end as part of the row. In both cases this parser cannot be used
        // again.
        let read = reader.position().byte() - start;
        let is_open = reader.get_ref().get_ref().1.ended;
        if is_open || read != row.len() as u64 + 1 {
            self.reader = None;
        }
        if is_open {
            let mut alone = past_a_first_row(row, dialect);
            return alone.read_byte_record(&mut self.record).ok()?.then_some(&self.record);
        }
        found.then_some(&self.record)
    }
}

/// A row and a line end, as an input for the parser.
#[derive(Default)]
struct RowFeed {
    bytes: Vec<u8>,
    at: usize,
    /// Whether more bytes were requested than there are.
    ended: bool,
}

impl RowFeed {
    fn give(&mut self, row: &[u8]) {
        self.bytes.clear();
        self.bytes.extend_from_slice(row);
        self.bytes.push(b'\n');
        self.at = 0;
    }
}

impl Read for RowFeed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = (&self.bytes[self.at..]).read(buffer)?;
        self.at += count;
        self.ended |= count == 0;
        Ok(count)
    }
}

/// A reader of rows that first reads a row of ours.
type RowReader<R> = csv::Reader<Chain<&'static [u8], R>>;

/// A reader that has already read one row of ours, because `csv` removes a byte order mark from the first row.
fn past_a_first_row<R: Read>(input: R, (delimiter, escape): (u8, Option<u8>)) -> RowReader<R> {
    let mut reader = builder(delimiter, escape).from_reader(b"-\n".chain(input));
    let _read = reader.read_byte_record(&mut ByteRecord::new());
    reader
}

fn builder(delimiter: u8, escape: Option<u8>) -> csv::ReaderBuilder {
    let mut builder = csv::ReaderBuilder::new();
    builder.has_headers(false).flexible(true).delimiter(delimiter).escape(escape);
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(input: &[u8]) -> Vec<(u64, String)> {
        let mut rows = RowStream::new(input, (b',', None), InputLimits::default());
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
        let mut rows = RowStream::new(
            &b"id,text\n1,\"open\n2,swallowed\n"[..],
            (b',', None),
            InputLimits::default(),
        );
        assert_eq!(rows.next().unwrap().unwrap().fault, None);
        assert_eq!(rows.next().unwrap().unwrap().fault, Some(RowFault::Unclosed));
        assert!(rows.next().unwrap().is_none());
    }

    /// Lines of prose, addresses and code are no rows; those that a stray quote swallows are.
    #[test]
    fn a_row_that_looks_like_several_is_noticed() {
        for (text, expected) in [
            ("1,\"a stray quote\n2,the bay\n3,the moor, at dusk\"\n", false),
            ("1,\"a stray quote\n2,the bay\n3,the moor\"\n", true),
            ("1,\"a stray quote\r\n2,the bay\r\n3,the moor\"\r\n", true),
            ("1,\"Dear all,\nhello, world\nwell, yes\"\n", false),
            ("1,\"12 Main St\nSpringfield,IL\"\n", false),
            ("1,\"Heading,\n\nfirst line,\nsecond\"\n", false),
            ("1,2,\"x\na,b\nc,d\"\n", false),
            ("9,\"a stray quote\n10,the bay\"\n", true),
            ("a7,\"a stray quote\r\nb12,the bay\"\r\n", true),
            ("Wight,\"12 Main St\nSpringfield,IL\"\n", false),
            ("1,\"one, two\n2,three\"\n", false),
            ("1,\"Dear all\n2, three\"\n", false),
        ] {
            let mut rows = RowStream::new(text.as_bytes(), (b',', None), InputLimits::default());
            let fault = rows.next().unwrap().unwrap().fault;
            assert_eq!(fault, expected.then_some(RowFault::Swallows), "{text}");
        }
    }

    #[test]
    fn an_escaped_quote_is_a_part_of_its_cell() {
        let text = b"1,\"so \\\"it\\\" goes, \\\\\"\n2,\"so\n\\\"on\"\n";
        let mut rows = RowStream::new(&text[..], (b',', Some(b'\\')), InputLimits::default());
        let mut cells = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            assert_eq!(row.fault, None);
            cells.push(String::from_utf8_lossy(&rows.record[1]).into_owned());
        }
        assert_eq!(cells, ["so \"it\" goes, \\", "so\n\"on"]);
    }

    #[test]
    fn a_row_parser_recovers_from_bytes_that_are_not_one_row() {
        let mut parser = RowParser::default();
        let mut fields = |row: &str, delimiter| {
            let record = parser.parse(row.as_bytes(), (delimiter, None))?;
            let fields = record.iter().map(|field| String::from_utf8_lossy(field).into_owned());
            Some(fields.collect::<Vec<_>>().join("|"))
        };
        for _ in 0..2 {
            assert_eq!(fields("a,\"b\r\n,c\"", b',').as_deref(), Some("a|b\r\n,c"));
            assert_eq!(fields("1,2\n3,4", b',').as_deref(), Some("1|2"));
            assert_eq!(fields("5,\"open\n", b',').as_deref(), Some("5|open\n"));
            assert_eq!(fields("", b','), None);
            assert_eq!(fields("6\t7", b'\t').as_deref(), Some("6|7"));
        }
    }

    #[test]
    fn a_byte_order_mark_of_a_row_stays() {
        for row in ["\u{feff}", "\u{feff}1,2", "\u{feff}1,\"open\n"] {
            let mut parser = RowParser::default();
            for _ in 0..2 {
                let record = parser.parse(row.as_bytes(), (b',', None)).unwrap();
                assert!(record[0].starts_with("\u{feff}".as_bytes()), "{row:?}");
            }
        }
    }

    #[test]
    fn history_keeps_bytes_until_they_are_released() {
        let limits = InputLimits { document: 1, ..InputLimits::default() };
        let mut history =
            History { inner: io::repeat(b'x'), bytes: vec![], start: 0, limits, ended: false };
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
