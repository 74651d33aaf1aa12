//! Messages about unreadable records, and counts of skipped ones.
//!
//! One bad record never ends a run. It becomes a [`Diagnostic`], which names place, problem and
//! remedy; a [`LoadSummary`] counts the records read and skipped; a [`CorpusError`] means that there is no
//! corpus to work with.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::io;
use std::path::Path;

use crate::number::counted;
use crate::progress::Cancelled;
use crate::text::visible;

/// The number of diagnostics about records that are kept, and of those about whole inputs; further ones are counted in
/// [`LoadSummary::unlisted`].
pub const DIAGNOSTICS_KEPT: usize = 1000;

/// The advice for a file that is too large to be one document.
pub(super) const TOO_LARGE_REMEDY: &str =
    "split it, read it with `input-format` lines, or allow more with `max-document`";

/// The advice for a page, whose markup is not told from its text.
pub(super) const PAGE_REMEDY: &str =
    "give an extractor's output on standard input: `.. | simscope -`";

/// A record, file or input that could not be read, while the others could.
///
/// The fields hold no control characters: an escape sequence in a file name is shown, not executed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Diagnostic {
    /// The place: a path, with the line where there is one (`corpus.jsonl:17`).
    pub place: String,
    /// The problem there.
    pub problem: String,
    /// The advice to the user.
    pub remedy: Option<String>,
}

impl Diagnostic {
    /// A message with its control characters made visible.
    pub fn new(place: &str, problem: &str, remedy: &str) -> Self {
        Self {
            place: visible(place).into_owned(),
            problem: visible(problem).into_owned(),
            remedy: (!remedy.is_empty()).then(|| visible(remedy).into_owned()),
        }
    }

    /// A message about a failed operation on `place`, with a remedy for the kind of failure.
    pub(super) fn from_io(place: &str, error: &io::Error) -> Self {
        let remedy = match error.kind() {
            _ if is_os_error(error) => "",
            io::ErrorKind::NotFound => "check the path",
            io::ErrorKind::NotADirectory => "a part of the path is a file; name another path",
            io::ErrorKind::PermissionDenied => "make it readable or leave it out",
            io::ErrorKind::UnexpectedEof
            | io::ErrorKind::InvalidData
            | io::ErrorKind::InvalidInput => "copy or compress the file again",
            io::ErrorKind::FileTooLarge => TOO_LARGE_REMEDY,
            _ => "",
        };
        Self::new(place, &describe(error), remedy)
    }
}

/// Messages with a line for each of the first three of a kind and one that counts the others. Problems are of a kind
/// if they differ only in numbers and in what they quote.
pub fn in_kinds<'a>(messages: impl IntoIterator<Item = &'a Diagnostic>) -> Vec<String> {
    const SHOWN: usize = 3;
    let mut kinds: Vec<Vec<&Diagnostic>> = Vec::new();
    let mut known = HashMap::new();
    for message in messages {
        let unquoted = message.problem.split('"').step_by(2).flat_map(str::chars);
        let kind: String = unquoted.filter(|letter| letter.is_alphabetic()).collect();
        let at = *known.entry((kind, &message.remedy)).or_insert(kinds.len());
        if at == kinds.len() {
            kinds.push(Vec::new());
        }
        kinds[at].push(message);
    }
    let lines = kinds.iter().flat_map(|kind| {
        // One more line says more than a line that counts one.
        let n_shown = if kind.len() == SHOWN + 1 { kind.len() } else { kind.len().min(SHOWN) };
        let n_more = (kind.len() - n_shown) as u64;
        let more = format!(
            "and {} like these three, up to {}",
            counted(n_more, "problem"),
            kind[kind.len() - 1].place
        );
        let shown = kind[..n_shown].iter().map(ToString::to_string);
        shown.chain((n_more > 0).then_some(more))
    });
    lines.collect()
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.problem)?;
        match &self.remedy {
            Some(remedy) => write!(f, "; {remedy}"),
            None => Ok(()),
        }
    }
}

/// The reason why nothing could be loaded.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The glob is invalid, or a single file that is needed, such as a list of stop words, could not be read.
    #[error("{0}")]
    File(Diagnostic),
    /// There is no document, for these reasons.
    #[error("{}{}", .diagnostics[0], and_more(.diagnostics.len() as u64 - 1 + .unlisted))]
    NothingLoaded {
        /// The reasons, one or more; the message shows the first.
        diagnostics: Vec<Diagnostic>,
        /// The number of further reasons that were not kept.
        unlisted: u64,
    },
    /// One of two corpora has no document.
    #[error("no document in {side}{}; name a file or folder that holds text or fingerprints", because(.diagnostic.as_deref()))]
    EmptySide {
        /// The corpus, as named in the message.
        side: &'static str,
        /// The first problem, if there was any.
        diagnostic: Option<Box<Diagnostic>>,
    },
    /// There is no document, although there was no error.
    #[error("{place}: no documents{}{}; name a file or folder that holds text", in_brackets(.summary.note()), in_brackets(.remark.as_ref()))]
    Empty {
        /// The inputs.
        place: String,
        /// The counts of skipped files and records.
        summary: Box<LoadSummary>,
        /// The first remark on what was read, if there is any.
        remark: Option<Box<Diagnostic>>,
    },
}

impl CorpusError {
    /// The error of one place: a file, a line of it, or an option.
    pub(super) fn at(place: &str, problem: &str, remedy: &str) -> Self {
        Self::File(Diagnostic::new(place, problem, remedy))
    }

    /// The error of a single file that cannot be used.
    pub(super) fn of_file(path: &Path, error: &io::Error) -> Self {
        Self::File(Diagnostic::from_io(&shown(path), error))
    }
}

fn and_more(count: u64) -> String {
    if count == 0 { String::new() } else { format!(" (and {count} more)") }
}

fn because(diagnostic: Option<&Diagnostic>) -> String {
    diagnostic.map_or_else(String::new, |diagnostic| {
        format!(" ({}: {})", diagnostic.place, diagnostic.problem)
    })
}

fn in_brackets(note: Option<impl fmt::Display>) -> String {
    note.map_or_else(String::new, |note| format!(" ({note})"))
}

/// A document that could not be read again, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {}{}", .fault.problem(), .fault.remedy())]
pub struct ReadError {
    /// The document's place.
    pub place: String,
    /// The reason.
    pub fault: ReadFault,
}

/// The reason why something cannot be read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadFault {
    /// Its file is gone.
    Vanished,
    /// Its length or its modification time differs from when it was loaded.
    Changed,
    /// The operating system reports this error.
    Unreadable(String),
}

impl ReadFault {
    /// The problem, without place and remedy.
    pub(super) fn problem(&self) -> &str {
        match self {
            Self::Vanished => "no longer there",
            Self::Changed => "changed since it was loaded",
            Self::Unreadable(problem) => problem,
        }
    }

    fn remedy(&self) -> &'static str {
        match self {
            Self::Vanished => "; it was moved or deleted since it was loaded",
            Self::Changed => "; load the corpus again to see it",
            Self::Unreadable(_) => "",
        }
    }
}

/// Counts of documents and files that were read, marked and skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct LoadSummary {
    /// Files (and streams) that were opened and read.
    pub files: u64,
    /// Parquet and Arrow inputs whose columns were read.
    pub columnar: u64,
    /// Documents in the corpus.
    pub documents: u64,
    /// Bytes of text in UTF-8, summed over the documents; fingerprints do not count.
    pub text_bytes: u64,
    /// Files and folders in folders whose name starts with a dot: skipped.
    pub hidden: u64,
    /// Binary files in folders: skipped.
    pub binary: u64,
    /// Symbolic links in folders: skipped unless `follow-links` is set, and links to a file that is read.
    pub links: u64,
    /// Pipes, sockets and devices in folders: skipped.
    pub special: u64,
    /// Files in folders that the glob does not match: skipped.
    pub unmatched: u64,
    /// Documents with bytes that are not valid in their encoding.
    pub lossy: u64,
    /// Documents without any text: kept and marked.
    pub empty: u64,
    /// Documents that carry a fingerprint instead of text.
    pub fingerprints: u64,
    /// Documents that carry hashed features instead of text.
    pub hashed: u64,
    /// Diagnostics beyond the [`DIAGNOSTICS_KEPT`].
    pub unlisted: u64,
}

impl LoadSummary {
    /// Adds the counts of another part. A damaged index may hold any numbers.
    pub(super) fn add(&mut self, part: &Self) {
        for (sum, part) in [
            (&mut self.files, part.files),
            (&mut self.columnar, part.columnar),
            (&mut self.documents, part.documents),
            (&mut self.text_bytes, part.text_bytes),
            (&mut self.hidden, part.hidden),
            (&mut self.binary, part.binary),
            (&mut self.links, part.links),
            (&mut self.special, part.special),
            (&mut self.unmatched, part.unmatched),
            (&mut self.lossy, part.lossy),
            (&mut self.empty, part.empty),
            (&mut self.fingerprints, part.fingerprints),
            (&mut self.hashed, part.hashed),
            (&mut self.unlisted, part.unlisted),
        ] {
            *sum = sum.saturating_add(part);
        }
    }

    /// The counts of skipped files, as a sentence without a full stop, or `None` if nothing was skipped:
    /// `skipped 3 hidden and 2 binary files`.
    pub fn note(&self) -> Option<String> {
        let skipped = [
            (self.hidden, "hidden"),
            (self.binary, "binary"),
            (self.links, "linked"),
            (self.special, "special"),
            (self.unmatched, "unmatched"),
        ];
        let mut note = String::new();
        let named: Vec<_> = skipped.into_iter().filter(|(count, _)| *count > 0).collect();
        for (index, (count, kind)) in named.iter().enumerate() {
            let joint = match index {
                0 => "skipped ",
                _ if index + 1 == named.len() => " and ",
                _ => ", ",
            };
            let _ = write!(note, "{joint}{count} {kind}");
        }
        if let Some((count, _)) = named.last() {
            note.push_str(if *count == 1 { " file" } else { " files" });
        }
        if self.unlisted > 0 {
            let joint = if note.is_empty() { "" } else { "; " };
            let _ = write!(note, "{joint}{} more problems not listed", self.unlisted);
        }
        (!note.is_empty()).then_some(note)
    }
}

impl fmt::Display for LoadSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.note().as_deref().unwrap_or("skipped nothing"))
    }
}

/// A path for display: control characters are visible.
pub(super) fn shown(path: &Path) -> String {
    visible(&path_text(path)).into_owned()
}

/// A path as it is.
pub(super) fn path_text(path: &Path) -> String {
    name_text(path.as_os_str().as_encoded_bytes())
}

/// A name as it is, with bytes that are not UTF-8 as `\xff`, so that two names differ.
pub(super) fn name_text(name: &[u8]) -> String {
    let mut text = String::new();
    for chunk in name.utf8_chunks() {
        text += chunk.valid();
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    text
}

/// The problem that an I/O error reports; the kinds that decoders use are about compressed data.
pub(super) fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "not found".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ if is_os_error(error) => io_message(error),
        io::ErrorKind::UnexpectedEof => "compressed data ends too early".to_owned(),
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
            format!("compressed data is damaged ({error}), so what was read of it can be wrong")
        }
        _ => io_message(error),
    }
}

/// Whether an error whose kind decoders also use comes from the operating system. Then the file need not be
/// compressed.
fn is_os_error(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    error.raw_os_error().is_some()
        && matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof)
}

/// The message of an I/O error, with a small first letter and without the operating system's error number.
pub fn io_message(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    let first = letters.next().map(char::to_lowercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// The reason why documents could not be copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A document cannot be read again, so the copy would lack it.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The copy cannot be written, or would be too large.
    #[error(transparent)]
    Write(#[from] io::Error),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_place_problem_and_remedy() {
        let message = Diagnostic::new("a\u{1b}[31m.jsonl:17", "no field \"text\"", "name it");
        assert_eq!(message.to_string(), "a^[[31m.jsonl:17: no field \"text\"; name it");
        assert_eq!(Diagnostic::new("a", "gone", "").to_string(), "a: gone");
    }

    #[test]
    fn the_note_counts_what_was_skipped() {
        let mut summary = LoadSummary::default();
        assert_eq!(summary.note(), None);
        summary.binary = 1;
        assert_eq!(summary.to_string(), "skipped 1 binary file");
        summary.hidden = 3;
        summary.binary = 2;
        assert_eq!(summary.to_string(), "skipped 3 hidden and 2 binary files");
        summary.links = 1;
        summary.unlisted = 5;
        assert_eq!(
            summary.to_string(),
            "skipped 3 hidden, 2 binary and 1 linked file; 5 more problems not listed"
        );
    }

    #[test]
    fn errors_are_described_without_their_number() {
        let error = io::Error::from_raw_os_error(21);
        assert!(!describe(&error).contains("os error"), "{}", describe(&error));
        // EINVAL, which some files of /proc return: nothing is compressed there.
        if cfg!(unix) {
            let error = Diagnostic::from_io("a", &io::Error::from_raw_os_error(22)).to_string();
            assert_eq!(error, "a: invalid argument");
        }
    }
}
