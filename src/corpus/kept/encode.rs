//! Writes a corpus to an index: the texts that are nowhere else, the addresses of all documents, their ids, and
//! a note with the rest.

use std::io::{self, Write};
use std::sync::Arc;

use crate::corpus::Corpus;
use crate::corpus::document::Chunk;
use crate::corpus::source::{ByteStore, RecordKind, Source};
use crate::id::DocId;

use super::{KeptFile, KeptKind, KeptNote, KeptSource};

/// Bytes of a document's address as written.
pub(super) const ADDRESS: usize = 32;

/// The documents of a corpus that are worth keeping.
#[derive(Debug)]
pub struct CorpusToKeep<'a> {
    pub(super) corpus: &'a Corpus,
    pub(super) files: Vec<&'a KeptFile>,
}

impl CorpusToKeep<'_> {
    /// The documents, in order.
    pub fn documents(&self) -> impl Iterator<Item = DocId> {
        self.files.iter().flat_map(|file| file.documents.clone().map(DocId))
    }

    fn places(&self) -> impl Iterator<Item = (&Chunk, usize)> {
        self.documents().map(|document| self.corpus.locate(document))
    }

    /// Writes the texts that cannot be read again from a file of the user, end to end. Returns the number of
    /// bytes.
    ///
    /// # Errors
    /// If they cannot be read or written.
    pub fn write_texts(&self, out: &mut dyn Write) -> io::Result<u64> {
        let (mut buffer, mut n_written) = (Vec::new(), 0);
        for (chunk, index) in self.places() {
            let Some((spool, _)) = chunk.source(index).store.spooled() else { continue };
            let document = &chunk.documents[index];
            buffer.resize(document.length as usize, 0);
            if spool.read_at(&mut buffer, document.offset)? < buffer.len() {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            out.write_all(&buffer)?;
            n_written += buffer.len() as u64;
        }
        Ok(n_written)
    }

    /// Writes the address of each document, then the ids end to end. Returns the rest.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write_documents(&self, out: &mut dyn Write) -> io::Result<KeptNote> {
        let (mut sources, mut n_sources) = (Vec::<KeptSource>::new(), 0_u32);
        let (mut n_documents, mut id_bytes) = (0, 0);
        let mut in_texts = 0;
        for (number, file) in (0..).zip(&self.files) {
            let mut last: Option<&Arc<Source>> = None;
            for document in file.documents.clone().map(DocId) {
                let (chunk, index) = self.corpus.locate(document);
                let source = chunk.source(index);
                if !last.is_some_and(|last| Arc::ptr_eq(last, source)) {
                    add(&mut sources, written(source, number));
                    n_sources += 1;
                    last = Some(source);
                }
                let (document, id) = (&chunk.documents[index], chunk.id(index));
                let mut offset = document.offset;
                if source.store.spooled().is_some() {
                    offset = in_texts;
                    in_texts += u64::from(document.length);
                }
                let mut address = [0; ADDRESS];
                address[..8].copy_from_slice(&offset.to_le_bytes());
                address[8..16].copy_from_slice(&document.number.to_le_bytes());
                address[16..20].copy_from_slice(&document.length.to_le_bytes());
                address[20..24].copy_from_slice(&(n_sources - 1).to_le_bytes());
                address[24..28].copy_from_slice(&(id.len() as u32).to_le_bytes());
                address[28] = document.flags.to_byte();
                out.write_all(&address)?;
                n_documents += 1;
                id_bytes += id.len() as u64;
            }
        }
        for (chunk, index) in self.places() {
            out.write_all(chunk.id(index).as_bytes())?;
        }
        let files = self.files.iter().map(|file| (*file).clone()).collect();
        Ok(KeptNote { files, sources, documents: n_documents, id_bytes })
    }
}

/// The written form of a source in the file with the index `file`.
fn written(source: &Source, file: u32) -> KeptSource {
    let kind = match &source.shape {
        RecordKind::Whole => KeptKind::Whole,
        RecordKind::Raw => KeptKind::Raw,
        RecordKind::Fingerprint(_) => KeptKind::Fingerprint,
        RecordKind::Json(_, form) => KeptKind::Json(form.clone()),
        RecordKind::Mail(_, is_mbox) => KeptKind::Mail(*is_mbox),
        RecordKind::Delimited(columns) => KeptKind::Delimited((**columns).clone()),
    };
    let (has_mark, n) = (source.has_mark, 1);
    let origin = source.store.spooled().map(|(_, origin)| origin.into());
    let is_parquet = matches!(source.store, ByteStore::Spool { parquet: Some(_), .. });
    KeptSource { kind, has_mark, origin, is_parquet, file, n }
}

/// Adds a source: to the last one, if it is of the same kind and of the next file.
fn add(sources: &mut Vec<KeptSource>, source: KeptSource) {
    match sources.last_mut() {
        Some(last)
            if (&last.kind, last.has_mark) == (&source.kind, source.has_mark)
                && last.origin.is_none()
                && source.origin.is_none()
                && last.file + last.n == source.file =>
        {
            last.n += 1;
        }
        _ => sources.push(source),
    }
}
