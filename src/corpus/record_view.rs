//! Search in documents as they are stored.
//!
//! A record is first searched as bytes. It is parsed only if the bytes match or if an escape may hide a match.
//! So a search through all documents costs about as much as reading their files.

use std::ops::Range;

use super::content::Content;
use super::details::{named_title, title};
use super::document::Located;
use super::pattern::Pattern;
use super::reread::{AHEAD, Rereader};
use super::{Corpus, ReadError};
use crate::id::DocId;

/// A document that is searched; only the parts that are used are read.
pub struct RecordView<'a> {
    document: DocId,
    it: Located<'a>,
    rereader: &'a mut Rereader,
    /// The content, once it was read.
    content: Option<Content>,
}

impl Corpus {
    /// Calls `look` with one document after the other; this is fastest in the order of the corpus. If a
    /// document cannot be read again, this is recorded and the next one follows.
    pub fn visit_records(
        &self,
        documents: &[DocId],
        look: &mut dyn FnMut(&mut RecordView<'_>) -> Result<(), ReadError>,
    ) {
        let span = |ends: Range<DocId>| ends.end.index() - ends.start.index();
        let ends = documents.first().zip(documents.last());
        let is_dense = ends.is_some_and(|(first, last)| {
            documents.len() > 1 && span(*first..*last) < 4 * documents.len()
        });
        let mut rereader = Rereader::new(if is_dense { AHEAD } else { 0 });
        for &document in documents {
            let (it, rereader) = (self.locate(document), &mut rereader);
            let mut view = RecordView { document, it, rereader, content: None };
            let looked = look(&mut view);
            let _ = self.noted(document, looked);
        }
    }
}

impl RecordView<'_> {
    /// The document.
    pub fn document(&self) -> DocId {
        self.document
    }

    /// Whether the id, the title or the text contains the words.
    ///
    /// # Errors
    /// [`ReadError`] if the document cannot be read again.
    pub fn holds(&mut self, words: &Pattern) -> Result<bool, ReadError> {
        if words.is_in(self.it.id) {
            return Ok(true);
        }
        if !self.may_hold(words)? {
            return Ok(false);
        }
        if self.content()?.text().is_some_and(|text| words.is_in(text)) {
            return Ok(true);
        }
        let title = named_title(self.it, self.rereader)?;
        Ok(title.is_some_and(|title| words.is_in(&title)))
    }

    /// Whether the title contains the words. The title is the field of the row, or the first words of the text.
    ///
    /// # Errors
    /// [`ReadError`] if the document cannot be read again.
    pub fn title_holds(&mut self, words: &Pattern) -> Result<bool, ReadError> {
        if !self.may_hold(words)? {
            return Ok(false);
        }
        let title = match named_title(self.it, self.rereader)? {
            Some(title) => title,
            None => title(self.it, self.rereader)?,
        };
        Ok(words.is_in(&title))
    }

    /// Whether a field of the row contains the words.
    ///
    /// # Errors
    /// [`ReadError`] if the document cannot be read again.
    pub fn field_holds(&mut self, name: &str, words: &Pattern) -> Result<bool, ReadError> {
        Ok(self.may_hold(words)? && self.field(name)?.is_some_and(|value| words.is_in(&value)))
    }

    /// A field of the row that is a text, a number or a truth value, as text.
    ///
    /// # Errors
    /// [`ReadError`] if the document cannot be read again.
    pub fn field(&mut self, name: &str) -> Result<Option<String>, ReadError> {
        let shape = &self.it.source.shape;
        let bytes = self.rereader.record(self.it)?;
        Ok(bytes.and_then(|bytes| shape.field(bytes, name)))
    }

    /// Whether some field of the record may contain the words, judged by its stored bytes.
    fn may_hold(&mut self, words: &Pattern) -> Result<bool, ReadError> {
        let shape = &self.it.source.shape;
        let bytes = self.rereader.record(self.it)?;
        Ok(bytes.is_none_or(|bytes| shape.may_hold(bytes, words)))
    }

    fn content(&mut self) -> Result<&Content, ReadError> {
        if self.content.is_none() {
            self.content = Some(self.rereader.read(self.it)?);
        }
        Ok(self.content.as_ref().expect("just read"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::corpus::pattern::folded;
    use crate::corpus::{Input, LoadOptions, load};
    use crate::progress::Progress;

    fn corpus(name: &'static str, rows: &str, format: &str) -> Option<Corpus> {
        let input = Input::Bundled { name, bytes: rows.to_owned().into_bytes().leak() };
        let options =
            LoadOptions { input_format: format.parse().unwrap(), ..LoadOptions::default() };
        load(&[input], &options, &Progress::new(), &mut |_| {}).ok()
    }

    /// Whether each document contains the words, by search.
    fn found(corpus: &Corpus, words: &str) -> Vec<bool> {
        let words = Pattern::new(words).unwrap();
        let documents: Vec<DocId> = (0..corpus.len()).map(DocId::from).collect();
        let mut found = Vec::new();
        corpus.visit_records(&documents, &mut |view| {
            found.push(view.holds(&words)?);
            Ok(())
        });
        found
    }

    /// Whether each document contains the words, by folding its text and fields.
    fn held(corpus: &Corpus, words: &str) -> Vec<bool> {
        let holds = |at: usize| {
            let text = corpus.read(DocId::from(at)).unwrap();
            let fields = corpus.fields(at..at + 1).remove(0).unwrap();
            let title = fields
                .into_iter()
                .find(|(name, value)| name == "title" && !value.trim().is_empty());
            let parts = [
                Some(corpus.id(DocId::from(at)).to_owned()),
                text.text().map(str::to_owned),
                title.map(|(_, value)| value),
            ];
            parts.iter().flatten().any(|part| folded(part).contains(&folded(words)))
        };
        (0..corpus.len()).map(holds).collect()
    }

    #[test]
    fn ids_titles_and_texts_hold_words() {
        let rows = r#"{"id": "Tide-1", "title": "The caf\u00e9", "text": "low\nwater", "by": "tide"}
{"id": "2", "text": "a \"tide\" \\ b/c"}
{"id": "3", "text": "no", "by": "tide"}"#;
        let corpus = corpus("rows.jsonl", rows, "jsonl").unwrap();
        let found = |words| found(&corpus, words);
        assert_eq!(found("tide"), [true, true, false]);
        assert_eq!(found("CAFÉ"), [true, false, false]);
        assert_eq!(found("low water"), [true, false, false]);
        assert_eq!(found("\"tide\" \\ b/c"), [false, true, false]);
    }

    fn letters() -> impl Strategy<Value = String> {
        let pieces = vec![
            "a", "B", "b", "é", "É", "\"", "\\", "/", "\n", "\t", " ", ",", "\u{8}", "😀", "İ",
            "K", "u00e9", "\u{fffd}",
        ];
        prop::collection::vec(prop::sample::select(pieces), 0..8).prop_map(|it| it.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn search_finds_words_of_folded_texts(
            rows in prop::collection::vec((letters(), letters(), letters(), any::<bool>()), 1..6),
            words in letters(),
        ) {
            let mut json = String::new();
            let mut cells = csv::WriterBuilder::new().from_writer(Vec::new());
            cells.write_record(["title", "text", "by"]).unwrap();
            for (title, text, by, escapes) in &rows {
                let mut row = serde_json::json!({"title": title, "text": text, "by": by}).to_string();
                if *escapes {
                    row = row.replace('b', "\\u0062").replace('é', "\\u00E9").replace("\\u0062y", "by");
                    row = row.replace("\\\\u0062", "\\\\b");
                }
                json += &(row + "\n");
                cells.write_record([title, text, by]).unwrap();
            }
            let cells = String::from_utf8(cells.into_inner().unwrap()).unwrap();
            for (name, rows, format) in
                [("r.jsonl", &json, "jsonl"), ("r.csv", &cells, "csv")]
            {
                let Some(corpus) = corpus(name, rows, format) else { continue };
                prop_assert_eq!(found(&corpus, &words), held(&corpus, &words), "{:?}", rows);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        /// Malformed rows: quotes at places where no writer puts them.
        #[test]
        fn search_finds_words_between_malformed_quotes(
            rows in prop::collection::vec("[ab\",]{1,8}", 1..5), words in "[ab\",]{1,3}",
        ) {
            let rows = format!("text,title\n{}\n", rows.join(",\n"));
            let tabs = rows.replace(',', "\t");
            for (name, rows, format) in
                [("r.csv", &rows, "csv"), ("r.tsv", &tabs, "tsv")]
            {
                let Some(corpus) = corpus(name, rows, format) else { continue };
                for words in [&words, &words.replace(',', " ")] {
                    prop_assert_eq!(found(&corpus, words), held(&corpus, words), "{:?}", rows);
                }
            }
        }
    }
}
