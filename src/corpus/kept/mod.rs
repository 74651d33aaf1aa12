//! A corpus as an index file keeps it, so that unchanged files need not be read again.
//!
//! A load with a kept corpus searches the inputs as usual. If the length and the time of a file are unchanged,
//! its documents are taken from the kept corpus, together with those of its neighbours. Every other file is
//! read. So the loaded corpus always shows the present content of the files.

mod encode;
mod file_start;
mod read;

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::id::DocId;
use crate::number::counted;

use super::Corpus;
use super::columns::RowColumns;
use super::diagnostic::{Diagnostic, LoadSummary, shown};
use super::document::Chunk;
use super::json_items::JsonForm;
use super::recipe_origin::RecipeOrigin;
use super::source::{ByteStore, FileStamp};

pub use encode::CorpusToKeep;
pub(super) use file_start::FileStart;
pub use read::TextsInFile;

/// A kept corpus; the default has no files.
#[derive(Debug, Default)]
pub struct KeptCorpus {
    corpus: Corpus,
    files: HashMap<PathBuf, KeptFile>,
    /// The place of the index in the remark that files have changed; `None` for no remark.
    pub index_place: Option<String>,
}

/// A file of a corpus: everything that reading it again would give.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct KeptFile {
    pub(super) path: PathBuf,
    pub(super) stamp: FileStamp,
    pub(super) documents: Range<u32>,
    pub(super) counts: FileCounts,
    /// Present if the file has fingerprints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) recipe: Option<KeptRecipe>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) diagnostics: Vec<Diagnostic>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) remarks: Vec<Diagnostic>,
}

/// The counts of a [`LoadSummary`](super::LoadSummary) that do not follow from the documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct FileCounts {
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) files: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) binary: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) unlisted: u64,
    /// These four: members of an archive.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) hidden: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) links: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) special: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) unmatched: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) text_bytes: u64,
}

impl FileCounts {
    /// These counts less those of an earlier time.
    fn since(self, before: Self) -> Self {
        Self {
            files: self.files - before.files,
            binary: self.binary - before.binary,
            unlisted: self.unlisted - before.unlisted,
            hidden: self.hidden - before.hidden,
            links: self.links - before.links,
            special: self.special - before.special,
            unmatched: self.unmatched - before.unmatched,
            text_bytes: self.text_bytes - before.text_bytes,
        }
    }

    /// Adds the counts of a file to those of a corpus. A damaged index may hold any numbers.
    pub(super) fn add_to(self, summary: &mut LoadSummary) {
        for (all, n) in [
            (&mut summary.files, self.files),
            (&mut summary.binary, self.binary),
            (&mut summary.unlisted, self.unlisted),
            (&mut summary.hidden, self.hidden),
            (&mut summary.links, self.links),
            (&mut summary.special, self.special),
            (&mut summary.unmatched, self.unmatched),
            (&mut summary.text_bytes, self.text_bytes),
        ] {
            *all = all.saturating_add(n);
        }
    }
}

/// Where the recipe of a file's fingerprints is looked for each time, since what lies beside a file can change.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct KeptRecipe {
    /// Whether it is looked for beside the file.
    #[serde(default)]
    beside: bool,
    /// The recipe in the metadata of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inside: Option<String>,
}

impl KeptRecipe {
    fn of(origin: &RecipeOrigin) -> Self {
        Self { beside: origin.path.is_some(), inside: origin.inside.clone() }
    }

    /// The origin of the recipe of the file at `path`.
    pub(super) fn origin(&self, path: &Path) -> RecipeOrigin {
        RecipeOrigin {
            shown: shown(path),
            path: self.beside.then(|| path.to_owned()),
            inside: self.inside.clone(),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// A kept corpus without the addresses and ids of its documents.
#[derive(Debug, Serialize, Deserialize)]
pub struct KeptNote {
    files: Vec<KeptFile>,
    sources: Vec<KeptSource>,
    documents: u64,
    id_bytes: u64,
}

/// The written form of a source: of one file, or of each of several consecutive files of one kind.
#[derive(Debug, Serialize, Deserialize)]
struct KeptSource {
    kind: KeptKind,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    has_mark: bool,
    /// The place shown in messages, if the text is in the index file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    origin: Option<Box<str>>,
    /// Whether its records are rows of a Parquet file.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_parquet: bool,
    /// The index of its file, or of the first.
    file: u32,
    /// The number of files.
    n: u32,
}

/// The kind of a record in written form, without the parts that follow from the options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum KeptKind {
    Whole,
    Raw,
    Fingerprint,
    Json(JsonForm),
    Mail(bool),
    Delimited(RowColumns),
}

/// The differences between the files now and the kept corpus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptChanges {
    /// Files that must be read, because they are new or have another length or time.
    pub read: usize,
    /// Files that are no longer there.
    pub gone: usize,
    /// Files that are unchanged.
    pub taken: usize,
}

impl KeptChanges {
    /// Whether all files are unchanged.
    pub fn is_none(self) -> bool {
        self.read + self.gone == 0
    }
}

impl KeptCorpus {
    /// The kept file at this path, if it is unchanged.
    pub(super) fn unchanged(&self, path: &Path, stamp: FileStamp) -> Option<&KeptFile> {
        self.files.get(path).filter(|file| file.stamp == stamp)
    }

    /// The remark that the index is older than its corpus.
    pub(super) fn remark(&self, changes: KeptChanges) -> Option<Diagnostic> {
        let place = self.index_place.as_ref().filter(|_| !changes.is_none())?;
        let KeptChanges { read, gone, .. } = changes;
        let problem = match (read, gone) {
            (0, _) => format!("{} no longer there", counted(gone as u64, "file")),
            (_, 0) => format!("{} read anew", counted(read as u64, "file")),
            _ => format!("{} read anew, {gone} no longer there", counted(read as u64, "file")),
        };
        let problem = format!("older than its corpus: {problem}");
        let remedy = "`simscope index FILE` brings it up to date; files that an index cannot keep \
                      are read each time";
        Some(Diagnostic::new(place, &problem, remedy))
    }

    /// Whether there was a file at this path.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.files.contains_key(path)
    }

    /// The number of files.
    pub(super) fn n_files(&self) -> usize {
        self.files.len()
    }

    /// Consecutive documents, in their chunks.
    pub(super) fn chunks(&self, documents: Range<u32>) -> impl Iterator<Item = Arc<Chunk>> {
        let after = self.corpus.chunks.partition_point(|(first, _)| *first <= documents.start);
        let chunks = &self.corpus.chunks[after.saturating_sub(1)..];
        let overlapping = chunks.iter().take_while(move |(first, _)| *first < documents.end);
        overlapping.map(move |(first, chunk)| {
            let n = chunk.documents.len();
            let from = documents.start.saturating_sub(*first) as usize;
            let to = n.min((documents.end - first) as usize);
            if (from, to) == (0, n) {
                return Arc::clone(chunk);
            }
            Arc::new(chunk.only(&(from..to).collect::<Vec<_>>()))
        })
    }

    /// The number of documents.
    pub fn len(&self) -> usize {
        self.corpus.len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.corpus.is_empty()
    }
}

impl Corpus {
    /// The differences between the files and the kept corpus that the load was given.
    pub fn changes_since_kept(&self) -> KeptChanges {
        self.kept_changes
    }

    /// The files to keep: those whose documents are all `sound`.
    pub fn to_keep(&self, sound: &dyn Fn(DocId) -> bool) -> CorpusToKeep<'_> {
        let is_sound = |file: &&KeptFile| {
            // A path that cannot be written as JSON is not kept.
            file.path.to_str().is_some() && file.documents.clone().map(DocId).all(sound)
        };
        CorpusToKeep { corpus: self, files: self.files.iter().filter(is_sound).collect() }
    }
}

impl ByteStore {
    /// The temporary file or index that holds the bytes, and the place that messages name.
    fn spooled(&self) -> Option<(&super::spool::Spool, &str)> {
        match self {
            Self::Spool { spool, origin, .. } => Some((spool, origin)),
            _ => None,
        }
    }
}
