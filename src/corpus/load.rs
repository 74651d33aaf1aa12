//! Loads the inputs one after the other: each file found is opened and unpacked, counted, or reported.

use std::fs::File;
use std::hash::Hasher as _;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::thread;

use twox_hash::XxHash3_64;

use crate::number::counted;
use crate::progress::{Cancelled, Progress};
use crate::text::visible;

use super::batch_builder::{BatchBuilder, LoadStop};
use super::content::Content;
use super::decode::DecodedInput;
use super::diagnostic::{CorpusError, Diagnostic, path_text, shown};
use super::document::Record;
use super::fields::RowError;
use super::find::{FoundFile, FoundItem, PathGlob, SkipReason, find};
use super::formats::RecordKind;
use super::kept::KeptCorpus;
use super::options::{Input, LoadOptions, TextEncoding};
use super::pieces::PipeReader;
use super::recipe_origin::RecipeOrigin;
use super::source::{ByteStore, FileStamp, Origin, Source, WatchedReader, place};
use super::spool::Spool;
use super::{Batch, Corpus};

/// Reads `inputs` in order and returns the complete corpus; calls `sink` with every batch on the way.
///
/// Each batch carries a snapshot of the corpus that includes it. The first batch is small; later ones hold up
/// to 4096 documents or about 2 MB of text. `progress` counts stored bytes. Its total is 0 until all files are
/// found, and stays 0 if there is a pipe. Reading stops within 50 ms of a cancel, also while a pipe is silent.
///
/// Each input that cannot be read becomes a diagnostic of the corpus, and the rest is loaded.
///
/// # Errors
/// [`CorpusError`] if the glob is invalid, if the job is cancelled, or if there is no document.
///
/// # Panics
/// If `sink` does.
pub fn load(
    inputs: &[Input],
    options: &LoadOptions,
    progress: &Progress,
    sink: &mut dyn FnMut(Batch),
) -> Result<Corpus, CorpusError> {
    load_kept(inputs, options, None, progress, sink)
}

/// [`load`] with an index: its documents are taken from it, in a batch without contents, if a walk over its inputs finds
/// what it found when the index was made, and they are all inputs of a side.
///
/// # Errors
/// As [`load`].
///
/// # Panics
/// If `sink` does.
pub fn load_kept(
    inputs: &[Input],
    options: &LoadOptions,
    kept: Option<&KeptCorpus>,
    progress: &Progress,
    sink: &mut dyn FnMut(Batch),
) -> Result<Corpus, CorpusError> {
    progress.check()?;
    let glob = options.glob.as_deref().map(PathGlob::new).transpose()?;
    progress.begin(0);
    let mut loader = Loader {
        options: Arc::new(options.clone()),
        glob: glob.as_ref(),
        builder: BatchBuilder::new(progress, sink),
        spool: None,
        spooled: 0,
        recipe_inside: None,
        parquet: None,
        has_mark: false,
    };
    let sides = inputs.split_at(inputs.len().saturating_sub(options.n_reference));
    let of_a_side = |kept: &&KeptCorpus| kept.inputs == sides.0 || kept.inputs == sides.1;
    let (current, outdated) = match kept.filter(of_a_side) {
        Some(kept) if kept.of.found == walk_digest(&kept.of.paths, &kept.of.options, progress)? => {
            (Some(kept), None)
        }
        outdated => (None, outdated),
    };
    let ended = loader.all(inputs, current);
    progress.check()?;
    loader.builder.flush();
    let mut corpus = loader.builder.corpus;
    if let Some(KeptCorpus { place, .. }) = outdated {
        let problem = "older than its corpus, so all files are read";
        corpus.remark_on_all(Diagnostic::new(place, problem, "`simscope index` makes it again"));
    }
    match ended {
        Ok(()) => {}
        Err(LoadStop::Cancelled) => return Err(Cancelled.into()),
        Err(LoadStop::Full) => corpus.note_input(Diagnostic::new(
            "corpus",
            "more than 4,294,967,295 documents, so the rest is left out",
            "give fewer documents at a time",
        )),
        Err(LoadStop::Io(error)) => corpus.note_input(Diagnostic::from_io("corpus", &error)),
        Err(LoadStop::Refused(_)) => unreachable!("each input is told of by itself"),
    }
    let n_lossy = corpus.summary().lossy;
    if n_lossy > 0 {
        let documents = counted(n_lossy, "document");
        let problem =
            format!("{documents} with bytes or escapes that are no characters, read as U+FFFD");
        let remedy = match options.encoding {
            TextEncoding::Auto => "name the set with `encoding`",
            _ => "name the set with `encoding`, or give `encoding` auto",
        };
        corpus.remark_on_all(Diagnostic::new("corpus", &problem, remedy));
    }
    if options.n_reference > 0 {
        corpus.begin_reference();
    }
    corpus.finish(inputs, progress)
}

/// A digest of all that a walk over these paths finds, with the length and time of each file. It opens each file, but
/// reads none.
///
/// # Errors
/// [`CorpusError`] if the glob is invalid or the job is cancelled.
pub fn walk_digest(
    paths: &[PathBuf],
    options: &LoadOptions,
    progress: &Progress,
) -> Result<u64, CorpusError> {
    let glob = options.glob.as_deref().map(PathGlob::new).transpose()?;
    let inputs: Vec<Input> = paths.iter().cloned().map(Input::Path).collect();
    let mut digest = XxHash3_64::new();
    find(&inputs, 0, options.follow_links, glob.as_ref(), progress, &mut |found| {
        let stamp = match &found {
            FoundItem::File(file) => Some(ByteStore::open(&file.path).map(|(_, stamp)| stamp)),
            _ => None,
        };
        digest.write(format!("{found:?} {stamp:?}\n").as_bytes());
        true
    });
    progress.check()?;
    progress.begin(0);
    Ok(digest.finish())
}

/// The state of a load.
pub(super) struct Loader<'a> {
    pub(super) options: Arc<LoadOptions>,
    /// Selects the files in folders and the members of archives.
    pub(super) glob: Option<&'a PathGlob>,
    pub(super) builder: BatchBuilder<'a>,
    /// Created when first needed.
    pub(super) spool: Option<Arc<Spool>>,
    /// Bytes in `spool`.
    pub(super) spooled: u64,
    /// The recipe in the metadata of the current input.
    pub(super) recipe_inside: Option<String>,
    /// The current input, if it is a file of Parquet.
    pub(super) parquet: Option<(PathBuf, FileStamp)>,
    /// Whether the current input begins with a byte order mark of UTF-8.
    pub(super) has_mark: bool,
}

impl Loader<'_> {
    /// Reads all inputs, but for a side that an index stands for.
    fn all(&mut self, inputs: &[Input], kept: Option<&KeptCorpus>) -> Result<(), LoadStop> {
        let LoadOptions { n_reference, follow_links, .. } = *self.options;
        let (first, reference) = inputs.split_at(inputs.len().saturating_sub(n_reference));
        let stands_for = |side: &[Input]| kept.filter(|kept| kept.inputs == side);
        let (inputs, n_reference) = match (stands_for(first), stands_for(reference)) {
            (Some(kept), _) => {
                self.builder.take(&kept.corpus)?;
                (reference, n_reference)
            }
            (None, Some(_)) => (first, 0),
            (None, None) => (inputs, n_reference),
        };
        let (glob, progress) = (self.glob, self.builder.progress);
        thread::scope(|scope| {
            let (sender, found) = mpsc::channel();
            scope.spawn(move || {
                let mut report = |found| sender.send(found).is_ok();
                find(inputs, n_reference, follow_links, glob, progress, &mut report);
            });
            found.into_iter().try_for_each(|found| self.take(found))
        })?;
        if let Some(kept) = stands_for(reference) {
            self.builder.begin_reference();
            self.builder.take(&kept.corpus)?;
        }
        Ok(())
    }

    fn take(&mut self, found: FoundItem) -> Result<(), LoadStop> {
        self.builder.progress.check()?;
        match found {
            FoundItem::File(file) => self.file(file)?,
            FoundItem::Pipe(path) => self.pipe(&path)?,
            FoundItem::Stdin => {
                let origin = Origin::stream("-".to_owned(), "standard input".to_owned());
                let mut pipe = PipeReader::of(io::stdin(), self.builder.progress);
                self.input(&origin, &mut pipe)?;
            }
            FoundItem::Bundled { name, bytes } => {
                let (store, length) = (ByteStore::Static { name, bytes }, bytes.len() as u64);
                let (store, length) = (Some(store), Some(length));
                let stream = Origin::stream(name.to_owned(), name.to_owned());
                let origin = Origin { store, length, ..stream };
                self.input(&origin, &mut &*bytes)?;
            }
            FoundItem::Skipped(reason, place) => self.skip(reason, &place),
            FoundItem::Reference => self.builder.begin_reference(),
            FoundItem::Problem(diagnostic) => self.builder.corpus.note_input(diagnostic),
            FoundItem::Remark(remark) => self.builder.corpus.remark(remark),
        }
        Ok(())
    }

    fn file(&mut self, file: FoundFile) -> Result<(), LoadStop> {
        let opened = self.opened(&file.path, ByteStore::open(&file.path));
        let Some((mut opened, stamp)) = opened else { return Ok(()) };
        self.input(&Origin::file(file, stamp), &mut opened)
    }

    fn pipe(&mut self, path: &Path) -> Result<(), LoadStop> {
        let Some(opened) = self.opened(path, File::open(path)) else { return Ok(()) };
        let name = path.file_name().unwrap_or(path.as_os_str());
        let stream = Origin::stream(path_text(Path::new(name)), path_text(path));
        let origin = Origin { path: Some(path.to_owned()), ..stream };
        self.input(&origin, &mut PipeReader::of(opened, self.builder.progress))
    }

    /// The opened file or pipe; a failure becomes a diagnostic.
    fn opened<T>(&mut self, path: &Path, opened: io::Result<T>) -> Option<T> {
        let failed = |error| Diagnostic::from_io(&shown(path), &error);
        opened.map_err(|error| self.builder.corpus.note_input(failed(error))).ok()
    }

    /// Reads one input. A failure becomes a diagnostic, and the documents before it are kept.
    fn input(&mut self, origin: &Origin, raw: &mut (dyn Read + Send)) -> Result<(), LoadStop> {
        let progress = self.builder.progress;
        let (before, _) = progress.get();
        let counted = WatchedReader { inner: raw, progress, counts: true };
        let outcome =
            self.decoded(origin, DecodedInput::open(Box::new(counted), self.options.limits));
        if let Some(error) = self.failure(origin, outcome)? {
            self.builder.corpus.note_input(Diagnostic::from_io(&origin.file, &error));
        }
        // Skipped bytes count as read.
        let read = progress.get().0 - before;
        progress.add(origin.length.unwrap_or(0).saturating_sub(read));
        Ok(())
    }

    /// Turns the failure of a member of an archive into a diagnostic. The archive is read to its end all the same,
    /// unless the system or a limit ends it.
    #[cfg(feature = "formats")]
    pub(super) fn note_failure(
        &mut self,
        member: &Origin,
        outcome: Result<(), LoadStop>,
    ) -> Result<(), LoadStop> {
        if let Some(error) = self.failure(member, outcome)? {
            self.builder.corpus.note(Diagnostic::from_io(&member.file, &error));
        }
        Ok(())
    }

    /// The error that ended a reading, if there is one; a cancel still ends the load. An input that gives no document is
    /// reported.
    fn failure(
        &mut self,
        origin: &Origin,
        outcome: Result<(), LoadStop>,
    ) -> Result<Option<io::Error>, LoadStop> {
        match outcome {
            Err(LoadStop::Io(error)) => {
                // A cancelled read looks like a failed one.
                self.builder.progress.check()?;
                // The reason may lie not in the bytes.
                let is_full = error.kind() == io::ErrorKind::StorageFull;
                self.builder.corpus.has_failed |= is_full || error.raw_os_error().is_some();
                Ok(Some(error))
            }
            Err(LoadStop::Refused(row_error)) => {
                self.report_row(origin, &row_error);
                Ok(None)
            }
            other => other.map(|()| None),
        }
    }

    /// Counts something that is skipped.
    pub(super) fn skip(&mut self, reason: SkipReason, place: &str) {
        let summary = self.builder.corpus.summary_mut();
        let (count, kind) = match reason {
            SkipReason::Hidden => (&mut summary.hidden, "hidden"),
            SkipReason::Binary => (&mut summary.binary, "binary, not text"),
            SkipReason::Link => (&mut summary.links, "a link; `follow-links` reads it"),
            SkipReason::LinkToRead => (&mut summary.links, "a link to a file that is read"),
            SkipReason::Special => (&mut summary.special, "a pipe, socket or device"),
            SkipReason::Unmatched => (&mut summary.unmatched, "not matched by `glob`"),
        };
        *count += 1;
        self.builder.corpus.note_skipped(Diagnostic::new(place, kind, ""));
    }
}

/// One input that is being read.
pub(super) struct InputReading<'r, 'a> {
    pub(super) loader: &'r mut Loader<'a>,
    origin: &'r Origin,
    /// The store from which its records can be read again.
    store: ByteStore,
    /// Where the recipe of its fingerprints may stand; `None` once it was looked for.
    recipe: Option<RecipeOrigin>,
}

impl<'r, 'a> InputReading<'r, 'a> {
    pub(super) fn new(loader: &'r mut Loader<'a>, origin: &'r Origin, store: ByteStore) -> Self {
        let (shown, path) = (visible(&origin.file).into_owned(), origin.path.clone());
        let recipe = Some(RecipeOrigin { shown, path, inside: loader.recipe_inside.take() });
        Self { loader, origin, store, recipe }
    }

    /// The source of records of this shape.
    pub(super) fn source(&self, shape: RecordKind) -> Arc<Source> {
        let (store, options) = (self.store.clone(), Arc::clone(&self.loader.options));
        Arc::new(Source { store, shape, options, has_mark: self.loader.has_mark })
    }

    /// Whether it cannot be read again in place, so that complete records go out at once.
    pub(super) fn is_pipe(&self) -> bool {
        self.origin.store.is_none()
    }

    pub(super) fn check(&self) -> Result<(), LoadStop> {
        Ok(self.loader.builder.progress.check()?)
    }

    pub(super) fn push(
        &mut self,
        source: &Arc<Source>,
        record: &Record<'_>,
        content: Content,
    ) -> Result<(), LoadStop> {
        if content.text().is_none()
            && let Some(mut origin) = self.recipe.take()
        {
            if let Content::Hashes(_) = content {
                // Another program has made the features: nothing beside them or in them tells how.
                (origin.path, origin.inside) = (None, None);
            }
            self.loader.builder.corpus.note_recipe(origin);
        }
        self.loader.builder.push(source, &self.origin.name, record, content)
    }

    /// Remarks on the record at `number`, which is read.
    pub(super) fn remark(&mut self, number: u64, problem: &str, remedy: &str) {
        let place = place(&self.origin.file, number);
        self.loader.builder.corpus.remark(Diagnostic::new(&place, problem, remedy));
    }

    /// Reports the problem of the record at `number`; 0 is the whole input.
    pub(super) fn report_row(&mut self, number: u64, row_error: &RowError) {
        let place = place(&self.origin.file, number);
        self.loader.builder.corpus.note(row_error.at(&place));
    }

    /// Reports that the record at `number` is above the limit.
    pub(super) fn report_too_large(&mut self, number: u64) {
        let remedy = "split it, leave it out, or allow more with `max-document`";
        self.report_row(number, &RowError::new(self.loader.options.limits.too_large(), remedy));
    }
}
