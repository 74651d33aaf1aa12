//! The answer of a server in a web crawl: its header, and its content as text.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

use super::html;
use super::page_charset::plain_to_utf8;
use crate::progress::Progress;

/// The largest header, in bytes.
pub(super) const LONGEST_HEADER: u64 = 64 << 10;
/// The largest page whose text is extracted, in bytes.
const LONGEST_PAGE: u64 = 16 << 20;

/// The lines up to an empty one.
pub(super) fn read_header(input: &mut impl BufRead) -> io::Result<Vec<String>> {
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
pub(super) fn field<'h>(header: &'h [String], name: &str) -> Option<&'h str> {
    header.iter().find_map(|line| {
        let (field, value) = line.split_once(':')?;
        field.trim().eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

/// The reason why a response gives no document.
pub(super) enum NoText {
    /// It is of this kind.
    Kind(String),
    /// It is text that cannot be read, for this reason.
    Unread(String),
}

/// The text of a server's response. A character set that the user `named` comes before that of the response.
pub(super) fn answer(
    body: &mut impl Read,
    named: Option<&str>,
    progress: &Progress,
) -> io::Result<Result<Vec<u8>, NoText>> {
    let mut body = BufReader::new(body);
    let header = read_header(&mut body)?;
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

/// The bytes that a decoder gives, up to the limit of a page and one more.
fn unpacked(decoder: impl Read) -> Option<Vec<u8>> {
    let mut unpacked = Vec::new();
    decoder.take(LONGEST_PAGE + 1).read_to_end(&mut unpacked).ok()?;
    Some(unpacked)
}

fn up_to_limit(bytes: Vec<u8>) -> Result<Vec<u8>, NoText> {
    if bytes.len() as u64 <= LONGEST_PAGE {
        return Ok(bytes);
    }
    let problem = "an answer above 16 MiB, the limit of a page, so it is left out";
    Err(NoText::Unread(problem.to_owned()))
}

/// Joins the chunks of a response; `None` if their lengths contradict the content. Content without chunks stays as it
/// is.
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
