//! An index file: the addresses, ids and fingerprints of a corpus, and the texts that are in none of the user's
//! files.
//!
//! ```text
//! "simscope-index/4" | texts | addresses, ids | records | metadata (JSON) | start of the addresses, start of the metadata, checksum
//! ```
//!
//! Everything except the texts is mapped into memory while the file is opened, checked and decoded: some 70 bytes for
//! each document. Nothing of the map remains, so what happens to the file later is of no matter.
//! Numbers are little-endian. The file holds no search table: a search is a scan of the fingerprints.

use std::{
    fs::File,
    hash::Hasher,
    io::{self, Read as _, Seek as _, SeekFrom, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use super::{Analysis, FingerprintColumn, mapped_file::MappedFile};
use crate::{
    corpus::{Input, KeptCorpus, KeptNote, LoadOptions, TextsInFile},
    simhash::{Fingerprint, FingerprintRecord, Recipe},
    text::visible,
};

/// The first bytes of each version.
const MAGIC: &[u8; 15] = b"simscope-index/";
const VERSION: u8 = b'4';
/// Bytes at the end: two positions and a checksum.
const TRAILER: usize = 24;

/// A corpus and its fingerprints, kept in a file.
#[derive(Debug)]
pub struct IndexFile {
    /// Folders and files, as absolute paths.
    pub inputs: Vec<Input>,
    /// The options with which they were read.
    pub options: LoadOptions,
    /// The recipe of the fingerprints; `None` if all of them came without text and are of an unknown one.
    pub recipe: Option<Recipe>,
    /// Bits of a fingerprint.
    pub bits: u32,
    /// Its documents.
    pub kept: KeptCorpus,
    pub(super) records: FingerprintColumn,
}

/// The reason why an index cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct IndexFileError {
    place: String,
    reason: String,
}

/// The metadata of the file, as JSON.
#[derive(Serialize, Deserialize)]
struct IndexMetadata {
    program: String,
    inputs: Vec<PathBuf>,
    options: LoadOptions,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    recipe: Option<String>,
    bits: u32,
    corpus: KeptNote,
}

impl IndexFile {
    /// An empty index.
    pub fn new(inputs: Vec<Input>, options: LoadOptions, recipe: Recipe) -> Self {
        let (kept, records) = (KeptCorpus::default(), FingerprintColumn::new());
        Self { inputs, options, bits: recipe.bits, recipe: Some(recipe), kept, records }
    }

    /// Whether its fingerprints are those of a run under this recipe.
    pub fn is_of(&self, recipe: &Recipe) -> bool {
        match &self.recipe {
            Some(own) => own.to_string() == recipe.to_string(),
            // They came as they are.
            None => self.bits == recipe.bits && !recipe.counts_frequencies(),
        }
    }

    /// The recipe with which it is brought up to date.
    pub fn recipe_to_use(&self) -> Recipe {
        self.recipe.clone().unwrap_or(Recipe { bits: self.bits, ..Recipe::default() })
    }

    /// Whether a file is an index file, of any version, also if up to three of its first bytes are wrong or it is cut
    /// off among them: a damaged index is no text.
    pub fn is_one(path: &Path) -> bool {
        let is_one = |mut file| Ok::<_, io::Error>(is_like_one(&head(&file)?, &mut file));
        is_file(path) && File::open(path).and_then(is_one).unwrap_or(false)
    }

    /// Whether a file has the first bytes of an index file, so that it may be replaced.
    pub fn begins_as_one(path: &Path) -> bool {
        is_file(path)
            && File::open(path).and_then(|it| head(&it)).is_ok_and(|it| it.starts_with(MAGIC))
    }

    /// Opens an index: maps, checks and decodes about 70 bytes for each document.
    ///
    /// # Errors
    /// [`IndexFileError`] if the file is not an index, is damaged, or was made by another version.
    pub fn open(path: &Path) -> Result<Self, IndexFileError> {
        let place = visible(&path.to_string_lossy()).into_owned();
        let mut file = File::open(path).map_err(|error| io_error(&place, &error))?;
        let damaged = |why| damaged(&place, why);
        let (mapped, note_start) = map_checked(&mut file, &place)?;
        let (bytes, note) = mapped.split_at(note_start);
        let read: IndexMetadata = serde_json::from_slice(note)
            .map_err(|_| damaged("its metadata, or this build lacks a format it needs"))?;
        let recipe: Option<Recipe> = read
            .recipe
            .as_deref()
            .map(str::parse)
            .transpose()
            .map_err(|_| damaged("its recipe"))?;
        let width = read.bits;
        if !(1..=u128::BITS).contains(&width) || recipe.as_ref().is_some_and(|it| it.bits != width)
        {
            return Err(damaged("its recipe"));
        }
        let n = read.corpus.len();
        let addresses = read.corpus.bytes().and_then(|bytes| usize::try_from(bytes).ok());
        let (addresses, records) = addresses
            .and_then(|n| bytes.split_at_checked(n))
            .ok_or_else(|| damaged("its length"))?;
        let size = record_size(width);
        if records.len() as u64 != n.saturating_mul(size as u64) {
            return Err(damaged("its length"));
        }
        let records = FingerprintColumn::decoded(records, size, &|bytes| read_record(bytes, width))
            .ok_or_else(|| damaged("a fingerprint"))?;
        let texts = TextsInFile { file, start: MAGIC.len() as u64 + 1 };
        let kept = read.corpus.read(addresses, texts, &read.options);
        Ok(Self {
            inputs: read.inputs.into_iter().map(Input::Path).collect(),
            options: read.options,
            recipe,
            bits: width,
            kept: kept.ok_or_else(|| damaged("its documents"))?,
            records,
        })
    }

    /// Writes the index of an analysis of `inputs`, which must all be paths; returns the number of documents.
    ///
    /// Files with a document that should have a fingerprint but has none are left out; they are read again later.
    ///
    /// # Errors
    /// If the texts cannot be read or the bytes cannot be written.
    pub fn write(
        inputs: &[Input],
        options: &LoadOptions,
        analysis: &Analysis,
        out: &mut dyn Write,
    ) -> io::Result<u64> {
        let sound = |document| analysis.record(document).is_some_and(|record| !record.unreadable);
        let to_keep = analysis.corpus.to_keep(&sound);
        out.write_all(MAGIC)?;
        out.write_all(&[VERSION])?;
        let start = MAGIC.len() as u64 + 1 + to_keep.write_texts(out)?;
        let mut out = ChecksumWriter { out, hasher: XxHash3_64::default(), n_written: start };
        let corpus = to_keep.write_documents(&mut out)?;
        let n_documents = corpus.len();
        let recipe = &analysis.settings.recipe;
        for document in to_keep.documents() {
            let record = analysis.record(document).ok_or(io::ErrorKind::InvalidData)?;
            write_record(&record, recipe.bits, &mut out)?;
        }
        let note_start = out.n_written;
        let paths = inputs.iter().filter_map(|input| match input {
            Input::Path(path) => Some(path.clone()),
            _ => None,
        });
        let note = IndexMetadata {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            inputs: paths.collect(),
            options: options.clone(),
            recipe: (!analysis.corpus.is_of_unknown_recipe()).then(|| recipe.to_string()),
            bits: recipe.bits,
            corpus,
        };
        serde_json::to_writer(&mut out, &note)?;
        let ChecksumWriter { out, hasher, .. } = out;
        for word in [start, note_start, hasher.finish()] {
            out.write_all(&word.to_le_bytes())?;
        }
        Ok(n_documents)
    }
}

fn io_error(place: &str, error: &io::Error) -> IndexFileError {
    IndexFileError { place: place.to_owned(), reason: error.to_string() }
}

/// Its bytes were changed, or it needs a feature that this build lacks.
fn damaged(place: &str, why: &str) -> IndexFileError {
    let reason = format!("the index is damaged ({why}); make it again from its corpus");
    IndexFileError { place: place.to_owned(), reason }
}

fn is_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file())
}

/// The first bytes of a file, with the version of an index.
fn head(file: &File) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    file.take(MAGIC.len() as u64 + 1).read_to_end(&mut head)?;
    Ok(head)
}

/// Whether a file with these first bytes is an index, but for a few of them. A text may begin so, too, but ends
/// otherwise; the name alone is a text.
fn is_like_one(head: &[u8], file: &mut File) -> bool {
    let head = &head[..head.len().min(MAGIC.len())];
    let n_equal = head.iter().zip(MAGIC).filter(|(byte, of)| byte == of).count();
    let is_near = head.len() == MAGIC.len() && n_equal + 3 >= head.len();
    let mut ends_as_one = || trailer(file).is_ok_and(|it| it.is_some());
    head.len() > "simscope".len() && (n_equal == head.len() || is_near && ends_as_one())
}

/// The end of an index.
struct Trailer {
    start: u64,
    note_start: u64,
    checksum: u64,
    /// The place where the trailer begins.
    end: u64,
}

/// The end of a file, if it can be that of an index.
fn trailer(file: &mut File) -> io::Result<Option<Trailer>> {
    let Some(end) = file.metadata()?.len().checked_sub(TRAILER as u64) else { return Ok(None) };
    file.seek(SeekFrom::Start(end))?;
    let mut bytes = [0; TRAILER];
    file.read_exact(&mut bytes)?;
    let mut words = bytes.chunks_exact(8).map(|word| {
        let word: [u8; 8] = word.try_into().unwrap_or_default();
        u64::from_le_bytes(word)
    });
    let mut word = || words.next().unwrap_or_default();
    let (start, note_start, checksum) = (word(), word(), word());
    let is_one = start > MAGIC.len() as u64 && note_start >= start && end >= note_start;
    Ok(is_one.then_some(Trailer { start, note_start, checksum, end }))
}

/// The bytes after the texts, and where the metadata begins in them. The checksum is verified.
fn map_checked(file: &mut File, place: &str) -> Result<(MappedFile, usize), IndexFileError> {
    let io = |error| io_error(place, &error);
    let damaged = |why| damaged(place, why);
    let refused =
        |reason: &str| IndexFileError { place: place.to_owned(), reason: reason.to_owned() };
    let head = head(file).map_err(io)?;
    if head.len() <= MAGIC.len() || !head.starts_with(MAGIC) {
        return Err(if is_like_one(&head, file) {
            damaged("its first bytes are wrong")
        } else {
            refused("not an index file; make one with `simscope index PATH -o FILE`")
        });
    }
    if head[MAGIC.len()] != VERSION {
        return Err(refused(
            "an index of another version of simscope; make it again from its corpus",
        ));
    }
    let trailer = trailer(file).map_err(io)?;
    let Some(Trailer { start, note_start, checksum, end }) = trailer else {
        return Err(damaged("cut off"));
    };
    let size = usize::try_from(end - start).map_err(|_| damaged("too large for this system"))?;
    let mapped = MappedFile::of(file, start, size).map_err(io)?;
    if XxHash3_64::oneshot(&mapped) != checksum {
        return Err(damaged("wrong checksum"));
    }
    Ok((mapped, (note_start - start) as usize))
}

/// The size of a record in bytes: 8 for the fingerprint, or 16 if it has more than 64 bits, and 12 more.
fn record_size(width: u32) -> usize {
    if width > u64::BITS { 28 } else { 20 }
}

fn write_record(record: &FingerprintRecord, width: u32, out: &mut dyn Write) -> io::Result<()> {
    let bits = record.fingerprint.map_or(0, Fingerprint::bits).to_le_bytes();
    let size = record_size(width);
    let mut bytes = [0; 28];
    bytes[..size - 12].copy_from_slice(&bits[..size - 12]);
    let rest = &mut bytes[size - 12..size];
    rest[..4].copy_from_slice(&record.n_tokens.to_le_bytes());
    rest[4..8].copy_from_slice(&record.n_features.to_le_bytes());
    rest[8] = record.n_ties;
    rest[9] = u8::from(record.fingerprint.is_some());
    rest[10] = u8::from(record.dominated);
    out.write_all(&bytes[..size])
}

/// The record that was written; `None` for a fingerprint that is wider than the recipe's.
fn read_record(bytes: &[u8], width: u32) -> Option<FingerprintRecord> {
    let (word, rest) = bytes.split_at_checked(bytes.len() - 12)?;
    let mut bits = [0; 16];
    bits[..word.len()].copy_from_slice(word);
    let bits = u128::from_le_bytes(bits);
    if width < u128::BITS && bits >> width != 0 {
        return None;
    }
    Some(FingerprintRecord {
        fingerprint: (rest[9] != 0).then(|| Fingerprint::new(bits, width)),
        n_tokens: u32::from_le_bytes(rest[..4].try_into().ok()?),
        n_features: u32::from_le_bytes(rest[4..8].try_into().ok()?),
        n_ties: rest[8],
        dominated: rest[10] != 0,
        unreadable: false,
    })
}

/// Forwards bytes, and computes their checksum and number.
struct ChecksumWriter<'a> {
    out: &'a mut dyn Write,
    hasher: XxHash3_64,
    n_written: u64,
}

impl Write for ChecksumWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.out.write(bytes)?;
        self.hasher.write(&bytes[..n]);
        self.n_written += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
