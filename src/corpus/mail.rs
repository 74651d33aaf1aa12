//! Mail: messages of an mbox, or one a file. The body is the text, the subject the title, the Message-ID the id.
//!
//! A message is a record in place, as a line is: it is parsed again where it is needed, and copied byte for byte.
//! Here is also where the messages of an mbox begin, and by which first lines mail is told.

use mail_parser::{Address, Message, MessageParser, MessagePart, MimeHeaders as _};
use memchr::memmem;
use serde::{Deserialize, Serialize};

use super::blocks::RecordCut;
use super::content::{Content, ContentFlags};
use super::fields::RowError;
use super::options::LoadOptions;
use super::record_format::{CopyFormat, Parsed, ParsedRow, RecordFormat, RowContent, append};

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

/// The attachments of a message without words, a line each: two such messages are not the same unless these are.
fn attachments(message: &Message<'_>) -> String {
    let line = |part: &MessagePart<'_>| {
        let (name, bytes) = (part.attachment_name().unwrap_or("without a name"), part.contents());
        format!("attachment {name}, {} bytes, md5 {:x}", bytes.len(), md5::compute(bytes))
    };
    message.attachments().map(line).collect::<Vec<_>>().join("\n")
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

/// The way in which an input holds mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MailForm {
    /// Whether it is an mbox, otherwise one message.
    pub(super) is_mbox: bool,
}

impl RecordFormat for MailForm {
    fn cut(&self) -> Option<Box<dyn RecordCut>> {
        Some(if self.is_mbox { Box::new(Mbox::default()) } else { Box::new(OneMessage) })
    }

    fn parse(&self, bytes: &[u8], options: &LoadOptions, strings: &mut String) -> Parsed {
        if bytes.trim_ascii().is_empty() {
            return Ok(None);
        }
        let bytes = unquoted(bytes, self.is_mbox);
        let no_mail = || {
            let remedy = "mend it, or read it as text with `input-format` text";
            RowError::new("no header of a mail", remedy)
        };
        let message = MessageParser::default().parse(&bytes).ok_or_else(no_mail)?;
        if message.headers().is_empty() {
            return Err(no_mail());
        }
        let body = body(&message, !options.no_quotes);
        let body = if body.is_empty() { attachments(&message) } else { body };
        let text = append(strings, &body);
        let id = message.message_id().filter(|id| !id.is_empty()).map(|id| append(strings, id));
        let is_lossy = body.contains('\u{fffd}');
        let flags = Content::text_flags(&body).with(ContentFlags::LOSSY, is_lossy);
        Ok(Some(ParsedRow { content: RowContent::Text(text), id, row_error: None, flags }))
    }

    fn title(&self, bytes: &[u8], options: &LoadOptions) -> Option<String> {
        self.field(bytes, options.title_field.as_deref().unwrap_or("subject"))
    }

    /// What the header tells of a message: subject, sender, receivers, date.
    fn fields(&self, bytes: &[u8]) -> Vec<(String, String)> {
        let bytes = unquoted(bytes, self.is_mbox);
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

    fn copy_format(&self) -> CopyFormat {
        if self.is_mbox { CopyFormat::Mail } else { CopyFormat::List }
    }
}

/// The beginning of the line before each message of an mbox.
pub(super) const FROM: &[u8] = b"From ";

/// Whether a line stands before a message: it begins with `From` and has a time.
fn is_from_line(line: &[u8]) -> bool {
    let is_time = |part: &[u8]| matches!(part, [a, b, b':', c, d] if [a, b, c, d].iter().all(|it| it.is_ascii_digit()));
    line.starts_with(FROM) && line.windows(5).any(is_time)
}

/// Finds where the messages of an mbox begin: behind a blank line, so that none is found at the first byte.
#[derive(Default)]
pub(super) struct Mbox {
    /// The last of the bytes that are passed by.
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
}

impl RecordCut for Mbox {
    fn end(&mut self, bytes: &[u8], from: usize) -> usize {
        let from = from.saturating_sub(LONGEST_LINE);
        Self::beginnings(&bytes[from..]).last().map_or(0, |at| from + at)
    }

    fn end_bytes(&self) -> usize {
        LONGEST_LINE
    }

    fn begin_skip(&mut self, bytes: &[u8]) {
        let kept = bytes.len().saturating_sub(LONGEST_LINE);
        self.skipped.clear();
        self.skipped.extend_from_slice(&bytes[kept..]);
    }

    fn skip(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.skipped.extend_from_slice(bytes);
        // One of which the line was whole before was found then.
        let found = Self::beginnings(&self.skipped).next();
        if let Some(at) = found {
            return Some(std::mem::take(&mut self.skipped).split_off(at));
        }
        let kept = self.skipped.len().saturating_sub(LONGEST_LINE);
        self.skipped.drain(..kept);
        None
    }

    fn records(&mut self, bytes: &[u8]) -> Vec<(usize, usize)> {
        let ends = Self::beginnings(bytes).chain([bytes.len()]);
        let starts = [0].into_iter().chain(Self::beginnings(bytes));
        starts.zip(ends).filter(|(start, end)| start < end).collect()
    }
}

/// All the bytes are one message.
pub(super) struct OneMessage;

impl RecordCut for OneMessage {
    fn end(&mut self, _bytes: &[u8], _from: usize) -> usize {
        0
    }

    fn skip(&mut self, _bytes: &[u8]) -> Option<Vec<u8>> {
        None
    }

    fn records(&mut self, bytes: &[u8]) -> Vec<(usize, usize)> {
        vec![(0, bytes.len())]
    }
}

/// The line ends that a message lacks so that another one can follow: the last one of a file may have no blank line.
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

#[cfg(test)]
mod tests {
    use super::*;

    const MBOX: &str = "From a@b Thu Jan  1 00:00:00 2026\nSubject: one\n\nFrom here on\n\nFrom here, too\n>From a\n\nFrom c@d Thu Jan  1 09:30:00 2026\nSubject: two\n\n> so\nbody\n";

    /// Mail that only carries something is not the same because it says nothing.
    #[test]
    fn a_message_without_words_is_told_by_its_attachments() {
        let text = |content: &str| {
            let mail = format!(
                "From: a@b\nMIME-Version: 1.0\nContent-Type: application/pdf\nContent-Disposition: attachment; \
                 filename=x.pdf\nContent-Transfer-Encoding: base64\n\n{content}\n"
            );
            let mut strings = String::new();
            let form = MailForm { is_mbox: false };
            let row = form.parse(mail.as_bytes(), &LoadOptions::default(), &mut strings);
            let row = row.unwrap().unwrap();
            assert!(matches!(row.content, RowContent::Text(_)));
            strings
        };
        let (one, other) = (text("AAAA"), text("AAAB"));
        assert!(one.starts_with("attachment x.pdf, 3 bytes, md5 "), "{one}");
        assert!(one == text("AAAA") && one != other, "{one} {other}");
    }

    #[test]
    fn the_text_is_the_body_without_marks_or_quotes() {
        let text = |(from, to): (usize, usize), leaves_quotes: bool| {
            let mut strings = String::new();
            let options = LoadOptions { no_quotes: !leaves_quotes, ..LoadOptions::default() };
            let bytes = &MBOX.as_bytes()[from..to];
            let row = MailForm { is_mbox: true }.parse(bytes, &options, &mut strings);
            let Ok(Some(ParsedRow { content: RowContent::Text(text), .. })) = row else { panic!() };
            strings[text].to_owned()
        };
        let messages = Mbox::default().records(MBOX.as_bytes());
        assert_eq!(text(messages[0], true), "From here on\n\nFrom here, too\nFrom a");
        assert_eq!(text(messages[1], true), "> so\nbody");
        assert_eq!(text(messages[1], false), "body");
    }

    #[test]
    fn messages_of_an_mbox_begin_at_a_line_with_a_time() {
        let bytes = MBOX.as_bytes();
        let messages = Mbox::default().records(bytes);
        assert_eq!(messages.len(), 2);
        assert!(bytes[messages[1].0..].starts_with(b"From c@d"));
        assert_eq!(messages[0].1, messages[1].0);
        assert_eq!(Mbox::default().end(bytes, 0), messages[1].0);
        let windows = MBOX.replace('\n', "\r\n");
        assert_eq!(Mbox::default().records(windows.as_bytes()).len(), 2);
        // A message that is passed by in pieces ends where the next one begins, wherever a piece ends.
        for at in 1..bytes.len() - 1 {
            let mut mbox = Mbox::default();
            mbox.begin_skip(&bytes[..at.min(messages[1].0 + 10)]);
            let rest = mbox.skip(&bytes[at.min(messages[1].0 + 10)..]).unwrap();
            assert!(rest.ends_with(&bytes[messages[1].0..]), "{at}");
            assert_eq!(rest.len(), bytes.len() - messages[1].0, "{at}");
        }
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
