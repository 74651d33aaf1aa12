//! A temporary file for records that cannot be read again by position: unpacked, decoded and streamed ones.
//!
//! A corpus has one temporary file, which is only appended to. It has no name (on Unix) or is deleted when it
//! is closed (on Windows), so that it always disappears with the program. It is in the system's temporary
//! folder (`TMPDIR`). Its size is the unpacked size of the inputs in it, limited by their [`InputLimits`].

use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::Arc;

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

/// Writes all bytes to the spool before it returns them, so that every record that is handed out can already be
/// read again.
pub(super) struct SpoolingReader<R> {
    inner: R,
    spool: Arc<Spool>,
    /// Bytes in the spool.
    pub(super) length: u64,
    limits: InputLimits,
}

impl<R: Read> SpoolingReader<R> {
    /// Appends to the `length` bytes in the spool.
    pub(super) fn new(inner: R, spool: Arc<Spool>, length: u64, limits: InputLimits) -> Self {
        Self { inner, spool, length, limits }
    }
}

impl<R: Read> Read for SpoolingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        if self.length.saturating_add(count as u64) > self.limits.spool {
            let problem = format!(
                "would fill the temporary file with more than {} bytes, so the rest is left out; unpack it \
                 beforehand, or allow more with `max-spool`",
                grouped(self.limits.spool)
            );
            return Err(io::Error::new(io::ErrorKind::StorageFull, problem));
        }
        let file = self.spool.file().ok_or(io::ErrorKind::NotFound)?;
        write_at(file, &buffer[..count], self.length).map_err(|error| spool_error(&error))?;
        self.length += count as u64;
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
        let read = |input: &'static [u8], length| {
            SpoolingReader::new(input, Arc::clone(&spool), length, limits)
        };
        let mut first = read(b"first", 0);
        let mut text = String::new();
        first.read_to_string(&mut text).unwrap();
        let mut second = read(b"second", first.length);
        second.read_to_string(&mut text).unwrap();
        assert_eq!((text.as_str(), second.length), ("firstsecond", 11));
        let mut buffer = [0; 9];
        assert_eq!(spool.read_at(&mut buffer, 3).unwrap(), 8);
        assert_eq!(&buffer[..8], b"stsecond");
    }

    #[test]
    fn no_more_is_kept_than_may_be() {
        let spool = Arc::new(Spool::create().unwrap());
        let limits = InputLimits { spool: 9, ..InputLimits::default() };
        let mut reader = SpoolingReader::new(io::repeat(b'x'), spool, 0, limits);
        let mut buffer = [0; 4];
        assert_eq!((reader.read(&mut buffer).unwrap(), reader.read(&mut buffer).unwrap()), (4, 4));
        let error = reader.read(&mut buffer).unwrap_err().to_string();
        assert!(error.contains("more than 9 bytes") && error.contains("`max-spool`"), "{error}");
    }
}
