//! An input: its names, its progress while it is read, and the source of its documents, which is the place where they
//! can be read again and the format of their records.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::diagnostic::path_text;
use super::find::FoundFile;
use super::formats::RecordKind;
use super::options::LoadOptions;
use super::spool::Spool;
use crate::progress::Progress;
use crate::text::visible;

/// An input that gave documents.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Source {
    pub(super) store: ByteStore,
    pub(super) shape: RecordKind,
    /// The options with which it was read.
    #[serde(skip)]
    pub(super) options: Arc<LoadOptions>,
    /// Whether a byte order mark of UTF-8 stands before its records.
    pub(super) has_mark: bool,
}

/// The place of the bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum ByteStore {
    /// In the user's file, which must not have changed.
    File { path: PathBuf, stamp: FileStamp },
    /// In the temporary file or an index.
    Spool {
        #[serde(skip)]
        spool: Arc<Spool>,
        /// The name of the input.
        origin: Box<str>,
        /// The Parquet file whose rows these are, for a copy of them.
        parquet: Option<(PathBuf, FileStamp)>,
    },
    /// In the program itself; last, since a variant that is not written would change the numbers of the others.
    #[serde(skip)]
    Static {
        #[serde(skip)]
        name: &'static str,
        #[serde(skip)]
        bytes: &'static [u8],
    },
}

/// The length and time of a file when it was read; if they change, its content is taken to have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileStamp {
    pub(super) length: u64,
    /// Nanoseconds since 1970.
    modified: Option<i128>,
}

impl FileStamp {
    pub(super) fn of(metadata: &Metadata) -> Self {
        let nanoseconds = |time: SystemTime| match time.duration_since(UNIX_EPOCH) {
            Ok(since) => since.as_nanos() as i128,
            Err(before) => -(before.duration().as_nanos() as i128),
        };
        Self { length: metadata.len(), modified: metadata.modified().ok().map(nanoseconds) }
    }
}

impl Source {
    /// Whether its only document is the whole file.
    pub(super) fn is_whole(&self) -> bool {
        self.shape == RecordKind::Whole
    }
}

impl ByteStore {
    /// Opens a file and returns its length and time.
    pub(super) fn open(path: &Path) -> io::Result<(File, FileStamp)> {
        // Opening a pipe would block the program.
        if !path.metadata()?.is_file() {
            return Err(io::Error::other("no longer a file"));
        }
        let file = File::open(path)?;
        let stamp = FileStamp::of(&file.metadata()?);
        Ok((file, stamp))
    }

    /// The path or other name of the file as it is.
    pub(super) fn file(&self) -> String {
        match self {
            Self::File { path, .. } => path_text(path),
            Self::Static { name, .. } => (*name).to_owned(),
            Self::Spool { origin, .. } => origin.to_string(),
        }
    }

    /// The name of the record at `number` for messages; 0 is the whole file.
    pub(super) fn place(&self, number: u64) -> String {
        place(&visible(&self.file()), number)
    }
}

/// `origin:number`, or `origin` alone if the number is 0.
pub(super) fn place(origin: &str, number: u64) -> String {
    if number == 0 { origin.to_owned() } else { format!("{origin}:{number}") }
}

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
            length: Some(stamp.length),
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

#[cfg(test)]
mod tests {
    use super::*;

    impl Source {
        /// Lines in the program itself.
        pub(in crate::corpus) fn of_lines(name: &'static str, bytes: &'static [u8]) -> Arc<Self> {
            let (store, shape) = (ByteStore::Static { name, bytes }, RecordKind::LINES);
            Arc::new(Self { store, shape, options: Arc::default(), has_mark: false })
        }
    }

    #[test]
    fn a_time_is_written_to_the_nanosecond() {
        let then = 1_795_510_584_665_970_074;
        for modified in [None, Some(0), Some(then), Some(-then)] {
            let stamp = FileStamp { length: 171, modified };
            let written = postcard::to_allocvec(&stamp).unwrap();
            assert_eq!(postcard::from_bytes::<FileStamp>(&written), Ok(stamp));
        }
    }
}
