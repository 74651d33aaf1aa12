//! A temporary file for what cannot be re-read by position: unpacked, decoded and streamed records.
//!
//! One file a corpus, only ever appended to. It has no name (on Unix) or is deleted when closed (on
//! Windows), so it disappears with the program however that ends. It lies in the system's temporary
//! folder (`TMPDIR`) and grows to the unpacked size of what is spooled.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

/// The temporary file, shared by a corpus and its snapshots; the last one to go deletes it.
#[derive(Debug)]
pub(super) struct Spool {
    file: File,
}

impl Spool {
    pub(super) fn create() -> io::Result<Self> {
        tempfile::tempfile().map(|file| Self { file }).map_err(|error| told(&error))
    }

    /// Fills `buffer` from `offset`; fewer bytes come back only at the end.
    pub(super) fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        read_at(&self.file, buffer, offset)
    }
}

fn told(error: &io::Error) -> io::Error {
    let folder = std::env::temp_dir();
    io::Error::other(format!(
        "cannot write the temporary file in {}: {error}; free some space or set TMPDIR",
        folder.display()
    ))
}

/// Hands on what it reads after writing it to the spool, so that every record handed out can already
/// be read again.
pub(super) struct SpoolingReader<R> {
    inner: R,
    spool: Arc<Spool>,
    at: u64,
}

impl<R: Read> SpoolingReader<R> {
    /// Appends at `at`, the length of the spool so far.
    pub(super) fn new(inner: R, spool: Arc<Spool>, at: u64) -> Self {
        Self { inner, spool, at }
    }

    /// The length of the spool now.
    pub(super) fn end(&self) -> u64 {
        self.at
    }
}

impl<R: Read> Read for SpoolingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        write_at(&self.spool.file, &buffer[..count], self.at).map_err(|error| told(&error))?;
        self.at += count as u64;
        Ok(count)
    }
}

/// Reads at a position until `buffer` is full or the file ends, without a shared cursor.
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
    fn what_went_through_can_be_read_again() {
        let spool = Arc::new(Spool::create().unwrap());
        let mut first = SpoolingReader::new(&b"first"[..], Arc::clone(&spool), 0);
        let mut text = String::new();
        first.read_to_string(&mut text).unwrap();
        let mut second = SpoolingReader::new(&b"second"[..], Arc::clone(&spool), first.end());
        second.read_to_string(&mut text).unwrap();
        assert_eq!((text.as_str(), second.end()), ("firstsecond", 11));
        let mut buffer = [0; 9];
        assert_eq!(spool.read_at(&mut buffer, 3).unwrap(), 8);
        assert_eq!(&buffer[..8], b"stsecond");
    }
}
