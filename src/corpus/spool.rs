//! A temporary file for records that cannot be read again by position: unpacked, decoded and streamed ones.
//!
//! A corpus has one temporary file, which is only appended to. It has no name (on Unix) or is deleted when it
//! is closed (on Windows), so that it always disappears with the program. It is in the system's temporary
//! folder (`TMPDIR`). Its size is the unpacked size of the inputs in it, limited by their [`InputLimits`].

use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::Arc;

use memchr::memrchr;

use super::InputLimits;
use crate::number::grouped;

/// The temporary file, shared by a corpus and its snapshots, and deleted with the last of them.
#[derive(Debug, Default)]
pub(super) struct Spool {
    /// `None` only before an index has filled it in.
    file: Option<File>,
    /// The position in the file that counts as 0.
    base: u64,
}

impl Spool {
    pub(super) fn create() -> io::Result<Self> {
        tempfile::tempfile().map(|file| Self::within(file, 0)).map_err(|error| spool_error(&error))
    }

    /// Fills `buffer` from `offset`; returns fewer bytes only at the end of the file.
    pub(super) fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.file().map_or(Ok(0), |file| read_at(file, buffer, self.base.saturating_add(offset)))
    }

    /// A part of an existing file, for reading only.
    pub(super) fn within(file: File, base: u64) -> Self {
        Self { file: Some(file), base }
    }

    pub(super) fn file(&self) -> Option<&File> {
        self.file.as_ref()
    }

    /// Writes all bytes to `out`; returns their number.
    pub(super) fn copy(&self, out: &mut dyn Write) -> io::Result<u64> {
        let (mut buffer, mut n_copied) = (vec![0; 1 << 20], 0);
        loop {
            let n = self.read_at(&mut buffer, n_copied)?;
            if n == 0 {
                return Ok(n_copied);
            }
            out.write_all(&buffer[..n])?;
            n_copied += n as u64;
        }
    }
}

fn spool_error(error: &io::Error) -> io::Error {
    let folder = std::env::temp_dir();
    let problem = format!(
        "cannot write the temporary file in {}: {error}; free some space or set TMPDIR",
        folder.display()
    );
    io::Error::new(io::ErrorKind::StorageFull, problem)
}

/// The amount of data in the temporary file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SpoolSize {
    /// The position of the next byte.
    pub(super) length: u64,
    /// Bytes written; less than `length` if bytes were skipped, which leave a hole in the file.
    written: u64,
}

/// Writes all bytes to the spool before it returns them, so that every record that is handed out can already be
/// read again.
pub(super) struct SpoolingReader<R> {
    inner: R,
    spool: Arc<Spool>,
    spooled: SpoolSize,
    limits: InputLimits,
    /// Bytes of the current line so far; always 0 if records are not lines.
    line: u64,
    is_of_lines: bool,
}

impl<R: Read> SpoolingReader<R> {
    /// Appends to the amount in `spooled`.
    pub(super) fn new(
        inner: R,
        spool: Arc<Spool>,
        spooled: SpoolSize,
        limits: InputLimits,
        is_of_lines: bool,
    ) -> Self {
        Self { inner, spool, spooled, limits, line: 0, is_of_lines }
    }

    /// The current amount of data.
    pub(super) fn spooled(&self) -> SpoolSize {
        self.spooled
    }

    /// Writes the next bytes of the input, without the bytes of a line beyond the limit.
    fn keep(&mut self, bytes: &[u8]) -> io::Result<()> {
        // The two bytes of a line end are allowed in addition.
        let most = self.limits.document.saturating_add(2);
        if !self.is_of_lines {
            return self.write(bytes);
        }
        if self.line.saturating_add(bytes.len() as u64) <= most {
            self.line = match memrchr(b'\n', bytes) {
                Some(end) => (bytes.len() - end - 1) as u64,
                None => self.line + bytes.len() as u64,
            };
            return self.write(bytes);
        }
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            let pool = most.saturating_sub(self.line).min(part.len() as u64) as usize;
            self.write(&part[..pool])?;
            self.spooled.length += (part.len() - pool) as u64;
            self.line = if part.ends_with(b"\n") { 0 } else { self.line + part.len() as u64 };
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let SpoolSize { length, written } = &mut self.spooled;
        if written.saturating_add(bytes.len() as u64) > self.limits.spool {
            let problem = format!(
                "would fill the temporary file with more than {} bytes, so the rest is left out; unpack it \
                 beforehand, or allow more with `max-spool`",
                grouped(self.limits.spool)
            );
            return Err(io::Error::new(io::ErrorKind::StorageFull, problem));
        }
        let file = self.spool.file().ok_or(io::ErrorKind::NotFound)?;
        write_at(file, bytes, *length).map_err(|error| spool_error(&error))?;
        *length += bytes.len() as u64;
        *written += bytes.len() as u64;
        Ok(())
    }
}

impl<R: Read> Read for SpoolingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.keep(&buffer[..count])?;
        Ok(count)
    }
}

/// Reads at a position until `buffer` is full or the file ends; does not use the file's cursor.
pub(super) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match read_once(file, &mut buffer[filled..], offset + filled as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cfg(unix)]
fn read_once(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_once(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

#[cfg(windows)]
fn write_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let count = std::os::windows::fs::FileExt::seek_write(file, bytes, offset)?;
        if count == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        bytes = &bytes[count..];
        offset += count as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spooled_bytes_can_be_read_again() {
        let spool = Arc::new(Spool::create().unwrap());
        let limits = InputLimits::default();
        let read = |input: &'static [u8], spooled| {
            SpoolingReader::new(input, Arc::clone(&spool), spooled, limits, true)
        };
        let mut first = read(b"first", SpoolSize::default());
        let mut text = String::new();
        first.read_to_string(&mut text).unwrap();
        let mut second = read(b"second", first.spooled());
        second.read_to_string(&mut text).unwrap();
        assert_eq!((text.as_str(), second.spooled().length), ("firstsecond", 11));
        let mut buffer = [0; 9];
        assert_eq!(spool.read_at(&mut buffer, 3).unwrap(), 8);
        assert_eq!(&buffer[..8], b"stsecond");
    }

    #[test]
    fn a_line_that_is_too_long_leaves_a_hole_and_no_more() {
        let input = b"one\ntoo long a line\ntwo\nthree, and on\nfour";
        for step in 1..=input.len() {
            let spool = Arc::new(Spool::create().unwrap());
            let limits = InputLimits { document: 4, ..InputLimits::default() };
            let inner = &input[..];
            let mut reader =
                SpoolingReader::new(inner, Arc::clone(&spool), SpoolSize::default(), limits, true);
            let mut buffer = vec![0; step];
            while reader.read(&mut buffer).unwrap() > 0 {}
            let SpoolSize { length, written } = reader.spooled();
            assert_eq!((length, written), (input.len() as u64, 4 + 6 + 4 + 6 + 4), "{step}");
            let mut all = vec![0; input.len()];
            spool.read_at(&mut all, 0).unwrap();
            // Lines of allowed length keep their positions.
            for line in ["one\n", "two\n", "four"] {
                let at = String::from_utf8_lossy(input).find(line).unwrap();
                assert_eq!(&all[at..at + line.len()], line.as_bytes(), "{step}");
            }
        }
    }

    #[test]
    fn no_more_is_kept_than_may_be() {
        let spool = Arc::new(Spool::create().unwrap());
        let limits = InputLimits { spool: 9, ..InputLimits::default() };
        let mut reader =
            SpoolingReader::new(io::repeat(b'x'), spool, SpoolSize::default(), limits, false);
        let mut buffer = [0; 4];
        assert_eq!((reader.read(&mut buffer).unwrap(), reader.read(&mut buffer).unwrap()), (4, 4));
        let error = reader.read(&mut buffer).unwrap_err().to_string();
        assert!(error.contains("more than 9 bytes") && error.contains("`max-spool`"), "{error}");
    }
}
