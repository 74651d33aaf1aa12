//! A line of JSON to a row: the parser, and what is wrong where it fails.
//!
//! It borrows from the line. Values are parsed where they are needed, so that others may nest however deeply.

use serde_json::value::RawValue;

use super::fields::RowError;
use super::json_path::Values;
use super::options::LoadOptions;
use super::row::CorpusRow;

pub(super) fn parse<'a>(line: &'a str, options: &LoadOptions) -> serde_json::Result<CorpusRow<'a>> {
    let quoted = Some(line.trim_ascii()).filter(|it| it.starts_with('"') && options.takes_text());
    if let Some(quoted) = quoted {
        // An item of a list of texts.
        let text = Some(serde_json::from_str::<&RawValue>(quoted)?.get());
        return Ok(CorpusRow { line, text, ..CorpusRow::default() });
    }
    let fields: Values<'_> = serde_json::from_str(line)?;
    // A name that is not there may be a path, such as `doc.text`.
    let text = if options.has_parts() {
        fields.named(&options.text_field)
    } else {
        fields.at_path(&options.text_field)
    };
    Ok(CorpusRow {
        line,
        text,
        id: fields.at_path(options.id()),
        fingerprint: fields.at_path(options.fingerprint()),
        hashes: options.hashes_field.as_deref().and_then(|name| fields.at_path(name)),
    })
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
