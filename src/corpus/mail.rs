//! Mail: messages of an mbox, or one a file. The body is the text, the subject the title, the Message-ID the id.
//!
//! A message is a record in place, as a line is: it is parsed again where it is needed, and copied byte for byte.

use mail_parser::{Address, Message, MessageParser};
use memchr::memmem;

use super::document::{Content, ContentFlags};
use super::fields::RowError;
use super::jsonl::{ParsedRow, RowContent, append};

/// The beginning of the line before each message of an mbox.
const FROM: &[u8] = b"From ";

/// Whether a line stands before a message: it begins with `From` and has a time.
fn is_from_line(line: &[u8]) -> bool {
    let is_time = |part: &[u8]| matches!(part, [a, b, b':', c, d] if [a, b, c, d].iter().all(|it| it.is_ascii_digit()));
    line.starts_with(FROM) && line.windows(5).any(is_time)
}

/// Finds where the messages of an mbox begin: behind a blank line, so that none is found at the first byte.
#[derive(Default)]
pub(super) struct Mbox {
    /// The end of the bytes that were skipped last.
    skipped: Vec<u8>,
}

/// Bytes of a blank line and a line before a message, at most.
const LONGEST_LINE: usize = 1 << 10;

impl Mbox {
    /// The beginnings of the messages in bytes but that at the first byte; those of which the first line is not whole are
    /// left out.
    fn beginnings(bytes: &[u8]) -> impl Iterator<Item = usize> {
        let found = memmem::find_iter(bytes, b"\nFrom ").map(|at| at + 1);
        found.filter(|&at| {
            let line = &bytes[at..bytes.len().min(at + LONGEST_LINE)];
            let line = line.split_inclusive(|it| *it == b'\n').next().unwrap_or_default();
            let before = &bytes[..at];
            let is_behind_a_blank_line = before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n");
            line.ends_with(b"\n") && is_behind_a_blank_line && is_from_line(line)
        })
    }

    /// The beginning of the last message, before which all are whole; those from `from` on are new.
    pub(super) fn end(bytes: &[u8], from: usize) -> usize {
        let from = from.saturating_sub(LONGEST_LINE);
        Self::beginnings(&bytes[from..]).last().map_or(0, |at| from + at)
    }

    /// The messages in bytes that end where one ends.
    pub(super) fn messages(bytes: &[u8]) -> Vec<(usize, usize)> {
        let ends = Self::beginnings(bytes).chain([bytes.len()]);
        let starts = [0].into_iter().chain(Self::beginnings(bytes));
        starts.zip(ends).filter(|(start, end)| start < end).collect()
    }

    /// The beginning of a message in bytes that follow those of one which is too long to keep.
    pub(super) fn skip(&mut self, bytes: &[u8]) -> Option<usize> {
        let n_before = self.skipped.len();
        self.skipped.extend_from_slice(bytes);
        // One that begins in the bytes before was found there, unless its line was not whole: then its text is a part of
        // the long one.
        let found = Self::beginnings(&self.skipped).find(|&at| at >= n_before);
        let kept = self.skipped.len().saturating_sub(LONGEST_LINE);
        self.skipped.drain(..kept);
        if found.is_some() {
            self.skipped.clear();
        }
        found.map(|at| at - n_before)
    }
}

/// What a message lacks behind it so that another one can follow: the last one of a file may have no blank line.
pub(super) fn missing_end(record: &[u8]) -> &'static [u8] {
    match record {
        [.., b'\n', b'\n'] | [.., b'\n', b'\r', b'\n'] => b"",
        [.., b'\n'] => b"\n",
        _ => b"\n\n",
    }
}

/// Whether a file begins with a message of an mbox.
pub(super) fn is_mbox(head: &[u8]) -> bool {
    let mut lines = head.split(|it| *it == b'\n');
    lines.next().is_some_and(is_from_line)
        && lines.next().is_some_and(|line| header_name(line).is_some())
}

/// Whether a file begins with the header of a message: with a sender, and with an id or what a server writes first.
pub(super) fn is_message(head: &[u8]) -> bool {
    const FIRST: [&str; 3] = ["return-path", "delivered-to", "received"];
    let header = head.split(|it| *it == b'\n').map(<[u8]>::trim_ascii_end);
    let header: Vec<_> = header.take_while(|line| !line.is_empty()).collect();
    let names: Vec<String> = header.iter().filter_map(|line| header_name(line)).collect();
    let is_header = |line: &&[u8]| {
        line.starts_with(b" ") || line.starts_with(b"\t") || header_name(line).is_some()
    };
    let whole = header.len().saturating_sub(1);
    let has = |name: &str| names.iter().any(|it| it == name);
    (has("message-id") || names.first().is_some_and(|name| FIRST.contains(&&**name)))
        && has("from")
        && header[..whole].iter().all(is_header)
}

/// The name of a header field, in lower case.
fn header_name(line: &[u8]) -> Option<String> {
    let name = &line[..line.iter().position(|it| *it == b':')?];
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-' || *byte == b'_';
    let name = (!name.is_empty() && name.iter().all(is_name)).then_some(name)?;
    Some(String::from_utf8_lossy(name).to_ascii_lowercase())
}

/// A message without the line before it, and without the mark of lines in it that would look like one.
fn unquoted(record: &[u8], is_mbox: bool) -> Vec<u8> {
    if !is_mbox {
        return record.to_vec();
    }
    let mut lines = record.split_inclusive(|it| *it == b'\n').peekable();
    lines.next_if(|line| line.starts_with(FROM));
    let mut message = Vec::with_capacity(record.len());
    for line in lines {
        let n = line.iter().take_while(|it| **it == b'>').count();
        let is_marked = n > 0 && line[n..].starts_with(FROM);
        message.extend_from_slice(&line[usize::from(is_marked)..]);
    }
    message
}

/// The body: each part that is a text, with a blank line between them.
fn body(message: &Message<'_>, leaves_quotes: bool) -> String {
    let parts = (0..message.text_body_count()).filter_map(|at| message.body_text(at));
    let parts: Vec<String> = parts
        .map(|part| {
            let is_own = |line: &&str| leaves_quotes || !line.starts_with('>');
            part.lines().filter(is_own).collect::<Vec<_>>().join("\n").trim().to_owned()
        })
        .collect();
    parts.join("\n\n").trim().to_owned()
}

/// The document in a message.
///
/// # Errors
/// If it has no header.
pub(super) fn parse(
    record: &[u8],
    is_mbox: bool,
    leaves_quotes: bool,
    strings: &mut String,
) -> Result<Option<ParsedRow>, RowError> {
    if record.trim_ascii().is_empty() {
        return Ok(None);
    }
    let bytes = unquoted(record, is_mbox);
    let no_mail = || {
        RowError::new("no header of a mail", "mend it, or read it as text with `input-format` text")
    };
    let message = MessageParser::default().parse(&bytes).ok_or_else(no_mail)?;
    if message.headers().is_empty() {
        return Err(no_mail());
    }
    let text = append(strings, &body(&message, leaves_quotes));
    let id = message.message_id().filter(|id| !id.is_empty()).map(|id| append(strings, id));
    let shown = &strings[text.clone()];
    let flags = Content::text_flags(shown).with(ContentFlags::LOSSY, shown.contains('\u{fffd}'));
    Ok(Some(ParsedRow { content: RowContent::Text(text), id, row_error: None, flags }))
}

/// The header fields that tell a message: subject, sender, receivers, date.
pub(super) fn fields(record: &[u8], is_mbox: bool) -> Vec<(String, String)> {
    let bytes = unquoted(record, is_mbox);
    let Some(message) = MessageParser::default().parse_headers(&bytes[..]) else {
        return Vec::new();
    };
    let addresses = |address: Option<&Address<'_>>| {
        let all = address?.iter().filter_map(|it| it.address().or(it.name()));
        Some(all.collect::<Vec<_>>().join(", "))
    };
    let fields = [
        ("subject", message.subject().map(str::to_owned)),
        ("from", addresses(message.from())),
        ("to", addresses(message.to())),
        ("date", message.date().map(mail_parser::DateTime::to_rfc3339)),
    ];
    fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MBOX: &str = "From a@b Thu Jan  1 00:00:00 2026\nSubject: one\n\nFrom here on\n\nFrom here, too\n>From a\n\nFrom c@d Thu Jan  1 09:30:00 2026\nSubject: two\n\n> so\nbody\n";

    #[test]
    fn messages_of_an_mbox_begin_at_a_line_with_a_time() {
        let bytes = MBOX.as_bytes();
        let messages = Mbox::messages(bytes);
        let subject = |(from, to): &(usize, usize)| fields(&bytes[*from..*to], true)[0].1.clone();
        assert_eq!(messages.iter().map(subject).collect::<Vec<_>>(), ["one", "two"]);
        assert_eq!(messages[0].1, messages[1].0);
        assert_eq!(Mbox::end(bytes, 0), messages[1].0);
        let windows = MBOX.replace('\n', "\r\n");
        assert_eq!(Mbox::messages(windows.as_bytes()).len(), 2);
        // A message that is passed by in pieces ends where the next one begins, if its line is in one piece.
        let mut mbox = Mbox::default();
        assert_eq!(mbox.skip(&bytes[..40]), None);
        assert_eq!(mbox.skip(&bytes[40..]), Some(messages[1].0 - 40));
    }

    #[test]
    fn the_text_is_the_body_without_marks_or_quotes() {
        let text = |(from, to): (usize, usize), leaves_quotes| {
            let mut strings = String::new();
            let row = parse(&MBOX.as_bytes()[from..to], true, leaves_quotes, &mut strings);
            let Ok(Some(ParsedRow { content: RowContent::Text(text), .. })) = row else { panic!() };
            strings[text].to_owned()
        };
        let messages = Mbox::messages(MBOX.as_bytes());
        assert_eq!(text(messages[0], true), "From here on\n\nFrom here, too\nFrom a");
        assert_eq!(text(messages[1], true), "> so\nbody");
        assert_eq!(text(messages[1], false), "body");
    }

    #[test]
    fn mail_is_told_by_its_first_lines() {
        assert!(is_mbox(MBOX.as_bytes()));
        assert!(!is_mbox(b"From the sea at 10:30\nthe tide came in\n"));
        assert!(is_message(b"Return-Path: <a@b>\nReceived: from c\n\tby d\nFrom: a@b\n\nbody"));
        assert!(is_message(b"Message-ID: <1@a>\r\nFrom: a@b\r\nSub"));
        assert!(is_message(b"Subject: a\nFrom: a@b\nMessage-ID: <1@a>\n\n"));
        for other in [
            "Received: a letter\nof the tide\nFrom: me\n",
            "Note: a\nFrom: b\n",
            "Message-ID: 1\n\nFrom: b",
        ] {
            assert!(!is_message(other.as_bytes()), "{other}");
        }
    }
}
