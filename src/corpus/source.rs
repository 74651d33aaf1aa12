//! The source of a document: where it can be read again, and the format of its record.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::columns::Columns;
use super::diagnostic::shown;
use super::fields::Fields;
use super::spool::Spool;
use crate::text::visible;

/// One input that yielded documents.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) store: Store,
    pub(super) shape: Shape,
}

/// The place of the bytes.
#[derive(Clone, Debug)]
pub(super) enum Store {
    /// In the user's file, as long as it still is what it was.
    File { path: PathBuf, stamp: Stamp },
    /// In the program itself.
    Static { name: &'static str, bytes: &'static [u8] },
    /// In our temporary file; `origin` is where they came from.
    Spool { spool: Arc<Spool>, origin: Box<str> },
}

/// The kind of a record's bytes.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// A whole file, packed and encoded as it came.
    Whole,
    /// The text itself.
    Raw,
    /// A JSON object.
    Jsonl(Arc<Fields>),
    /// A CSV or TSV row.
    Delimited(Arc<Columns>),
}

/// The length and time of a file when it was read; if they change, its content is taken to have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    pub(super) fn of(metadata: &Metadata) -> Self {
        Self { length: metadata.len(), modified: metadata.modified().ok() }
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }
}

impl Store {
    /// Opens a file and remembers what it looks like.
    pub(super) fn open(path: &Path) -> io::Result<(File, Stamp)> {
        // A pipe in the file's place would block the program.
        if !path.metadata()?.is_file() {
            return Err(io::Error::other("no longer a file"));
        }
        let file = File::open(path)?;
        let stamp = Stamp::of(&file.metadata()?);
        Ok((file, stamp))
    }

    /// The name in messages of the record at `number`; 0 is the whole file.
    pub(super) fn place(&self, number: u64) -> String {
        let origin = match self {
            Self::File { path, .. } => shown(path),
            Self::Static { name, .. } => (*name).to_owned(),
            Self::Spool { origin, .. } => visible(origin).into_owned(),
        };
        place(&origin, number)
    }
}

/// `origin:number`, or `origin` alone for the whole.
pub(super) fn place(origin: &str, number: u64) -> String {
    if number == 0 { origin.to_owned() } else { format!("{origin}:{number}") }
}
