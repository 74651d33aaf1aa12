//! The details of a document: its title, and the other fields of its row.
//!
//! None of them is kept. A record is read again by its address when its details are needed; this takes about 10
//! µs. Titles and fields may hold any characters of the corpus.

use std::borrow::Cow;
use std::ops::Range;

use super::columns::RowColumns;
use super::decode::{decoded, lossy};
use super::diagnostic::ReadError;
use super::document::Chunk;
use super::json_path::{Values, at_path, is_path};
use super::json_string::mended;
use super::reread::{AHEAD, Rereader};
use super::rows::RowParser;
use super::source::RecordKind;
use super::{Corpus, delimited, json_row, jsonl, mail};
use crate::id::DocId;

/// Characters of a title that consists of the first words of a text.
const FIRST_WORDS: usize = 100;
/// Characters of a title from a field, at most.
const LONGEST: usize = 1000;

/// Bytes of a file in which its first words are searched.
const BEGINNING: usize = 1 << 10;

impl Corpus {
    /// The title of each document, in order; `None` if it cannot be read or is empty.
    ///
    /// The title is the field that the options name, or the first of `title`, `headline`, `name` and `subject`
    /// that the row has. A row without such a field is titled by the first words of its text, up to 100
    /// characters; ` ..` follows where the text goes on. A field is cut like that at 1,000 characters.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn titles(&self, documents: &[DocId]) -> Vec<Option<String>> {
        let mut rereader = Rereader::new(0);
        let title = |&document: &DocId| {
            let (chunk, index) = self.locate(document);
            let title = self.noted(document, title(chunk, index, &mut rereader)).ok();
            title.filter(|title| !title.is_empty())
        };
        documents.iter().map(title).collect()
    }

    /// The title of each document from a field of its row; `None` if the row has no such field.
    pub fn named_titles(&self, documents: &[DocId]) -> Vec<Option<String>> {
        let mut rereader = Rereader::new(0);
        let title = |&document: &DocId| {
            let (chunk, index) = self.locate(document);
            let title = self.noted(document, named_title(chunk, index, &mut rereader));
            title.ok().flatten().map(|title| beginning(&title, LONGEST))
        };
        documents.iter().map(title).collect()
    }

    /// The fields of consecutive documents that are texts, numbers or truth values, in the order of the row. A
    /// document that is a line or a file has no fields.
    ///
    /// Returns one element for each document, as [`Corpus::read_many`] does.
    pub fn fields(&self, documents: Range<usize>) -> Vec<Result<Vec<(String, String)>, ReadError>> {
        let ahead = if documents.len() > 1 { AHEAD } else { 0 };
        let mut rereader = Rereader::new(ahead);
        let read = |at| {
            let (chunk, index) = self.locate(DocId::from(at));
            let record = self.noted(DocId::from(at), rereader.record(chunk, index));
            let bytes = record?.unwrap_or_default();
            Ok(fields(bytes, &chunk.source(index).shape))
        };
        (documents.start..documents.end.min(self.len())).map(read).collect()
    }

    /// The texts that the text of a row is made of, with a blank line between them, by their names or paths; none if it
    /// is made of one.
    ///
    /// # Errors
    /// [`ReadError`] if the row cannot be read again.
    pub fn parts(&self, document: DocId) -> Result<Vec<(String, String)>, ReadError> {
        let (chunk, index) = self.locate(document);
        let shape = &chunk.source(index).shape;
        let mut rereader = Rereader::new(0);
        Ok(match shape {
            RecordKind::Json(names, _) if names.has_parts() => {
                let bytes = self.noted(document, rereader.record(chunk, index))?;
                let line = standard(bytes.unwrap_or_default());
                json_row::parse(&line, names).map_or_else(|_| Vec::new(), |row| row.parts(names))
            }
            RecordKind::Delimited(columns) if columns.content.len() > 1 => {
                let bytes = self.noted(document, rereader.record(chunk, index))?;
                let bytes = bytes.unwrap_or_default();
                let cell =
                    |at: &usize| Some((columns.names[*at].clone(), cell(bytes, columns, *at)?));
                let cells = columns.content.iter().filter_map(cell);
                cells.filter(|(_, text)| !text.is_empty()).collect()
            }
            _ => Vec::new(),
        })
    }

    /// The part of a document that was read; a failure is recorded.
    pub(super) fn noted<T>(
        &self,
        document: DocId,
        read: Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        read.inspect_err(|error| {
            let (chunk, index) = self.locate(document);
            self.unread.note(document, chunk.source(index).store.place(0), error);
        })
    }
}

/// The title of a document: its field, or the first words of the text.
pub(super) fn title(
    chunk: &Chunk,
    index: usize,
    rereader: &mut Rereader,
) -> Result<String, ReadError> {
    if let Some(title) = named_title(chunk, index, rereader)? {
        return Ok(beginning(&title, LONGEST));
    }
    let shape = &chunk.source(index).shape;
    let Some(bytes) = rereader.record(chunk, index)? else {
        return Ok(beginning(&rereader.beginning(chunk, index, BEGINNING)?, FIRST_WORDS));
    };
    let text = match shape {
        RecordKind::Fingerprint(_) => None,
        RecordKind::Whole | RecordKind::Raw => Some(lossy(bytes.to_vec()).0),
        kind @ (RecordKind::Json(..) | RecordKind::Mail(..)) => {
            jsonl::content(bytes, kind).and_then(|content| Some(content.text()?.to_owned()))
        }
        RecordKind::Delimited(columns) => {
            delimited::content(bytes, columns, &mut RowParser::default())
                .and_then(|content| Some(content.text()?.to_owned()))
        }
    };
    Ok(beginning(&text.unwrap_or_default(), FIRST_WORDS))
}

/// The field of a row that holds its title, unchanged; `None` if the row has none or it is blank.
pub(super) fn named_title(
    chunk: &Chunk,
    index: usize,
    rereader: &mut Rereader,
) -> Result<Option<String>, ReadError> {
    let shape = &chunk.source(index).shape;
    let named = match (rereader.record(chunk, index)?, shape) {
        (Some(bytes), RecordKind::Json(names, _)) => {
            let mut found = fields(bytes, shape);
            let at = names.titles().find_map(|name| {
                found.iter().position(|(field, value)| field == name && !value.trim().is_empty())
            });
            let inside = || {
                let path = names.title.as_ref().filter(|name| is_path(name))?;
                scalar(at_path(&standard(bytes), path)?)
            };
            at.map(|at| found.swap_remove(at).1).or_else(inside)
        }
        (Some(bytes), RecordKind::Mail(names, _)) => {
            let name = names.title.as_deref().unwrap_or("subject");
            field(bytes, shape, name)
        }
        (Some(bytes), RecordKind::Delimited(columns)) => {
            columns.title.and_then(|at| cell(bytes, columns, at))
        }
        _ => None,
    };
    Ok(named.filter(|title| !title.trim().is_empty()))
}

/// The first words of a text on one line, up to so many characters, and ` ..` where there are more.
fn beginning(text: &str, longest: usize) -> String {
    let mut title = String::new();
    let mut n = 0;
    for word in text.split_whitespace() {
        let between = usize::from(n > 0);
        n += between + word.chars().count();
        if n > longest && between > 0 {
            title.push_str(" ..");
            break;
        }
        title.extend((between > 0).then_some(' '));
        title.extend(word.chars().take(longest));
        if n > longest {
            title.push_str(" ..");
            break;
        }
    }
    title
}

/// The fields of a record; no fields if the record has changed and cannot be parsed.
fn fields(bytes: &[u8], shape: &RecordKind) -> Vec<(String, String)> {
    match shape {
        RecordKind::Whole | RecordKind::Raw | RecordKind::Fingerprint(_) => Vec::new(),
        RecordKind::Mail(_, is_mbox) => mail::fields(bytes, *is_mbox),
        RecordKind::Json(..) => {
            let line = standard(bytes);
            let Ok(Values(found)) = serde_json::from_str(&line) else { return Vec::new() };
            found
                .into_iter()
                .filter_map(|(name, value)| Some((name, scalar(value.get())?)))
                .collect()
        }
        RecordKind::Delimited(columns) => {
            let mut parser = RowParser::default();
            let record = parser.parse(bytes, columns);
            let values = record.into_iter().flatten();
            let values = values.map(|value| String::from_utf8_lossy(value).into_owned());
            columns.names.iter().cloned().zip(values).collect()
        }
    }
}

/// One field of a record as text, if the record has it. Parses the whole record, but builds only this field.
pub(super) fn field(bytes: &[u8], shape: &RecordKind, name: &str) -> Option<String> {
    match shape {
        RecordKind::Whole | RecordKind::Raw | RecordKind::Fingerprint(_) => None,
        RecordKind::Mail(_, is_mbox) => {
            mail::fields(bytes, *is_mbox).into_iter().find(|it| it.0 == name).map(|it| it.1)
        }
        RecordKind::Json(..) => {
            let line = standard(bytes);
            let Values(found) = serde_json::from_str(&line).ok()?;
            let own = found.into_iter().filter(|(field, _)| field == name);
            own.map(|(_, value)| scalar(value.get())).next().unwrap_or_else(|| {
                is_path(name).then(|| at_path(&line, name)).flatten().and_then(scalar)
            })
        }
        RecordKind::Delimited(columns) => {
            let at = columns.names.iter().position(|column| column == name)?;
            cell(bytes, columns, at)
        }
    }
}

/// One cell of a row.
fn cell(bytes: &[u8], columns: &RowColumns, at: usize) -> Option<String> {
    let mut parser = RowParser::default();
    let record = parser.parse(bytes, columns)?;
    Some(String::from_utf8_lossy(record.get(at)?).into_owned())
}

/// A line of JSON without what Python writes beside the standard.
fn standard(bytes: &[u8]) -> Cow<'_, str> {
    let line = decoded(bytes);
    mended(&line).map_or(line, Cow::Owned)
}

/// A JSON value as text, if it is a text, a number or a truth value.
fn scalar(value: &str) -> Option<String> {
    match value.as_bytes().first() {
        Some(b'"') => serde_json::from_str(value).ok(),
        Some(b'[' | b'{' | b'n') | None => None,
        Some(_) => Some(value.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        corpus::{Input, LoadOptions, load},
        progress::Progress,
    };

    fn titles(name: &'static str, text: &'static str, title_field: Option<&str>) -> Vec<String> {
        let input = Input::Bundled { name, bytes: text.as_bytes() };
        let options =
            LoadOptions { title_field: title_field.map(str::to_owned), ..LoadOptions::default() };
        let corpus = load(&[input], &options, &Progress::new(), &mut |_| {}).unwrap();
        let documents: Vec<DocId> = (0..corpus.len()).map(DocId::from).collect();
        corpus.titles(&documents).into_iter().map(Option::unwrap_or_default).collect()
    }

    #[test]
    fn a_title_is_a_field_or_the_first_words() {
        let rows = r#"{"text": "a  b\nc", "headline": "H", "title": " T  t "}
{"text": "a  b\nc", "headline": "H", "title": ""}
{"text": " a  b\nc", "title": ["no"], "by": 7}
{"text": "", "title": null}"#;
        assert_eq!(titles("rows.jsonl", rows, None), ["T t", "H", "a b c", ""]);
        assert_eq!(titles("rows.jsonl", rows, Some("by")), ["a b c", "a b c", "7", ""]);
        let table = "name,text\nn,\"t, u\"\n,v w\n";
        assert_eq!(titles("table.csv", table, None), ["n", "v w"]);
        assert_eq!(titles("lines.txt", "one\ttwo\nthree", None), ["one two three"]);
    }

    #[test]
    fn a_title_of_first_words_is_short() {
        let long = "ab ".repeat(200);
        let first = beginning(&long, FIRST_WORDS);
        assert_eq!(first.chars().count(), 98 + " ..".len());
        assert!(first.ends_with("ab .."), "a cut shows: {first}");
        assert_eq!(beginning(&"é".repeat(300), FIRST_WORDS).chars().count(), FIRST_WORDS + 3);
        assert_eq!(beginning("\n \t", FIRST_WORDS), "");
        let row = format!(r#"{{"text": "x", "title": "{}"}}"#, "ab ".repeat(60).trim()).leak();
        assert_eq!(titles("rows.jsonl", row, None)[0].chars().count(), 179, "a field is whole");
    }

    #[test]
    fn a_text_of_several_fields_knows_their_names() {
        let json = r#"{"q": "two\nlines", "in": "", "turns": [{"a": "one"}, {"a": 2}]}"#;
        let table = "q,in,out\n\"two\nlines\",,two\n";
        for (name, rows, field, expected) in [
            ("a.jsonl", json, "q,in,turns[].a", &["q", "turns[].a", "turns[].a"][..]),
            ("a.jsonl", json, "q", &[]),
            ("a.csv", table, "q,in,out", &["q", "out"]),
        ] {
            let input = Input::Bundled { name, bytes: rows.as_bytes() };
            let options = LoadOptions { text_field: field.to_owned(), ..LoadOptions::default() };
            let corpus = load(&[input], &options, &Progress::new(), &mut |_| {}).unwrap();
            let (names, texts): (Vec<_>, Vec<_>) =
                corpus.parts(DocId(0)).unwrap().into_iter().unzip();
            assert_eq!(names, expected, "{name} {field}");
            let text = corpus.read(DocId(0)).unwrap();
            assert!(names.is_empty() || texts.join("\n\n") == text.text().unwrap(), "{texts:?}");
        }
    }

    #[test]
    fn lists_are_not_fields() {
        let rows = r#"{"id": 3, "text": "x", "n": 1.50, "yes": true, "no": null, "tags": ["a"], "sub": {"b": 1}, "half": "\ud800"}"#;
        let input = Input::Bundled { name: "rows.jsonl", bytes: rows.as_bytes() };
        let corpus =
            load(&[input], &LoadOptions::default(), &Progress::new(), &mut |_| {}).unwrap();
        let fields = corpus.fields(0..1).remove(0).unwrap();
        let fields: Vec<_> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
        assert_eq!(
            fields,
            [("id", "3"), ("text", "x"), ("n", "1.50"), ("yes", "true"), ("half", "\u{fffd}")]
        );
    }
}
