//! A row of named fields becomes a document: which field is the text, the id, the fingerprint.
//!
//! JSONL and the messages about it live on this; CSV resolves its columns once, but shares the
//! wording.

use std::borrow::Cow;

use super::document::Content;
use super::json_string::unescape;
use super::options::LoadOptions;

/// The names that matter in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fields {
    pub(super) text: String,
    pub(super) id: String,
    pub(super) fingerprint: String,
    /// The user named the id field, so its absence is worth a message.
    pub(super) id_asked: bool,
    /// The user named the fingerprint field, so it is read instead of the text.
    pub(super) fingerprint_asked: bool,
}

impl Fields {
    pub(super) fn new(options: &LoadOptions) -> Self {
        let or = |name: &Option<String>, default: &str| {
            name.clone().unwrap_or_else(|| default.to_owned())
        };
        Self {
            text: options.text_field.clone(),
            id: or(&options.id_field, "id"),
            fingerprint: or(&options.fingerprint_field, "fingerprint"),
            id_asked: options.id_field.is_some(),
            fingerprint_asked: options.fingerprint_field.is_some(),
        }
    }
}

/// The value of a field, as far as it matters.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value<'a> {
    /// A string.
    Text(Cow<'a, str>),
    /// The same as it stands in JSON, without its quotes.
    Escaped(&'a str),
    /// A number or truth value, as its text.
    Literal(String),
    /// `null`.
    Null,
    /// An array or object.
    Nested,
}

/// Problem and remedy of a record whose place the caller knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Complaint {
    pub(super) problem: String,
    pub(super) remedy: String,
}

impl Complaint {
    pub(super) fn new(problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { problem: problem.into(), remedy: remedy.into() }
    }
}

/// What a row says, not yet copied.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Said<'a> {
    /// As [`Content::Text`].
    Text(Cow<'a, str>),
    /// The same as it stands in JSON, without its quotes.
    Escaped(&'a str),
    /// As [`Content::Fingerprint`].
    Fingerprint(Option<String>),
}

impl Said<'_> {
    /// The document, unless escapes are broken.
    pub(super) fn into_content(self) -> Option<Content> {
        Some(match self {
            Self::Text(text) => Content::Text(text.into_owned().into()),
            Self::Escaped(escaped) => {
                let mut text = String::with_capacity(escaped.len());
                unescape(escaped, &mut text)?;
                Content::Text(text.into())
            }
            Self::Fingerprint(hex) => Content::Fingerprint(hex),
        })
    }
}

/// The fields of one row; of a repeated field the last counts, as most JSON readers have it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row<'a> {
    pub(super) text: Option<Value<'a>>,
    pub(super) id: Option<Value<'a>>,
    pub(super) fingerprint: Option<Value<'a>>,
}

impl<'a> Row<'a> {
    /// The id it brings, and a complaint if it should bring one but does not. An empty id is none.
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
            "name another with --id-field",
        );
        (None, Some(complaint))
    }

    /// What the row says, text or fingerprint.
    pub(super) fn into_said(self, fields: &Fields) -> Result<Said<'a>, Complaint> {
        if !fields.fingerprint_asked {
            let name = &fields.text;
            match self.text {
                Some(Value::Text(text)) => return Ok(Said::Text(text)),
                Some(Value::Escaped(text)) => return Ok(Said::Escaped(text)),
                Some(Value::Literal(text)) => return Ok(Said::Text(Cow::Owned(text))),
                Some(Value::Null | Value::Nested) => {
                    return Err(Complaint::new(
                        format!("field \"{name}\" is not a string"),
                        "name another with --text-field",
                    ));
                }
                None if self.fingerprint.is_none() => {
                    return Err(Complaint::new(
                        format!("no field \"{name}\""),
                        "name it with --text-field",
                    ));
                }
                None => {}
            }
        }
        let name = &fields.fingerprint;
        match self.fingerprint {
            Some(Value::Text(hex)) => {
                Ok(Said::Fingerprint(Some(hex.into_owned()).filter(|hex| !hex.is_empty())))
            }
            Some(Value::Null) => Ok(Said::Fingerprint(None)),
            // Only what is nothing but text is left escaped.
            Some(Value::Escaped(_) | Value::Literal(_) | Value::Nested) => Err(Complaint::new(
                format!("field \"{name}\" is not a string"),
                "write fingerprints in hex, in quotes",
            )),
            None => Err(Complaint::new(
                format!("no field \"{name}\""),
                "name it with --fingerprint-field",
            )),
        }
    }
}
