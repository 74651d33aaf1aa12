//! Archives: tar and zip, whose members are read as if they were files in a folder, and the records of web crawls.
//!
//! A thread of its own reads the members one after the other. No member is written to disk under its own name,
//! so a path that leads out of the archive is only an id. An archive inside an archive is not read.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Component, Path};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded};
use zip::result::ZipError;

use super::batch_builder::LoadStop;
use super::decode::{DecodedInput, PeekedReader};
use super::diagnostic::{Diagnostic, name_text};
use super::fields::RowError;
use super::find::SkipReason;
use super::formats::DetectedFormat;
use super::load::Loader;
use super::options::{InputLimits, TOO_FAR_REMEDY};
use super::pieces::{PieceReader, Pieces};
use super::source::{ByteStore, Origin};
use super::warc::{Warc, is_warc};
use crate::number::counted;

/// Bytes that are sent in one piece.
const PIECE: usize = 64 << 10;
/// Pieces that may wait to be received.
const PIECES: usize = 8;

/// The kinds of archives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArchiveKind {
    Tar,
    Zip,
    Warc,
}

impl ArchiveKind {
    /// The kind of an archive that begins with these bytes; it must not be compressed.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        match head {
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Self::Zip),
            _ if is_warc(head) => Some(Self::Warc),
            _ if head.get(257..262) == Some(b"ustar") => Some(Self::Tar),
            _ => None,
        }
    }
}

/// A member, or a piece of it.
pub(super) enum MemberPart {
    /// A member begins, with its name.
    Begin(String),
    /// The record of a crawl begins, with its address.
    Record(String),
    /// Some bytes of the member.
    Bytes(Vec<u8>),
    /// The member ends.
    End,
    /// A member was skipped.
    Skipped(SkipReason, String),
    /// A member cannot be read, or its rest cannot.
    Broken(String, io::Error),
    /// The rest of the archive cannot be read.
    Failed(io::Error),
    /// A problem behind which reading goes on, of this member or of the archive: problem and remedy.
    Problem(Option<String>, String, &'static str),
    /// A remark that is made once: problem and remedy.
    Remark(String, &'static str),
}

/// The sending end of the parts; sending fails once the receiver is gone.
pub(super) struct MemberSender {
    parts: Sender<MemberPart>,
    /// Bytes that may still be sent.
    budget: u64,
    limits: InputLimits,
}

/// The reason why no more parts are sent: the receiver is gone, or there are too many bytes.
pub(super) struct Stopped;

impl MemberSender {
    pub(super) fn send(&self, part: MemberPart) -> Result<(), Stopped> {
        self.parts.send(part).map_err(|_| Stopped)
    }

    /// Sends a member with this path in the archive, unless it is skipped.
    fn member(
        &mut self,
        path: &str,
        skipped: Option<SkipReason>,
        content: impl Read,
    ) -> Result<(), Stopped> {
        let name = member_name(path);
        if let Some(reason) = skipped.or_else(|| is_hidden(path).then_some(SkipReason::Hidden)) {
            return self.send(MemberPart::Skipped(reason, name));
        }
        self.send(MemberPart::Begin(name.clone()))?;
        if self.pieces(&name, content)? { self.send(MemberPart::End) } else { Ok(()) }
    }

    /// Sends the bytes of a member, or its error; whether that were all.
    pub(super) fn pieces(&mut self, name: &str, mut content: impl Read) -> Result<bool, Stopped> {
        loop {
            let mut piece = vec![0; PIECE];
            match content.read(&mut piece) {
                Ok(0) => return Ok(true),
                Ok(count) => {
                    piece.truncate(count);
                    let Some(rest) = self.budget.checked_sub(count as u64) else {
                        self.send(MemberPart::Failed(self.limits.unpacks_too_far()))?;
                        return Err(Stopped);
                    };
                    self.budget = rest;
                    self.send(MemberPart::Bytes(piece))?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // Nothing behind the limit is read.
                Err(error) if error.kind() == io::ErrorKind::QuotaExceeded => {
                    self.send(MemberPart::Failed(error))?;
                    return Err(Stopped);
                }
                Err(error) => {
                    self.send(MemberPart::Broken(name.to_owned(), named(error)))?;
                    return Ok(false);
                }
            }
        }
    }
}

/// The bytes of the current member.
struct MemberPieces<'r> {
    parts: &'r Receiver<MemberPart>,
    is_done: bool,
}

impl Pieces for MemberPieces<'_> {
    fn fill(&mut self, piece: &mut Vec<u8>) -> io::Result<()> {
        while piece.is_empty() && !self.is_done {
            match self.parts.recv() {
                Ok(MemberPart::Bytes(bytes)) => *piece = bytes,
                Ok(MemberPart::Broken(_, error) | MemberPart::Failed(error)) => {
                    self.is_done = true;
                    return Err(error);
                }
                _ => self.is_done = true,
            }
        }
        Ok(())
    }
}

impl Loader<'_> {
    /// Reads the members of an archive as documents, or as files of documents.
    pub(super) fn archive(
        &mut self,
        kind: ArchiveKind,
        origin: &Origin,
        decoded: DecodedInput<'_>,
    ) -> Result<(), LoadStop> {
        if origin.is_member {
            let problem = "an archive in an archive, which is not read";
            return Err(RowError::new(problem, "unpack it first").into());
        }
        let zip = match (kind, &origin.store) {
            (ArchiveKind::Zip, Some(ByteStore::File { path, .. })) if decoded.plain => {
                Some(ByteStore::open(path)?.0)
            }
            (ArchiveKind::Zip, _) => {
                let problem = "a zip archive in a pipe or a packed file";
                return Err(RowError::new(problem, "give it as a file").into());
            }
            _ => None,
        };
        // The members of a tar archive are already limited by the limit of the compressed file.
        let stored = if zip.is_some() { origin.length.unwrap_or(0) } else { u64::MAX };
        let limits = self.options.limits;
        let (sender, parts) = bounded(PIECES);
        let mut sender =
            MemberSender { parts: sender, budget: limits.most_unpacked(stored), limits };
        thread::scope(|scope| {
            scope.spawn(move || match (kind, zip) {
                (ArchiveKind::Zip, Some(file)) => send_zip(file, &mut sender),
                (ArchiveKind::Warc, _) => Warc::new(decoded.reader).send(&mut sender),
                _ => send_tar(decoded.reader, &mut sender),
            });
            self.members(origin, &{ parts })
        })
    }

    fn members(&mut self, origin: &Origin, parts: &Receiver<MemberPart>) -> Result<(), LoadStop> {
        let mut taken = HashMap::new();
        while let Ok(part) = parts.recv() {
            self.builder.progress.check()?;
            match part {
                MemberPart::Begin(name) => {
                    if self.glob.is_some_and(|glob| !glob.matches(Path::new(&name))) {
                        self.skip(SkipReason::Unmatched, &Origin::member(origin, &name).file);
                        rest(parts)?;
                        continue;
                    }
                    let name = own_name(&mut taken, &name);
                    self.member(&Origin::member(origin, &name), false, parts)?;
                }
                // The id of a record is its address.
                MemberPart::Record(address) => {
                    let address = own_name(&mut taken, &address);
                    let mut record = Origin::member(origin, &address);
                    record.name = address;
                    self.member(&record, true, parts)?;
                }
                MemberPart::Skipped(reason, name) => {
                    self.skip(reason, &Origin::member(origin, &name).file);
                }
                MemberPart::Broken(name, error) => {
                    let member = Origin::member(origin, &name);
                    self.note_failure(&member, Err(error.into()))?;
                }
                MemberPart::Failed(error) => return Err(error.into()),
                MemberPart::Problem(name, problem, remedy) => {
                    let member = name.map(|name| Origin::member(origin, &name));
                    let problem = RowError::new(problem, remedy);
                    self.report_row(member.as_ref().unwrap_or(origin), &problem);
                }
                MemberPart::Remark(problem, remedy) => {
                    let remark = Diagnostic::new(&origin.file, &problem, remedy);
                    self.builder.corpus.remark(remark);
                }
                MemberPart::Bytes(_) | MemberPart::End => {}
            }
        }
        Ok(())
    }

    /// Reads a member as a file is, or a record as a text.
    fn member(
        &mut self,
        member: &Origin,
        is_record: bool,
        parts: &Receiver<MemberPart>,
    ) -> Result<(), LoadStop> {
        let mut reader = PieceReader::new(MemberPieces { parts, is_done: false });
        let outcome = if is_record {
            self.spooled(member, DetectedFormat::Text, &mut reader)
        } else {
            let limits = self.options.limits;
            self.decoded(member, DecodedInput::open(Box::new(&mut reader), limits))
        };
        self.note_failure(member, outcome)?;
        if reader.pieces.is_done { Ok(()) } else { rest(parts) }
    }
}

/// Skips the rest of a member.
///
/// # Errors
/// The rest of the archive cannot be read.
fn rest(parts: &Receiver<MemberPart>) -> Result<(), LoadStop> {
    loop {
        match parts.recv() {
            Ok(MemberPart::Bytes(_)) => {}
            Ok(MemberPart::Failed(error)) => return Err(error.into()),
            _ => return Ok(()),
        }
    }
}

/// The name of a member, with a number before its extension where another has this name: `a (2).txt`. For each name
/// that is `taken`, `taken` has the last number.
fn own_name(taken: &mut HashMap<String, u64>, name: &str) -> String {
    let file = name.rfind('/').map_or(0, |slash| slash + 1);
    let (stem, extension) =
        name.split_at(name[file..].find('.').map_or(name.len(), |at| file + at));
    let (mut n, mut own) = (taken.get(name).copied().unwrap_or(1), name.to_owned());
    while taken.contains_key(&own) {
        n += 1;
        own = format!("{stem} ({n}){extension}");
    }
    taken.insert(own.clone(), 1);
    taken.insert(name.to_owned(), n);
    own
}

/// The path of a member below its archive: no root and no way up.
fn member_name(path: &str) -> String {
    let parts = Path::new(path).components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    parts.collect::<Vec<_>>().join("/")
}

fn is_hidden(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    parts.any(
        |part| matches!(part, Component::Normal(name) if name.to_string_lossy().starts_with('.')),
    )
}

fn send_tar(reader: PeekedReader<'_>, sender: &mut MemberSender) -> Result<(), Stopped> {
    let failed = |error: io::Error| {
        // The errors of the archive itself have no kind, or one that decoders have, too.
        let is_of_archive = error.get_ref().is_some_and(|inner| !inner.is::<io::Error>());
        MemberPart::Failed(match error.kind() {
            io::ErrorKind::Other | io::ErrorKind::InvalidInput if is_of_archive => {
                io::Error::other(format!("damaged: {error}; the members behind it are not read"))
            }
            _ => error,
        })
    };
    let mut archive = tar::Archive::new(reader);
    let entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => return sender.send(failed(error)),
    };
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return sender.send(failed(error)),
        };
        let kind = entry.header().entry_type();
        let skipped = match kind {
            _ if kind.is_dir() || kind.is_pax_global_extensions() => continue,
            _ if kind.is_symlink() || kind.is_hard_link() => Some(SkipReason::Link),
            _ if kind.is_file() || kind.is_contiguous() || kind.is_gnu_sparse() => None,
            _ => Some(SkipReason::Special),
        };
        sender.member(&name_text(&entry.path_bytes()), skipped, entry)?;
    }
    Ok(())
}

fn send_zip(file: File, sender: &mut MemberSender) -> Result<(), Stopped> {
    let failed = |problem: String| MemberPart::Failed(io::Error::other(problem));
    let n_members = file.try_clone().and_then(n_members).ok().flatten();
    let mut archive = match zip::ZipArchive::new(io::BufReader::new(file)) {
        Ok(archive) => archive,
        Err(error) => return sender.send(failed(format!("damaged: {error}"))),
    };
    if is_office(&archive) {
        let problem = "an office document, not an archive of texts; save it as text";
        return sender.send(failed(problem.to_owned()));
    }
    // The crate keeps the last member of a name.
    let n_hidden = n_members.map_or(0, |n| n.saturating_sub(archive.len()));
    if n_hidden > 0 {
        let members = counted(n_hidden as u64, "member");
        let problem = format!("{members} before another of the same name, not read");
        sender.send(MemberPart::Problem(None, problem, "give each a name of its own"))?;
    }
    for at in 0..archive.len() {
        let name = archive.name_for_index(at).and_then(Result::ok);
        let path = name.map_or_else(|| at.to_string(), Cow::into_owned);
        let name = member_name(&path);
        match archive.by_index(at) {
            Ok(member) if member.is_dir() => {}
            Ok(member) if member.is_symlink() => {
                sender.member(&path, Some(SkipReason::Link), member)?;
            }
            Ok(member) if member.size() > sender.budget && !is_hidden(&path) => {
                // Members behind it can be read even so.
                let problem = format!("{}, so it is left out", sender.limits.too_far());
                sender.send(MemberPart::Problem(Some(name), problem, TOO_FAR_REMEDY))?;
            }
            Ok(member) => sender.member(&path, None, member)?,
            Err(error) => sender.send(MemberPart::Broken(name, named(error.into())))?,
        }
    }
    Ok(())
}

/// The number of members that the end of a zip file tells; `None` if it is not there or the archive is too large for it.
fn n_members(mut file: File) -> io::Result<Option<usize>> {
    /// The record at the end, without its remark, and the longest remark.
    const END: usize = 22;
    const REMARK: u64 = 0xffff;
    let start = file.metadata()?.len().saturating_sub(END as u64 + REMARK);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let end = memchr::memmem::rfind(&bytes, b"PK\x05\x06").map(|at| &bytes[at..]);
    let number = end.and_then(|end| end.get(10..12)?.try_into().ok()).map(u16::from_le_bytes);
    Ok(number.filter(|number| *number != u16::MAX).map(usize::from))
}

/// Whether a zip archive is a document of Office Open XML or of `OpenDocument`.
fn is_office(archive: &zip::ZipArchive<impl io::Read + io::Seek>) -> bool {
    let has = |name: &str| archive.file_names().any(|it| it.is_ok_and(|it| it == name));
    has("[Content_Types].xml") || (has("mimetype") && has("content.xml"))
}

/// The error of a member, with the name of the method if that is not read.
fn named(error: io::Error) -> io::Error {
    match error.get_ref().and_then(|inner| inner.downcast_ref()) {
        Some(ZipError::CompressionMethodNotSupported(method)) => {
            let name = zip::CompressionMethod::name_from_u16(*method);
            io::Error::other(format!("packed with {name}, which is not read in a zip archive"))
        }
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_is_named_below_its_archive() {
        assert_eq!(member_name("../../etc/passwd"), "etc/passwd");
        assert_eq!(member_name("/a/./b.txt"), "a/b.txt");
        assert!(is_hidden("a/.git/config") && !is_hidden("../a.txt"));
    }

    #[test]
    fn each_member_has_a_name_of_its_own() {
        let mut taken = HashMap::new();
        for (name, own) in [
            ("a/b.csv.gz", "a/b.csv.gz"),
            ("a/b.csv.gz", "a/b (2).csv.gz"),
            ("a/b (3).csv.gz", "a/b (3).csv.gz"),
            ("a/b.csv.gz", "a/b (4).csv.gz"),
            ("a.d/b", "a.d/b"),
            ("a.d/b", "a.d/b (2)"),
            ("a.d/b (2)", "a.d/b (2) (2)"),
        ] {
            assert_eq!(own_name(&mut taken, name), own);
        }
    }
}
