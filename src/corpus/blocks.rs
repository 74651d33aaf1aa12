//! Lines, items of JSON or messages with their positions, a block of them at a time.
//!
//! A line ends with LF or CRLF, which are not part of it. The newline at the end of the input starts no new
//! line. A line or item above the limit of a document is skipped; all others are read. They come in blocks, so that
//! many can be parsed in parallel while the next ones are read.

use std::io::{self, Read};
use std::ops::Range;

use memchr::{memchr, memchr_iter, memrchr};

/// Bytes requested from the input at a time; large enough that the system calls take no noticeable time.
pub(super) const BUFFER: usize = 256 << 10;
/// A block above this size holds one giant line. Its memory is not reused for the small blocks after it.
const GIANT: usize = 4 << 20;

/// A line or item and its place.
#[derive(Clone, Copy)]
pub(super) struct InputLine<'a> {
    /// Without its line end; empty if `too_long`.
    pub(super) bytes: &'a [u8],
    /// Position of the first byte.
    pub(super) offset: u64,
    /// The number of the line or item, from 1.
    pub(super) number: u64,
    /// Whether it is longer than a document may be, so that it is skipped.
    pub(super) too_long: bool,
}

/// Some lines in a row, or items; of items there may be none.
pub(super) struct LineBlock {
    bytes: Vec<u8>,
    /// Position of the first byte.
    offset: u64,
    /// Line number of the first line.
    number: u64,
    /// The start and end of each line in `bytes`; no end for a line that was too long.
    lines: Vec<(usize, Option<usize>)>,
    /// Whether the block has the usual size, so that the next one can be read while it is parsed; false for
    /// a slow pipe and for a giant line.
    pub(super) is_full: bool,
}

impl LineBlock {
    /// The number of lines.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Line `at`, from 0.
    pub(super) fn line(&self, at: usize) -> InputLine<'_> {
        let (start, end) = self.lines[at];
        InputLine {
            bytes: end.map_or(&[], |end| &self.bytes[start..end]),
            offset: self.offset + start as u64,
            number: self.number + at as u64,
            too_long: end.is_none(),
        }
    }

    /// The positions of all of them; `None` if one was too long.
    pub(super) fn spans(&self) -> Option<Vec<Range<u64>>> {
        let at = |place: usize| self.offset + place as u64;
        self.lines.iter().map(|(start, end)| Some(at(*start)..at((*end)?))).collect()
    }

    /// All lines.
    pub(super) fn iter(&self) -> impl Iterator<Item = InputLine<'_>> {
        (0..self.len()).map(|at| self.line(at))
    }
}

/// The way in which an input is cut into records.
pub(super) trait RecordCut: Send {
    /// The end of the records, and of what stands between them, in the bytes, of which those from `from` on are new.
    fn end(&mut self, bytes: &[u8], from: usize) -> usize;

    /// Bytes that may follow a record before its end is known.
    fn end_bytes(&self) -> usize {
        2
    }

    /// Passes by a record that is too long to keep, of which these bytes are read.
    fn begin_skip(&mut self, _bytes: &[u8]) {}

    /// The bytes behind the end of that record, of which these are the next ones.
    fn skip(&mut self, bytes: &[u8]) -> Option<Vec<u8>>;

    /// The start and end of each record in bytes that end where one ends.
    fn records(&mut self, bytes: &[u8]) -> Vec<(usize, usize)>;

    /// The problem of an input that ends after so many bytes behind the last end, if it has one.
    fn finish(&mut self, _end: usize) -> Option<io::Error> {
        None
    }
}

/// Lines, without their ends.
struct Lines;

impl RecordCut for Lines {
    fn end(&mut self, bytes: &[u8], from: usize) -> usize {
        memrchr(b'\n', &bytes[from..]).map_or(0, |last| from + last + 1)
    }

    fn skip(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        memchr(b'\n', bytes).map(|at| bytes[at + 1..].to_vec())
    }

    fn records(&mut self, bytes: &[u8]) -> Vec<(usize, usize)> {
        let (mut lines, mut start) = (Vec::new(), 0);
        let open = (!bytes.is_empty() && !bytes.ends_with(b"\n")).then_some(bytes.len());
        for end in memchr_iter(b'\n', bytes).map(|at| at + 1).chain(open) {
            let line = &bytes[start..end];
            let whole = line.strip_suffix(b"\n");
            let line = whole.map_or(line, |line| line.strip_suffix(b"\r").unwrap_or(line));
            lines.push((start, start + line.len()));
            start = end;
        }
        lines
    }
}

/// Reads block by block and keeps track of positions.
pub(super) struct LineBlocks<R> {
    input: R,
    cut: Box<dyn RecordCut>,
    /// The beginning of an incomplete last line, already read.
    rest: Vec<u8>,
    /// Position of the first byte of `rest`.
    offset: u64,
    /// Lines before `rest`.
    number: u64,
    /// The buffers of finished blocks, for reuse.
    spare: Vec<Vec<u8>>,
    /// An error that came after complete lines.
    failed: Option<io::Error>,
    ended: bool,
    /// Whether the input is a pipe: the next bytes may take long, so complete lines go out at once.
    is_pipe: bool,
    limit: usize,
    /// Bytes of a full block.
    full: usize,
}

impl<R: Read> LineBlocks<R> {
    /// Starts at `start`, the position of the input's first byte; a line may have `limit` bytes.
    pub(super) fn new(input: R, start: u64, is_pipe: bool, limit: u64) -> Self {
        Self {
            input,
            cut: Box::new(Lines),
            rest: Vec::new(),
            offset: start,
            number: 0,
            spare: Vec::new(),
            failed: None,
            ended: false,
            is_pipe,
            limit: usize::try_from(limit).unwrap_or(usize::MAX - 2),
            full: 2 * BUFFER,
        }
    }

    /// Cuts other records than lines.
    pub(super) fn cut(self, cut: Box<dyn RecordCut>) -> Self {
        Self { cut, ..self }
    }

    /// The next lines, at least one, or some items; `None` at the end.
    ///
    /// # Errors
    /// An error of the input, after all records before it were returned.
    pub(super) fn next(&mut self) -> io::Result<Option<LineBlock>> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        // Keeps its length, because making it longer would write zeros.
        let mut bytes = self.spare.pop().unwrap_or_default();
        let (mut filled, mut whole) = (self.rest.len(), 0);
        bytes.resize(bytes.len().max(filled + self.full), 0);
        bytes[..filled].copy_from_slice(&self.rest);
        while !self.ended {
            if filled == bytes.len() {
                bytes.resize(2 * filled, 0);
            }
            match self.input.read(&mut bytes[filled..]) {
                Ok(0) => self.ended = true,
                Ok(count) => {
                    whole = whole.max(self.cut.end(&bytes[..filled + count], filled));
                    filled += count;
                    if whole > 0 && (filled >= self.full || self.is_pipe) {
                        break;
                    }
                    if whole == 0 && filled > self.limit.saturating_add(self.cut.end_bytes()) {
                        return self.skip_line(&bytes[..filled]);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if whole == 0 => return Err(error),
                Err(error) => {
                    self.failed = Some(error);
                    break;
                }
            }
        }
        if self.ended {
            whole = filled;
            self.failed = self.cut.finish(filled);
        }
        self.rest.clear();
        self.rest.extend_from_slice(&bytes[whole..filled]);
        if whole == 0 {
            return self.failed.take().map_or(Ok(None), Err);
        }
        let records = self.cut.records(&bytes[..whole]);
        let within = |(from, to)| (from, (to - from <= self.limit).then_some(to));
        let lines: Vec<_> = records.into_iter().map(within).collect();
        let is_full = filled >= self.full && !self.is_pipe && bytes.len() <= GIANT;
        let (offset, number) = (self.offset, self.number + 1);
        self.offset += whole as u64;
        self.number += lines.len() as u64;
        Ok(Some(LineBlock { bytes, offset, number, lines, is_full }))
    }

    /// Whether the input has ended.
    pub(super) fn is_at_end(&self) -> bool {
        self.ended && self.rest.is_empty() && self.failed.is_none()
    }

    /// Takes the memory of a block back.
    pub(super) fn give_back(&mut self, block: LineBlock) {
        if block.bytes.len() <= GIANT {
            self.spare.push(block.bytes);
        }
    }

    /// Skips a record that is too long, of which these bytes are read.
    fn skip_line(&mut self, begun: &[u8]) -> io::Result<Option<LineBlock>> {
        self.cut.begin_skip(begun);
        let (offset, number) = (self.offset, self.number + 1);
        let mut length = begun.len() as u64;
        let mut bytes = vec![0; BUFFER];
        self.rest.clear();
        while !self.ended {
            let count = match self.input.read(&mut bytes) {
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            self.ended = count == 0;
            length += count as u64;
            if let Some(rest) = self.cut.skip(&bytes[..count]) {
                length -= rest.len() as u64;
                self.rest = rest;
                break;
            }
        }
        self.offset += length;
        self.number += 1;
        Ok(Some(LineBlock {
            bytes: Vec::new(),
            offset,
            number,
            lines: vec![(0, None)],
            is_full: false,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::json_items::{Items, JsonForm};
    use crate::corpus::mail::Mbox;

    /// Gives at most a fixed number of bytes at a time, and fails at the end if configured to.
    struct Slow<'a> {
        bytes: &'a [u8],
        step: usize,
        fails: bool,
    }

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.bytes.is_empty() && self.fails {
                return Err(io::Error::other("planted"));
            }
            let most = self.step.min(buffer.len());
            self.bytes.read(&mut buffer[..most])
        }
    }

    type Found = Vec<(String, u64, u64, bool)>;

    fn read_all(blocks: &mut LineBlocks<Slow<'_>>) -> (Found, io::Result<()>) {
        let mut all = Vec::new();
        loop {
            let block = match blocks.next() {
                Ok(Some(block)) => block,
                end => return (all, end.map(drop)),
            };
            assert!(block.len() > 0);
            for line in block.iter() {
                let text = String::from_utf8(line.bytes.to_vec()).unwrap();
                all.push((text, line.offset, line.number, line.too_long));
            }
            blocks.give_back(block);
        }
    }

    /// The lines, which must not depend on the number of bytes read at a time.
    fn lines(input: &[u8], limit: usize) -> Found {
        let read = |step, full, is_pipe| {
            let slow = Slow { bytes: input, step, fails: false };
            let (all, end) = read_all(&mut LineBlocks {
                full,
                ..LineBlocks::new(slow, 10, is_pipe, limit as u64)
            });
            end.unwrap();
            all
        };
        let expected = read(input.len().max(1), 1 << 20, false);
        for step in 1..=input.len() {
            for full in [1, 2, 5, 100] {
                for is_pipe in [false, true] {
                    let found = read(step, full, is_pipe);
                    assert_eq!(found, expected, "{step} bytes at a time, {full} a block");
                }
            }
        }
        expected
    }

    #[test]
    fn line_ends_are_not_part_of_a_line() {
        let expected = [("a", 10, 1), ("", 12, 2), ("b\r", 13, 3), ("c", 17, 4)];
        let expected =
            expected.map(|(text, offset, number)| (text.to_owned(), offset, number, false));
        assert_eq!(lines(b"a\n\nb\r\r\nc", 100), expected);
        assert_eq!(lines(b"a\n", 100).len(), 1);
        assert_eq!(lines(b"\n", 100).len(), 1);
        assert!(lines(b"", 100).is_empty());
    }

    #[test]
    fn a_line_above_the_limit_is_skipped() {
        let found = lines(b"aaaa\nbbbbb\ncccccccccc\r\nd", 4);
        let short: Vec<_> = found.iter().map(|line| (line.0.as_str(), line.1, line.3)).collect();
        assert_eq!(short, [("aaaa", 10, false), ("", 15, true), ("", 21, true), ("d", 33, false)]);
        assert_eq!(lines(b"aaaa\r\nb", 4).len(), 2);
        assert!(lines(b"bbbbb\nccccccccccccccc", 4).iter().all(|line| line.3));
    }

    /// Items and messages do not depend on how many bytes are read at a time, and one that is too long is passed by.
    #[test]
    fn other_records_are_cut_however_the_bytes_come() {
        let array =
            b"{\"x\":[1],\"d\":[ {\"a\":1},\n{\"text\":\"longer, ]}\"}, 7,{\"b\":2} ],\"y\":2}";
        let mbox = b"From a 10:30\nx\n\nFrom b 10:30\nlonger\nthan it may be\n\nFrom c 10:30\nz\n";
        let items = || Box::new(Items::new(JsonForm::Inside("d".to_owned())));
        let messages = || Box::new(Mbox::default());
        let read = |input: &'static [u8], cut: Box<dyn RecordCut>, step, full| {
            let slow = Slow { bytes: input, step, fails: false };
            let blocks = LineBlocks { full, ..LineBlocks::new(slow, 0, false, 20).cut(cut) };
            let (mut blocks, mut found) = (blocks, Vec::new());
            while let Some(block) = blocks.next().unwrap() {
                let of = |it: InputLine<'_>| (it.number, it.offset, it.bytes.to_vec(), it.too_long);
                found.extend(block.iter().map(of));
            }
            found
        };
        for step in 1..array.len() {
            for full in [1, 7, 1000] {
                let found = read(array, items(), step, full);
                let told: Vec<_> = found.iter().map(|it| (it.0, &*it.2, it.3)).collect();
                let expected: [(u64, &[u8], bool); 4] = [
                    (1, b"{\"a\":1}", false),
                    (2, b"", true),
                    (3, b"7", false),
                    (4, b"{\"b\":2}", false),
                ];
                assert_eq!(told, expected, "{step} bytes at a time, {full} a block");
                assert!(found.iter().all(|it| it.3 || array[it.1 as usize..].starts_with(&it.2)));
            }
        }
        for full in [1, 7, 1000] {
            let told: Vec<_> =
                read(mbox, messages(), 60, full).into_iter().map(|it| it.3).collect();
            assert_eq!(told, [false, true, false], "{full} a block");
        }
    }

    #[test]
    fn complete_lines_of_a_pipe_come_before_it_is_read_again() {
        let slow = Slow { bytes: b"one\ntwo\nthree\n", step: 6, fails: true };
        let mut blocks = LineBlocks::new(slow, 0, true, 99);
        let mut sizes = Vec::new();
        while let Ok(Some(block)) = blocks.next() {
            sizes.push(block.len());
        }
        assert_eq!(sizes, [1, 1, 1], "a read, a block");
    }

    #[test]
    fn an_error_comes_after_the_lines_before_it() {
        for step in 1..12 {
            let slow = Slow { bytes: b"one\ntwo\nthr", step, fails: true };
            let (all, end) = read_all(&mut LineBlocks::new(slow, 0, false, 99));
            assert_eq!((all.len(), end.unwrap_err().to_string()), (2, "planted".to_owned()));
        }
    }
}
