//! The target of rows: standard output, or a file that appears only when it is complete.
//!
//! A regular file appears when it is complete ([`PendingFile`]). A device or pipe is written directly. A file
//! whose name ends in `.gz` or `.zst` is compressed. A file is written over nothing that is read, into no input folder,
//! and through no link that leads nowhere.
//!
//! Files and pipes get ids unchanged. A terminal would execute the escape sequences in them: set its title, write to the
//! clipboard, draw a row backwards. So before rows go to a terminal, every control character and bidirectional character
//! is escaped: in JSON as `\u009b`, so that it stays JSON, otherwise as on the screens ([`visible`]).

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::format::Format;
use super::pending_file::PendingFile;
use crate::corpus::{Input, Packer, io_message};
use crate::text::visible::{is_plain, visible};

const BUFFER: usize = 1 << 18;

/// The target of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Standard output.
    Stdout,
    /// This file.
    File(PathBuf),
}

impl Target {
    /// Writes a text that stands there instead of rows.
    pub(crate) fn write(&self, format: Format, text: &str) -> io::Result<()> {
        let mut output = Output::new(self, format);
        output.write_all(text.as_bytes())?;
        output.finish()
    }
}

/// A target that is being written.
pub(crate) struct Output {
    target: Target,
    format: Format,
    out: Option<Writer>,
    /// The file that takes its place at the end, if it is one.
    pending: Option<PendingFile>,
    is_complete: bool,
}

type Writer = Packer<BufWriter<Box<dyn Write + Send>>>;

impl Output {
    /// An output that is opened at the first write.
    pub(crate) fn new(target: &Target, format: Format) -> Self {
        Self { target: target.clone(), format, out: None, pending: None, is_complete: false }
    }

    /// Writes everything, the end of compressed data too; only a file does not take its place before `finish`.
    pub(crate) fn complete(&mut self) -> io::Result<()> {
        if self.is_complete {
            return Ok(());
        }
        if let Target::File(_) = self.target {
            self.with(|_| Ok(0))?;
        }
        self.is_complete = true;
        let Some(out) = self.out.take() else { return Ok(()) };
        let written = out.finish().and_then(|mut out| out.flush());
        written.map_err(|error| self.named(&error))
    }

    /// Writes the buffers; a temporary file takes its place, as an empty file if nothing was written.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.complete()?;
        let Some(pending) = self.pending.take() else { return Ok(()) };
        pending.take_place().map_err(|error| self.named(&error))
    }

    /// Opens the target if it is not open yet, and calls `act` with it.
    fn with(&mut self, act: impl FnOnce(&mut dyn Write) -> io::Result<usize>) -> io::Result<usize> {
        if self.out.is_none() {
            let (out, pending) =
                open(&self.target, self.format).map_err(|error| self.named(&error))?;
            (self.out, self.pending) = (Some(out), pending);
        }
        let done = self.out.as_mut().map_or(Ok(0), |out| act(out));
        done.map_err(|error| self.named(&error))
    }

    /// An error of the same kind with the name of the target.
    fn named(&self, error: &io::Error) -> io::Error {
        let name = match &self.target {
            Target::Stdout => "standard output".to_owned(),
            Target::File(path) => visible_path(path),
        };
        let problem = io_message(error);
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

fn open(target: &Target, format: Format) -> io::Result<(Writer, Option<PendingFile>)> {
    let mut pending = None;
    let out: Box<dyn Write + Send> = match target {
        Target::Stdout if io::stdout().is_terminal() => {
            Box::new(HarmlessWriter::new(io::stdout(), format))
        }
        Target::Stdout => Box::new(io::stdout()),
        Target::File(path) => {
            // If the path is a link, the file to which it leads is replaced, not the link.
            let place = path.canonicalize().unwrap_or_else(|_| path.clone());
            if place.metadata().is_ok_and(|file| !file.is_file()) {
                Box::new(File::options().write(true).open(place)?)
            } else {
                Box::new(pending.insert(PendingFile::new(place)?).as_file().try_clone()?)
            }
        }
    };
    let out = BufWriter::with_capacity(BUFFER, out);
    let out = match target {
        Target::Stdout => Packer::Plain(out),
        Target::File(path) => Packer::for_name(path, out)?,
    };
    Ok((out, pending))
}

/// Why `written` is no place for a file, beside these that are read; `None` if it is one. A pipe or device holds nothing,
/// so it may be both.
pub(crate) fn misplaced<'a>(
    written: &Path,
    read: impl IntoIterator<Item = &'a Path>,
) -> Option<&'static str> {
    let exists = written.exists();
    if exists && !written.is_file() {
        return None;
    }
    if written.is_symlink() && !exists {
        return Some("a link that leads nowhere");
    }
    is_within(written, read).then_some(if exists {
        "is an input of this run"
    } else {
        "is in an input folder, so the next run would read it"
    })
}

/// Whether a place is one of these that are read, or inside one.
pub(crate) fn is_within<'a>(place: &Path, read: impl IntoIterator<Item = &'a Path>) -> bool {
    let place = real(place);
    read.into_iter().any(|read| read.canonicalize().is_ok_and(|read| place.starts_with(read)))
}

/// A path in a message, safe to show.
pub(crate) fn visible_path(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

/// The path of an input; that of standard input, because `< FILE` may name the same file.
pub(crate) fn path_of(input: &Input) -> Option<&Path> {
    match input {
        Input::Path(path) => Some(path),
        Input::Stdin => Some(Path::new("/dev/stdin")),
        Input::Bundled { .. } => None,
    }
}

/// The path without links, of which any part may be still to be made.
pub(crate) fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let found = path.ancestors().find_map(|part| {
        let rest = path.strip_prefix(part).ok()?;
        let part = part.canonicalize().ok()?;
        // A slash behind a file would make another path of it.
        Some(if rest.as_os_str().is_empty() { part } else { part.join(rest) })
    });
    found.unwrap_or(path)
}

/// Makes whole lines safe and passes them on.
struct HarmlessWriter<W: Write> {
    inner: W,
    /// The format of the rows: only in JSON lines a character is spelled as in a JSON string.
    format: Format,
    /// The line that is not yet complete.
    held: Vec<u8>,
}

impl<W: Write> HarmlessWriter<W> {
    fn new(inner: W, format: Format) -> Self {
        Self { inner, format, held: Vec::new() }
    }

    /// Passes on the first `n_bytes` of the bytes that are held back.
    fn pass_on(&mut self, n_bytes: usize) -> io::Result<()> {
        let rest = self.held.split_off(n_bytes);
        let bytes = std::mem::replace(&mut self.held, rest);
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<_> = text.split('\n').map(|line| spelled(line, self.format)).collect();
        self.inner.write_all(lines.join("\n").as_bytes())
    }
}

/// A line made safe; tabs are kept, because they separate the columns of TSV.
fn spelled(line: &str, format: Format) -> String {
    match format {
        Format::Jsonl => {
            let mut shown = String::with_capacity(line.len());
            for c in line.chars() {
                if c == '\t' || is_plain(c) {
                    shown.push(c);
                } else {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        shown += &format!("\\u{unit:04x}");
                    }
                }
            }
            shown
        }
        _ => line.split('\t').map(visible).collect::<Vec<_>>().join("\t"),
    }
}

impl<W: Write> Write for HarmlessWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let before = self.held.len();
        self.held.extend_from_slice(bytes);
        if let Some(end) = bytes.iter().rposition(|&byte| byte == b'\n') {
            self.pass_on(before + end + 1)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass_on(self.held.len())?;
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[&[u8]], format: Format) -> String {
        let mut writer = HarmlessWriter::new(Vec::new(), format);
        for piece in pieces {
            assert_eq!(writer.write(piece).unwrap(), piece.len());
        }
        writer.flush().unwrap();
        String::from_utf8(writer.inner).unwrap()
    }

    #[test]
    fn only_characters_that_a_terminal_executes_are_escaped() {
        let csv = "id,d\n\"a\u{1b}]0;x\u{7}\",3\nb\u{202e}c\u{9b}m\td,ä漢\n";
        let expected = "id,d\n\"a^[]0;x^G\",3\nb<U+202E>c<U+009B>m\td,ä漢\n";
        assert_eq!(shown(&[csv.as_bytes()], Format::Csv), expected);
        // The result does not depend on how the bytes are cut.
        let bytes: Vec<&[u8]> = csv.as_bytes().chunks(1).collect();
        assert_eq!(shown(&bytes, Format::Csv), expected);
    }

    #[test]
    fn json_stays_json_with_equal_values() {
        let id = "a\u{7f}\u{9b}\u{202e}\u{e0001}ä";
        let row = serde_json::to_string(id).unwrap() + "\n";
        let shown = shown(&[row.as_bytes()], Format::Jsonl);
        assert!(shown.trim_end().chars().all(is_plain), "{shown}");
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), id);
    }
}
