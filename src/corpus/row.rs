//! A row of named fields becomes a document: which field is the text, the id, the fingerprint.
//!
//! JSONL and the messages about it live on this; CSV resolves its columns once, but shares the
//! wording.

use std::borrow::Cow;

use super::delimited::quoted_names;
use super::document::Content;
use super::fields::{FieldNames, RowError};
use super::fingerprint_text::{fingerprint, hex_of};
use super::hash_list::hashes;
use super::json_path::field_names;
use super::json_string::unescape;

/// The value of a field, as far as it matters.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FieldValue<'a> {
    /// A string.
    Text(Cow<'a, str>),
    /// A whole number of 64 bits or a truth value, as written.
    Literal(&'a str),
    /// Another number, as written.
    Float(&'a str),
    /// `null`.
    Null,
    /// An array or object.
    Nested,
}

impl<'a> FieldValue<'a> {
    /// A value as it stands in a line; `None` for a string with half of a surrogate pair.
    fn of(raw: &'a str) -> Option<Self> {
        if let Some(escaped) = inside_quotes(raw) {
            if !escaped.contains('\\') {
                return Some(Self::Text(Cow::Borrowed(escaped)));
            }
            let mut text = String::new();
            unescape(escaped, &mut text)?;
            return Some(Self::Text(Cow::Owned(text)));
        }
        Some(match raw.as_bytes()[0] {
            b'[' | b'{' => Self::Nested,
            b'n' => Self::Null,
            b't' | b'f' => Self::Literal(raw),
            _ if raw.parse::<i64>().is_ok() || raw.parse::<u64>().is_ok() => Self::Literal(raw),
            _ => Self::Float(raw),
        })
    }
}

/// The inside of a JSON string, with its escapes.
pub(super) fn inside_quotes(raw: &str) -> Option<&str> {
    raw.strip_prefix('"')?.strip_suffix('"')
}

/// The names of the fields of a line, for a message.
fn among(line: &str) -> String {
    let names: Vec<String> = field_names(line);
    if names.is_empty() { String::new() } else { format!(" among {}", quoted_names(&names)) }
}

/// The fields of one row as they stand in its line; of a repeated field the last counts, as most JSON readers have it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct CorpusRow<'a> {
    pub(super) line: &'a str,
    pub(super) text: Option<&'a str>,
    pub(super) id: Option<&'a str>,
    pub(super) fingerprint: Option<&'a str>,
    pub(super) hashes: Option<&'a str>,
}

/// A string has half of a surrogate pair, which is no character.
#[derive(Debug)]
pub(super) struct HalfPair;

impl CorpusRow<'_> {
    /// Its id, and an error if it should have one but does not. An empty id counts as missing.
    pub(super) fn id(
        &self,
        fields: &FieldNames,
    ) -> Result<(Option<String>, Option<RowError>), HalfPair> {
        let name = &fields.id;
        let problem = match self.id.map(|raw| FieldValue::of(raw).ok_or(HalfPair)).transpose()? {
            Some(FieldValue::Text(id)) if !id.is_empty() => {
                return Ok((Some(id.into_owned()), None));
            }
            Some(FieldValue::Literal(id) | FieldValue::Float(id)) => {
                return Ok((Some(id.to_owned()), None));
            }
            Some(FieldValue::Nested) => format!("field \"{name}\" is no string or number"),
            _ if !fields.id_asked => return Ok((None, None)),
            Some(_) => format!("field \"{name}\" is empty"),
            None => format!("no field \"{name}\"{}", among(self.line)),
        };
        let row_error = RowError::new(
            format!("{problem}, so the id is the place"),
            "name another with `id-field`",
        );
        Ok((None, Some(row_error)))
    }

    /// The content of the row: text, fingerprint or hashes.
    pub(super) fn content(
        &self,
        fields: &FieldNames,
    ) -> Result<Result<Content, RowError>, HalfPair> {
        let value = |raw: Option<_>| raw.map(|raw| FieldValue::of(raw).ok_or(HalfPair)).transpose();
        let text = if fields.takes_text() { value(self.text)? } else { None };
        let fingerprint = if text.is_none() { value(self.fingerprint)? } else { None };
        Ok(self.content_of(text, fingerprint, fields))
    }

    fn content_of(
        &self,
        text: Option<FieldValue<'_>>,
        fingerprint_value: Option<FieldValue<'_>>,
        fields: &FieldNames,
    ) -> Result<Content, RowError> {
        if let Some(name) = &fields.hashes {
            let missing = || {
                RowError::new(
                    format!("no field \"{name}\"{}", among(self.line)),
                    "name it with `hashes-field`",
                )
            };
            return hashes(self.hashes.ok_or_else(missing)?, &format!("field \"{name}\""));
        }
        if fields.takes_text() {
            let name = &fields.text;
            match text {
                Some(FieldValue::Text(text)) => return Ok(Content::Text(text.into_owned().into())),
                Some(FieldValue::Literal(text) | FieldValue::Float(text)) => {
                    return Ok(Content::Text(text.into()));
                }
                Some(value @ (FieldValue::Null | FieldValue::Nested)) => {
                    let is = if value == FieldValue::Null { "is null" } else { "is not a string" };
                    return Err(RowError::new(
                        format!("field \"{name}\" {is}"),
                        "name another with `text-field`",
                    ));
                }
                None if fingerprint_value.is_none() => {
                    return Err(RowError::new(
                        format!("no field \"{name}\"{}", among(self.line)),
                        "name it with `text-field`",
                    ));
                }
                None => {}
            }
        }
        let name = &fields.fingerprint;
        match fingerprint_value {
            Some(FieldValue::Text(text)) => fingerprint(&text, fields.fingerprint_type),
            // A number in JSON says by itself that it is decimal.
            Some(FieldValue::Literal(number)) => match hex_of(number) {
                Some(hex) => Ok(Content::Fingerprint(Some(hex))),
                None => Err(RowError::new(
                    format!("field \"{name}\" is {number}, which is no whole number of 64 bits"),
                    "write fingerprints in hex, in quotes",
                )),
            },
            // 64 bits do not fit into a float, so it may have been rounded, whatever it is.
            Some(FieldValue::Float(number)) => Err(RowError::new(
                format!("field \"{name}\" is {number}, a float or more than 64 bits"),
                "a float cannot hold 64 bits; write fingerprints as whole numbers of 64 bits, or in hex, in quotes",
            )),
            Some(FieldValue::Null) => Ok(Content::Fingerprint(None)),
            Some(FieldValue::Nested) => Err(RowError::new(
                format!("field \"{name}\" is no string and no number"),
                "write fingerprints in hex, in quotes",
            )),
            None => Err(RowError::new(
                format!("no field \"{name}\"{}", among(self.line)),
                "name it with `fingerprint-field`",
            )),
        }
    }
}
