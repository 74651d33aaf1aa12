//! The target of rows: standard output, or a file that appears only when it is complete.
//!
//! A regular file appears when it is complete ([`PendingFile`]). A device or pipe is written to directly.

use std::{
    fs::File,
    io::{self, BufWriter, IsTerminal, Write},
    path::PathBuf,
};

use super::{
    format::Format,
    harmless::{HarmlessWriter, Spelling},
    waiting::PendingFile,
};
use crate::text::visible::visible;

const BUFFER: usize = 1 << 18;

/// The target of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Standard output.
    Stdout,
    /// This file.
    File(PathBuf),
}

/// A target being written.
pub(crate) struct Output {
    target: Target,
    format: Format,
    open: Option<OpenTarget>,
}

enum OpenTarget {
    Stream(BufWriter<Box<dyn Write + Send>>),
    Waiting(BufWriter<PendingFile>),
}

impl Output {
    /// An output that is opened when it is first written to.
    pub(crate) fn new(target: &Target, format: Format) -> Self {
        Self { target: target.clone(), format, open: None }
    }

    /// Writes out what is buffered; a temporary file takes its place, an empty one if nothing was written.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if let Target::File(_) = self.target {
            self.with(|_| Ok(0))?;
        }
        let finished = match self.open.take() {
            Some(OpenTarget::Stream(mut stream)) => stream.flush(),
            Some(OpenTarget::Waiting(file)) => match file.into_inner() {
                Ok(file) => file.take_place(),
                Err(error) => Err(error.into_error()),
            },
            None => Ok(()),
        };
        finished.map_err(|error| self.named(&error))
    }

    /// Opens the target if that is still to be done, then does something with it.
    fn with(&mut self, act: impl FnOnce(&mut dyn Write) -> io::Result<usize>) -> io::Result<usize> {
        let done = match &mut self.open {
            Some(OpenTarget::Stream(stream)) => act(stream),
            Some(OpenTarget::Waiting(file)) => act(file),
            None => match open(&self.target, self.format) {
                Ok(open) => {
                    self.open = Some(open);
                    return self.with(act);
                }
                Err(error) => Err(error),
            },
        };
        done.map_err(|error| self.named(&error))
    }

    /// The error of the same kind with the target's name.
    fn named(&self, error: &io::Error) -> io::Error {
        let name = match &self.target {
            Target::Stdout => "standard output".to_owned(),
            Target::File(path) => visible(&path.to_string_lossy()).into_owned(),
        };
        let problem = error.to_string();
        let problem = problem.split(" (os error").next().unwrap_or_default();
        let problem = problem.to_lowercase();
        io::Error::new(error.kind(), format!("{name}: cannot be written: {problem}"))
    }
}

/// Buffered, so errors may come late.
impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with(|out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.with(|out| out.flush().map(|()| 0)).map(drop)
    }
}

fn open(target: &Target, format: Format) -> io::Result<OpenTarget> {
    let stream = |stream| OpenTarget::Stream(BufWriter::with_capacity(BUFFER, stream));
    match target {
        Target::Stdout if io::stdout().is_terminal() => {
            let is_json = format == Format::Jsonl;
            let spelling = if is_json { Spelling::Json } else { Spelling::Visible };
            Ok(stream(Box::new(HarmlessWriter::new(io::stdout(), spelling))))
        }
        Target::Stdout => Ok(stream(Box::new(io::stdout()))),
        Target::File(path) => {
            // Through a link, the file it leads to is replaced, not the link.
            let place = path.canonicalize().unwrap_or_else(|_| path.clone());
            if place.metadata().is_ok_and(|file| !file.is_file()) {
                return Ok(stream(Box::new(File::options().write(true).open(place)?)));
            }
            Ok(OpenTarget::Waiting(BufWriter::with_capacity(BUFFER, PendingFile::new(place)?)))
        }
    }
}
