//! A document is an address: the position of its bytes in a source, and properties noticed while reading them.
//!
//! The text itself is not kept. A [`Chunk`] holds the documents of one batch, their ids in one string, and
//! their sources. Snapshots share whole chunks, so that a folder of a million files never needs a list of a
//! million elements to be copied. A document takes 32 bytes plus its id.

use std::fmt::Write as _;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::content::ContentFlags;
use super::diagnostic::{ReadError, ReadFault};
use super::source::Source;

/// The address and marks of one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// First byte of the record in its source (or of its unpacked copy).
    pub offset: u64,
    /// Line number of the record, from 1; 0 if the document is a whole file.
    pub number: u64,
    /// Bytes of the record as stored, line end excluded.
    pub length: u32,
    /// Index into the sources of its chunk.
    pub(super) source: u32,
    /// The end of its id in the ids of its chunk; the id starts at the end of the id before it.
    id_end: u32,
    /// Properties noticed while it was read.
    pub flags: ContentFlags,
}

/// The address and id of a record, before it is added to a chunk.
pub(super) struct Record<'a> {
    pub(super) offset: u64,
    pub(super) length: usize,
    pub(super) number: u64,
    pub(super) flags: ContentFlags,
    /// The id in the record; `None` if its place is its id.
    pub(super) id: Option<&'a str>,
}

/// A document with its id and its source.
#[derive(Clone, Copy)]
pub(super) struct Located<'c> {
    pub(super) id: &'c str,
    pub(super) document: &'c Document,
    pub(super) source: &'c Arc<Source>,
}

impl Located<'_> {
    /// Its place, for messages.
    pub(super) fn place(self) -> String {
        self.source.store.place(self.document.number)
    }

    /// The error of a document that cannot be read again.
    pub(super) fn unread(self, fault: ReadFault) -> ReadError {
        ReadError { place: self.place(), fault }
    }
}

/// The documents of one batch.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Chunk {
    pub(super) documents: Vec<Document>,
    pub(super) sources: Vec<Arc<Source>>,
    ids: String,
}

impl Chunk {
    /// Whether each document has a source and an id: those of an index may be anything.
    pub(super) fn is_sound(&self) -> bool {
        let mut start = 0;
        let is_sound = |document: &Document| {
            let end = document.id_end as usize;
            let has_id = start <= end && self.ids.is_char_boundary(end);
            start = end;
            has_id && (document.source as usize) < self.sources.len()
        };
        self.documents.iter().all(is_sound)
    }

    /// Adds a document of `source`. A document without an id of its own gets an id that begins with `name`.
    pub(super) fn push(&mut self, source: &Arc<Source>, name: &str, record: &Record<'_>) {
        if self.sources.last().is_none_or(|last| !Arc::ptr_eq(last, source)) {
            self.sources.push(Arc::clone(source));
        }
        match record.id {
            Some(id) => self.ids.push_str(id),
            None if record.number == 0 => self.ids.push_str(name),
            None => {
                let _ = write!(self.ids, "{name}:{}", record.number);
            }
        }
        self.documents.push(Document {
            offset: record.offset,
            number: record.number,
            // Records are limited to far less than 4 GiB.
            length: record.length as u32,
            source: self.sources.len() as u32 - 1,
            id_end: self.ids.len() as u32,
            flags: record.flags,
        });
    }

    /// A chunk of some of the documents, given by their indices.
    pub(super) fn only(&self, places: &[usize]) -> Self {
        let mut only = Self::default();
        for &index in places {
            let Located { id, document, source } = self.at(index);
            let Document { offset, length, number, flags, .. } = *document;
            let (length, id) = (length as usize, Some(id));
            only.push(source, "", &Record { offset, length, number, flags, id });
        }
        only
    }

    /// The id of the `index`th document.
    pub(super) fn id(&self, index: usize) -> &str {
        let start = index.checked_sub(1).map_or(0, |before| self.documents[before].id_end);
        &self.ids[start as usize..self.documents[index].id_end as usize]
    }

    /// The `index`th document.
    pub(super) fn at(&self, index: usize) -> Located<'_> {
        let document = &self.documents[index];
        let source = &self.sources[document.source as usize];
        Located { id: self.id(index), document, source }
    }

    /// Bytes of ids so far.
    pub(super) fn id_bytes(&self) -> usize {
        self.ids.len()
    }

    /// Gives unused memory back.
    pub(super) fn shrink(&mut self) {
        self.documents.shrink_to_fit();
        self.sources.shrink_to_fit();
        self.ids.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_takes_32_bytes() {
        assert_eq!(size_of::<Document>(), 32);
    }
}
