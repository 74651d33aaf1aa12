//! A line of JSON to a row: the parser, and what is wrong where it fails.
//!
//! It borrows from the line, and fields that are not needed are skipped, however deeply they nest.

use std::borrow::Cow;
use std::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess,
    Visitor,
};
use serde_json::value::RawValue;

use super::fields::{FieldNames, RowError};
use super::json_path::at_path;
use super::row::{CorpusRow, FieldValue};

/// The way in which strings are read.
#[derive(Clone, Copy)]
pub(super) enum StringMode {
    /// The parser builds it, which takes memory for each and finds every error.
    Built,
    /// Strings keep their escapes. Anything unusual fails; the row is then parsed by `Built`, which finds
    /// the exact error.
    Escaped,
}

pub(super) fn parse<'a>(
    line: &'a str,
    fields: &FieldNames,
    strings: StringMode,
) -> serde_json::Result<CorpusRow<'a>> {
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let mut row = RowSeed { fields, strings }.deserialize(&mut deserializer)?;
    deserializer.end()?;
    take_from_inside(&mut row, line, fields)?;
    Ok(row)
}

/// Takes the fields that are named by a path, such as `doc.text`, and are not there by that name.
fn take_from_inside<'a>(
    row: &mut CorpusRow<'a>,
    line: &'a str,
    fields: &FieldNames,
) -> serde_json::Result<()> {
    let raw = |name: &str| name.contains('.').then(|| at_path(line, name)).flatten();
    let value = |name: &str| raw(name).map(serde_json::from_str::<FieldValue<'a>>).transpose();
    if row.text.is_none() && row.escaped.is_none() {
        row.text = value(&fields.text)?;
    }
    if row.id.is_none() {
        row.id = value(&fields.id)?;
    }
    if row.fingerprint.is_none() {
        row.fingerprint = value(&fields.fingerprint)?;
    }
    if row.hashes.is_none() {
        row.hashes = fields.hashes.as_deref().and_then(raw);
    }
    Ok(())
}

pub(super) fn broken(error: &serde_json::Error) -> RowError {
    if error.is_data() {
        return RowError::new("not a JSON object", "write one object a line");
    }
    // Each line is parsed by itself, so the parser's "line 1" means nothing.
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    RowError::new(
        format!("broken JSON at column {}: {message}", error.column()),
        "mend it or leave it out",
    )
}

struct RowSeed<'f> {
    fields: &'f FieldNames,
    strings: StringMode,
}

impl RowSeed<'_> {
    /// Whether this field is a text that keeps its escapes.
    fn leaves_text(&self, roles: Roles) -> bool {
        let is_text = roles == Roles { text: true, ..Roles::default() };
        is_text && self.fields.takes_text() && matches!(self.strings, StringMode::Escaped)
    }
}

impl<'de> DeserializeSeed<'de> for RowSeed<'_> {
    type Value = CorpusRow<'de>;

    fn deserialize<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<CorpusRow<'de>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RowSeed<'_> {
    type Value = CorpusRow<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<CorpusRow<'de>, A::Error> {
        let mut row = CorpusRow::default();
        while let Some(roles) = map.next_key_seed(KeySeed(self.fields))? {
            if roles == Roles::default() {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            if self.leaves_text(roles) {
                let raw: &RawValue = map.next_value()?;
                let string = raw.get().strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                if string.is_none() || row.escaped.is_some() {
                    return Err(A::Error::custom("no text, or another one"));
                }
                row.escaped = string;
                continue;
            }
            if roles.hashes {
                let raw: &RawValue = map.next_value()?;
                row.hashes = Some(raw.get());
                if roles.id {
                    row.id = Some(FieldValue::Nested);
                }
                continue;
            }
            let value: FieldValue<'de> = map.next_value()?;
            if roles.id {
                row.id = Some(value.clone());
            }
            if roles.fingerprint {
                row.fingerprint = Some(value.clone());
            }
            if roles.text {
                row.text = Some(value);
            }
        }
        Ok(row)
    }
}

/// The roles of a field; a user may name one field for several roles.
#[expect(clippy::struct_excessive_bools, reason = "a set of roles")]
#[derive(Clone, Copy, Default, PartialEq)]
struct Roles {
    text: bool,
    id: bool,
    fingerprint: bool,
    hashes: bool,
}

struct KeySeed<'f>(&'f FieldNames);

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = Roles;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Roles, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed<'_> {
    type Value = Roles;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Roles, E> {
        Ok(Roles {
            text: key == self.0.text,
            id: key == self.0.id,
            fingerprint: key == self.0.fingerprint,
            hashes: self.0.hashes.as_deref() == Some(key),
        })
    }
}

impl<'de> Deserialize<'de> for FieldValue<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = FieldValue<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<FieldValue<'de>, E> {
        Ok(FieldValue::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<FieldValue<'de>, E> {
        Ok(FieldValue::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_bool<E>(self, value: bool) -> Result<FieldValue<'de>, E> {
        Ok(FieldValue::Literal(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<FieldValue<'de>, E> {
        Ok(FieldValue::Literal(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<FieldValue<'de>, E> {
        Ok(FieldValue::Literal(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<FieldValue<'de>, E> {
        Ok(FieldValue::Float(value.to_string()))
    }

    fn visit_unit<E>(self) -> Result<FieldValue<'de>, E> {
        Ok(FieldValue::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<FieldValue<'de>, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(FieldValue::Nested)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FieldValue<'de>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(FieldValue::Nested)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::options::LoadOptions;

    #[test]
    fn ids_are_strings_or_numbers() {
        let fields = FieldNames::new(&LoadOptions::default());
        let id = |line: &str| parse(line, &fields, StringMode::Escaped).unwrap().take_id(&fields).0;
        assert_eq!(id(r#"{"id":"a"}"#).as_deref(), Some("a"));
        assert_eq!(id(r#"{"id":7}"#).as_deref(), Some("7"));
        assert_eq!(id(r#"{"id":1.5}"#).as_deref(), Some("1.5"));
        for line in [r#"{"id":null}"#, r#"{"id":""}"#, r#"{"id":[1]}"#, "{}"] {
            assert_eq!(id(line), None, "{line}");
        }
    }
}
