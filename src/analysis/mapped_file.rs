//! A part of a file in memory: mapped where the system can map it, else read.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom},
    ops::Deref,
};

use memmap2::{Mmap, MmapOptions};

/// The bytes of a part of a file.
pub(super) enum MappedFile {
    Mapped(Mmap),
    Read(Vec<u8>),
}

impl MappedFile {
    /// The `length` bytes from `start` on, which the file must have.
    ///
    /// The caller must not rely on a byte that it has looked at before: another program may write to the file. If one
    /// cuts the file off, the system ends this program at the first byte that is gone.
    ///
    /// # Errors
    /// If they can be neither mapped nor read.
    pub(super) fn of(file: &mut File, start: u64, length: usize) -> io::Result<Self> {
        if let Ok(mapped) = map(file, start, length) {
            return Ok(Self::Mapped(mapped));
        }
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = vec![0; length];
        file.read_exact(&mut bytes)?;
        Ok(Self::Read(bytes))
    }
}

#[expect(unsafe_code, reason = "a file can be mapped in no other way")]
fn map(file: &File, start: u64, length: usize) -> io::Result<Mmap> {
    // All bytes are needed, so all pages are asked for at once.
    let options = MmapOptions::new().offset(start).len(length).populate().clone();
    // SAFETY: the bytes are only read. Another program can change them, which Rust cannot exclude: every use of them
    // is sound with any bytes, and copies what it checks before it relies on the check.
    unsafe { options.map(file) }
}

impl Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(bytes) => bytes,
            Self::Read(bytes) => bytes,
        }
    }
}
