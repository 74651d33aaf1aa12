//! A row of named fields becomes a document: which field is the text, the id, the fingerprint.
//!
//! JSONL and the messages about it live on this; CSV resolves its columns once, but shares the
//! wording.

use std::borrow::Cow;

use super::document::Content;
use super::fields::{Complaint, Fields};

/// The value of a field, as far as it matters.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value<'a> {
    /// A string.
    Text(Cow<'a, str>),
    /// A number or truth value, as its text.
    Literal(String),
    /// `null`.
    Null,
    /// An array or object.
    Nested,
}

/// The fields of one row; of a repeated field the last counts, as most JSON readers have it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row<'a> {
    pub(super) text: Option<Value<'a>>,
    /// In its place, a text as written in JSON, without its quotes, where it keeps its escapes.
    pub(super) escaped: Option<&'a str>,
    pub(super) id: Option<Value<'a>>,
    pub(super) fingerprint: Option<Value<'a>>,
}

impl Row<'_> {
    /// Its id, and an error if it should have one but does not. An empty id counts as missing.
    pub(super) fn take_id(&mut self, fields: &Fields) -> (Option<String>, Option<Complaint>) {
        let name = &fields.id;
        let problem = match self.id.take() {
            Some(Value::Text(id)) if !id.is_empty() => return (Some(id.into_owned()), None),
            Some(Value::Literal(id)) => return (Some(id), None),
            Some(Value::Nested) => format!("field \"{name}\" is no string or number"),
            _ if !fields.id_asked => return (None, None),
            Some(_) => format!("field \"{name}\" is empty"),
            None => format!("no field \"{name}\""),
        };
        let complaint = Complaint::new(
            format!("{problem}, so the id is the place"),
            "name another with `id-field`",
        );
        (None, Some(complaint))
    }

    /// The content of the row, text or fingerprint.
    pub(super) fn into_content(self, fields: &Fields) -> Result<Content, Complaint> {
        if !fields.fingerprint_asked {
            let name = &fields.text;
            match self.text {
                Some(Value::Text(text)) => return Ok(Content::Text(text.into_owned().into())),
                Some(Value::Literal(text)) => return Ok(Content::Text(text.into())),
                Some(Value::Null | Value::Nested) => {
                    return Err(Complaint::new(
                        format!("field \"{name}\" is not a string"),
                        "name another with `text-field`",
                    ));
                }
                None if self.fingerprint.is_none() => {
                    return Err(Complaint::new(
                        format!("no field \"{name}\""),
                        "name it with `text-field`",
                    ));
                }
                None => {}
            }
        }
        let name = &fields.fingerprint;
        match self.fingerprint {
            Some(Value::Text(hex)) => {
                Ok(Content::Fingerprint(Some(hex.into_owned()).filter(|hex| !hex.is_empty())))
            }
            Some(Value::Null) => Ok(Content::Fingerprint(None)),
            Some(Value::Literal(_) | Value::Nested) => Err(Complaint::new(
                format!("field \"{name}\" is not a string"),
                "write fingerprints in hex, in quotes",
            )),
            None => Err(Complaint::new(
                format!("no field \"{name}\""),
                "name it with `fingerprint-field`",
            )),
        }
    }
}
