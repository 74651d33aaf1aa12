//! A line of JSON to a row: the parser, and what is wrong where it fails.
//!
//! It borrows from the line, and fields that are not needed are skipped, however deeply they nest.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::fields::RowError;
use super::json_path::{at_path, is_path};
use super::options::LoadOptions;
use super::row::CorpusRow;

pub(super) fn parse<'a>(line: &'a str, options: &LoadOptions) -> serde_json::Result<CorpusRow<'a>> {
    let quoted = Some(line.trim_ascii()).filter(|it| it.starts_with('"') && options.takes_text());
    if let Some(quoted) = quoted {
        // An item of a list of texts.
        let text = Some(serde_json::from_str::<&RawValue>(quoted)?.get());
        return Ok(CorpusRow { line, text, ..CorpusRow::default() });
    }
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let mut row = RowSeed(options).deserialize(&mut deserializer)?;
    deserializer.end()?;
    row.line = line;
    take_from_inside(&mut row, line, options);
    Ok(row)
}

/// Takes the fields that are named by a path, such as `doc.text`, and are not there by that name.
fn take_from_inside<'a>(row: &mut CorpusRow<'a>, line: &'a str, options: &LoadOptions) {
    let inside = |name: &str| is_path(name).then(|| at_path(line, name)).flatten();
    row.text = row.text.or_else(|| inside(options.text()).filter(|_| !options.has_parts()));
    row.id = row.id.or_else(|| inside(options.id()));
    row.fingerprint = row.fingerprint.or_else(|| inside(options.fingerprint()));
    row.hashes = row.hashes.or_else(|| options.hashes_field.as_deref().and_then(inside));
}

pub(super) fn broken(error: &serde_json::Error) -> RowError {
    if error.is_data() {
        return RowError::new("not a JSON object", "write an object for each row");
    }
    // Each row is parsed by itself, so the parser's "line 1" means nothing.
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    RowError::new(
        match error.line() {
            0 | 1 => format!("broken JSON at column {}: {message}", error.column()),
            line => {
                format!("broken JSON at column {} of its line {line}: {message}", error.column())
            }
        },
        "mend it or leave it out",
    )
}

struct RowSeed<'f>(&'f LoadOptions);

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
        while let Some(roles) = map.next_key_seed(KeySeed(self.0))? {
            if !roles.contains(&true) {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let raw: &RawValue = map.next_value()?;
            let fields = [&mut row.text, &mut row.id, &mut row.fingerprint, &mut row.hashes];
            for (field, _) in fields.into_iter().zip(roles).filter(|(_, is_meant)| *is_meant) {
                *field = Some(raw.get());
            }
        }
        Ok(row)
    }
}

/// Whether a field is the text, the id, the fingerprint and the hashes: a user may name one for several.
type Roles = [bool; 4];

struct KeySeed<'f>(&'f LoadOptions);

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
        let Self(options) = self;
        let is_hashes = options.hashes_field.as_deref() == Some(key);
        Ok([key == options.text(), key == options.id(), key == options.fingerprint(), is_hashes])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An id is the text that stands in the line: no number is read as one.
    #[test]
    fn ids_are_strings_or_numbers_as_written() {
        let options = LoadOptions::default();
        let id = |line: &str| parse(line, &options).unwrap().id(&options).unwrap().0;
        assert_eq!(id(r#"{"id":"a\u00e9"}"#).as_deref(), Some("aé"));
        for number in [
            "7",
            "1.5",
            "1.0",
            "1e3",
            "0.10",
            "-0",
            "340282366920938463463374607431768211455",
            "1e999",
        ] {
            assert_eq!(id(&format!("{{\"id\": {number} }}")).as_deref(), Some(number));
        }
        for line in [r#"{"id":null}"#, r#"{"id":""}"#, r#"{"id":[1]}"#, "{}"] {
            assert_eq!(id(line), None, "{line}");
        }
    }
}
