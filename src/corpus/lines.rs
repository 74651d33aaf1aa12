//! Lines with their positions, and the format in which a line is a document.
//!
//! A line ends with LF or CRLF; neither belongs to it. The newline at the end of the input starts no
//! line. A line of any length is read; above the limit of a document it is passed over.

use std::io::{self, BufRead, BufReader, Read};

use super::decode::{DOCUMENT_LIMIT, lossy};
use super::document::{Content, Flags, Record};
use super::shelf::{Halt, Reading};
use super::source::Shape;

/// Bytes asked of the input at a time; large enough that the system call does not show.
pub(super) const BUFFER: usize = 256 << 10;

/// A line and where it lies.
pub(super) struct Line<'a> {
    /// Without its line end; empty if `too_long`.
    pub(super) bytes: &'a [u8],
    /// Position of the first byte.
    pub(super) offset: u64,
    /// From 1.
    pub(super) number: u64,
    /// Longer than a document may be, and skipped.
    pub(super) too_long: bool,
}

/// Reads line by line, knowing positions; lends each line until the next.
pub(super) struct LineReader<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    offset: u64,
    number: u64,
    limit: usize,
}

impl<R: Read> LineReader<R> {
    /// Begins at `start`, the position of the input's first byte.
    pub(super) fn new(input: R, start: u64) -> Self {
        let input = BufReader::with_capacity(BUFFER, input);
        Self { input, line: Vec::new(), offset: start, number: 0, limit: DOCUMENT_LIMIT }
    }

    /// The next line, or `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        // One giant must not keep its memory for all the dwarfs after it.
        if self.line.capacity() > 4 << 20 {
            self.line = Vec::new();
        }
        self.line.clear();
        let most = self.limit as u64 + 2;
        let mut taken = self.input.by_ref().take(most).read_until(b'\n', &mut self.line)?;
        if taken == 0 {
            return Ok(None);
        }
        let (offset, ended) = (self.offset, self.line.last() == Some(&b'\n'));
        if !ended && taken as u64 == most {
            taken += self.input.skip_until(b'\n')?;
        }
        self.offset += taken as u64;
        self.number += 1;
        if ended {
            self.line.pop();
            if self.line.last() == Some(&b'\r') {
                self.line.pop();
            }
        }
        let too_long = self.line.len() > self.limit;
        let bytes = if too_long { &[] } else { self.line.as_slice() };
        Ok(Some(Line { bytes, offset, number: self.number, too_long }))
    }
}

/// Reads every line of `input` as a document.
pub(super) fn read(
    input: impl Read,
    start: u64,
    reading: &mut Reading<'_, '_>,
) -> Result<(), Halt> {
    let source = reading.source(Shape::Raw);
    let mut lines = LineReader::new(input, start);
    while let Some(line) = lines.next()? {
        reading.check()?;
        if line.too_long {
            reading.complain_too_large(line.number);
            continue;
        }
        let (text, lossy) = lossy(line.bytes.to_vec());
        let content = Content::Text(text);
        let record = Record {
            offset: line.offset,
            length: line.bytes.len(),
            number: line.number,
            flags: content.flags().with(Flags::LOSSY, lossy),
            id: None,
        };
        reading.push(&source, &record, content)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8], limit: usize) -> Vec<(String, u64, u64, bool)> {
        let mut reader = LineReader { limit, ..LineReader::new(input, 10) };
        let mut all = Vec::new();
        while let Some(line) = reader.next().unwrap() {
            let text = String::from_utf8(line.bytes.to_vec()).unwrap();
            all.push((text, line.offset, line.number, line.too_long));
        }
        all
    }

    #[test]
    fn line_ends_are_no_part_of_a_line() {
        let expected = [("a", 10, 1), ("", 12, 2), ("b\r", 13, 3), ("c", 17, 4)];
        let expected =
            expected.map(|(text, offset, number)| (text.to_owned(), offset, number, false));
        assert_eq!(lines(b"a\n\nb\r\r\nc", 100), expected);
        assert_eq!(lines(b"a\n", 100).len(), 1);
        assert_eq!(lines(b"\n", 100).len(), 1);
        assert!(lines(b"", 100).is_empty());
    }

    #[test]
    fn a_line_above_the_limit_is_passed_over() {
        let found = lines(b"aaaa\nbbbbb\ncccccccccc\r\nd", 4);
        let short: Vec<_> = found.iter().map(|line| (line.0.as_str(), line.1, line.3)).collect();
        assert_eq!(short, [("aaaa", 10, false), ("", 15, true), ("", 21, true), ("d", 33, false)]);
        assert_eq!(lines(b"aaaa\r\nb", 4).len(), 2);
    }
}
