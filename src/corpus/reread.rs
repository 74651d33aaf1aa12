//! Reads documents again: from their file, from the temporary file, or from the program.
//!
//! A series of documents opens each source once and reads ahead. So reading a whole corpus again costs about as
//! much as reading it the first time, without the search for records.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::id::DocId;

use super::blocks::LineBlocks;
use super::content::Content;
use super::decode::{DecodedInput, lossy, read_whole};
use super::diagnostic::{ReadError, ReadFault, describe};
use super::document::Located;
use super::json_items::JsonFrame;
use super::source::{ByteStore, FileStamp, Source};
use super::spool::{Spool, read_at};
use super::{Corpus, InputLimits};

/// Bytes read ahead in a series.
pub(super) const AHEAD: usize = 256 << 10;

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

    /// Reads consecutive documents again, in order, with one open file for each source and a buffer.
    ///
    /// Returns one element for each document; numbers past the end of the corpus are left out. An error for one
    /// document does not stop the others.
    pub fn read_many(&self, documents: Range<usize>) -> Vec<Result<Content, ReadError>> {
        let mut rereader = Rereader::new(AHEAD);
        let documents = documents.start..documents.end.min(self.len());
        documents.map(|index| self.reread(DocId::from(index), &mut rereader)).collect()
    }

    /// Reads a document again, or records that it cannot be read.
    fn reread(&self, id: DocId, rereader: &mut Rereader) -> Result<Content, ReadError> {
        self.noted(id, rereader.read(self.locate(id)))
    }
}

impl From<io::Error> for ReadFault {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::Vanished,
            _ => Self::Unreadable(describe(&error)),
        }
    }
}

/// The longest item that is passed by in search of the ends of an array.
const LONGEST_ITEM: u64 = 1 << 30;

/// Reads an opened source from a position on.
struct HandleReader<'a> {
    handle: &'a SourceHandle,
    at: u64,
}

impl Read for HandleReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.handle.read_at(buffer, self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}

/// The bytes of an opened source.
enum SourceHandle {
    File(File),
    Spool(Arc<Spool>),
    Static(&'static [u8]),
}

impl SourceHandle {
    fn open(source: &Source) -> Result<Self, ReadFault> {
        match &source.store {
            ByteStore::Spool { spool, .. } => Ok(Self::Spool(Arc::clone(spool))),
            ByteStore::Static { bytes, .. } => Ok(Self::Static(bytes)),
            ByteStore::File { path, stamp } => Ok(Self::File(unchanged(path, *stamp)?)),
        }
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match self {
            Self::File(file) => read_at(file, buffer, offset),
            Self::Spool(spool) => spool.read_at(buffer, offset),
            Self::Static(bytes) => bytes.get(offset as usize..).unwrap_or_default().read(buffer),
        }
    }

    /// An unpacked source that is one document. It was within the limits when it was loaded, and it has not
    /// changed since.
    fn decoded(&self) -> Result<DecodedInput<'_>, ReadFault> {
        match self {
            Self::File(file) => Ok(DecodedInput::open(Box::new(file), InputLimits::NONE)),
            Self::Static(bytes) => Ok(DecodedInput::open(Box::new(*bytes), InputLimits::NONE)),
            Self::Spool(_) => Err(ReadFault::Changed),
        }
    }

    /// The text of a source that is one document.
    fn whole(&self) -> Result<Content, ReadFault> {
        Ok(Content::Text(read_whole(self.decoded()?.reader, InputLimits::NONE)?.0.into()))
    }
}

/// Opens the file, if its length and time are unchanged.
fn unchanged(path: &Path, stamp: FileStamp) -> Result<File, ReadFault> {
    let (file, now) = ByteStore::open(path)?;
    if now == stamp { Ok(file) } else { Err(ReadFault::Changed) }
}

/// Keeps the current source open, and some bytes of it in memory.
pub(super) struct Rereader {
    source: Option<(Arc<Source>, Result<SourceHandle, ReadFault>)>,
    bytes: Vec<u8>,
    /// Position of the first byte in `bytes`.
    start: u64,
    /// The least number of bytes to read at a time.
    ahead: usize,
}

impl Rereader {
    /// A reader that reads at least `ahead` bytes of a source at a time.
    pub(super) fn new(ahead: usize) -> Self {
        Self { source: None, bytes: Vec::new(), start: 0, ahead }
    }

    pub(super) fn read(&mut self, it: Located<'_>) -> Result<Content, ReadError> {
        self.content(it).map_err(|fault| it.unread(fault))
    }

    /// The stored bytes of a row or line, without the line end; `None` for a document that is a whole file.
    pub(super) fn record(&mut self, it: Located<'_>) -> Result<Option<&[u8]>, ReadError> {
        if it.source.is_whole() {
            return Ok(None);
        }
        self.stored(it).map(Some).map_err(|fault| it.unread(fault))
    }

    /// The end of the line behind a row or line that was just read; `None` if its source ends there, or cannot be read.
    pub(super) fn line_end(&mut self, it: Located<'_>) -> Option<&'static [u8]> {
        let end = it.document.offset + u64::from(it.document.length);
        let at = end.checked_sub(self.start)? as usize;
        let mut bytes = [0; 2];
        let n = match self.bytes.get(at..at + 2) {
            Some(known) => (&*known).read(&mut bytes).ok()?,
            None => self.open(it.source).ok()?.read_at(&mut bytes, end).ok()?,
        };
        match &bytes[..n] {
            [b'\r', b'\n'] => Some(b"\r\n"),
            [b'\r', ..] => Some(b"\r"),
            [b'\n', ..] => Some(b"\n"),
            _ => None,
        }
    }

    /// The bytes around the items of the array in a file and between the first two, from its last document; `None` if
    /// it is not read in place, or the array does not end.
    pub(super) fn json_frame(&mut self, last: Located<'_>) -> Option<JsonFrame> {
        let Located { document: last, source, .. } = last;
        if matches!(source.store, ByteStore::Spool { .. }) {
            return None;
        }
        let handle = self.open(source).ok()?;
        let blocks = |cut, start| {
            LineBlocks::new(HandleReader { handle, at: start }, start, false, LONGEST_ITEM).cut(cut)
        };
        let mut spans: Vec<Range<u64>> = Vec::new();
        let mut items = blocks(source.shape.cut()?, 0);
        while let Some(block) = items.next().ok()?.filter(|_| spans.len() < 2) {
            spans.extend(block.spans()?);
        }
        let mut end = last.offset + u64::from(last.length);
        let mut behind = blocks(source.shape.cut_behind()?, end);
        while let Some(block) = behind.next().ok()? {
            end = block.spans()?.last().map_or(end, |span| span.end);
        }
        let read = |from: u64, to: u64| {
            let mut bytes = vec![0; (to - from) as usize];
            (handle.read_at(&mut bytes, from).ok()? == bytes.len()).then_some(bytes)
        };
        let between = match &spans[..] {
            [one, two, ..] => read(one.end, two.start)?,
            _ => b",".to_vec(),
        };
        let mut tail = Vec::new();
        HandleReader { handle, at: end }.read_to_end(&mut tail).ok()?;
        Some(JsonFrame { head: read(0, spans.first()?.start)?, between, tail })
    }

    /// The first bytes of a document that is a whole file, unpacked.
    pub(super) fn beginning(
        &mut self,
        it: Located<'_>,
        n_bytes: usize,
    ) -> Result<String, ReadError> {
        let read = |handle: &SourceHandle| -> Result<String, ReadFault> {
            let mut bytes = Vec::new();
            handle.decoded()?.reader.take(n_bytes as u64).read_to_end(&mut bytes)?;
            Ok(lossy(bytes).0)
        };
        self.open(it.source).and_then(read).map_err(|fault| it.unread(fault))
    }

    fn content(&mut self, it: Located<'_>) -> Result<Content, ReadFault> {
        let source = it.source;
        if source.is_whole() {
            return self.open(source)?.whole();
        }
        let bytes = self.stored(it)?;
        source.shape.content(bytes, &source.options).ok_or(ReadFault::Changed)
    }

    /// Opens a source unless it is already open.
    fn open(&mut self, source: &Arc<Source>) -> Result<&SourceHandle, ReadFault> {
        if self.source.as_ref().is_none_or(|(open, _)| !Arc::ptr_eq(open, source)) {
            self.bytes.clear();
            self.source = Some((Arc::clone(source), SourceHandle::open(source)));
        }
        let (_, handle) = self.source.as_ref().expect("just opened");
        handle.as_ref().map_err(ReadFault::clone)
    }

    fn stored(&mut self, it: Located<'_>) -> Result<&[u8], ReadFault> {
        self.open(it.source)?;
        self.bytes_at(it.source, it.document.offset, it.document.length as usize)
    }

    /// So many bytes of the open source.
    fn bytes_at(
        &mut self,
        source: &Arc<Source>,
        offset: u64,
        length: usize,
    ) -> Result<&[u8], ReadFault> {
        let end = offset.checked_add(length as u64).ok_or(ReadFault::Changed)?;
        if offset < self.start || end > self.start + self.bytes.len() as u64 {
            let mut bytes = std::mem::take(&mut self.bytes);
            let handle = self.open(source)?;
            // A length can be of a damaged index. There is no room for it unless the source goes so far.
            if length > bytes.len() && handle.read_at(&mut [0], end - 1)? == 0 {
                return Err(ReadFault::Changed);
            }
            bytes.resize(length.max(self.ahead), 0);
            let count = self.open(source)?.read_at(&mut bytes, offset)?;
            bytes.truncate(count);
            (self.bytes, self.start) = (bytes, offset);
        }
        let from = (offset - self.start) as usize;
        self.bytes.get(from..from + length).ok_or(ReadFault::Changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_room_is_made_for_a_record_that_is_longer_than_its_source() {
        let source = Source::of_lines("tides", b"the tide came in");
        for ahead in [0, 8] {
            let mut rereader = Rereader::new(ahead);
            for (offset, length) in [(4, u32::MAX as usize), (u64::MAX, 2), (16, 1), (0, 17)] {
                let read = rereader.bytes_at(&source, offset, length);
                assert!(matches!(read, Err(ReadFault::Changed)), "{length} from {offset}");
                assert!(rereader.bytes.capacity() <= 64, "{} bytes", rereader.bytes.capacity());
            }
            assert_eq!(rereader.bytes_at(&source, 4, 12).ok(), Some(&b"tide came in"[..]));
            assert_eq!(rereader.bytes_at(&source, 0, 3).ok(), Some(&b"the"[..]));
        }
    }
}
