//! Reads a kept corpus. Any bytes give either documents with consistent addresses, or no corpus.

use std::fs::File;
use std::sync::Arc;

use rayon::prelude::*;

use crate::corpus::{
    Corpus, Diagnostic, LoadOptions,
    document::{Chunk, ContentFlags, Record},
    fields::FieldNames,
    source::{ByteStore, RecordKind, Source},
    spool::Spool,
};

use super::{KeptCorpus, KeptFile, KeptKind, KeptNote, KeptSource, encode::ADDRESS};

/// Documents in a chunk, equal to the largest batch.
const CHUNK: usize = 4096;
/// Bytes of the ids in a chunk; a single longer id has a chunk of its own.
const CHUNK_IDS: usize = 4 << 20;

/// The texts in an index file, end to end.
#[derive(Debug)]
pub struct TextsInFile {
    /// The index file.
    pub file: File,
    /// The position of the first text.
    pub start: u64,
}

impl KeptNote {
    /// The number of documents.
    pub fn len(&self) -> u64 {
        self.documents
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.documents == 0
    }

    /// Bytes of addresses and ids.
    pub fn bytes(&self) -> Option<u64> {
        self.documents.checked_mul(ADDRESS as u64)?.checked_add(self.id_bytes)
    }

    /// The corpus of these addresses and ids; `None` if they are inconsistent.
    pub fn read(
        self,
        addresses_and_ids: &[u8],
        texts: TextsInFile,
        options: &LoadOptions,
    ) -> Option<KeptCorpus> {
        let addresses = usize::try_from(self.documents).ok()?.checked_mul(ADDRESS)?;
        let (addresses, ids) = addresses_and_ids.split_at_checked(addresses)?;
        let (files, lengths) = renumbered(self.files, self.documents)?;
        let spool = Arc::new(Spool::within(texts.file, texts.start));
        let fields = Arc::new(FieldNames::new(options));
        let mut sources = Vec::new();
        for kept in &self.sources {
            if matches!(&kept.kind, KeptKind::Delimited(columns) if !columns.are_sound()) {
                return None;
            }
            let of = kept.file as usize..kept.file.checked_add(kept.n)? as usize;
            let of = files.get(of)?.iter();
            sources.extend(of.map(|file| Arc::new(source(kept, file, &spool, &fields))));
            // Each has a document.
            if sources.len() as u64 > self.documents {
                return None;
            }
        }
        let mut corpus = Corpus::empty();
        let chunks: Option<Vec<Vec<Chunk>>> = blocks(addresses, ids)?
            .into_par_iter()
            .map(|(addresses, ids)| chunks(addresses, ids, &sources))
            .collect();
        chunks?.into_iter().flatten().for_each(|chunk| corpus.add(Arc::new(chunk)));
        let files = files.into_iter().zip(lengths).map(|(mut file, documents)| {
            file.documents = documents;
            // The index may come from somebody else, so its messages are sanitised again.
            for message in file.diagnostics.iter_mut().chain(&mut file.remarks) {
                let remedy = message.remedy.as_deref().unwrap_or_default();
                *message = Diagnostic::new(&message.place, &message.problem, remedy);
            }
            (file.path.clone(), file)
        });
        Some(KeptCorpus { corpus, files: files.collect(), index_place: None })
    }
}

/// A field of an address.
fn half(address: &[u8], at: usize) -> Option<u32> {
    address.get(at..at + 4)?.try_into().map(u32::from_le_bytes).ok()
}

/// The addresses of each [`CHUNK`] documents, and their ids; `None` unless the lengths of the ids sum up to the ids.
fn blocks<'a>(addresses: &'a [u8], mut ids: &'a [u8]) -> Option<Vec<(&'a [u8], &'a [u8])>> {
    let blocks = addresses.par_chunks(CHUNK * ADDRESS);
    let sums = blocks.map(|block| {
        let lengths = block.chunks_exact(ADDRESS).map(|address| half(address, 24));
        let sum = lengths.map(Option::unwrap_or_default).map(u64::from).sum::<u64>();
        (block, sum)
    });
    let sums: Vec<(&[u8], u64)> = sums.collect();
    let with_ids = sums.into_iter().map(|(block, sum)| {
        let (here, rest) = ids.split_at_checked(usize::try_from(sum).ok()?)?;
        ids = rest;
        Some((block, here))
    });
    let with_ids = with_ids.collect::<Option<Vec<_>>>()?;
    ids.is_empty().then_some(with_ids)
}

/// The documents of a block in a chunk, or in several if their ids are long; `None` if they are inconsistent.
fn chunks(addresses: &[u8], ids: &[u8], sources: &[Arc<Source>]) -> Option<Vec<Chunk>> {
    // A copy, since the file may be changed between its check and its use.
    let ids = String::from_utf8(ids.to_vec()).ok()?;
    let (mut ids, n) = (ids.as_str(), addresses.len() / ADDRESS);
    let mut full = Vec::new();
    let mut chunk = Chunk::with_capacity(n, ids.len().min(CHUNK_IDS));
    for address in addresses.chunks_exact(ADDRESS) {
        let word = |at: usize| address[at..at + 8].try_into().map(u64::from_le_bytes).ok();
        let (id, rest) = ids.split_at_checked(half(address, 24)? as usize)?;
        ids = rest;
        if chunk.id_bytes() + id.len() > CHUNK_IDS {
            full.push(std::mem::take(&mut chunk));
        }
        let record = Record {
            offset: word(0)?,
            number: word(8)?,
            length: half(address, 16)? as usize,
            flags: ContentFlags::from_byte(address[28]),
            id: Some(id),
        };
        chunk.push(sources.get(half(address, 20)? as usize)?, "", &record);
    }
    full.push(chunk);
    ids.is_empty().then_some(full)
}

/// The files, and the range of documents of each, numbered without gaps; `None` if the sum is not
/// `n_documents`.
fn renumbered(
    files: Vec<KeptFile>,
    n_documents: u64,
) -> Option<(Vec<KeptFile>, Vec<std::ops::Range<u32>>)> {
    let mut end = 0_u32;
    let documents = files.iter().map(|file| {
        let first = end;
        end = end.checked_add(file.documents.end.checked_sub(file.documents.start)?)?;
        Some(first..end)
    });
    let documents = documents.collect::<Option<Vec<_>>>()?;
    (u64::from(end) == n_documents).then_some((files, documents))
}

/// The source that was written as `kept`.
fn source(
    kept: &KeptSource,
    file: &KeptFile,
    spool: &Arc<Spool>,
    fields: &Arc<FieldNames>,
) -> Source {
    let (path, stamp) = (file.path.clone(), file.stamp);
    let store = match &kept.origin {
        Some(origin) => ByteStore::Spool {
            spool: Arc::clone(spool),
            origin: origin.clone(),
            parquet: kept.is_parquet.then_some((path, stamp)),
        },
        None => ByteStore::File { path, stamp },
    };
    let shape = match &kept.kind {
        KeptKind::Whole => RecordKind::Whole,
        KeptKind::Raw => RecordKind::Raw,
        KeptKind::Fingerprint => RecordKind::Fingerprint(fields.fingerprint_type),
        KeptKind::Json(form) => RecordKind::Json(Arc::clone(fields), form.clone()),
        KeptKind::Mail(is_mbox) => RecordKind::Mail(Arc::clone(fields), *is_mbox),
        KeptKind::Delimited(columns) => RecordKind::Delimited(Arc::new(columns.clone())),
    };
    Source { store, shape, has_mark: kept.has_mark }
}
