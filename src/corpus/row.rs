//! A row of named fields becomes a document: which field is the text, the id, the fingerprint.
//!
//! JSONL and the messages about it live on this; CSV resolves its columns once, but shares the
//! wording.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::content::Content;
use super::fields::{BETWEEN, RowError, quoted_names};
use super::hash_list::{fingerprint, hashes, hex_of};
use super::json_path::{Values, all_at_path};
use super::json_string::unescape;
use super::options::LoadOptions;

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

    /// The value as text; `None` for null, an array or an object.
    fn into_text(self) -> Option<Cow<'a, str>> {
        match self {
            Self::Text(text) => Some(text),
            Self::Literal(text) | Self::Float(text) => Some(text.into()),
            Self::Null | Self::Nested => None,
        }
    }
}

/// A value that a text is made of: of a list of strings and numbers its items.
fn text_of(raw: &str) -> Result<FieldValue<'_>, HalfPair> {
    let value = FieldValue::of(raw).ok_or(HalfPair)?;
    if value != FieldValue::Nested || !raw.starts_with('[') {
        return Ok(value);
    }
    let items = serde_json::from_str::<Vec<&RawValue>>(raw).unwrap_or_default();
    let mut texts = Vec::with_capacity(items.len());
    for item in &items {
        match FieldValue::of(item.get()).ok_or(HalfPair)?.into_text() {
            Some(text) => texts.push(text),
            None => return Ok(FieldValue::Nested),
        }
    }
    Ok(if texts.is_empty() { value } else { FieldValue::Text(texts.join(BETWEEN).into()) })
}

/// The inside of a JSON string, with its escapes.
pub(super) fn inside_quotes(raw: &str) -> Option<&str> {
    raw.strip_prefix('"')?.strip_suffix('"')
}

/// The names of the fields of a line, for a message.
fn among(line: &str) -> String {
    let found = serde_json::from_str(line).map_or_else(|_| Vec::new(), |Values(found)| found);
    let names: Vec<_> = found.iter().map(|(name, _)| name).collect();
    if names.is_empty() { String::new() } else { format!(" among {}", quoted_names(&names)) }
}

/// Whether a field of a line is a list of objects.
fn has_rows(line: &str) -> bool {
    let inside = |value: &RawValue| {
        value.get().strip_prefix('[').is_some_and(|items| items.trim_start().starts_with('{'))
    };
    serde_json::from_str(line).is_ok_and(|Values(found)| found.iter().any(|(_, it)| inside(it)))
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
        options: &LoadOptions,
    ) -> Result<(Option<String>, Option<RowError>), HalfPair> {
        let name = options.id();
        let problem = match self.id.map(|raw| FieldValue::of(raw).ok_or(HalfPair)).transpose()? {
            Some(FieldValue::Text(id)) if !id.is_empty() => {
                return Ok((Some(id.into_owned()), None));
            }
            Some(FieldValue::Literal(id) | FieldValue::Float(id)) => {
                return Ok((Some(id.to_owned()), None));
            }
            Some(FieldValue::Nested) => format!("field \"{name}\" is no string or number"),
            _ if options.id_field.is_none() => return Ok((None, None)),
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
        options: &LoadOptions,
    ) -> Result<Result<Content, RowError>, HalfPair> {
        let value = |raw: Option<_>| raw.map(|raw| FieldValue::of(raw).ok_or(HalfPair)).transpose();
        let text = match self.text {
            _ if !options.takes_text() => None,
            Some(raw) => Some(text_of(raw)?),
            None => self.of_parts(options)?.map(|parts| {
                let texts: Option<Vec<_>> =
                    parts.into_iter().map(|(_, value)| value.into_text()).collect();
                let joined = texts.map(|texts| FieldValue::Text(texts.join(BETWEEN).into()));
                joined.unwrap_or(FieldValue::Nested)
            }),
        };
        let fingerprint = if text.is_none() { value(self.fingerprint)? } else { None };
        Ok(self.content_of(text, fingerprint, options))
    }

    /// The values that the text is made of, by their names or paths; `None` if there is none. Those that are missing,
    /// null or empty are left out.
    fn of_parts<'f>(
        &self,
        options: &'f LoadOptions,
    ) -> Result<Option<Vec<(&'f str, FieldValue<'_>)>>, HalfPair> {
        if !options.has_parts() {
            return Ok(None);
        }
        let (mut is_there, mut parts) = (false, Vec::new());
        for path in options.parts() {
            let mut values = Vec::new();
            all_at_path(self.line, path, &mut values);
            is_there |= !values.is_empty();
            for raw in values.into_iter().filter(|it| !matches!(*it, "null" | "[]" | "\"\"")) {
                parts.push((path, text_of(raw)?));
            }
        }
        Ok(is_there.then_some(parts))
    }

    /// The texts that the text is made of, by their names or paths; none if it is one value.
    pub(super) fn parts(&self, options: &LoadOptions) -> Vec<(String, String)> {
        let parts = self.of_parts(options).ok().flatten().filter(|_| self.text.is_none());
        let named = |(path, value): (&str, FieldValue<'_>)| {
            Some((path.to_owned(), value.into_text()?.into_owned()))
        };
        parts.into_iter().flatten().filter_map(named).collect()
    }

    fn content_of(
        &self,
        text: Option<FieldValue<'_>>,
        fingerprint_value: Option<FieldValue<'_>>,
        options: &LoadOptions,
    ) -> Result<Content, RowError> {
        if let Some(name) = &options.hashes_field {
            let missing = || self.missing(name, "name it with `hashes-field`");
            return hashes(self.hashes.ok_or_else(missing)?, &format!("field \"{name}\""));
        }
        if options.takes_text() {
            let name = options.text();
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
                    let remedy = if has_rows(self.line) {
                        "name it with `text-field`, or the list of rows with `records`"
                    } else {
                        "name it with `text-field`"
                    };
                    return Err(self.missing(name, remedy));
                }
                None => {}
            }
        }
        let name = options.fingerprint();
        match fingerprint_value {
            Some(FieldValue::Text(text)) => fingerprint(&text, options.fp_type),
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
            None => Err(self.missing(name, "name it with `fingerprint-field`")),
        }
    }

    /// The error of a row without the field that its content is in.
    fn missing(&self, name: &str, remedy: &str) -> RowError {
        RowError::new(format!("no field \"{name}\"{}", among(self.line)), remedy)
    }
}
