//! Mail: messages of an mbox, or one a file. The body is the text, the subject the title, the Message-ID the id.
//!
//! A message is a record in place, as a line is: it is parsed again where it is needed, and copied byte for byte.

use mail_parser::{Address, Message, MessageParser, MessagePart, MimeHeaders as _};
use serde::{Deserialize, Serialize};

use super::blocks::RecordCut;
use super::content::{Content, ContentFlags};
use super::fields::RowError;
use super::mbox::{FROM, Mbox, OneMessage};
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
}
