//! Plain text: each line a document, or all of an input.

use std::borrow::Cow;

use super::content::{Content, ContentFlags};
use super::decode::decoded;
use super::options::LoadOptions;
use super::pattern::Pattern;
use super::record_format::{CopyFormat, Parsed, ParsedRow, RecordFormat, RowContent, append};

/// The text itself.
pub(super) struct PlainText;

impl RecordFormat for PlainText {
    fn parse(&self, bytes: &[u8], _: &LoadOptions, strings: &mut String) -> Parsed {
        let text = decoded(bytes);
        let is_lossy = matches!(text, Cow::Owned(_));
        let flags = Content::text_flags(&text).with(ContentFlags::LOSSY, is_lossy);
        let content = RowContent::Text(append(strings, &text));
        Ok(Some(ParsedRow { content, id: None, row_error: None, flags }))
    }

    fn may_hold(&self, bytes: &[u8], words: &Pattern) -> bool {
        words.is_in_bytes(bytes)
    }

    fn copy_format(&self) -> CopyFormat {
        CopyFormat::Lines
    }
}
