//! The target of rows: standard output, or a file that appears only when it is complete.
//!
//! A regular file appears when it is complete ([`PendingFile`]). A device or pipe is written to directly. A
//! file whose name ends in `.gz` or `.zst` is packed.

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
use crate::{corpus::Packer, text::visible::visible};

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
    Stream(Packer<BufWriter<Box<dyn Write + Send>>>),
    Waiting(Packer<BufWriter<PendingFile>>),
}

impl OpenTarget {
    /// Writes the end of what is packed, and all that is buffered; nothing can be written after it.
    fn complete(self) -> io::Result<Self> {
        Ok(match self {
            Self::Stream(packer) => Self::Stream(Packer::Plain(completed(packer)?)),
            Self::Waiting(packer) => Self::Waiting(Packer::Plain(completed(packer)?)),
        })
    }
}

fn completed<W: Write>(packer: Packer<BufWriter<W>>) -> io::Result<BufWriter<W>> {
    let mut out = packer.finish()?;
    out.flush()?;
    Ok(out)
}

impl Output {
    /// An output that is opened when it is first written to.
    pub(crate) fn new(target: &Target, format: Format) -> Self {
        Self { target: target.clone(), format, open: None }
    }

    /// Writes out all that there is, but for the last step: a file takes its place when this is finished.
    pub(crate) fn complete(&mut self) -> io::Result<()> {
        if let Target::File(_) = self.target {
            self.with(|_| Ok(0))?;
        }
        let completed = self.open.take().map(OpenTarget::complete).transpose();
        self.open = completed.map_err(|error| self.named(&error))?;
        Ok(())
    }

    /// Writes out what is buffered; a temporary file takes its place, an empty one if nothing was written.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.complete()?;
        let Some(OpenTarget::Waiting(packer)) = self.open.take() else { return Ok(()) };
        let file = packer.finish().and_then(|file| file.into_inner().map_err(Into::into));
        file.and_then(PendingFile::take_place).map_err(|error| self.named(&error))
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
    let plain = |out| Ok(OpenTarget::Stream(Packer::Plain(BufWriter::with_capacity(BUFFER, out))));
    match target {
        Target::Stdout if io::stdout().is_terminal() => {
            let is_json = format == Format::Jsonl;
            let spelling = if is_json { Spelling::Json } else { Spelling::Visible };
            plain(Box::new(HarmlessWriter::new(io::stdout(), spelling)))
        }
        Target::Stdout => plain(Box::new(io::stdout())),
        Target::File(path) => {
            // Through a link, the file it leads to is replaced, not the link.
            let place = path.canonicalize().unwrap_or_else(|_| path.clone());
            if place.metadata().is_ok_and(|file| !file.is_file()) {
                let out: Box<dyn Write + Send> = Box::new(File::options().write(true).open(place)?);
                let out = BufWriter::with_capacity(BUFFER, out);
                return Ok(OpenTarget::Stream(Packer::for_name(path, out)?));
            }
            let out = BufWriter::with_capacity(BUFFER, PendingFile::new(place)?);
            Ok(OpenTarget::Waiting(Packer::for_name(path, out)?))
        }
    }
}
