//! Loads the inputs one after the other: each file found is opened and unpacked, counted, or reported.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::thread;

use crate::number::counted;
use crate::progress::{Cancelled, Progress};

use super::batch_builder::{BatchBuilder, LoadStop};
use super::decode::DecodedInput;
use super::diagnostic::{CorpusError, Diagnostic, path_text, shown};
use super::fields::FieldNames;
use super::find::{FoundFile, FoundItem, PathGlob, SkipReason, find};
use super::kept::{FileStart, KeptChanges, KeptCorpus, KeptFile};
use super::options::{Input, LoadOptions, TextEncoding};
use super::origin::{Origin, WatchedReader};
use super::pipe::PipeReader;
use super::source::{ByteStore, FileStamp};
use super::spool::{Spool, SpoolSize};
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

/// [`load`] with a kept corpus: the documents of files that are unchanged since `kept` was made are taken from
/// it, and their batches have no contents. The new corpus can be kept, too.
///
/// # Errors
/// As [`load`].
///
/// # Panics
/// If `sink` does.
pub fn load_again(
    inputs: &[Input],
    options: &LoadOptions,
    kept: &KeptCorpus,
    progress: &Progress,
    sink: &mut dyn FnMut(Batch),
) -> Result<Corpus, CorpusError> {
    load_kept(inputs, options, Some(kept), progress, sink)
}

fn load_kept(
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
        options,
        glob: glob.as_ref(),
        fields: Arc::new(FieldNames::new(options)),
        builder: BatchBuilder::new(progress, sink).with_kept(kept),
        spool: None,
        spooled: SpoolSize::default(),
        kept,
        files: Vec::new(),
        n_found_again: 0,
        n_taken: 0,
        n_read: 0,
        has_failed: false,
        recipe_inside: None,
        parquet: None,
        has_mark: false,
    };
    let ended = thread::scope(|scope| {
        let (sender, found) = mpsc::channel();
        let glob = glob.as_ref();
        scope.spawn(move || {
            find(inputs, options, glob, progress, &mut |found| sender.send(found).is_ok());
        });
        found.into_iter().try_for_each(|found| loader.take(found))
    });
    progress.check()?;
    loader.builder.flush();
    let changes = loader.changes();
    let mut corpus = loader.builder.corpus;
    (corpus.files, corpus.kept_changes) = (Arc::new(loader.files), changes);
    if let Some(remark) = kept.and_then(|kept| kept.remark(changes)) {
        corpus.remark_on_all(remark);
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

/// The state of a load.
pub(super) struct Loader<'a> {
    pub(super) options: &'a LoadOptions,
    /// Selects the files in folders and the members of archives.
    #[cfg_attr(not(feature = "formats"), expect(dead_code, reason = "archives are not read"))]
    pub(super) glob: Option<&'a PathGlob>,
    pub(super) fields: Arc<FieldNames>,
    pub(super) builder: BatchBuilder<'a>,
    /// Created when first needed.
    pub(super) spool: Option<Arc<Spool>>,
    /// The amount of data in `spool`.
    pub(super) spooled: SpoolSize,
    /// The corpus from which unchanged files are taken.
    kept: Option<&'a KeptCorpus>,
    /// The files so far; empty without a kept corpus.
    files: Vec<KeptFile>,
    /// The number of kept files that still exist.
    n_found_again: usize,
    n_taken: usize,
    n_read: usize,
    /// Whether the current input could not be read to its end.
    has_failed: bool,
    /// The recipe in the metadata of the current input.
    pub(super) recipe_inside: Option<String>,
    /// The current input, if it is a file of Parquet.
    pub(super) parquet: Option<(PathBuf, FileStamp)>,
    /// Whether the current input begins with a byte order mark of UTF-8.
    pub(super) has_mark: bool,
}

impl Loader<'_> {
    fn take(&mut self, found: FoundItem) -> Result<(), LoadStop> {
        self.builder.progress.check()?;
        match found {
            FoundItem::File(file) => self.file(file)?,
            FoundItem::Pipe(path) => self.pipe(&path)?,
            FoundItem::Stdin => {
                let origin = Origin::stream("-".to_owned(), "standard input".to_owned());
                let mut pipe = PipeReader::new(io::stdin(), self.builder.progress);
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
        match ByteStore::open(&file.path) {
            Ok((mut opened, stamp)) => {
                let Some(kept) = self.kept else {
                    return self.input(&Origin::file(file, stamp), &mut opened);
                };
                self.n_found_again += usize::from(kept.has(&file.path));
                let start = FileStart::now(&mut self.builder);
                let path = file.path.clone();
                if let Some(unchanged) = kept.unchanged(&path, stamp) {
                    self.builder.take(unchanged)?;
                    self.builder.progress.add(stamp.length());
                    self.n_taken += 1;
                } else {
                    self.has_failed = false;
                    self.input(&Origin::file(file, stamp), &mut opened)?;
                    self.n_read += 1;
                    if self.has_failed {
                        return Ok(());
                    }
                }
                self.files.push(start.finish(&self.builder, path, stamp));
                Ok(())
            }
            Err(error) => {
                self.builder.corpus.note_input(Diagnostic::from_io(&shown(&file.path), &error));
                Ok(())
            }
        }
    }

    /// The differences so far between the files and the kept corpus.
    fn changes(&self) -> KeptChanges {
        KeptChanges {
            taken: self.n_taken,
            read: self.n_read,
            gone: self.kept.map_or(0, KeptCorpus::n_files) - self.n_found_again,
        }
    }

    fn pipe(&mut self, path: &Path) -> Result<(), LoadStop> {
        match File::open(path) {
            Ok(opened) => {
                let name = path.file_name().unwrap_or(path.as_os_str());
                let stream = Origin::stream(path_text(Path::new(name)), path_text(path));
                let origin = Origin { path: Some(path.to_owned()), ..stream };
                self.input(&origin, &mut PipeReader::new(opened, self.builder.progress))
            }
            Err(error) => {
                self.builder.corpus.note_input(Diagnostic::from_io(&shown(path), &error));
                Ok(())
            }
        }
    }

    /// Reads one input. A failure becomes a diagnostic, and the documents before it are kept.
    fn input(&mut self, origin: &Origin, raw: &mut (dyn Read + Send)) -> Result<(), LoadStop> {
        let progress = self.builder.progress;
        let (before, _) = progress.get();
        let counted = WatchedReader { inner: raw, progress, counts: true };
        let outcome =
            self.decoded(origin, DecodedInput::open(Box::new(counted), self.options.limits));
        if let Some(error) = self.failure(outcome)? {
            self.has_failed = true;
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
        if let Some(error) = self.failure(outcome)? {
            let limits = [io::ErrorKind::QuotaExceeded, io::ErrorKind::StorageFull];
            let is_at_limit = limits.contains(&error.kind());
            self.has_failed |= is_at_limit || error.raw_os_error().is_some();
            self.builder.corpus.note(Diagnostic::from_io(&member.file, &error));
        }
        Ok(())
    }

    /// The error that ended a reading, if there is one; a cancel still ends the load.
    fn failure(&self, outcome: Result<(), LoadStop>) -> Result<Option<io::Error>, LoadStop> {
        match outcome {
            Err(LoadStop::Io(error)) => {
                // A cancelled read looks like a failed one.
                self.builder.progress.check()?;
                Ok(Some(error))
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
