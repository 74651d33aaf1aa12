//! Archives of web crawls: WARC and WET. Each record of text is a document, whose id is its web address.
//!
//! In a WET file these records are the extracted texts. In a WARC file they are the responses of servers: plain
//! text unchanged, and pages without their markup. Requests, metadata and other kinds of responses are skipped
//! and counted in a remark.
//! Source of the format: ISO 28500, version 1.1 ("WARC/1.1").

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use super::archive::{MemberPart, MemberSender, Stopped};
use super::decode::PeekedReader;
use crate::number::grouped;

/// The largest header, in bytes.
const LONGEST_HEADER: u64 = 64 << 10;
/// The largest page whose text is extracted, in bytes.
const LONGEST_PAGE: u64 = 16 << 20;

/// The records of a crawl.
pub(super) struct Warc<'a> {
    input: BufReader<PeekedReader<'a>>,
    /// The number of skipped records of each kind.
    skipped: BTreeMap<String, u64>,
}

/// The kind of a record's content.
enum Payload {
    Text,
    /// A server's response, headers first.
    Http,
    Other(String),
}

impl<'a> Warc<'a> {
    pub(super) fn new(input: PeekedReader<'a>) -> Self {
        Self { input: BufReader::with_capacity(1 << 18, input), skipped: BTreeMap::new() }
    }

    /// Sends every record of text, then the remark about skipped records.
    pub(super) fn send(mut self, mut sender: MemberSender) {
        loop {
            match self.record(&mut sender) {
                Ok(Ok(true)) => {}
                Ok(Ok(false)) => break,
                Ok(Err(Stopped)) => return,
                Err(error) => {
                    let _ = sender.send(MemberPart::Failed(error));
                    return;
                }
            }
        }
        if !self.skipped.is_empty() {
            let kinds = self.skipped.iter().map(|(kind, n)| format!("{} {kind}", grouped(*n)));
            let kinds = kinds.collect::<Vec<_>>().join(", ");
            let problem = format!("records without text were skipped: {kinds}");
            let _ = sender.send(MemberPart::Remark(problem, "only text and HTML pages are read"));
        }
    }

    /// Sends the next record; false if there was none.
    fn record(&mut self, sender: &mut MemberSender) -> io::Result<Result<bool, Stopped>> {
        let Some(header) = self.header()? else { return Ok(Ok(false)) };
        let field = |name: &str| field(&header, name);
        let damaged = |problem: &str| io::Error::other(format!("damaged: {problem}"));
        let length = field("content-length").and_then(|it| it.parse::<u64>().ok());
        let length = length.ok_or_else(|| damaged("a record without a length"))?;
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
        let mut body = (&mut self.input).take(length);
        let sent = match payload {
            Payload::Text => sender
                .send(MemberPart::Record(address.clone()))
                .and_then(|()| sender.content(&address, &mut body)),
            Payload::Http => match page(&mut body)? {
                Ok(text) => sender
                    .send(MemberPart::Record(address.clone()))
                    .and_then(|()| sender.content(&address, text.as_slice())),
                Err(kind) => {
                    *self.skipped.entry(kind).or_default() += 1;
                    Ok(())
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
        io::copy(&mut body, &mut io::sink())?;
        if body.limit() > 0 {
            return Err(damaged("it ends in the middle of a record"));
        }
        Ok(Ok(true))
    }

    /// The lines of the next header; `None` at the end.
    fn header(&mut self) -> io::Result<Option<Vec<String>>> {
        // Records end with two empty lines.
        let mut lines = read_header(&mut self.input, true)?;
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

/// The text of a server's response; the kind of the response if it has no text.
fn page(body: &mut impl Read) -> io::Result<Result<Vec<u8>, String>> {
    let mut body = BufReader::new(body);
    let header = read_header(&mut body, false)?;
    let content = field(&header, "content-type").unwrap_or("unknown").to_ascii_lowercase();
    let content = content.split(';').next().unwrap_or_default().trim().to_owned();
    let is_page = matches!(content.as_str(), "text/html" | "application/xhtml+xml");
    if !is_page && content != "text/plain" {
        return Ok(Err(content));
    }
    let bytes = match sent(body, &header) {
        Ok(bytes) => bytes?,
        Err(packing) => return Ok(Err(format!("{content} packed with {packing}"))),
    };
    let Some(bytes) = bytes else { return Ok(Err(format!("damaged {content}"))) };
    if is_page {
        return Ok(super::html::text(&bytes).map(String::into_bytes).ok_or(content));
    }
    Ok(Ok(bytes))
}

/// The content of a response as the server had it: joined from chunks and unpacked. `None` if it is damaged; the name
/// of a packing that is not read.
fn sent(body: impl BufRead, header: &[String]) -> Result<io::Result<Option<Vec<u8>>>, String> {
    // Crawlers leave these headers in place where they have joined and unpacked the content.
    let coding = field(header, "content-encoding").unwrap_or("identity").to_ascii_lowercase();
    let mut bytes = Vec::new();
    let is_chunked = field(header, "transfer-encoding")
        .is_some_and(|it| it.to_ascii_lowercase().contains("chunked"));
    let mut body = body.take(LONGEST_PAGE);
    let read = if is_chunked {
        chunks(&mut body, &mut bytes)
    } else {
        body.read_to_end(&mut bytes).map(|_| true)
    };
    match read {
        Ok(true) => {}
        Ok(false) => return Ok(Ok(None)),
        Err(error) => return Ok(Err(error)),
    }
    let is_gzip = bytes.starts_with(&[0x1f, 0x8b]);
    match coding.as_str() {
        "gzip" | "x-gzip" if is_gzip => {
            let mut unpacked = Vec::new();
            let decoder = MultiGzDecoder::new(bytes.as_slice());
            let is_sound = decoder.take(LONGEST_PAGE).read_to_end(&mut unpacked).is_ok();
            Ok(Ok(is_sound.then_some(unpacked)))
        }
        "gzip" | "x-gzip" | "identity" | "" => Ok(Ok(Some(bytes))),
        other => Err(other.to_owned()),
    }
}

/// Joins the chunks of a response; false if their lengths contradict the content. Content without chunks stays as it
/// is.
fn chunks(body: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<bool> {
    let mut is_first = true;
    loop {
        let mut line = Vec::new();
        body.read_until(b'\n', &mut line)?;
        let digits = line.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
        let length = str::from_utf8(digits).ok().and_then(|it| u64::from_str_radix(it, 16).ok());
        match length {
            Some(0) => return Ok(true),
            Some(length) => {
                let count = body.take(length).read_to_end(bytes)?;
                if count as u64 != length {
                    return Ok(false);
                }
                // The line end after the chunk.
                body.read_until(b'\n', &mut Vec::new())?;
            }
            None if is_first => {
                bytes.extend_from_slice(&line);
                body.read_to_end(bytes)?;
                return Ok(true);
            }
            None => return Ok(false),
        }
        is_first = false;
    }
}
