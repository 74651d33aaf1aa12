//! A document is an address: the position of its bytes in a source, and properties noticed while reading them.
//!
//! The text itself is not kept. A [`Chunk`] holds the documents of one batch, their ids in one string, and
//! their sources. Snapshots share whole chunks, so that a folder of a million files never needs a list of a
//! million elements to be copied. A document takes 32 bytes plus its id.

use std::fmt::Write as _;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::source::Source;
use super::text::TextSlice;

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

/// A small set of properties of a document, noticed while it was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ContentFlags(u8);

impl ContentFlags {
    /// No property.
    pub const NONE: Self = Self(0);
    /// Some bytes are invalid in the encoding and are shown as U+FFFD.
    pub const LOSSY: Self = Self(1);
    /// No text, or only white space; or a fingerprint row without a fingerprint.
    pub const EMPTY: Self = Self(2);
    /// A fingerprint instead of text.
    pub const FINGERPRINT_ONLY: Self = Self(4);
    /// Hashed features instead of text.
    pub const HASHES_ONLY: Self = Self(8);

    /// Whether some bytes were invalid and are read as U+FFFD.
    pub fn is_lossy(self) -> bool {
        self.contains(Self::LOSSY)
    }

    /// Whether the document has no text (or only white space), or no fingerprint.
    pub fn is_empty(self) -> bool {
        self.contains(Self::EMPTY)
    }

    /// Whether the document has a fingerprint instead of text.
    pub fn is_fingerprint_only(self) -> bool {
        self.contains(Self::FINGERPRINT_ONLY)
    }

    /// Whether the document has hashed features instead of text.
    pub fn is_hashes_only(self) -> bool {
        self.contains(Self::HASHES_ONLY)
    }

    /// Whether the document has something else instead of text.
    pub fn lacks_text(self) -> bool {
        self.is_fingerprint_only() || self.is_hashes_only()
    }

    /// Whether all flags of `other` are set.
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// These flags and, if `wanted`, the flags of `other`.
    #[must_use]
    pub fn with(self, other: Self, wanted: bool) -> Self {
        if wanted { Self(self.0 | other.0) } else { self }
    }
}

/// The content of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Its text.
    Text(TextSlice),
    /// Its fingerprint in hex, as found; `None` for JSON `null` or an empty cell, which mean "no features".
    Fingerprint(Option<String>),
    /// Its features as another program hashed them: 64 bits and a weight each, at least 0. The weights of a document
    /// add up to 10^12 at most.
    Hashes(Vec<(u64, f64)>),
}

impl Content {
    /// The text; `None` for a fingerprint.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Fingerprint(_) | Self::Hashes(_) => None,
        }
    }

    /// The flags that follow from the content alone.
    pub(super) fn flags(&self) -> ContentFlags {
        match self {
            Self::Text(text) => Self::text_flags(text),
            Self::Fingerprint(hex) => ContentFlags::FINGERPRINT_ONLY
                .with(ContentFlags::EMPTY, hex.as_deref().is_none_or(str::is_empty)),
            Self::Hashes(hashes) => {
                ContentFlags::HASHES_ONLY.with(ContentFlags::EMPTY, hashes.is_empty())
            }
        }
    }

    /// The flags of a text.
    pub(super) fn text_flags(text: &str) -> ContentFlags {
        ContentFlags::NONE.with(ContentFlags::EMPTY, text.trim().is_empty())
    }

    /// Bytes of text.
    pub(super) fn text_bytes(&self) -> usize {
        self.text().map_or(0, str::len)
    }

    /// Bytes in memory of a text, or of the hashes instead.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Hashes(hashes) => size_of_val(hashes.as_slice()),
            _ => self.text_bytes(),
        }
    }
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
            let Document { offset, length, number, flags, .. } = self.documents[index];
            let (length, id) = (length as usize, Some(self.id(index)));
            only.push(self.source(index), "", &Record { offset, length, number, flags, id });
        }
        only
    }

    /// The id of the `index`th document.
    pub(super) fn id(&self, index: usize) -> &str {
        let start = index.checked_sub(1).map_or(0, |before| self.documents[before].id_end);
        &self.ids[start as usize..self.documents[index].id_end as usize]
    }

    /// The source of the `index`th document.
    pub(super) fn source(&self, index: usize) -> &Arc<Source> {
        &self.sources[self.documents[index].source as usize]
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

    #[test]
    fn white_space_is_empty_and_a_fingerprint_is_marked() {
        assert!(Content::Text(" \n\u{3000}".into()).flags().is_empty());
        assert!(!Content::Text("a".into()).flags().is_empty());
        let flags = Content::Fingerprint(Some("ff".into())).flags();
        assert!(flags.is_fingerprint_only() && !flags.is_empty());
        assert!(Content::Fingerprint(None).flags().is_empty());
    }
}
