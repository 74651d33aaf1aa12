//! Archives of web crawls: WARC and WET. Each record of plain text is a document, whose id is its web address: in a
//! WET file the text that was extracted from a page.
//!
//! Responses of servers, requests and other records are skipped and counted in a remark. Reading goes on behind damage
//! where a record begins.
//! Source of the format: ISO 28500, version 1.1 ("WARC/1.1").

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read};

use super::archive::{MemberPart, MemberSender, Stopped};
use super::decode::PeekedReader;
use super::diagnostic::{PAGE_REMEDY, describe};
use crate::number::grouped;

/// The records of a crawl.
pub(super) struct Warc<'a> {
    input: BufReader<PeekedReader<'a>>,
    /// The number of records so far, and of skipped ones of each kind.
    n_records: u64,
    skipped: BTreeMap<String, u64>,
    /// The address of the last record.
    address: String,
    /// The first line of the next record.
    first_line: Vec<u8>,
}

/// The largest header, in bytes.
const LONGEST_HEADER: u64 = 64 << 10;
/// A record of more bytes is not taken to be as long as it says.
const LONGEST_TRUSTED: u64 = 16 << 20;

/// The content of a record. It ends with an error where the file does, and where the next record begins if it claims
/// to be very long: else it would swallow all records behind it.
struct Body<'b, R> {
    input: io::Take<&'b mut R>,
    length: u64,
    /// Whether a line has just ended, and whether that was empty.
    line: (bool, bool),
}

impl<R: BufRead> Body<'_, R> {
    /// Reads at most a line.
    fn read_watched(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let next = self.input.fill_buf()?;
        if self.line == (true, true) && is_warc(next) {
            let claimed = grouped(self.length);
            let problem =
                format!("damaged: it claims {claimed} bytes, but the next record begins before");
            return Err(io::Error::other(problem));
        }
        let end = memchr::memchr(b'\n', next).map_or(next.len(), |at| at + 1);
        let count = (&next[..end]).read(buffer)?;
        let read = &buffer[..count];
        let is_blank = self.line.0 && matches!(read, b"\n" | b"\r\n");
        self.line = (read.ends_with(b"\n"), is_blank);
        self.input.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> Read for Body<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let is_trusted = self.length <= LONGEST_TRUSTED;
        let read = if is_trusted { self.input.read(buffer) } else { self.read_watched(buffer) };
        match read {
            Ok(0) if self.input.limit() > 0 && !buffer.is_empty() => {
                Err(io::Error::other("damaged: it ends in the middle of a record"))
            }
            read => read,
        }
    }
}

/// The bytes between two records: line ends, unless there is damage.
struct Gap {
    /// Whether there are other bytes than line ends.
    has_junk: bool,
    /// The first damage.
    damage: Option<io::Error>,
    then: Then,
}

/// The reason why a gap ends.
enum Then {
    Record,
    End,
    /// The rest cannot be read.
    Failed(io::Error),
}

/// Whether these bytes begin a record, with the version of its format.
pub(super) fn is_warc(head: &[u8]) -> bool {
    head.starts_with(b"WARC/0.") || head.starts_with(b"WARC/1.")
}

impl<'a> Warc<'a> {
    pub(super) fn new(input: PeekedReader<'a>) -> Self {
        let (input, skipped) = (BufReader::with_capacity(1 << 18, input), BTreeMap::new());
        Self { input, n_records: 0, skipped, address: String::new(), first_line: Vec::new() }
    }

    /// Sends every record of text, then the remark about skipped records.
    pub(super) fn send(mut self, sender: &mut MemberSender) -> Result<(), Stopped> {
        let failure = self.records(sender)?;
        if !self.skipped.is_empty() {
            let kinds = self.skipped.iter().map(|(kind, n)| format!("{} {kind}", grouped(*n)));
            let kinds = kinds.collect::<Vec<_>>().join(", ");
            let problem = format!("records without text were skipped: {kinds}");
            let has_pages = self.skipped.keys().any(|it| it == "response" || it.contains("html"));
            let remedy = if has_pages { PAGE_REMEDY } else { "only plain text is read" };
            sender.send(MemberPart::Remark(problem, remedy))?;
        }
        failure.map_or(Ok(()), |error| sender.send(MemberPart::Failed(error)))
    }

    /// Sends every record of text; the error that ends the reading.
    fn records(&mut self, sender: &mut MemberSender) -> Result<Option<io::Error>, Stopped> {
        let mut gap = self.gap();
        loop {
            match (gap.then, gap.damage) {
                (Then::End, damage) => return Ok(damage),
                (Then::Record, None) => {}
                (then, Some(damage)) => {
                    sender.send(self.problem(&damage))?;
                    if let Then::Failed(error) = then {
                        return Ok(Some(error));
                    }
                }
                (Then::Failed(error), None) => return Ok(Some(error)),
            }
            gap = self.record(sender)?;
        }
    }

    /// The message about damage that was left behind.
    fn problem(&self, damage: &io::Error) -> MemberPart {
        let (n, address) = (grouped(self.n_records), self.address.as_str());
        let place = match (self.n_records, address) {
            (0, _) => "before the first record".to_owned(),
            (_, "") => format!("at record {n}"),
            _ => format!("at record {n} ({address})"),
        };
        let problem = format!("{place}: {}", describe(damage));
        let way_out = "the next record that begins is read; copy the file again";
        MemberPart::Problem(None, problem, way_out)
    }

    /// Reads up to the first line of the next record, and that line.
    fn gap(&mut self) -> Gap {
        let mut gap = Gap { has_junk: false, damage: None, then: Then::End };
        loop {
            self.first_line.clear();
            let input = &mut self.input;
            let read = input.take(LONGEST_HEADER).read_until(b'\n', &mut self.first_line);
            if is_warc(&self.first_line) && read.is_ok() {
                gap.then = Then::Record;
                return gap;
            }
            gap.has_junk |= !self.first_line.trim_ascii().is_empty();
            match read {
                Ok(0) => return gap,
                Ok(_) => {}
                Err(error) if is_damage(&error) => {
                    gap.damage.get_or_insert(error);
                }
                Err(error) => {
                    gap.then = Then::Failed(error);
                    return gap;
                }
            }
        }
    }

    /// The gap behind a record whose end is not known.
    fn gap_behind(&mut self, damage: io::Error) -> Gap {
        if is_final(&damage) {
            return Gap::failed(damage);
        }
        Gap { damage: Some(damage), ..self.gap() }
    }

    /// Sends the next record, and reads up to the one behind it.
    fn record(&mut self, sender: &mut MemberSender) -> Result<Gap, Stopped> {
        self.n_records += 1;
        self.address.clear();
        let first_line = std::mem::take(&mut self.first_line);
        let header = match read_header(&mut io::Cursor::new(first_line).chain(&mut self.input)) {
            Ok(header) => header,
            Err(error) => return Ok(self.gap_behind(error)),
        };
        let field = |name: &str| field(&header, name).unwrap_or_default();
        let address = field("warc-target-uri").trim_start_matches('<').trim_end_matches('>');
        address.clone_into(&mut self.address);
        let Ok(length) = field("content-length").parse() else {
            return Ok(self.gap_behind(io::Error::other("damaged: a record without a length")));
        };
        let content = field("content-type").to_ascii_lowercase();
        let skipped = match field("warc-type") {
            "conversion" | "resource" if content.starts_with("text/plain") => None,
            "conversion" | "resource" => Some(content),
            other => Some(other.to_owned()),
        };
        let is_text = skipped.is_none();
        let input = (&mut self.input).take(length);
        let mut body = Body { input, length, line: (false, false) };
        let is_whole = if let Some(kind) = skipped {
            *self.skipped.entry(kind).or_default() += 1;
            match io::copy(&mut body, &mut io::sink()) {
                Ok(_) => true,
                Err(error) if is_final(&error) => return Ok(Gap::failed(error)),
                Err(error) => {
                    sender.send(MemberPart::Broken(address.to_owned(), error))?;
                    false
                }
            }
        } else {
            sender.send(MemberPart::Record(address.to_owned()))?;
            sender.pieces(address, &mut body)?
        };
        let mut gap = self.gap();
        if !is_whole {
            return Ok(gap);
        }
        // Damage made it longer than it says it is, so its bytes are not those that it had.
        if is_text
            && gap.has_junk
            && let Some(damage) = gap.damage.take()
        {
            sender.send(MemberPart::Broken(address.to_owned(), damage))?;
            return Ok(gap);
        }
        if gap.has_junk && gap.damage.is_none() {
            let problem = "damaged: a record does not begin with its version";
            gap.damage = Some(io::Error::other(problem));
        }
        if is_text {
            sender.send(MemberPart::End)?;
        }
        Ok(gap)
    }
}

impl Gap {
    fn failed(error: io::Error) -> Self {
        Self { has_junk: false, damage: None, then: Then::Failed(error) }
    }
}

/// Whether a decoder meets damage. It may go on behind it.
fn is_damage(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    error.raw_os_error().is_none()
        && matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof)
}

/// Whether the system or a limit ends the reading.
fn is_final(error: &io::Error) -> bool {
    error.raw_os_error().is_some() || error.kind() == io::ErrorKind::QuotaExceeded
}

/// The lines up to an empty one.
fn read_header(input: &mut impl BufRead) -> io::Result<Vec<String>> {
    let (mut lines, mut rest) = (Vec::new(), LONGEST_HEADER);
    loop {
        let mut line = Vec::new();
        let count = input.take(rest).read_until(b'\n', &mut line)? as u64;
        rest -= count;
        if line.trim_ascii().is_empty() {
            return if rest == 0 {
                Err(io::Error::other("damaged: a header without an end"))
            } else {
                Ok(lines)
            };
        }
        lines.push(String::from_utf8_lossy(line.trim_ascii()).into_owned());
    }
}

/// The value of a header field, whose name is given in lower case.
fn field<'h>(header: &'h [String], name: &str) -> Option<&'h str> {
    header.iter().find_map(|line| {
        let (field, value) = line.split_once(':')?;
        field.trim().eq_ignore_ascii_case(name).then(|| value.trim())
    })
}
