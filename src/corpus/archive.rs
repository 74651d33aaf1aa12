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
use super::origin::Origin;
use super::source::ByteStore;
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

    /// Sends the bytes of a member and its end.
    pub(super) fn content(&mut self, name: &str, content: impl Read) -> Result<(), Stopped> {
        if self.pieces(name, content)? { self.send(MemberPart::End) } else { Ok(()) }
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
struct MemberReader<'r> {
    parts: &'r Receiver<MemberPart>,
    piece: Vec<u8>,
    at: usize,
    is_done: bool,
}

impl Read for MemberReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.piece.len() && !self.is_done {
            match self.parts.recv() {
                Ok(MemberPart::Bytes(piece)) => (self.piece, self.at) = (piece, 0),
                Ok(MemberPart::Broken(_, error) | MemberPart::Failed(error)) => {
                    self.is_done = true;
                    return Err(error);
                }
                _ => self.is_done = true,
            }
        }
        let count = (&self.piece[self.at..]).read(buffer)?;
        self.at += count;
        Ok(count)
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
            self.report(origin, "an archive in an archive, which is not read", "unpack it first");
            return Ok(());
        }
        let zip = match (kind, &origin.store) {
            (ArchiveKind::Zip, Some(ByteStore::File { path, .. })) if decoded.plain => {
                Some(ByteStore::open(path)?.0)
            }
            (ArchiveKind::Zip, _) => {
                self.report(
                    origin,
                    "a zip archive in a pipe or a packed file",
                    "give it as a file",
                );
                return Ok(());
            }
            _ => None,
        };
        // The members of a tar archive are already limited by the limit of the compressed file.
        let stored = if zip.is_some() { origin.length.unwrap_or(0) } else { u64::MAX };
        let limits = self.options.limits;
        let (sender, parts) = bounded(PIECES);
        let sender = MemberSender { parts: sender, budget: limits.most_unpacked(stored), limits };
        thread::scope(|scope| {
            scope.spawn(move || match (kind, zip) {
                (ArchiveKind::Zip, Some(file)) => send_zip(file, sender),
                (ArchiveKind::Warc, _) => Warc::new(decoded.reader).send(sender),
                _ => send_tar(decoded.reader, sender),
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
                MemberPart::Problem(None, problem, remedy) => self.report(origin, &problem, remedy),
                MemberPart::Problem(Some(name), problem, remedy) => {
                    self.report(&Origin::member(origin, &name), &problem, remedy);
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
        let mut reader = MemberReader { parts, piece: Vec::new(), at: 0, is_done: false };
        let outcome = if is_record {
            self.spooled(member, DetectedFormat::Text, &mut reader)
        } else {
            let limits = self.options.limits;
            self.decoded(member, DecodedInput::open(Box::new(&mut reader), limits))
        };
        self.note_failure(member, outcome)?;
        if reader.is_done { Ok(()) } else { rest(parts) }
    }

    fn report(&mut self, origin: &Origin, problem: &str, remedy: &str) {
        self.report_row(origin, &RowError::new(problem, remedy));
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

fn send_tar(reader: PeekedReader<'_>, mut sender: MemberSender) {
    let mut archive = tar::Archive::new(reader);
    let failed = |sender: &MemberSender, error: io::Error| {
        // The errors of the archive itself have no kind, or one that decoders have, too.
        let is_of_archive = error.get_ref().is_some_and(|inner| !inner.is::<io::Error>());
        let error = match error.kind() {
            io::ErrorKind::Other | io::ErrorKind::InvalidInput if is_of_archive => {
                io::Error::other(format!("damaged: {error}; the members behind it are not read"))
            }
            _ => error,
        };
        drop(sender.send(MemberPart::Failed(error)));
    };
    let entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => return failed(&sender, error),
    };
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return failed(&sender, error),
        };
        let path = name_text(&entry.path_bytes());
        let kind = entry.header().entry_type();
        let sent = match kind {
            _ if kind.is_dir() || kind.is_pax_global_extensions() => Ok(()),
            _ if kind.is_symlink() || kind.is_hard_link() => {
                sender.send(MemberPart::Skipped(SkipReason::Link, member_name(&path)))
            }
            _ if !kind.is_file() && !kind.is_contiguous() && !kind.is_gnu_sparse() => {
                sender.send(MemberPart::Skipped(SkipReason::Special, member_name(&path)))
            }
            _ if is_hidden(&path) => {
                sender.send(MemberPart::Skipped(SkipReason::Hidden, member_name(&path)))
            }
            _ => {
                let name = member_name(&path);
                let begun = sender.send(MemberPart::Begin(name.clone()));
                begun.and_then(|()| sender.content(&name, entry))
            }
        };
        if sent.is_err() {
            return;
        }
    }
}

fn send_zip(file: File, mut sender: MemberSender) {
    let n_members = file.try_clone().and_then(n_members).ok().flatten();
    let mut archive = match zip::ZipArchive::new(io::BufReader::new(file)) {
        Ok(archive) => archive,
        Err(error) => {
            let _ = sender.send(MemberPart::Failed(io::Error::other(format!("damaged: {error}"))));
            return;
        }
    };
    if is_office(&archive) {
        let problem = "an office document, not an archive of texts; save it as text";
        let _ = sender.send(MemberPart::Failed(io::Error::other(problem)));
        return;
    }
    // The crate keeps the last member of a name.
    let n_hidden = n_members.map_or(0, |n| n.saturating_sub(archive.len()));
    if n_hidden > 0 {
        let members = counted(n_hidden as u64, "member");
        let problem = format!("{members} before another of the same name, not read");
        let problem = MemberPart::Problem(None, problem, "give each a name of its own");
        if sender.send(problem).is_err() {
            return;
        }
    }
    for at in 0..archive.len() {
        let name = archive.name_for_index(at).and_then(Result::ok);
        let path = name.map_or_else(|| at.to_string(), Cow::into_owned);
        let name = member_name(&path);
        let sent = match archive.by_index(at) {
            Ok(member) => {
                if member.is_dir() {
                    Ok(())
                } else if member.is_symlink() {
                    sender.send(MemberPart::Skipped(SkipReason::Link, member_name(&path)))
                } else if is_hidden(&path) {
                    sender.send(MemberPart::Skipped(SkipReason::Hidden, member_name(&path)))
                } else if member.size() > sender.budget {
                    // Members behind it can be read even so.
                    let problem = format!("{}, so it is left out", sender.limits.too_far());
                    sender.send(MemberPart::Problem(Some(name), problem, TOO_FAR_REMEDY))
                } else {
                    let begun = sender.send(MemberPart::Begin(name.clone()));
                    begun.and_then(|()| sender.content(&name, member))
                }
            }
            Err(error) => sender.send(MemberPart::Broken(name, named(error.into()))),
        };
        if sent.is_err() {
            return;
        }
    }
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
