//! Reading documents again: from the file they came from, the temporary file, or the program.
//!
//! A run of documents opens each source once and reads ahead, so that showing or hashing a whole
//! corpus again costs about as much as reading it the first time, less the finding of records.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use crate::id::DocId;

use super::decode::{Decoded, lossy, read_whole};
use super::diagnostic::{ReadError, describe};
use super::document::{Chunk, Content, Document};
use super::rows::RowParser;
use super::source::{Shape, Source, Store};
use super::spool::{Spool, read_at};
use super::{Corpus, Limits, delimited, jsonl};

/// Bytes read ahead in a run.
const AHEAD: usize = 256 << 10;

impl Corpus {
    /// Reads one document again.
    ///
    /// # Errors
    /// [`ReadError`] if its file is gone, changed or unreadable.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn read(&self, id: DocId) -> Result<Content, ReadError> {
        self.reread(id, &mut Rereader::new(0))
    }

    /// Reads a run of documents again, in order: one open file a source, buffered.
    ///
    /// An element a document, those past the end left out; one that cannot be read does not stop the
    /// others.
    pub fn read_many(&self, documents: Range<usize>) -> Vec<Result<Content, ReadError>> {
        let mut rereader = Rereader::new(AHEAD);
        let documents = documents.start..documents.end.min(self.len());
        documents.map(|index| self.reread(DocId::from(index), &mut rereader)).collect()
    }

    /// Reads a document again, or notes that it cannot be.
    fn reread(&self, id: DocId, rereader: &mut Rereader) -> Result<Content, ReadError> {
        let (chunk, index) = self.locate(id);
        rereader.read(chunk, index).inspect_err(|error| {
            self.unread.note(id, chunk.source(index).store.place(0), error);
        })
    }
}

/// What keeps a source from being read.
#[derive(Clone)]
enum Fault {
    Vanished,
    Changed,
    Unreadable(String),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::Vanished,
            _ => Self::Unreadable(describe(&error)),
        }
    }
}

impl Fault {
    fn at(self, place: String) -> ReadError {
        match self {
            Self::Vanished => ReadError::Vanished { place },
            Self::Changed => ReadError::Changed { place },
            Self::Unreadable(problem) => ReadError::Unreadable { place, problem },
        }
    }
}

/// The bytes of an opened source.
enum Handle {
    File(File),
    Spool(Arc<Spool>),
    Static(&'static [u8]),
}

impl Handle {
    fn open(store: &Store) -> Result<Self, Fault> {
        match store {
            Store::Spool { spool, .. } => Ok(Self::Spool(Arc::clone(spool))),
            Store::Static { bytes, .. } => Ok(Self::Static(bytes)),
            Store::File { path, stamp } => {
                let (file, now) = Store::open(path)?;
                if now == *stamp { Ok(Self::File(file)) } else { Err(Fault::Changed) }
            }
        }
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match self {
            Self::File(file) => read_at(file, buffer, offset),
            Self::Spool(spool) => spool.read_at(buffer, offset),
            Self::Static(bytes) => {
                let rest = bytes.get(offset as usize..).unwrap_or_default();
                let count = rest.len().min(buffer.len());
                buffer[..count].copy_from_slice(&rest[..count]);
                Ok(count)
            }
        }
    }

    /// The text of a source that is one document.
    fn whole(&self) -> Result<Content, Fault> {
        // It was within the limits when it was loaded, and has not changed since.
        let limits = Limits::NONE;
        let decoded = match self {
            Self::File(file) => Decoded::open(Box::new(file), limits),
            Self::Static(bytes) => Decoded::open(Box::new(*bytes), limits),
            Self::Spool(_) => return Err(Fault::Changed),
        };
        Ok(Content::Text(read_whole(decoded.reader, limits)?.0.into()))
    }
}

/// Holds the source at hand open and some bytes of it read.
struct Rereader {
    source: Option<(Arc<Source>, Result<Handle, Fault>)>,
    window: Vec<u8>,
    /// Position of the window's first byte.
    start: u64,
    /// Bytes to read at least.
    ahead: usize,
    /// For CSV and TSV.
    parser: RowParser,
}

impl Rereader {
    fn new(ahead: usize) -> Self {
        Self { source: None, window: Vec::new(), start: 0, ahead, parser: RowParser::default() }
    }

    fn read(&mut self, chunk: &Chunk, index: usize) -> Result<Content, ReadError> {
        let (document, source) = (&chunk.documents[index], chunk.source(index));
        self.content(document, source)
            .map_err(|fault| fault.at(source.store.place(document.number)))
    }

    fn content(&mut self, document: &Document, source: &Arc<Source>) -> Result<Content, Fault> {
        let Self { source: current, window, start, ahead, parser } = self;
        if current.as_ref().is_none_or(|(open, _)| !Arc::ptr_eq(open, source)) {
            window.clear();
        }
        let handle = match current {
            Some((open, handle)) if Arc::ptr_eq(open, source) => handle,
            _ => &mut current.insert((Arc::clone(source), Handle::open(&source.store))).1,
        };
        let handle = handle.as_ref().map_err(Fault::clone)?;
        if matches!(source.shape, Shape::Whole) {
            return handle.whole();
        }
        let (offset, length) = (document.offset, document.length as usize);
        let is_inside = offset >= *start && offset + length as u64 <= *start + window.len() as u64;
        if !is_inside {
            window.resize(length.max(*ahead), 0);
            let count = handle.read_at(window, offset)?;
            window.truncate(count);
            *start = offset;
        }
        let from = (offset - *start) as usize;
        let bytes = window.get(from..from + length).ok_or(Fault::Changed)?;
        let content = match &source.shape {
            Shape::Whole | Shape::Raw => Some(Content::Text(lossy(bytes.to_vec()).0.into())),
            Shape::Jsonl(fields) => jsonl::content(bytes, fields),
            Shape::Delimited(columns) => delimited::content(bytes, columns, parser),
        };
        content.ok_or(Fault::Changed)
    }
}
