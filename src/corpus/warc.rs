//! Archives of web crawls: WARC and WET. Each record of plain text is a document, whose id is its web address: in a
//! WET file the text that was extracted from a page.
//!
//! Responses of servers, requests and other records are skipped and counted in a remark. Bytes that are no record are
//! passed over, up to the next one.
//! Source of the format: ISO 28500, version 1.1 ("WARC/1.1").

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read};

use super::archive::{MemberPart, MemberSender, Stopped};
use super::decode::PeekedReader;
use super::diagnostic::PAGE_REMEDY;
use crate::number::grouped;

/// The records of a crawl.
pub(super) struct Warc<'a> {
    input: BufReader<PeekedReader<'a>>,
    /// The number of records so far, and of skipped ones of each kind.
    n_records: u64,
    skipped: BTreeMap<String, u64>,
    /// The address of the last record.
    address: String,
    /// Whether it does not say where it ends.
    is_open: bool,
}

/// The largest header, in bytes.
const LONGEST_HEADER: u64 = 64 << 10;

/// Whether these bytes begin a record, with the version of its format.
pub(super) fn is_warc(head: &[u8]) -> bool {
    head.starts_with(b"WARC/0.") || head.starts_with(b"WARC/1.")
}

impl<'a> Warc<'a> {
    pub(super) fn new(input: PeekedReader<'a>) -> Self {
        let (input, skipped) = (BufReader::with_capacity(1 << 18, input), BTreeMap::new());
        Self { input, n_records: 0, skipped, address: String::new(), is_open: false }
    }

    /// Sends every record of text, then the remark about skipped records.
    pub(super) fn send(mut self, sender: &mut MemberSender) -> Result<(), Stopped> {
        let ended = loop {
            match self.record(sender)? {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        if !self.skipped.is_empty() {
            let kinds = self.skipped.iter().map(|(kind, n)| format!("{} {kind}", grouped(*n)));
            let kinds = kinds.collect::<Vec<_>>().join(", ");
            let problem = format!("records without text were skipped: {kinds}");
            let has_pages = self.skipped.keys().any(|it| it == "response" || it.contains("html"));
            let remedy = if has_pages { PAGE_REMEDY } else { "only plain text is read" };
            sender.send(MemberPart::Remark(problem, remedy))?;
        }
        ended.or_else(|error| sender.send(MemberPart::Failed(error)))
    }

    /// Sends the next record, if it is one of text; whether there is one, or the error that ends the reading.
    fn record(&mut self, sender: &mut MemberSender) -> Result<io::Result<bool>, Stopped> {
        let (header, has_junk) = match self.header() {
            Ok(found) => found,
            Err(error) => return Ok(Err(error)),
        };
        if has_junk && !std::mem::take(&mut self.is_open) {
            sender.send(self.problem("damaged: a record does not begin with its version"))?;
        }
        if header.is_empty() {
            return Ok(Ok(false));
        }
        self.n_records += 1;
        let field = |name: &str| field(&header, name).unwrap_or_default();
        let address = field("warc-target-uri").trim_start_matches('<').trim_end_matches('>');
        address.clone_into(&mut self.address);
        let length = field("content-length").parse();
        self.is_open = length.is_err();
        let Ok(length) = length else {
            sender.send(self.problem("damaged: a record without a length"))?;
            return Ok(Ok(true));
        };
        let content = field("content-type").to_ascii_lowercase();
        let skipped = match field("warc-type") {
            "conversion" | "resource" if content.starts_with("text/plain") => None,
            "conversion" | "resource" => Some(content),
            other => Some(other.to_owned()),
        };
        let is_cut = || io::Error::other("damaged: it ends in the middle of a record");
        let mut body = (&mut self.input).take(length);
        if let Some(kind) = skipped {
            *self.skipped.entry(kind).or_default() += 1;
            let read = io::copy(&mut body, &mut io::sink());
            let is_whole = |read| if read < length { Err(is_cut()) } else { Ok(true) };
            return Ok(read.and_then(is_whole));
        }
        sender.send(MemberPart::Record(address.to_owned()))?;
        if !sender.pieces(address, &mut body)? {
            let problem = format!(
                "damaged at record {}; the records behind it are not read",
                grouped(self.n_records)
            );
            return Ok(Err(io::Error::other(problem)));
        }
        let is_whole = body.limit() == 0;
        let broken = || MemberPart::Broken(address.to_owned(), is_cut());
        sender.send(if is_whole { MemberPart::End } else { broken() })?;
        Ok(Ok(true))
    }

    /// The message about damage that was left behind.
    fn problem(&self, damage: &str) -> MemberPart {
        let (n, address) = (grouped(self.n_records), self.address.as_str());
        let place = match (self.n_records, address) {
            (0, _) => "before the first record".to_owned(),
            (_, "") => format!("at record {n}"),
            _ => format!("at record {n} ({address})"),
        };
        let way_out = "the next record that begins is read; copy the file again";
        MemberPart::Problem(None, format!("{place}: {damage}"), way_out)
    }

    /// The lines of the next header, none at the end, and whether other bytes than line ends stand before it.
    fn header(&mut self) -> io::Result<(Vec<String>, bool)> {
        let (mut lines, mut has_junk, mut rest) = (Vec::new(), false, LONGEST_HEADER);
        loop {
            let mut line = Vec::new();
            let count = (&mut self.input).take(rest).read_until(b'\n', &mut line)? as u64;
            let is_blank = line.trim_ascii().is_empty();
            if count == 0 || is_blank && !lines.is_empty() {
                return Ok((lines, has_junk));
            }
            if lines.is_empty() && !is_warc(&line) {
                has_junk |= !is_blank;
                continue;
            }
            rest -= count;
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
