//! Archives of web crawls: WARC and WET. Each record of text is a document, whose id is its web address.
//!
//! In a WET file these records are the extracted texts. In a WARC file they are the responses of servers: plain
//! text unchanged, and pages without their markup. Requests, metadata and other kinds of responses are skipped
//! and counted in a remark. Reading goes on behind damage where a record begins.
//! Source of the format: ISO 28500, version 1.1 ("WARC/1.1").

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read};

use super::answer::{LONGEST_HEADER, NoText, answer, field, read_header};
use super::archive::{MemberPart, MemberSender, Stopped};
use super::decode::PeekedReader;
use super::diagnostic::describe;
use super::options::TextEncoding;
use super::sniff::is_warc;
use crate::number::grouped;
use crate::progress::Progress;

/// The records of a crawl.
pub(super) struct Warc<'a> {
    input: BufReader<PeekedReader<'a>>,
    progress: &'a Progress,
    /// The character set that the user named.
    named: Option<&'static str>,
    /// The number of records so far, and of skipped ones of each kind.
    n_records: u64,
    skipped: BTreeMap<String, u64>,
    /// The address of the last record.
    address: String,
    /// The first line of the next record.
    first_line: Vec<u8>,
}

/// A record of more bytes is not taken to be as long as it says.
const LONGEST_TRUSTED: u64 = 16 << 20;

/// The content of a record. It ends with an error where the file does, and where the next record begins if it claims
/// to be very long: else it would swallow all records behind it.
struct Body<'b, R> {
    input: io::Take<&'b mut R>,
    length: u64,
    has_failed: bool,
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
        let read = match read {
            Ok(0) if self.input.limit() > 0 && !buffer.is_empty() => {
                Err(io::Error::other("damaged: it ends in the middle of a record"))
            }
            read => read,
        };
        self.has_failed |= read.is_err();
        read
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

/// The kind of a record's content.
enum Payload {
    Text,
    /// A server's response, headers first.
    Http,
    Other(String),
}

impl<'a> Warc<'a> {
    pub(super) fn new(
        input: PeekedReader<'a>,
        encoding: TextEncoding,
        progress: &'a Progress,
    ) -> Self {
        let named = match encoding {
            TextEncoding::Label(label) => Some(label),
            TextEncoding::Utf8 | TextEncoding::Auto => None,
        };
        let (input, skipped) = (BufReader::with_capacity(1 << 18, input), BTreeMap::new());
        let (address, first_line) = (String::new(), Vec::new());
        Self { input, progress, named, n_records: 0, skipped, address, first_line }
    }

    /// Sends every record of text, then the remark about skipped records.
    pub(super) fn send(mut self, mut sender: MemberSender) {
        let Ok(failure) = self.records(&mut sender) else { return };
        if !self.skipped.is_empty() {
            let kinds = self.skipped.iter().map(|(kind, n)| format!("{} {kind}", grouped(*n)));
            let kinds = kinds.collect::<Vec<_>>().join(", ");
            let problem = format!("records without text were skipped: {kinds}");
            let _ = sender.send(MemberPart::Remark(problem, "only text and HTML pages are read"));
        }
        if let Some(error) = failure {
            let _ = sender.send(MemberPart::Failed(error));
        }
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
        let payload = match field("warc-type") {
            "conversion" | "resource" if content.starts_with("text/plain") => Payload::Text,
            "response" if content.starts_with("application/http") => Payload::Http,
            "conversion" | "resource" => Payload::Other(content),
            other => Payload::Other(other.to_owned()),
        };
        let input = (&mut self.input).take(length);
        let mut body = Body { input, length, has_failed: false, line: (false, false) };
        let (mut text, mut error) = (None, None);
        let is_text = matches!(payload, Payload::Text);
        match payload {
            Payload::Text => {
                sender.send(MemberPart::Record(address.to_owned()))?;
                sender.pieces(address, &mut body)?;
            }
            Payload::Http => match answer(&mut body, self.named, self.progress) {
                Ok(Ok(found)) => text = Some(found),
                Ok(Err(NoText::Kind(kind))) => *self.skipped.entry(kind).or_default() += 1,
                Ok(Err(NoText::Unread(problem))) => {
                    sender.send(MemberPart::Problem(Some(address.to_owned()), problem, ""))?;
                }
                Err(problem) => error = Some(problem),
            },
            Payload::Other(kind) => *self.skipped.entry(kind).or_default() += 1,
        }
        if !body.has_failed {
            error = error.or(io::copy(&mut body, &mut io::sink()).err());
        }
        let has_failed = body.has_failed || error.is_some();
        if let Some(error) = error {
            if is_final(&error) {
                return Ok(Gap::failed(error));
            }
            sender.send(MemberPart::Broken(address.to_owned(), error))?;
        }
        let mut gap = self.gap();
        if has_failed {
            return Ok(gap);
        }
        // Damage made it longer than it says it is, so its bytes are not those that it had.
        if (is_text || text.is_some())
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
        if let Some(text) = text {
            sender.send(MemberPart::Record(address.to_owned()))?;
            sender.content(address, text.as_slice())?;
        } else if is_text {
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
