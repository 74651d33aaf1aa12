//! Archives of web crawls: WARC and WET. Each record of text is a document, whose id is its web address.
//!
//! In a WET file these records are the extracted texts. In a WARC file they are the responses of servers: plain
//! text unchanged, and pages without their markup. Requests, metadata and other kinds of responses are skipped
//! and counted in a remark.
//! Source of the format: ISO 28500, version 1.1 ("WARC/1.1").

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

use super::archive::{MemberPart, MemberSender, Stopped};
use super::decode::PeekedReader;
use super::diagnostic::describe;
use super::html;
use super::options::TextEncoding;
use super::page_charset::plain_to_utf8;
use super::sniff::is_warc;
use crate::number::grouped;
use crate::progress::Progress;

/// The largest header, in bytes.
const LONGEST_HEADER: u64 = 64 << 10;
/// The largest page whose text is extracted, in bytes.
const LONGEST_PAGE: u64 = 16 << 20;

/// The records of a crawl.
pub(super) struct Warc<'a> {
    input: BufReader<PeekedReader<'a>>,
    progress: &'a Progress,
    /// The character set that the user named.
    named: Option<&'static str>,
    /// The number of records so far, and of skipped ones of each kind.
    n_records: u64,
    skipped: BTreeMap<String, u64>,
    /// The first line of the next record, if it was found behind damage.
    first_line: Option<Vec<u8>>,
}

/// The content of a record. It ends with an error where the file does.
struct Body<'b, R> {
    input: io::Take<&'b mut R>,
    has_failed: bool,
}

impl<R: Read> Read for Body<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match self.input.read(buffer) {
            Ok(0) if self.input.limit() > 0 && !buffer.is_empty() => {
                Err(io::Error::other("damaged: it ends in the middle of a record"))
            }
            read => read,
        };
        self.has_failed |= read.is_err();
        read
    }
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
        Self { input, progress, named, n_records: 0, skipped, first_line: None }
    }

    /// Sends every record of text, then the remark about skipped records. Goes on behind damage where a record begins.
    pub(super) fn send(mut self, mut sender: MemberSender) {
        let mut failure = None;
        while failure.is_none() {
            match self.record(&mut sender) {
                Ok(Ok(true)) => self.n_records += 1,
                Ok(Ok(false)) => break,
                Ok(Err(Stopped)) => return,
                Err(error) if error.kind() == io::ErrorKind::QuotaExceeded => failure = Some(error),
                Err(error) => match self.find_record() {
                    Ok(true) => {
                        let place = grouped(self.n_records);
                        let problem = format!("after record {place}: {}", describe(&error));
                        let way_out = "the next record that begins is read; copy the file again";
                        if sender.send(MemberPart::Problem(problem, way_out)).is_err() {
                            return;
                        }
                    }
                    Ok(false) | Err(_) => failure = Some(error),
                },
            }
        }
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

    /// Reads up to the first line of a record; whether there is one.
    fn find_record(&mut self) -> io::Result<bool> {
        let mut line = Vec::new();
        loop {
            line.clear();
            if (&mut self.input).take(LONGEST_HEADER).read_until(b'\n', &mut line)? == 0 {
                return Ok(false);
            }
            if is_warc(&line) {
                self.first_line = Some(line);
                return Ok(true);
            }
        }
    }

    /// Sends the next record; false if there was none.
    fn record(&mut self, sender: &mut MemberSender) -> io::Result<Result<bool, Stopped>> {
        let Some(header) = self.header()? else { return Ok(Ok(false)) };
        let field = |name: &str| field(&header, name);
        let damaged = |problem: &str| io::Error::other(format!("damaged: {problem}"));
        let length = field("content-length").and_then(|it| it.parse::<u64>().ok());
        let length = length.ok_or_else(|| damaged("a record without a length"))?;
        let named = self.named;
        let address = field("warc-target-uri").unwrap_or_default();
        let address = address.trim_start_matches('<').trim_end_matches('>').to_owned();
        let kind = field("warc-type").unwrap_or_default();
        let content = field("content-type").unwrap_or_default().to_ascii_lowercase();
        let payload = match kind {
            "conversion" | "resource" if content.starts_with("text/plain") => Payload::Text,
            "response" if content.starts_with("application/http") => Payload::Http,
            "conversion" | "resource" => Payload::Other(content),
            other => Payload::Other(other.to_owned()),
        };
        let mut body = Body { input: (&mut self.input).take(length), has_failed: false };
        let sent = match payload {
            Payload::Text => sender
                .send(MemberPart::Record(address.clone()))
                .and_then(|()| sender.content(&address, &mut body)),
            Payload::Http => match page(&mut body, named, self.progress)? {
                Ok(text) => sender
                    .send(MemberPart::Record(address.clone()))
                    .and_then(|()| sender.content(&address, text.as_slice())),
                Err(NoText::Kind(kind)) => {
                    *self.skipped.entry(kind).or_default() += 1;
                    Ok(())
                }
                Err(NoText::TooLarge) => {
                    let problem = "an answer above 16 MiB, the limit of a page, so it is left out";
                    sender.send(MemberPart::Broken(address, io::Error::other(problem)))
                }
                Err(NoText::Unread(problem)) => {
                    sender.send(MemberPart::Broken(address, io::Error::other(problem)))
                }
            },
            Payload::Other(kind) => {
                *self.skipped.entry(kind).or_default() += 1;
                Ok(())
            }
        };
        if sent.is_err() {
            return Ok(Err(Stopped));
        }
        if body.has_failed {
            // The message is told already.
            return Ok(Ok(self.find_record()?));
        }
        io::copy(&mut body, &mut io::sink())?;
        Ok(Ok(true))
    }

    /// The lines of the next header; `None` at the end.
    fn header(&mut self) -> io::Result<Option<Vec<String>>> {
        // Records end with two empty lines.
        let first = self.first_line.take().unwrap_or_default();
        let mut input = io::Cursor::new(first).chain(&mut self.input);
        let mut lines = read_header(&mut input, true)?;
        if lines.is_empty() {
            return Ok(None);
        }
        if !lines.remove(0).starts_with("WARC/") {
            return Err(io::Error::other("damaged: a record does not begin with its version"));
        }
        Ok(Some(lines))
    }
}

/// The lines up to an empty one; with `skips`, empty lines before them are skipped.
fn read_header(input: &mut impl BufRead, skips: bool) -> io::Result<Vec<String>> {
    let (mut lines, mut rest) = (Vec::new(), LONGEST_HEADER);
    loop {
        let mut line = Vec::new();
        let count = input.take(rest).read_until(b'\n', &mut line)? as u64;
        rest -= count;
        let is_empty = line.trim_ascii().is_empty();
        if count == 0 || (is_empty && !(skips && lines.is_empty())) {
            return if rest == 0 {
                Err(io::Error::other("damaged: a header without an end"))
            } else {
                Ok(lines)
            };
        }
        if !is_empty {
            lines.push(String::from_utf8_lossy(line.trim_ascii()).into_owned());
        }
    }
}

/// The value of a header field, whose name is given in lower case.
fn field<'h>(header: &'h [String], name: &str) -> Option<&'h str> {
    header.iter().find_map(|line| {
        let (field, value) = line.split_once(':')?;
        field.trim().eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

/// The reason why a response gives no document.
enum NoText {
    /// It is of this kind.
    Kind(String),
    /// It is text that cannot be read, for this reason.
    Unread(String),
    TooLarge,
}

/// The text of a server's response.
fn page(
    body: &mut impl Read,
    named: Option<&str>,
    progress: &Progress,
) -> io::Result<Result<Vec<u8>, NoText>> {
    let mut body = BufReader::new(body);
    let header = read_header(&mut body, false)?;
    let content = field(&header, "content-type").unwrap_or("unknown").to_ascii_lowercase();
    let charset =
        content.split_once("charset=").map(|(_, rest)| rest.trim_matches(['"', '\'', ' ']));
    let charset = charset.map(|it| it.split([';', '"']).next().unwrap_or_default().to_owned());
    let charset = named.or(charset.as_deref());
    let content = content.split(';').next().unwrap_or_default().trim().to_owned();
    let is_page = matches!(content.as_str(), "text/html" | "application/xhtml+xml");
    if !is_page && content != "text/plain" {
        return Ok(Err(NoText::Kind(content)));
    }
    let mut bytes = Vec::new();
    body.take(LONGEST_PAGE + 1).read_to_end(&mut bytes)?;
    let sent = sent(bytes, &header, &content);
    if !is_page {
        return Ok(sent.map(|bytes| plain_to_utf8(&bytes, charset)));
    }
    Ok(sent.and_then(|bytes| match html::text(&bytes, charset, progress) {
        Ok(text) => text.ok_or(NoText::Kind(content)),
        Err(problem) => Err(NoText::Unread(format!("{problem}, so it is left out"))),
    }))
}

/// The content of a response as the server had it: joined from chunks and unpacked.
fn sent(bytes: Vec<u8>, header: &[String], content: &str) -> Result<Vec<u8>, NoText> {
    // Crawlers leave these headers in place where they have joined and unpacked the content.
    let coding = field(header, "content-encoding").unwrap_or("identity").to_ascii_lowercase();
    let is_chunked = field(header, "transfer-encoding")
        .is_some_and(|it| it.to_ascii_lowercase().contains("chunked"));
    let damaged = || NoText::Unread(format!("damaged: an answer of {content}, so it is left out"));
    let bytes = up_to_limit(bytes)?;
    let bytes = if is_chunked { joined(bytes).ok_or_else(damaged)? } else { bytes };
    match coding.as_str() {
        "gzip" | "x-gzip" if bytes.starts_with(&[0x1f, 0x8b]) => {
            unpacked(MultiGzDecoder::new(bytes.as_slice())).ok_or_else(damaged)
        }
        // Servers send both what the standard says, with a header of zlib, and the bare data.
        "deflate" => unpacked(ZlibDecoder::new(bytes.as_slice()))
            .or_else(|| unpacked(DeflateDecoder::new(bytes.as_slice())))
            .or_else(|| Some(bytes).filter(|it| std::str::from_utf8(it).is_ok()))
            .ok_or_else(damaged),
        "gzip" | "x-gzip" | "identity" | "" => Ok(bytes),
        other => Err(NoText::Unread(format!(
            "{content} packed with {other}, which is not read, so it is left out"
        ))),
    }
    .and_then(up_to_limit)
}

/// What a decoder gives, up to the limit of a page and a byte.
fn unpacked(decoder: impl Read) -> Option<Vec<u8>> {
    let mut unpacked = Vec::new();
    decoder.take(LONGEST_PAGE + 1).read_to_end(&mut unpacked).ok()?;
    Some(unpacked)
}

fn up_to_limit(bytes: Vec<u8>) -> Result<Vec<u8>, NoText> {
    if bytes.len() as u64 > LONGEST_PAGE { Err(NoText::TooLarge) } else { Ok(bytes) }
}

/// Joins the chunks of a response; `None` if their lengths contradict the content. Content without chunks stays as it is.
fn joined(content: Vec<u8>) -> Option<Vec<u8>> {
    let (mut bytes, mut rest) = (Vec::new(), content.as_slice());
    while let Some((length, after)) = chunk_length(rest) {
        if length == 0 {
            // A text may begin with a zero of its own.
            let is_text = bytes.is_empty() && !after.trim_ascii().is_empty();
            return Some(if is_text { content } else { bytes });
        }
        let (chunk, after) = after.split_at_checked(length)?;
        bytes.extend_from_slice(chunk);
        rest = after.strip_prefix(b"\r\n")?;
    }
    bytes.is_empty().then_some(content)
}

/// The length of the next chunk, and the bytes behind its line.
fn chunk_length(rest: &[u8]) -> Option<(usize, &[u8])> {
    let end = memchr::memchr(b'\n', rest)?;
    let digits = rest[..end].strip_suffix(b"\r")?.split(|byte| *byte == b';').next()?;
    let digits = str::from_utf8(digits.trim_ascii()).ok()?;
    Some((usize::from_str_radix(digits, 16).ok()?, &rest[end + 1..]))
}
