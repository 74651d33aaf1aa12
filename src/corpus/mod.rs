//! The corpus: files become documents with permanent addresses. No other module reads files of a corpus.
//!
//! ```text
//! inputs -> find -> decode -> sniff -> { text | records | delimited } -> batch builder -> batches
//!           walk    unpack,   format    with offset, length, number     chunk            to the sink
//!                   BOM
//! ```
//!
//! Text is handed out once, in [`Batch`]es, and not kept. A [`Corpus`] holds a [`Document`] of 32 bytes and an
//! id for each document; [`Corpus::read`] reads the text again from the file. Records without a stable position
//! in a file (compressed or UTF-16 rows, standard input) are copied to a temporary file that disappears with
//! the program. A file that is deleted or changed while the corpus is open is reported: its length and time are
//! compared before each series of reads, and [`Corpus::unread`] names every document that could not be read
//! again unchanged.
//!
//! Labels of pairs of documents are also read and kept here: a [`LabelFile`] names pairs by the digests of the
//! texts, a truth file by ids ([`read_truth`]).
//!
//! These limits are reported when they are reached: 4,294,967,295 documents; three layers of compression;
//! [`DIAGNOSTICS_KEPT`] messages about records, and as many about inputs (further ones are counted); and the
//! [`InputLimits`] of the size of a document, of the unpacked size of a compressed file, and of the temporary file.
//!
//! ```
//! use simscope::corpus::{Content, Input, LoadOptions, load};
//! use simscope::id::DocId;
//! use simscope::progress::Progress;
//!
//! let bytes = b"{\"id\": \"first\", \"text\": \"a rose is a rose\"}\n{\"text\": 7}\nnot JSON\n";
//! let input = Input::Bundled { name: "roses.jsonl", bytes };
//! let corpus = load(&[input], &LoadOptions::default(), &Progress::new(), &mut |_batch| {})?;
//! assert_eq!(corpus.id(DocId(0)), "first");
//! assert_eq!(corpus.id(DocId(1)), "roses.jsonl:2");
//! assert_eq!(corpus.read(DocId(0))?, Content::Text("a rose is a rose".into()));
//! assert!(corpus.diagnostics()[0].to_string().starts_with("roses.jsonl:3: broken JSON"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "formats")]
mod archive;
#[cfg(feature = "columnar")]
mod arrow_rows;
#[cfg(feature = "columnar")]
mod arrow_stream;
mod batch_builder;
mod blocks;
#[cfg(feature = "formats")]
mod charset;
mod columns;
mod content;
mod copy;
mod decode;
mod delimited;
mod details;
mod diagnostic;
mod document;
mod fields;
mod file_place;
mod find;
mod formats;
mod gzip;
mod hash_list;
mod json_items;
mod json_path;
mod json_row;
mod json_string;
mod jsonl;
mod kept;
mod label_file;
mod labels;
mod load;
mod mail;
#[cfg(feature = "columnar")]
mod number_columns;
mod options;
#[cfg(feature = "formats")]
mod parquet_copy;
#[cfg(feature = "formats")]
mod parquet_rows;
mod pattern;
mod pieces;
mod receive;
mod recipe_origin;
mod record_format;
mod record_view;
mod records;
mod repeated;
mod reread;
mod row;
mod row_format;
mod rows;
mod single_file;
mod sniff;
mod source;
mod spool;
#[cfg(feature = "formats")]
mod table_file;
mod unread;
#[cfg(feature = "formats")]
mod warc;

use std::sync::Arc;

use crate::id::DocId;
use crate::progress::{Cancelled, Progress};

#[cfg(feature = "formats")]
pub use charset::encoding_name;
pub use content::{Content, ContentFlags, TextSlice};
pub use copy::Address;
pub use diagnostic::{
    CopyError, CorpusError, DIAGNOSTICS_KEPT, Diagnostic, LoadSummary, ReadError, ReadFault,
    in_kinds, io_message,
};
pub use document::Document;
pub use file_place::FilePlace;
pub use gzip::Packer;
pub use kept::{KeptCorpus, KeptInputs};
pub use label_file::{LabelFile, default_label_file, user_folder};
pub use labels::{BY_EYE, Label, LabelEntry, Labels, TextPair};
pub use load::{load, load_kept, walk_digest};
#[cfg(feature = "columnar")]
pub use number_columns::{read_number_folder, read_number_stream};
pub use options::{FingerprintType, Input, InputFormat, InputLimits, LoadOptions, TextEncoding};
#[cfg(feature = "columnar")]
pub(crate) use parquet_copy::SharedBuffer;
pub use pattern::{Pattern, TooLong, folded};
pub use recipe_origin::{CarriedRecipe, ITS_METADATA, UNKNOWN_RECIPE, recipe_beside};
pub use record_format::CopyFormat;
pub use record_view::RecordView;
pub use single_file::{
    ALL_DOCUMENTS, Judgement, read_frequencies, read_text_file, read_truth, read_word_list,
    verdict_of,
};

use diagnostic::shown;
use document::{Chunk, Located};
use recipe_origin::RecipeOrigin;
use unread::UnreadDocuments;

/// Documents just read, with their contents, which no other type keeps.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The corpus so far, this batch included.
    pub corpus: Corpus,
    /// The first document of the batch; the others have the numbers after it.
    pub first: DocId,
    /// The contents of the documents, in order; empty if the documents come from an index.
    pub contents: Vec<Content>,
}

/// The documents read so far, as addresses.
///
/// A corpus is a snapshot: it never changes, and cloning it copies one pointer for each chunk (up to 4096
/// documents).
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Corpus {
    /// The chunks, each with the number of its first document.
    #[serde(skip)]
    chunks: Vec<(u32, Arc<Chunk>)>,
    #[serde(skip)]
    len: usize,
    /// The first document of the reference, once all documents before it are read. No chunk has documents of
    /// both sides.
    #[serde(skip)]
    reference: Option<DocId>,
    #[serde(skip)]
    is_complete: bool,
    summary: Arc<LoadSummary>,
    diagnostics: Arc<Vec<Diagnostic>>,
    /// The number of `diagnostics` about whole inputs.
    n_of_inputs: usize,
    remarks: Arc<Vec<Diagnostic>>,
    /// The number of `remarks` about the whole corpus, which are the last.
    #[serde(skip)]
    n_on_all: usize,
    skipped: Arc<Vec<Diagnostic>>,
    /// The recipes that inputs with fingerprints name.
    #[serde(skip)]
    carried_recipes: Arc<Vec<CarriedRecipe>>,
    /// Whether an input with fingerprints names none.
    #[serde(skip)]
    has_unknown_recipe: bool,
    /// The places where recipes were looked for.
    recipe_origins: Arc<Vec<RecipeOrigin>>,
    /// Whether the system or a full disk ended the reading of an input.
    #[serde(skip)]
    has_failed: bool,
    /// Shared by all snapshots.
    #[serde(skip)]
    unread: Arc<UnreadDocuments>,
}

impl Corpus {
    /// The number of documents so far.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no documents so far.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The first document of the reference; all later documents belong to it, too. `None` without a reference,
    /// and while the documents before it are being read.
    pub fn reference(&self) -> Option<DocId> {
        self.reference
    }

    /// The number of documents that do not belong to the reference.
    pub fn n_first(&self) -> usize {
        self.reference.map_or(self.len, DocId::index)
    }

    /// Whether a document belongs to the reference.
    pub fn is_reference(&self, document: DocId) -> bool {
        self.reference.is_some_and(|reference| document >= reference)
    }

    /// Whether all inputs have been read.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The id of a document: its id field if the row has one. Otherwise a file has its path below the given
    /// PATH (its name if it is that PATH), and a line or row has `path:number`. Ids need not be unique and may
    /// hold any characters.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn id(&self, id: DocId) -> &str {
        self.locate(id).id
    }

    /// The place of the document, for messages and the screen: `dir/file.jsonl:17`. Control characters are
    /// shown as escapes.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn place(&self, id: DocId) -> String {
        self.locate(id).place()
    }

    /// The address and flags of the document.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn document(&self, id: DocId) -> &Document {
        self.locate(id).document
    }

    /// Properties of the document that were noticed while it was read.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn flags(&self, id: DocId) -> ContentFlags {
        self.document(id).flags
    }

    /// All documents with exactly this id, in order. Compares all ids.
    pub fn find(&self, id: &str) -> Vec<DocId> {
        let mut found = Vec::new();
        for (first, chunk) in &self.chunks {
            let matching = (0..chunk.documents.len()).filter(|index| chunk.id(*index) == id);
            found.extend(matching.map(|index| DocId(first + index as u32)));
        }
        found
    }

    /// The counts of documents read, marked and skipped.
    pub fn summary(&self) -> &LoadSummary {
        &self.summary
    }

    /// Problems while reading, in order; the first [`DIAGNOSTICS_KEPT`] about records, and as many about whole inputs.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Remarks about documents that were read but may not be as intended; the first [`DIAGNOSTICS_KEPT`], and those
    /// about the whole corpus, such as ids that occur twice.
    pub fn remarks(&self) -> &[Diagnostic] {
        &self.remarks
    }

    /// The files and folders that were skipped on purpose, with the reason; the first [`DIAGNOSTICS_KEPT`].
    pub fn skipped(&self) -> &[Diagnostic] {
        &self.skipped
    }

    /// The number of documents that could not be read again so far.
    pub fn n_unread(&self) -> u64 {
        self.unread.count()
    }

    /// Whether reading this document again has failed.
    pub fn is_unread(&self, document: DocId) -> bool {
        self.unread.has(document)
    }

    /// The reasons why documents could not be read again, one message for each file and problem; the first
    /// [`DIAGNOSTICS_KEPT`].
    pub fn unread(&self) -> Vec<Diagnostic> {
        self.unread.list()
    }

    /// A document as its chunk has it.
    fn locate(&self, id: DocId) -> Located<'_> {
        let after = self.chunks.partition_point(|(first, _)| *first <= id.0);
        let (first, chunk) = &self.chunks[after - 1];
        chunk.at((id.0 - first) as usize)
    }

    /// Declares that all later documents belong to the reference, if this was not declared before.
    fn begin_reference(&mut self) {
        self.reference.get_or_insert(DocId::from(self.len));
    }

    fn summary_mut(&mut self) -> &mut LoadSummary {
        Arc::make_mut(&mut self.summary)
    }

    /// Keeps a message about a record, or counts it if there are too many.
    fn note(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() - self.n_of_inputs < DIAGNOSTICS_KEPT {
            Arc::make_mut(&mut self.diagnostics).push(diagnostic);
        } else {
            self.summary_mut().unlisted += 1;
        }
    }

    /// Keeps a message about a whole input, however many there are about records.
    fn note_input(&mut self, diagnostic: Diagnostic) {
        if self.n_of_inputs < DIAGNOSTICS_KEPT {
            self.n_of_inputs += 1;
            Arc::make_mut(&mut self.diagnostics).push(diagnostic);
        } else {
            self.summary_mut().unlisted += 1;
        }
    }

    /// Keeps what was skipped, unless there is too much.
    fn note_skipped(&mut self, skipped: Diagnostic) {
        if self.skipped.len() < DIAGNOSTICS_KEPT {
            Arc::make_mut(&mut self.skipped).push(skipped);
        }
    }

    /// Keeps a remark, unless there are too many.
    fn remark(&mut self, remark: Diagnostic) {
        if self.remarks.len() < DIAGNOSTICS_KEPT {
            Arc::make_mut(&mut self.remarks).push(remark);
        }
    }

    /// Keeps a remark about the whole corpus, however many there are.
    fn remark_on_all(&mut self, remark: Diagnostic) {
        self.n_on_all += 1;
        Arc::make_mut(&mut self.remarks).push(remark);
    }

    /// Adds the documents of a batch.
    fn append(&mut self, mut chunk: Chunk, contents: &[Content]) {
        let bytes = contents.iter().map(|content| content.text_bytes() as u64);
        self.summary_mut().text_bytes += bytes.sum::<u64>();
        chunk.shrink();
        self.add(Arc::new(chunk));
    }

    fn add(&mut self, chunk: Arc<Chunk>) {
        let summary = self.summary_mut();
        summary.documents += chunk.documents.len() as u64;
        for document in &chunk.documents {
            summary.lossy += u64::from(document.flags.is_lossy());
            summary.empty += u64::from(document.flags.is_empty());
            summary.fingerprints += u64::from(document.flags.is_fingerprint_only());
            summary.hashed += u64::from(document.flags.is_hashes_only());
        }
        let first = self.len as u32;
        self.len += chunk.documents.len();
        self.chunks.push((first, chunk));
    }

    /// A corpus of only these documents, which must be in order. Messages about files and their recipes are kept.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn only(&self, documents: &[DocId], progress: &Progress) -> Result<Self, Cancelled> {
        let mut only = Self {
            is_complete: self.is_complete,
            summary: Arc::clone(&self.summary),
            diagnostics: Arc::clone(&self.diagnostics),
            n_of_inputs: self.n_of_inputs,
            carried_recipes: Arc::clone(&self.carried_recipes),
            has_unknown_recipe: self.has_unknown_recipe,
            ..Self::default()
        };
        let summary = only.summary_mut();
        (summary.documents, summary.lossy, summary.empty) = (0, 0, 0);
        (summary.fingerprints, summary.hashed) = (0, 0);
        let mut rest = documents;
        for (first, chunk) in &self.chunks {
            let end = first + chunk.documents.len() as u32;
            let (here, later) = rest.split_at(rest.partition_point(|document| document.0 < end));
            rest = later;
            let here: Vec<usize> =
                here.iter().map(|document| (document.0 - first) as usize).collect();
            if !here.is_empty() {
                only.add(Arc::new(chunk.only(&here)));
            }
        }
        if let Some(remark) = repeated::repeated_ids(&only, progress)? {
            only.remark_on_all(remark);
        }
        Ok(only)
    }

    /// Declares that everything is read. Returns an error if there is no document.
    fn finish(mut self, inputs: &[Input], progress: &Progress) -> Result<Self, CorpusError> {
        self.is_complete = true;
        let side = match self.reference {
            Some(DocId(0)) => Some("the first corpus"),
            Some(reference) if reference.index() == self.len => Some("the reference"),
            _ => None,
        };
        if let Some(side) = side.filter(|_| !self.is_empty()) {
            let diagnostic = self.diagnostics.first().cloned().map(Box::new);
            return Err(CorpusError::EmptySide { side, diagnostic });
        }
        if !self.is_empty() {
            if let Some(remark) = repeated::repeated_ids(&self, progress)? {
                self.remark_on_all(remark);
            }
            return Ok(self);
        }
        if !self.diagnostics.is_empty() {
            let unlisted = self.summary.unlisted;
            let diagnostics = Arc::unwrap_or_clone(self.diagnostics);
            return Err(CorpusError::NothingLoaded { diagnostics, unlisted });
        }
        let names: Vec<_> = inputs
            .iter()
            .map(|input| match input {
                Input::Path(path) => shown(path),
                Input::Stdin => "standard input".to_owned(),
                Input::Bundled { name, .. } => (*name).to_owned(),
            })
            .collect();
        let place = if names.is_empty() { "corpus".to_owned() } else { names.join(", ") };
        let summary = Box::new(Arc::unwrap_or_clone(self.summary));
        let remark = self.remarks.first().cloned().map(Box::new);
        Err(CorpusError::Empty { place, summary, remark })
    }
}
