//! Reads everything: each input is opened, unpacked, decoded, and given to the reader of its format.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;

use crate::progress::{Cancelled, Progress};

use super::decode::{DOCUMENT_LIMIT, Decoded, read_whole, too_large};
use super::diagnostic::{CorpusError, Diagnostic, shown};
use super::document::{Content, Flags, Record};
use super::find::{Found, FoundFile, PathGlob, Skipped, find};
use super::options::{Input, LoadOptions};
use super::row::{Complaint, Fields};
use super::shelf::{Halt, Reading, Shelf};
use super::sniff::{Clues, Format, decide};
use super::source::{Shape, Stamp, Store};
use super::spool::{Spool, SpoolingReader};
use super::{Batch, Corpus, delimited, jsonl, lines};

/// Reads `inputs` in order and returns the complete corpus; calls `sink` with every batch on the way.
///
/// Each batch carries a snapshot of the corpus that includes it. The first is small, later ones hold
/// up to 4096 documents or about 2 MB of text. `progress` counts stored bytes; its total stays 0 until
/// all files are found, and for good where a pipe is among them. Reading stops within 50 ms of a
/// cancel, but for a pipe that sends nothing.
///
/// What cannot be read is a diagnostic of the corpus, and the rest loads.
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
        spooled: 0,
    };
    let ended = thread::scope(|scope| {
        let (sender, found) = mpsc::channel();
        let glob = glob.as_ref();
        scope.spawn(move || {
            find(inputs, options, glob, progress, &mut |found| {
                sender.send(found).is_ok()
            });
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
    corpus.finish(inputs)
}

/// What is being read: its names, and whether it can be read again in place.
struct Origin {
    /// What ids begin with.
    name: String,
    /// What messages call it.
    shown: String,
    /// Where its stored bytes can be read again; a pipe's cannot.
    store: Option<Store>,
    /// Its stored bytes, if known.
    length: Option<u64>,
    /// The user named it, so a binary is worth a message.
    is_given: bool,
}

struct Loader<'a> {
    options: &'a LoadOptions,
    fields: Arc<Fields>,
    shelf: Shelf<'a>,
    /// Made when first needed.
    spool: Option<Arc<Spool>>,
    /// Its length.
    spooled: u64,
}

impl<'a> Loader<'a> {
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
            Found::Problem(diagnostic) => self.shelf.corpus.note(diagnostic),
        }
        Ok(())
    }

    fn file(&mut self, file: FoundFile) -> Result<(), Halt> {
        match Store::open(&file.path) {
            Ok((mut opened, stamp)) => self.input(&Origin::file(file, stamp), &mut opened),
            Err(error) => {
                self.shelf
                    .corpus
                    .note(Diagnostic::from_io(&shown(&file.path), &error));
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
                let origin = Origin {
                    name,
                    shown,
                    store: None,
                    length: None,
                    is_given: true,
                };
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
        let counted = Watched {
            inner: raw,
            progress,
            counts: true,
        };
        let outcome = self.decoded(origin, Decoded::open(Box::new(counted)));
        match outcome {
            Err(Halt::Io(error)) => {
                // A cancelled read looks like a failed one.
                progress.check()?;
                self.shelf
                    .corpus
                    .note(Diagnostic::from_io(&origin.shown, &error));
            }
            other => other?,
        }
        // What was not worth reading is done as well.
        let read = progress.get().0 - before;
        progress.add(origin.length.unwrap_or(0).saturating_sub(read));
        Ok(())
    }

    fn decoded(&mut self, origin: &Origin, decoded: Decoded<'_>) -> Result<(), Halt> {
        if decoded.is_binary() {
            self.binary(origin);
            return Ok(());
        }
        let is_stream = origin.store.is_none();
        let decided = decide(&Clues {
            asked: self.options.format,
            name: &origin.name,
            head: decoded.reader.head(),
            head_is_all: decoded.reader.head_is_all(),
            is_stream,
        });
        let format = match decided {
            Ok(format) => format,
            Err(complaint) => {
                self.complain(origin, &complaint);
                return Ok(());
            }
        };
        self.shelf.corpus.summary_mut().files += 1;
        let Decoded {
            reader,
            start,
            plain,
            ..
        } = decoded;
        let watched = Watched {
            inner: reader,
            progress: self.shelf.progress,
            counts: false,
        };
        match &origin.store {
            Some(store) if format == Format::Text => self.whole(origin, store.clone(), watched),
            Some(store) if plain => self.records(origin, store.clone(), format, start, watched),
            _ => self.spooled(origin, format, watched),
        }
    }

    fn binary(&mut self, origin: &Origin) {
        if origin.is_given {
            let remedy = "give text, JSONL, CSV or TSV, plain, gzip or zstd";
            self.complain(origin, &Complaint::new("binary, not text", remedy));
        } else {
            self.shelf.corpus.summary_mut().binary += 1;
        }
    }

    /// A file that is one document and will be read as a whole again.
    fn whole(&mut self, origin: &Origin, store: Store, reader: impl Read) -> Result<(), Halt> {
        let length = origin.length.unwrap_or(0);
        if length > DOCUMENT_LIMIT as u64 {
            let complaint = Complaint::new(
                too_large(),
                "split it, or read it with --input-format lines",
            );
            self.complain(origin, &complaint);
            return Ok(());
        }
        let (text, lossy) = read_whole(reader)?;
        let content = Content::Text(text);
        let flags = content.flags().with(Flags::LOSSY, lossy);
        let length = length as usize;
        let record = Record {
            offset: 0,
            length,
            number: 0,
            flags,
            id: None,
        };
        let mut reading = self.reading(origin, store);
        let source = reading.source(Shape::Whole);
        reading.push(&source, &record, content)
    }

    /// What cannot be addressed where it came from goes through the temporary file.
    fn spooled(&mut self, origin: &Origin, format: Format, reader: impl Read) -> Result<(), Halt> {
        let spool = match &self.spool {
            Some(spool) => Arc::clone(spool),
            None => Arc::clone(self.spool.insert(Arc::new(Spool::create()?))),
        };
        let store = Store::Spool {
            spool: Arc::clone(&spool),
            origin: origin.shown.clone().into(),
        };
        let start = self.spooled;
        let mut reader = SpoolingReader::new(reader, spool, start);
        let outcome = if format == Format::Text {
            self.streamed_text(origin, store, start, &mut reader)
        } else {
            self.records(origin, store, format, start, &mut reader)
        };
        self.spooled = reader.end();
        outcome
    }

    /// A pipe that is one document.
    fn streamed_text(
        &mut self,
        origin: &Origin,
        store: Store,
        start: u64,
        reader: &mut SpoolingReader<impl Read>,
    ) -> Result<(), Halt> {
        let (text, lossy) = read_whole(&mut *reader)?;
        let content = Content::Text(text);
        let flags = content.flags().with(Flags::LOSSY, lossy);
        let length = (reader.end() - start) as usize;
        let record = Record {
            offset: start,
            length,
            number: 0,
            flags,
            id: None,
        };
        let mut reading = self.reading(origin, store);
        let source = reading.source(Shape::Raw);
        reading.push(&source, &record, content)
    }

    fn records(
        &mut self,
        origin: &Origin,
        store: Store,
        format: Format,
        start: u64,
        reader: impl Read,
    ) -> Result<(), Halt> {
        let fields = Arc::clone(&self.fields);
        let mut reading = self.reading(origin, store);
        match format {
            Format::Jsonl => jsonl::read(reader, start, &fields, &mut reading),
            Format::Delimited(delimiter) => {
                delimited::read(reader, start, delimiter, &fields, &mut reading)
            }
            Format::Lines | Format::Text => lines::read(reader, start, &mut reading),
        }
    }

    fn reading<'r>(&'r mut self, origin: &'r Origin, store: Store) -> Reading<'r, 'a> {
        let (name, origin) = (origin.name.as_str(), origin.shown.as_str());
        Reading {
            shelf: &mut self.shelf,
            store,
            name,
            origin,
        }
    }

    fn complain(&mut self, origin: &Origin, complaint: &Complaint) {
        let diagnostic = Diagnostic::new(&origin.shown, &complaint.problem, &complaint.remedy);
        self.shelf.corpus.note(diagnostic);
    }
}

impl Origin {
    fn file(file: FoundFile, stamp: Stamp) -> Self {
        Self {
            name: file.name,
            shown: shown(&file.path),
            length: Some(stamp.length()),
            store: Some(Store::File {
                path: file.path,
                stamp,
            }),
            is_given: file.is_given,
        }
    }
}

/// Stops reading when the job is cancelled, and may count bytes.
struct Watched<'a, R> {
    inner: R,
    progress: &'a Progress,
    counts: bool,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        /// A read of this many bytes takes well below the 50 ms in which a cancel must show.
        const PIECE: usize = 1 << 20;
        self.progress.check().map_err(io::Error::other)?;
        let piece = buffer.len().min(PIECE);
        let count = self.inner.read(&mut buffer[..piece])?;
        if self.counts {
            self.progress.add(count as u64);
        }
        Ok(count)
    }
}
