//! The character set of a page or an answer.

use std::borrow::Cow;

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};

use super::utf16::INVALID;

/// Bytes at the beginning of a page in which it can name its character set, as browsers search them.
const DECLARING: usize = 1024;

/// A page in UTF-8, and whether a character is invalid, which is U+FFFD then. Its byte order mark tells the character
/// set, or that it is valid UTF-8 with characters beyond ASCII; else the `named` one, the one that it names itself, or
/// the one that its bytes suggest.
pub(super) fn page_to_utf8<'p>(page: &'p [u8], named: Option<&str>) -> (Cow<'p, str>, bool) {
    to_utf8(page, named.and_then(known).or_else(|| declared_inside(page)))
}

/// A plain text, decoded as a page is, with [`INVALID`] for an invalid character.
pub(super) fn plain_to_utf8(text: &[u8], named: Option<&str>) -> Vec<u8> {
    let (text, is_lossy) = to_utf8(text, named.and_then(known));
    marked(&text, is_lossy)
}

/// A text whose U+FFFD stand for invalid characters, if it `is_lossy`: [`INVALID`] for each, so that its document is
/// counted.
pub(super) fn marked(text: &str, is_lossy: bool) -> Vec<u8> {
    if !is_lossy {
        return text.as_bytes().to_vec();
    }
    let parts: Vec<_> = text.split('\u{fffd}').map(str::as_bytes).collect();
    parts.join(&INVALID)
}

fn to_utf8<'p>(page: &'p [u8], declared: Option<&'static Encoding>) -> (Cow<'p, str>, bool) {
    if let Some((encoding, mark)) = Encoding::for_bom(page) {
        return encoding.decode_without_bom_handling(&page[mark..]);
    }
    match (std::str::from_utf8(page), declared) {
        (Ok(text), None) => (Cow::Borrowed(text), false),
        (Ok(text), Some(_)) if !text.is_ascii() => (Cow::Borrowed(text), false),
        (_, Some(encoding)) => encoding.decode_without_bom_handling(page),
        (Err(_), None) => {
            let mut detector =
                chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
            detector.feed(page, true);
            let guessed = detector.guess(None, chardetng::Utf8Detection::Allow);
            guessed.decode_without_bom_handling(page)
        }
    }
}

/// The character set of this name. Some names stand for none that may be read: browsers show such a page as U+FFFD.
fn known(label: &str) -> Option<&'static Encoding> {
    Encoding::for_label(label.as_bytes()).filter(|it| *it != REPLACEMENT)
}

/// The character set that a page names in its first bytes: `charset=..` in a tag `meta`, or `encoding=".."` of XML. A
/// page whose letters can be read there is not in UTF-16.
fn declared_inside(page: &[u8]) -> Option<&'static Encoding> {
    let head = page[..page.len().min(DECLARING)].to_ascii_lowercase();
    let in_tags = |tag: &[u8], name: &str| {
        let mut named = tags(&head).filter(|it| it.starts_with(tag));
        named.find_map(|tag| declared_in(tag, name))
    };
    let found = in_tags(b"<meta", "charset").or_else(|| in_tags(b"<?xml", "encoding"));
    found.map(|it| if [UTF_16LE, UTF_16BE].contains(&it) { UTF_8 } else { it })
}

/// The tags and comments of a page.
fn tags(mut page: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let begin = &page[memchr::memchr(b'<', page)?..];
        let end: &[u8] = if begin.starts_with(b"<!--") { b"-->" } else { b">" };
        let length = memchr::memmem::find(begin, end).map_or(begin.len(), |at| at + end.len());
        let (tag, rest) = begin.split_at(length);
        page = rest;
        Some(tag)
    })
}

/// The first known character set behind a `name` and an equals sign.
fn declared_in(tag: &[u8], name: &str) -> Option<&'static Encoding> {
    memchr::memmem::find_iter(tag, name).find_map(|at| {
        let value = &tag[at + name.len()..];
        let value = value.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
        let value = value.strip_prefix(b"\"").or_else(|| value.strip_prefix(b"'")).unwrap_or(value);
        let is_of_label = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_:.+".contains(byte);
        let end = value.iter().position(|byte| !is_of_label(byte)).unwrap_or(value.len());
        known(str::from_utf8(&value[..end]).ok()?)
    })
}
