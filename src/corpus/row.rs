//! A row of named fields becomes a document: which field is the text, the id, the fingerprint.
//!
//! JSONL and the messages about it live on this; CSV resolves its columns once, but shares the
//! wording.

use std::borrow::Cow;

use super::document::Content;
use super::fields::{FieldNames, RowError};
use super::fingerprint_text::{fingerprint, hex_of};
use super::hash_list::hashes;

/// The value of a field, as far as it matters.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FieldValue<'a> {
    /// A string.
    Text(Cow<'a, str>),
    /// A number or truth value, as its text.
    Literal(String),
    /// A number with a point or an exponent, or beyond 64 bits: as its text, which may be rounded.
    Float(String),
    /// `null`.
    Null,
    /// An array or object.
    Nested,
}

/// The fields of one row; of a repeated field the last counts, as most JSON readers have it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct CorpusRow<'a> {
    pub(super) text: Option<FieldValue<'a>>,
    /// In its place, a text as written in JSON, without its quotes, where it keeps its escapes.
    pub(super) escaped: Option<&'a str>,
    pub(super) id: Option<FieldValue<'a>>,
    pub(super) fingerprint: Option<FieldValue<'a>>,
    /// Hashed features as written in JSON.
    pub(super) hashes: Option<&'a str>,
}

impl CorpusRow<'_> {
    /// Its id, and an error if it should have one but does not. An empty id counts as missing.
    pub(super) fn take_id(&mut self, fields: &FieldNames) -> (Option<String>, Option<RowError>) {
        let name = &fields.id;
        let problem = match self.id.take() {
            Some(FieldValue::Text(id)) if !id.is_empty() => return (Some(id.into_owned()), None),
            Some(FieldValue::Literal(id) | FieldValue::Float(id)) => return (Some(id), None),
            Some(FieldValue::Nested) => format!("field \"{name}\" is no string or number"),
            _ if !fields.id_asked => return (None, None),
            Some(_) => format!("field \"{name}\" is empty"),
            None => format!("no field \"{name}\""),
        };
        let row_error = RowError::new(
            format!("{problem}, so the id is the place"),
            "name another with `id-field`",
        );
        (None, Some(row_error))
    }

    /// The content of the row: text, fingerprint or hashes.
    pub(super) fn into_content(self, fields: &FieldNames) -> Result<Content, RowError> {
        if let Some(name) = &fields.hashes {
            let missing =
                || RowError::new(format!("no field \"{name}\""), "name it with `hashes-field`");
            return hashes(self.hashes.ok_or_else(missing)?, &format!("field \"{name}\""));
        }
        if fields.takes_text() {
            let name = &fields.text;
            match self.text {
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
                None if self.fingerprint.is_none() => {
                    return Err(RowError::new(
                        format!("no field \"{name}\""),
                        "name it with `text-field`",
                    ));
                }
                None => {}
            }
        }
        let name = &fields.fingerprint;
        match self.fingerprint {
            Some(FieldValue::Text(text)) => Ok(fingerprint(&text, fields.fingerprint_type)),
            // A number in JSON says by itself that it is decimal.
            Some(FieldValue::Literal(number)) => match hex_of(&number) {
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
                format!("no field \"{name}\""),
                "name it with `fingerprint-field`",
            )),
        }
    }
}
