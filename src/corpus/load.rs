//! Reads everything, input by input: each file found is opened and unpacked, or counted, or reported.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;

use crate::progress::{Cancelled, Progress};

use super::decode::Decoded;
use super::diagnostic::{CorpusError, Diagnostic, shown};
use super::fields::Fields;
use super::find::{Found, FoundFile, PathGlob, Skipped, find};
use super::options::{Input, LoadOptions};
use super::origin::{Origin, Watched};
use super::shelf::{Halt, Shelf};
use super::source::Store;
use super::spool::{Spool, Spooled};
use super::{Batch, Corpus};

/// Reads `inputs` in order and returns the complete corpus; calls `sink` with every batch on the way.
///
/// Each batch carries a snapshot of the corpus that includes it. The first is small, later ones hold
/// up to 4096 documents or about 2 MB of text. `progress` counts stored bytes; its total stays 0 until
/// all files are found, and for good where a pipe is among them. Reading stops within 50 ms of a
/// cancel, but for a pipe that sends nothing.
///
/// Each input that cannot be read becomes a diagnostic of the corpus, and the rest is loaded.
///
/// # Errors
/// [`CorpusError`] if the glob is broken, if the job is cancelled, or if there is not one document.
///
/// # Panics
/// If `sink` does.
pub fn load(
    inputs: &[Input],
    options: &LoadOptions,
    progress: &Progress,
    sink: &mut dyn FnMut(Batch),
) -> Result<Corpus, CorpusError> {
    progress.check()?;
    let glob = options.glob.as_deref().map(PathGlob::new).transpose()?;
    progress.begin(0);
    let mut loader = Loader {
        options,
        fields: Arc::new(Fields::new(options)),
        shelf: Shelf::new(progress, sink),
        spool: None,
        spooled: Spooled::default(),
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
    let mut shelf = loader.shelf;
    shelf.flush();
    let mut corpus = shelf.corpus;
    match ended {
        Ok(()) => {}
        Err(Halt::Cancelled) => return Err(Cancelled.into()),
        Err(Halt::Full) => corpus.note(Diagnostic::new(
            "corpus",
            "more than 4,294,967,295 documents, so the rest is left out",
            "give fewer at a time",
        )),
        Err(Halt::Io(error)) => corpus.note(Diagnostic::from_io("corpus", &error)),
    }
    if options.n_reference > 0 {
        corpus.begin_reference();
    }
    corpus.finish(inputs, progress)
}

/// The state of a load.
pub(super) struct Loader<'a> {
    pub(super) options: &'a LoadOptions,
    pub(super) fields: Arc<Fields>,
    pub(super) shelf: Shelf<'a>,
    /// Made when first needed.
    pub(super) spool: Option<Arc<Spool>>,
    /// The amount of data in it.
    pub(super) spooled: Spooled,
}

impl Loader<'_> {
    fn take(&mut self, found: Found) -> Result<(), Halt> {
        self.shelf.progress.check()?;
        match found {
            Found::File(file) => self.file(file)?,
            Found::Pipe(path) => self.pipe(&path)?,
            Found::Stdin => {
                let origin = Origin {
                    name: "-".to_owned(),
                    shown: "standard input".to_owned(),
                    store: None,
                    length: None,
                    is_given: true,
                };
                self.input(&origin, &mut io::stdin().lock())?;
            }
            Found::Bundled { name, bytes } => {
                let origin = Origin {
                    name: name.to_owned(),
                    shown: name.to_owned(),
                    store: Some(Store::Static { name, bytes }),
                    length: Some(bytes.len() as u64),
                    is_given: true,
                };
                self.input(&origin, &mut &*bytes)?;
            }
            Found::Skipped(skipped) => {
                let summary = self.shelf.corpus.summary_mut();
                *match skipped {
                    Skipped::Hidden => &mut summary.hidden,
                    Skipped::Link => &mut summary.links,
                    Skipped::Special => &mut summary.special,
                    Skipped::Unmatched => &mut summary.unmatched,
                } += 1;
            }
            Found::Reference => self.shelf.begin_reference(),
            Found::Problem(diagnostic) => self.shelf.corpus.note(diagnostic),
        }
        Ok(())
    }

    fn file(&mut self, file: FoundFile) -> Result<(), Halt> {
        match Store::open(&file.path) {
            Ok((mut opened, stamp)) => self.input(&Origin::file(file, stamp), &mut opened),
            Err(error) => {
                self.shelf.corpus.note(Diagnostic::from_io(&shown(&file.path), &error));
                Ok(())
            }
        }
    }

    fn pipe(&mut self, path: &Path) -> Result<(), Halt> {
        let shown = shown(path);
        match File::open(path) {
            Ok(mut opened) => {
                let name = path.file_name().unwrap_or(path.as_os_str());
                let name = name.to_string_lossy().into_owned();
                let origin = Origin { name, shown, store: None, length: None, is_given: true };
                self.input(&origin, &mut opened)
            }
            Err(error) => {
                self.shelf.corpus.note(Diagnostic::from_io(&shown, &error));
                Ok(())
            }
        }
    }

    /// Reads one input; its failure is a diagnostic, and what came before it stays.
    fn input(&mut self, origin: &Origin, raw: &mut dyn Read) -> Result<(), Halt> {
        let progress = self.shelf.progress;
        let (before, _) = progress.get();
        let counted = Watched { inner: raw, progress, counts: true };
        let outcome = self.decoded(origin, Decoded::open(Box::new(counted), self.options.limits));
        match outcome {
            Err(Halt::Io(error)) => {
                // A cancelled read looks like a failed one.
                progress.check()?;
                self.shelf.corpus.note(Diagnostic::from_io(&origin.shown, &error));
            }
            other => other?,
        }
        // Bytes that were skipped count as done too.
        let read = progress.get().0 - before;
        progress.add(origin.length.unwrap_or(0).saturating_sub(read));
        Ok(())
    }
}
