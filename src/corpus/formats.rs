//! The formats of inputs. A new one is a file that says what its records are, and a line in each list here.

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::columns::{RowColumns, likely_delimiter};
use super::json_items::JsonForm;
use super::lines::PlainText;
use super::mail::MailForm;
use super::mbox::{is_mbox, is_message};
use super::options::{FingerprintType, InputFormat, LoadOptions};
use super::record_format::RecordFormat;

/// The kind of a record's bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum RecordKind {
    /// A whole file, still compressed and encoded.
    Whole,
    /// The text itself.
    Raw,
    /// A fingerprint in this notation.
    Fingerprint(FingerprintType),
    /// A JSON object, and the way in which the input holds it.
    Json(JsonForm),
    /// A message.
    Mail(MailForm),
    /// A CSV or TSV row.
    Delimited(Arc<RowColumns>),
}

impl Deref for RecordKind {
    type Target = dyn RecordFormat;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Whole | Self::Raw => &PlainText,
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

impl InputFormat {
    /// The format that the ending of a file's name promises, if it does.
    pub(super) fn of_ending(ending: &str) -> Self {
        match ending {
            "jsonl" | "ndjson" => Self::Jsonl,
            "csv" => Self::Csv,
            "tsv" | "tab" => Self::Tsv,
            _ => Self::Auto,
        }
    }

    /// The format that the first bytes tell, if they do.
    pub(super) fn of_head(head: &[u8]) -> Self {
        if is_mbox(head) || is_message(head) { Self::Mail } else { Self::Auto }
    }

    /// The format of an input that begins with these bytes; `None` if more than this tells it.
    pub(super) fn of(self, head: &[u8], options: &LoadOptions) -> Option<DetectedFormat> {
        Some(DetectedFormat::Records(match self {
            Self::Auto => return None,
            Self::Text => return Some(DetectedFormat::Text),
            Self::Csv => {
                let delimiter = options.delimiter.unwrap_or_else(|| likely_delimiter(head));
                return Some(DetectedFormat::Rows(delimiter));
            }
            Self::Tsv => return Some(DetectedFormat::Rows(options.delimiter.unwrap_or(b'\t'))),
            Self::Lines => RecordKind::Raw,
            Self::Jsonl => RecordKind::Json(JsonForm::Lines),
            Self::Mail => RecordKind::Mail(MailForm { is_mbox: is_mbox(head) }),
            Self::Fingerprints => RecordKind::Fingerprint(options.fingerprint_type),
        }))
    }
}
