//! Where rows go: standard output, or a file that appears only when it is complete.
//!
//! A regular file is written beside its place under a temporary name and renamed at the end, so that a
//! run that fails, or is stopped, leaves what was there. A device or pipe is written to directly.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

const BUFFER: usize = 1 << 18;

/// Where rows are to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Target {
    /// Standard output.
    Stdout,
    /// This file.
    File(PathBuf),
}

/// A target being written.
pub(in crate::cli) struct Output {
    target: Target,
    open: Option<Open>,
}

enum Open {
    Stream(BufWriter<Box<dyn Write + Send>>),
    Temporary(BufWriter<NamedTempFile>, PathBuf),
}

impl Output {
    /// An output that is opened when it is first written to.
    pub(in crate::cli) fn new(target: &Target) -> Self {
        Self {
            target: target.clone(),
            open: None,
        }
    }

    /// The writer: buffered, so errors may come late.
    pub(in crate::cli) fn writer(&mut self) -> io::Result<&mut dyn Write> {
        if self.open.is_none() {
            self.open = Some(open(&self.target).map_err(|error| self.named(&error))?);
        }
        Ok(match &mut self.open {
            Some(Open::Stream(stream)) => stream,
            Some(Open::Temporary(file, _)) => file,
            None => unreachable!("opened above"),
        })
    }

    /// Writes out what is buffered; a temporary file takes its place.
    pub(in crate::cli) fn finish(mut self) -> io::Result<()> {
        match self.open.take() {
            Some(Open::Stream(mut stream)) => stream.flush(),
            Some(Open::Temporary(file, place)) => {
                let file = file
                    .into_inner()
                    .map_err(|error| self.named(error.error()))?;
                file.persist(place)
                    .map(drop)
                    .map_err(|error| self.named(&error.error))
            }
            None => Ok(()),
        }
    }

    /// The error with the file's name; those of standard output stay as they are.
    fn named(&self, error: &io::Error) -> io::Error {
        match &self.target {
            Target::Stdout => io::Error::from(error.kind()),
            Target::File(path) => {
                let path = path.to_string_lossy();
                let path = crate::text::visible::visible(&path);
                io::Error::new(error.kind(), format!("{path}: cannot be written: {error}"))
            }
        }
    }
}

fn open(target: &Target) -> io::Result<Open> {
    let stream = |stream| Open::Stream(BufWriter::with_capacity(BUFFER, stream));
    match target {
        Target::Stdout => Ok(stream(Box::new(io::stdout()))),
        Target::File(path) => {
            // Through a link, the file it leads to is replaced, not the link.
            let place = path.canonicalize().unwrap_or_else(|_| path.clone());
            if place.metadata().is_ok_and(|file| !file.is_file()) {
                return Ok(stream(Box::new(File::options().write(true).open(place)?)));
            }
            let file = temporary_beside(&place)?;
            Ok(Open::Temporary(
                BufWriter::with_capacity(BUFFER, file),
                place,
            ))
        }
    }
}

fn temporary_beside(place: &Path) -> io::Result<NamedTempFile> {
    let folder = place
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".simscope-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As any new file: what the umask leaves.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder.unwrap_or(Path::new(".")))
}
