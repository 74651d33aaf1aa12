//! The details of a document: its title, and the other fields of its row.
//!
//! None of them is kept. A record is read again by its address when its details are needed; this takes about 10
//! µs. Titles and fields may hold any characters of the corpus.

use std::ops::Range;

use super::Corpus;
use super::content::Content;
use super::diagnostic::ReadError;
use super::document::Located;
use super::reread::{AHEAD, Rereader};
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
            let title = self.noted(document, title(self.locate(document), &mut rereader)).ok();
            title.filter(|title| !title.is_empty())
        };
        documents.iter().map(title).collect()
    }

    /// The title of each document from a field of its row; `None` if the row has no such field.
    pub fn named_titles(&self, documents: &[DocId]) -> Vec<Option<String>> {
        let mut rereader = Rereader::new(0);
        let title = |&document: &DocId| {
            let title = self.noted(document, named_title(self.locate(document), &mut rereader));
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
            let it = self.locate(DocId::from(at));
            let record = self.noted(DocId::from(at), rereader.record(it))?;
            Ok(record.map_or_else(Vec::new, |bytes| it.source.shape.fields(bytes)))
        };
        (documents.start..documents.end.min(self.len())).map(read).collect()
    }

    /// The texts that the text of a row is made of, with a blank line between them, by their names or paths; none if it
    /// is made of one.
    ///
    /// # Errors
    /// [`ReadError`] if the row cannot be read again.
    pub fn parts(&self, document: DocId) -> Result<Vec<(String, String)>, ReadError> {
        let it = self.locate(document);
        let source = it.source;
        if !source.options.has_parts() {
            return Ok(Vec::new());
        }
        let mut rereader = Rereader::new(0);
        let record = self.noted(document, rereader.record(it))?;
        Ok(record.map_or_else(Vec::new, |bytes| source.shape.parts(bytes, &source.options)))
    }

    /// The part of a document that was read; a failure is recorded.
    pub(super) fn noted<T>(
        &self,
        document: DocId,
        read: Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        read.inspect_err(|error| {
            self.unread.note(document, self.locate(document).source.store.place(0), error);
        })
    }
}

/// The title of a document: its field, or the first words of the text.
pub(super) fn title(it: Located<'_>, rereader: &mut Rereader) -> Result<String, ReadError> {
    if let Some(title) = named_title(it, rereader)? {
        return Ok(beginning(&title, LONGEST));
    }
    let Some(bytes) = rereader.record(it)? else {
        return Ok(beginning(&rereader.beginning(it, BEGINNING)?, FIRST_WORDS));
    };
    let content = it.source.shape.content(bytes, &it.source.options);
    Ok(beginning(content.as_ref().and_then(Content::text).unwrap_or_default(), FIRST_WORDS))
}

/// The field of a row that holds its title, unchanged; `None` if the row has none or it is blank.
pub(super) fn named_title(
    it: Located<'_>,
    rereader: &mut Rereader,
) -> Result<Option<String>, ReadError> {
    let record = rereader.record(it)?;
    let named = record.and_then(|bytes| it.source.shape.title(bytes, &it.source.options));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Input, LoadOptions, load};
    use crate::progress::Progress;

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
            let options =
                LoadOptions { text_field: Some(field.to_owned()), ..LoadOptions::default() };
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
