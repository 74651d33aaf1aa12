//! The place of a document in a file of the user's, for a program that opens files at a line.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::Corpus;
use super::decode::DecodedInput;
use super::options::InputLimits;
use super::source::{ByteStore, RecordKind};
use crate::id::DocId;

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePlace {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: u64,
}

impl Corpus {
    /// The file and the line of a document. Reads the beginning of a document that is a whole file.
    ///
    /// # Errors
    /// The reason why it stands in no line of a file, as a message for the user.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn file_place(&self, id: DocId) -> Result<FilePlace, String> {
        let (chunk, index) = self.locate(id);
        let (number, source) = (chunk.documents[index].number, chunk.source(index));
        let refuse = |why: &str| Err(format!("{}: {why}", source.store.place(number)));
        let path = match &source.store {
            ByteStore::File { path, .. } => path,
            #[cfg(feature = "columnar")]
            ByteStore::Rows { .. } => return refuse("rows of this file have no lines"),
            ByteStore::Static { .. } => {
                return refuse("the sample is part of the program, no file");
            }
            ByteStore::Spool { .. } => {
                return refuse(
                    "it is packed, converted, in an archive or from a pipe, so there is no line to open",
                );
            }
        };
        match is_packed(path, &source.shape) {
            Ok(true) => refuse("the file is packed, so there is no line to open"),
            Ok(false) => Ok(FilePlace { path: path.clone(), line: number.max(1) }),
            Err(_) => refuse("the file is gone or cannot be read"),
        }
    }
}

/// Whether a document that is a whole file is packed: an editor would show no text.
fn is_packed(path: &Path, shape: &RecordKind) -> io::Result<bool> {
    let mut file = ByteStore::open(path)?.0;
    if !matches!(shape, RecordKind::Whole) {
        return Ok(false);
    }
    let mut head = Vec::new();
    (&mut file).take(2).read_to_end(&mut head)?;
    let is_utf16 = matches!(&head[..], [0xff, 0xfe] | [0xfe, 0xff]);
    let decoded = DecodedInput::open(Box::new(File::open(path)?), InputLimits::NONE);
    Ok(!decoded.plain && !is_utf16)
}
