//! An input that is being read: its names, the place where it can be read again, and its progress.

use std::io::{self, Read};
use std::path::PathBuf;

use crate::progress::Progress;

use super::diagnostic::path_text;
use super::find::FoundFile;
use super::source::{ByteStore, FileStamp};

/// The names of an input, and whether it can be read again in place.
pub(super) struct Origin {
    /// The beginning of the ids of its documents.
    pub(super) name: String,
    /// Its path or other name, which messages show and addresses have.
    pub(super) file: String,
    /// The path of the file or pipe, or that of the archive for a member; `None` for standard input.
    pub(super) path: Option<PathBuf>,
    /// The store where its bytes can be read again; `None` for a pipe.
    pub(super) store: Option<ByteStore>,
    /// The number of its stored bytes, if known.
    pub(super) length: Option<u64>,
    /// Whether the user named it, so that a binary file is reported.
    pub(super) is_given: bool,
    /// Whether it is a member of an archive. Then it is not a pipe, although it cannot be read again in place.
    pub(super) is_member: bool,
}

impl Origin {
    /// An input that the user named and that cannot be read again in place.
    pub(super) fn stream(name: String, file: String) -> Self {
        let (path, store, length) = (None, None, None);
        Self { name, file, path, store, length, is_given: true, is_member: false }
    }

    pub(super) fn file(file: FoundFile, stamp: FileStamp) -> Self {
        Self {
            name: file.name,
            file: path_text(&file.path),
            path: Some(file.path.clone()),
            length: Some(stamp.length()),
            store: Some(ByteStore::File { path: file.path, stamp }),
            is_given: file.is_given,
            is_member: false,
        }
    }

    /// A member of an archive, with its path there.
    #[cfg(feature = "formats")]
    pub(super) fn member(archive: &Self, path: &str) -> Self {
        Self {
            path: archive.path.clone(),
            is_given: false,
            is_member: true,
            ..Self::stream(format!("{}/{path}", archive.name), format!("{}/{path}", archive.file))
        }
    }
}

/// Stops reading when the job is cancelled, and may count bytes.
pub(super) struct WatchedReader<'a, R> {
    pub(super) inner: R,
    pub(super) progress: &'a Progress,
    pub(super) counts: bool,
}

impl<R: Read> Read for WatchedReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        /// A read of this many bytes takes far less than 50 ms, the time in which a cancel must take effect.
        const PIECE: usize = 1 << 20;
        self.progress.check().map_err(io::Error::other)?;
        let piece = buffer.len().min(PIECE);
        let count = self.inner.read(&mut buffer[..piece])?;
        if self.counts {
            self.progress.add(count as u64);
        }
        Ok(count)
    }
}
