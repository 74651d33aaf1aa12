//! Mail: messages of an mbox, or one a file. The body is the text, the subject the title, the Message-ID the id.
//!
//! A message is a record in place, as a line is: it is parsed again where it is needed, and copied byte for byte.

use mail_parser::{Address, Message, MessageParser, MessagePart, MimeHeaders as _};

use super::document::{Content, ContentFlags};
use super::fields::RowError;
use super::mbox::FROM;
use super::row::{ParsedRow, RowContent, append};

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
    let body = body(&message, leaves_quotes);
    let body = if body.is_empty() { attachments(&message) } else { body };
    let text = append(strings, &body);
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
    use crate::corpus::mbox::Mbox;

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
            let row = parse(mail.as_bytes(), false, true, &mut strings).unwrap().unwrap();
            assert!(matches!(row.content, RowContent::Text(_)));
            strings
        };
        let (one, other) = (text("AAAA"), text("AAAB"));
        assert!(one.starts_with("attachment x.pdf, 3 bytes, md5 "), "{one}");
        assert!(one == text("AAAA") && one != other, "{one} {other}");
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
}
