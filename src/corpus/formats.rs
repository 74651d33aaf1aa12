//! The formats of inputs. A new one is a file that says what its records are, and an entry of the list here. Plain
//! text, each line a document or all of an input, has no file of its own.

use std::borrow::Cow;
use std::ops::Deref;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::columns::{RowColumns, likely_delimiter};
use super::content::{Content, ContentFlags};
use super::decode::decoded;
use super::json_items::JsonForm;
use super::mail::{MailForm, is_mbox, is_message};
use super::options::{FingerprintType, InputFormat, LoadOptions, read_name, write_name};
use super::pattern::Pattern;
use super::record_format::{CopyFormat, Parsed, ParsedRow, RecordFormat, RowContent, append};
use crate::choice::{Choice, ValueError};

/// A format that a user can ask for: its name, the endings of files that promise it, the first bytes that tell it, and
/// the way to read it.
type Format = (&'static str, &'static [&'static str], fn(&[u8]) -> bool, Way);

/// The way to read an input.
enum Way {
    /// Cut into records, of which nothing else is to be known.
    Plain(&'static (dyn RecordFormat + Sync)),
    /// As the first bytes and the options tell.
    Told(fn(&[u8], &LoadOptions) -> DetectedFormat),
}

/// All formats, in the order they are offered.
static FORMATS: &[Format] = &[
    ("text", &[], none, Way::Told(|_, _| DetectedFormat::Text)),
    ("lines", &[], none, Way::Plain(&PlainText)),
    (
        "jsonl",
        &["jsonl", "ndjson"],
        none,
        Way::Told(|_, _| RecordKind::Json(JsonForm::Lines).into()),
    ),
    ("csv", &["csv"], none, Way::Told(|head, options| rows(options, likely_delimiter(head)))),
    ("tsv", &["tsv", "tab"], none, Way::Told(|_, options| rows(options, b'\t'))),
    ("mail", &[], is_mail, Way::Told(|head, _| mail(is_mbox(head)))),
    ("fingerprints", &[], none, Way::Told(|_, with| RecordKind::Fingerprint(with.fp_type).into())),
];

fn none(_: &[u8]) -> bool {
    false
}

fn is_mail(head: &[u8]) -> bool {
    is_mbox(head) || is_message(head)
}

fn rows(options: &LoadOptions, likely: u8) -> DetectedFormat {
    DetectedFormat::Rows(options.delimiter.unwrap_or(likely))
}

fn mail(is_mbox: bool) -> DetectedFormat {
    RecordKind::Mail(MailForm { is_mbox }).into()
}

/// The kind of a record's bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum RecordKind {
    /// A whole file, still compressed and encoded.
    Whole,
    /// A record of a format of which nothing else is to be known.
    #[serde(serialize_with = "write_name", deserialize_with = "read_name")]
    Plain(InputFormat),
    /// A fingerprint in this notation.
    Fingerprint(FingerprintType),
    /// A JSON object, and the way in which the input holds it.
    Json(JsonForm),
    /// A message.
    Mail(MailForm),
    /// A CSV or TSV row.
    Delimited(Arc<RowColumns>),
}

impl RecordKind {
    /// The text itself.
    pub(super) const LINES: Self = Self::Plain(InputFormat::LINES);
}

impl Deref for RecordKind {
    type Target = dyn RecordFormat;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Whole => &PlainText,
            Self::Plain(format) => format.records(),
            Self::Fingerprint(written) => written,
            Self::Json(form) => form,
            Self::Mail(form) => form,
            Self::Delimited(columns) => &**columns,
        }
    }
}

/// The format of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DetectedFormat {
    /// One document.
    Text,
    /// Records that are cut out of it.
    Records(RecordKind),
    /// Rows with this delimiter, whose columns are found in the first one.
    Rows(u8),
}

impl From<RecordKind> for DetectedFormat {
    fn from(kind: RecordKind) -> Self {
        Self::Records(kind)
    }
}

impl InputFormat {
    /// Every format, in the order they are offered.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::AUTO].into_iter().chain(FORMATS.iter().map(|(name, ..)| Self(name)))
    }

    /// The format that the ending of a file's name promises, if it does.
    pub(super) fn of_ending(ending: &str) -> Self {
        Self::which(|(_, endings, ..)| endings.contains(&ending))
    }

    /// The format that the first bytes tell, if they do.
    pub(super) fn of_head(head: &[u8]) -> Self {
        Self::which(|(_, _, is, _)| is(head))
    }

    fn which(is: impl Fn(&&Format) -> bool) -> Self {
        FORMATS.iter().find(is).map_or(Self::AUTO, |(name, ..)| Self(name))
    }

    fn way(self) -> Option<&'static Way> {
        FORMATS.iter().find(|(name, ..)| *name == self.0).map(|(.., way)| way)
    }

    /// The format of an input that begins with these bytes; `None` if more than this tells it.
    pub(super) fn of(self, head: &[u8], options: &LoadOptions) -> Option<DetectedFormat> {
        Some(match self.way()? {
            Way::Plain(_) => RecordKind::Plain(self).into(),
            Way::Told(told) => told(head, options),
        })
    }

    /// Its records; lines, if they are not plain.
    fn records(self) -> &'static dyn RecordFormat {
        if let Some(Way::Plain(records)) = self.way() { *records } else { &PlainText }
    }
}

impl Choice for InputFormat {
    fn names() -> Vec<&'static str> {
        Self::all().map(|format| format.0).collect()
    }
}

impl FromStr for InputFormat {
    type Err = ValueError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let unknown = || ValueError::unknown("input format", name, &Self::names());
        Self::all().find(|format| format.0 == name).ok_or_else(unknown)
    }
}

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
