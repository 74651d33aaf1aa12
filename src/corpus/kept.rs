//! A corpus in a file, an index: it opens without its inputs being read.
//!
//! An index is a cache. It stands for its inputs while a walk over them finds the same files, with the same lengths
//! and times; else the inputs are read.
//!
//! ```text
//! "simscope-index/7" | texts | chunks, each with its notes | header | start of the header, its checksum
//! ```
//!
//! The texts are the temporary file of the read: all that cannot be read again in the files of the user. A chunk has
//! the addresses and ids of a batch; its notes are bytes that the caller keeps with them. The header and each chunk
//! have a checksum, which is verified when the index is opened; texts are not checked. Whatever the bytes are, the
//! result is a corpus with consistent addresses, or none.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::id::DocId;

use super::Corpus;
use super::diagnostic::{CorpusError, Diagnostic, path_text, shown};
use super::document::Chunk;
use super::options::{Input, LoadOptions};
use super::source::{ByteStore, Source};
use super::spool::{Spool, read_at};

/// The first bytes of each version.
const MAGIC: &[u8; 15] = b"simscope-index/";
const VERSION: u8 = b'7';
/// The position of the texts.
const TEXTS: u64 = MAGIC.len() as u64 + 1;

/// The inputs that an index is of, and what its fingerprints are.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeptInputs {
    /// Folders and files, as paths from the root.
    pub paths: Vec<PathBuf>,
    /// The options with which they were read.
    pub options: LoadOptions,
    /// The recipe of the fingerprints; `None` if all of them came without text and are of an unknown one.
    pub recipe: Option<String>,
    /// Bits of a fingerprint: 1 to 128.
    pub bits: u32,
    /// The digest of a walk over the inputs, from before they were read ([`walk_digest`](super::walk_digest)).
    pub found: u64,
    /// The problems of documents without a sound fingerprint.
    pub problems: Vec<Diagnostic>,
}

/// A corpus that an index file holds.
#[derive(Debug)]
pub struct KeptCorpus {
    /// The index file in messages.
    pub place: String,
    /// The inputs in the run that opens it.
    pub inputs: Vec<Input>,
    /// The inputs as the index keeps them.
    pub of: KeptInputs,
    /// The notes of each chunk.
    pub notes: Vec<Vec<u8>>,
    /// The documents.
    pub corpus: Corpus,
}

/// The end of the file but for the trailer.
#[derive(Serialize, Deserialize)]
struct KeptHeader {
    of: KeptInputs,
    /// Its messages and counts; the chunks stand before.
    corpus: Corpus,
    /// Bytes of texts.
    texts: u64,
    /// Bytes of each chunk and of its notes, and the checksum of both.
    chunks: Vec<(u64, u64, u64)>,
}

/// An input as it is named in the index, and as it is named now, if these may differ.
struct Renamed<'a>(Option<(&'a Path, &'a Path)>);

impl Renamed<'_> {
    fn path(&self, path: &mut PathBuf) {
        if let Some((from, to)) = self.0
            && let Ok(below) = path.strip_prefix(from)
        {
            let is_it = below.as_os_str().is_empty();
            *path = if is_it { to.to_owned() } else { to.join(below) };
        }
    }

    /// Renames a path in a message, where a line or a member may follow it.
    fn text(&self, text: &mut String) {
        if let Some((from, to)) = self.0
            && let Some(below) = text.strip_prefix(&path_text(from))
            && (below.is_empty() || below.starts_with(['/', '\\', ':']))
        {
            let to = path_text(to);
            let below = below.strip_prefix('/').filter(|_| to.ends_with('/')).unwrap_or(below);
            *text = format!("{to}{below}");
        }
    }
}

impl KeptCorpus {
    /// Whether a file is an index, of any version, also if it is cut off or up to three of its first bytes are wrong: a
    /// damaged index is no text.
    pub fn is_one(path: &Path) -> bool {
        let is_one = || {
            let file = File::open(path).ok()?;
            let mut head = [0; MAGIC.len()];
            let n = read_at(&file, &mut head, 0).ok()?;
            let n_wrong = head[..n].iter().zip(MAGIC).filter(|(byte, of)| byte != of).count();
            let is_near = || n == MAGIC.len() && n_wrong <= 3 && trailer(&file).is_some();
            Some(n > "simscope".len() && (n_wrong == 0 || is_near()))
        };
        path.metadata().is_ok_and(|metadata| metadata.is_file()) && is_one().unwrap_or(false)
    }

    /// Opens the index at `path`; its one input is named `as_given`, if it is given. Some 50 bytes for each document are
    /// read and decoded, on all cores.
    ///
    /// # Errors
    /// If it cannot be read, is no index, is damaged, or was made by another version.
    pub fn open(path: &Path, as_given: Option<&Path>) -> Result<Self, CorpusError> {
        let place = shown(path);
        let io = |error| CorpusError::File(Diagnostic::from_io(&place, &error));
        let refused = |problem, remedy| CorpusError::at(&place, problem, remedy);
        let file = File::open(path).map_err(io)?;
        let mut head = [0; TEXTS as usize];
        read_at(&file, &mut head, 0).map_err(io)?;
        let again = "make it again from its corpus";
        if !Self::is_one(path) {
            return Err(refused("no index", "make one with `simscope index PATH -o FILE`"));
        }
        let is_whole = head.starts_with(MAGIC);
        if is_whole && !head.ends_with(&[VERSION]) {
            return Err(refused("an index of another version of simscope", again));
        }
        let kept = || Self::decoded(file, &place, as_given);
        is_whole.then(kept).flatten().ok_or_else(|| refused("the index is damaged", again))
    }

    fn decoded(file: File, place: &str, as_given: Option<&Path>) -> Option<Self> {
        let (start, length, checksum) = trailer(&file)?;
        let header = checked(&file, start, length, checksum)?;
        let KeptHeader { mut of, mut corpus, texts, chunks } =
            postcard::from_bytes(&header).ok()?;
        let mut at = TEXTS.checked_add(texts)?;
        let chunks = chunks.into_iter().map(|(length, notes, checksum)| {
            let from = at;
            at = at.checked_add(length)?.checked_add(notes)?;
            (at <= start).then_some((from, length, notes, checksum))
        });
        let chunks: Vec<_> = chunks.collect::<Option<_>>()?;
        let spool = Arc::new(Spool::within(file, TEXTS));
        let options = Arc::new(of.options.clone());
        let renamed = Renamed(of.paths.first().map(PathBuf::as_path).zip(as_given));
        let decode = |(from, length, notes, checksum): (u64, u64, u64, u64)| {
            let mut chunk = checked(spool.file()?, from, length + notes, checksum)?;
            let notes = chunk.split_off(length as usize);
            let mut chunk: Chunk = postcard::from_bytes(&chunk).ok()?;
            for source in &mut chunk.sources {
                settle(Arc::get_mut(source)?, &spool, &options, &renamed)?;
            }
            chunk.is_sound().then_some((chunk, notes))
        };
        let chunks: Option<Vec<_>> = chunks.into_par_iter().map(decode).collect();
        let (chunks, notes): (Vec<_>, Vec<_>) = chunks?.into_iter().unzip();
        let n = chunks.iter().map(|chunk| chunk.documents.len()).sum::<usize>();
        if u32::try_from(n).is_err() || !(1..=u128::BITS).contains(&of.bits) {
            return None;
        }
        corpus.n_of_inputs = corpus.n_of_inputs.min(corpus.diagnostics.len());
        // These are counted again.
        let counts = corpus.summary_mut();
        (counts.documents, counts.lossy, counts.empty) = (0, 0, 0);
        (counts.fingerprints, counts.hashed) = (0, 0);
        for chunk in chunks {
            corpus.add(Arc::new(chunk));
        }
        // The index may come from somebody else, so its messages are sanitised again.
        for message in corpus.messages_mut().chain(&mut of.problems) {
            renamed.text(&mut message.place);
            let remedy = message.remedy.as_deref().unwrap_or_default();
            *message = Diagnostic::new(&message.place, &message.problem, remedy);
        }
        for origin in Arc::make_mut(&mut corpus.recipe_origins) {
            renamed.text(&mut origin.shown);
            if let Some(path) = &mut origin.path {
                renamed.path(path);
            }
        }
        let paths = as_given.map_or_else(|| of.paths.clone(), |given| vec![given.to_owned()]);
        let inputs = paths.into_iter().map(Input::Path).collect();
        Some(Self { place: place.to_owned(), inputs, of, notes, corpus })
    }
}

/// Start, length and checksum of the header, if the end of the file can be that of an index.
fn trailer(file: &File) -> Option<(u64, u64, u64)> {
    let end = file.metadata().ok()?.len().checked_sub(16)?;
    let (start, checksum) = (bytes(file, end, 8)?, bytes(file, end + 8, 8)?);
    let [start, checksum] = [start, checksum].map(|it| it.try_into().map(u64::from_le_bytes));
    let start = start.ok().filter(|start| *start >= TEXTS)?;
    Some((start, end.checked_sub(start)?, checksum.ok()?))
}

/// Bytes of a file that has them.
fn bytes(file: &File, start: u64, length: u64) -> Option<Vec<u8>> {
    let has_them = start.checked_add(length)? <= file.metadata().ok()?.len();
    let mut bytes = vec![0; has_them.then_some(usize::try_from(length).ok()?)?];
    (read_at(file, &mut bytes, start).ok()? == bytes.len()).then_some(bytes)
}

/// Bytes of a file with this checksum.
fn checked(file: &File, start: u64, length: u64, checksum: u64) -> Option<Vec<u8>> {
    bytes(file, start, length).filter(|bytes| XxHash3_64::oneshot(bytes) == checksum)
}

/// Fills in what the index does not keep of a source; `None` if it is not sound.
fn settle(
    source: &mut Source,
    texts: &Arc<Spool>,
    options: &Arc<LoadOptions>,
    renamed: &Renamed<'_>,
) -> Option<()> {
    if !source.shape.is_sound() {
        return None;
    }
    source.options = Arc::clone(options);
    let path = match &mut source.store {
        ByteStore::File { path, .. } => Some(path),
        ByteStore::Static { .. } => None,
        ByteStore::Spool { spool, origin, parquet } => {
            *spool = Arc::clone(texts);
            let mut place = origin.to_string();
            renamed.text(&mut place);
            *origin = place.into();
            parquet.as_mut().map(|(path, _)| path)
        }
    };
    if let Some(path) = path {
        renamed.path(path);
    }
    Some(())
}

impl Corpus {
    /// Writes the index of this corpus, which was read from `of`. `notes` gives the bytes to keep with so many documents,
    /// from the first one on.
    ///
    /// # Errors
    /// If an input was not read to its end, a file name is not UTF-8, the texts cannot be read, or `out` cannot be
    /// written.
    pub fn keep(
        &self,
        of: KeptInputs,
        notes: &dyn Fn(DocId, usize) -> Vec<u8>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if self.has_failed {
            return Err(io::Error::other(
                "an input could not be read to its end, so this corpus cannot be kept; mend it or leave it out",
            ));
        }
        let sources = || self.chunks.iter().flat_map(|(_, chunk)| &chunk.sources);
        let paths = sources().filter_map(|source| match &source.store {
            ByteStore::File { path, .. } | ByteStore::Spool { parquet: Some((path, _)), .. } => {
                Some(path)
            }
            _ => None,
        });
        let mut paths = paths.chain(self.recipe_origins.iter().filter_map(|it| it.path.as_ref()));
        if let Some(path) = paths.find(|path| path.to_str().is_none()) {
            let problem = "the name is not UTF-8, which an index cannot hold; rename it";
            return Err(io::Error::other(format!("{}: {problem}", shown(path))));
        }
        out.write_all(MAGIC)?;
        out.write_all(&[VERSION])?;
        let spool = sources().find_map(|source| match &source.store {
            ByteStore::Spool { spool, .. } => Some(spool),
            _ => None,
        });
        let texts = spool.map_or(Ok(0), |spool| spool.copy(out))?;
        let (mut chunks, mut start) = (Vec::new(), TEXTS + texts);
        for (first, chunk) in &self.chunks {
            let mut bytes = postcard::to_allocvec(&**chunk).map_err(io::Error::other)?;
            let length = bytes.len() as u64;
            bytes.extend(notes(DocId(*first), chunk.documents.len()));
            let all = bytes.len() as u64;
            chunks.push((length, all - length, XxHash3_64::oneshot(&bytes)));
            out.write_all(&bytes)?;
            start += all;
        }
        let mut corpus = self.clone();
        Arc::make_mut(&mut corpus.remarks).truncate(self.remarks.len() - self.n_on_all);
        let header = KeptHeader { of, corpus, texts, chunks };
        let header = postcard::to_allocvec(&header).map_err(io::Error::other)?;
        out.write_all(&header)?;
        out.write_all(&start.to_le_bytes())?;
        out.write_all(&XxHash3_64::oneshot(&header).to_le_bytes())
    }

    fn messages_mut(&mut self) -> impl Iterator<Item = &mut Diagnostic> {
        let lists = [&mut self.diagnostics, &mut self.remarks, &mut self.skipped];
        lists.into_iter().flat_map(Arc::make_mut)
    }

    /// Adds a corpus that was kept, and looks for the recipes of its fingerprints anew: what lies beside a file may
    /// have changed.
    pub(super) fn take(&mut self, kept: &Self) {
        for (_, chunk) in &kept.chunks {
            self.chunks.push((self.len as u32, Arc::clone(chunk)));
            self.len += chunk.documents.len();
        }
        self.summary_mut().add(&kept.summary);
        Arc::make_mut(&mut self.diagnostics).extend_from_slice(&kept.diagnostics);
        Arc::make_mut(&mut self.remarks).extend_from_slice(&kept.remarks);
        Arc::make_mut(&mut self.skipped).extend_from_slice(&kept.skipped);
        self.n_of_inputs += kept.n_of_inputs;
        for origin in kept.recipe_origins.iter() {
            self.note_recipe(origin.clone());
        }
    }
}
