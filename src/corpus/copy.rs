//! Some documents of a corpus as a new file in the corpus's own format: records are copied byte for byte.
//!
//! Lines and JSON objects become lines, items of an array become an array, rows of CSV and TSV become rows below their
//! header. Documents that are whole files, members or records of a crawl, and corpora of several formats, become a list: one JSON object with
//! the address for each document.

use std::io::{self, Write};
use std::sync::Arc;

use super::diagnostic::CopyError;
use super::document::{Document, Located};
use super::json_items::JsonFrame;
use super::mail::missing_end;
#[cfg(feature = "formats")]
use super::parquet_copy::{self, KeptRows};
use super::recipe_origin::UNKNOWN_RECIPE;
use super::record_format::CopyFormat;
use super::reread::{AHEAD, Rereader};
#[cfg(feature = "formats")]
use super::source::ByteStore;
use super::source::Source;
use super::{Corpus, InputLimits};
use crate::id::DocId;
use crate::progress::Progress;

/// Documents between two checks for a cancel.
const STRIDE: usize = 1 << 10;

impl Corpus {
    /// The format in which the documents of this corpus, without its reference, can be copied.
    pub fn copy_format(&self) -> CopyFormat {
        let ours = self.chunks.iter().filter(|(first, _)| !self.is_reference(DocId(*first)));
        let mut formats = ours.flat_map(|(_, chunk)| {
            let mut last = None;
            let first_ones = chunk.documents.iter();
            let first_ones =
                first_ones.filter(move |it| last.replace(it.source) != Some(it.source));
            first_ones.map(|it| format_of(&chunk.sources[it.source as usize], it))
        });
        let first = formats.next().unwrap_or(CopyFormat::List);
        let (mut n_sources, mut is_same) = (1, true);
        for format in formats {
            n_sources += 1;
            is_same &= format == first;
        }
        // An object a file is a file.
        let is_file = first == CopyFormat::Json { is_array: false } && n_sources == self.n_first();
        if is_same && !(is_file && n_sources > 1) { first } else { CopyFormat::List }
    }

    /// The bytes around the items of the documents that are copied, and between them: as in their file, if it is one
    /// that holds an array.
    fn json_frame(&self, is_array: bool, rereader: &mut Rereader) -> JsonFrame {
        let plain = JsonFrame::plain(is_array);
        let Some(last) = self.n_first().checked_sub(1).filter(|_| is_array) else { return plain };
        let last = self.locate(DocId::from(last));
        let ours = self.chunks.iter().filter(|(first, _)| !self.is_reference(DocId(*first)));
        let is_here = |it: &Arc<Source>| it.store.file() == last.source.store.file();
        let is_one = ours.flat_map(|(_, chunk)| &chunk.sources).all(is_here);
        let frame = is_one.then(|| rereader.json_frame(last)).flatten();
        frame.unwrap_or(plain)
    }

    /// Writes the documents that `is_kept` selects in the format of the corpus, in order, without the
    /// reference. Returns the number of documents written.
    ///
    /// # Errors
    /// [`CopyError`] if a document cannot be read again, if the copy cannot be written or exceeds the limits, or if the
    /// job is cancelled.
    #[cfg_attr(
        not(feature = "formats"),
        expect(unused_variables, reason = "only rows of Parquet can grow in a copy")
    )]
    pub fn copy(
        &self,
        is_kept: &dyn Fn(DocId) -> bool,
        limits: InputLimits,
        out: &mut dyn Write,
        progress: &Progress,
    ) -> Result<u64, CopyError> {
        let format = self.copy_format();
        #[cfg(feature = "formats")]
        if format == CopyFormat::Parquet {
            return self.copy_rows(is_kept, limits, out, progress);
        }
        let mut rereader = Rereader::new(AHEAD);
        let frame = match format {
            CopyFormat::Json { is_array } => Some(self.json_frame(is_array, &mut rereader)),
            // A message ends with the blank line behind it.
            CopyFormat::Mail => Some(JsonFrame::default()),
            _ => None,
        };
        let mut end = if format == CopyFormat::List || self.n_first() == 0 {
            &b"\n"[..]
        } else {
            let first = self.locate(DocId(0));
            rereader.record(first)?;
            rereader.line_end(first).unwrap_or(b"\n")
        };
        let first = self.chunks.first().and_then(|(_, chunk)| chunk.sources.first());
        if let Some(frame) = &frame {
            out.write_all(&frame.head)?;
        } else if let Some(first) = first.filter(|_| format != CopyFormat::List) {
            out.write_all(if first.has_mark { b"\xef\xbb\xbf" } else { b"" })?;
            out.write_all(first.shape.head())?;
        }
        let mut n_written = 0;
        for at in 0..self.n_first() {
            if at % STRIDE == 0 {
                progress.check()?;
                progress.add(STRIDE.min(self.n_first() - at) as u64);
            }
            let document = DocId::from(at);
            if !is_kept(document) {
                continue;
            }
            let it = self.locate(document);
            if format == CopyFormat::List {
                serde_json::to_writer(&mut *out, &self.address(document))
                    .map_err(io::Error::from)?;
            } else {
                if let Some(frame) = frame.as_ref().filter(|_| n_written > 0) {
                    out.write_all(&frame.between)?;
                }
                let record = rereader.record(it)?.unwrap_or_default();
                out.write_all(record)?;
                if format == CopyFormat::Mail {
                    out.write_all(missing_end(record))?;
                }
                // The last line of a file may have no end.
                end = rereader.line_end(it).unwrap_or(end);
            }
            out.write_all(if frame.is_some() { b"" } else { end })?;
            n_written += 1;
        }
        out.write_all(frame.as_ref().map_or(&[], |frame| &frame.tail))?;
        Ok(n_written)
    }

    /// [`copy`](Self::copy) for rows of Parquet.
    #[cfg(feature = "formats")]
    fn copy_rows(
        &self,
        is_kept: &dyn Fn(DocId) -> bool,
        limits: InputLimits,
        out: &mut dyn Write,
        progress: &Progress,
    ) -> Result<u64, CopyError> {
        let (mut files, mut n_written) = (Vec::<KeptRows>::new(), 0);
        for at in 0..self.n_first() {
            let document = DocId::from(at);
            let it = self.locate(document);
            let ByteStore::Spool { parquet: Some((path, stamp)), .. } = &it.source.store else {
                continue;
            };
            // A file without kept rows still contributes its columns.
            if files.last().is_none_or(|file| file.path != *path) {
                files.push(KeptRows { path: path.clone(), stamp: *stamp, rows: Vec::new() });
            }
            if let (true, Some(file)) = (is_kept(document), files.last_mut()) {
                file.keep(it.document.number as usize - 1);
                n_written += 1;
            }
        }
        parquet_copy::copy(&files, limits, out, progress)?;
        progress.add(self.n_first() as u64);
        Ok(n_written)
    }

    /// The line for a file `FILE.recipe` beside a copy of documents; `None` if no copy of a fingerprint is in it.
    pub fn recipe_of_copies(&self) -> Option<&str> {
        if self.copy_format() == CopyFormat::List {
            return None;
        }
        let known = self.carried_recipes().first().filter(|_| !self.has_unknown_recipe());
        let line = known.map_or(UNKNOWN_RECIPE, |known| &known.line);
        (self.summary.fingerprints > 0).then_some(line)
    }

    /// The address of a document, which finds it again even if its id is not unique.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn address(&self, document: DocId) -> Address<'_> {
        let Located { id, document, source } = self.locate(document);
        let line = (document.number > 0).then_some(document.number);
        Address { id, file: source.store.file(), line }
    }
}

/// A document by its id, its file and its line.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Address<'a> {
    /// The id, which need not be unique.
    pub id: &'a str,
    /// The file or other input, as it is.
    pub file: String,
    /// The line, or the number of the item or message, from 1; `None` for a document that is a whole file.
    pub line: Option<u64>,
}

/// The format in which the documents of a source can be copied, of which this is the first.
fn format_of(source: &Source, first: &Document) -> CopyFormat {
    #[cfg(feature = "formats")]
    if let ByteStore::Spool { parquet: Some(_), .. } = source.store {
        return CopyFormat::Parquet;
    }
    // Texts that are no lines have no ends between them.
    if first.number == 0 { CopyFormat::List } else { source.shape.copy_format() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Input, InputFormat, LoadOptions, load};

    fn copied(inputs: &[(&'static str, &'static str)], dropped: &[u32]) -> String {
        let input = |&(name, text): &(&'static str, &'static str)| Input::Bundled {
            name,
            bytes: text.as_bytes(),
        };
        let inputs: Vec<Input> = inputs.iter().map(input).collect();
        let is_text = matches!(&inputs[..], [Input::Bundled { name: "lines.txt", .. }]);
        let format = if is_text { InputFormat::LINES } else { InputFormat::AUTO };
        let options = LoadOptions { input_format: format, ..LoadOptions::default() };
        let corpus = load(&inputs, &options, &Progress::new(), &mut |_| {}).unwrap();
        let mut out = Vec::new();
        let is_kept = |document: DocId| !dropped.contains(&document.0);
        let n = corpus.copy(&is_kept, InputLimits::default(), &mut out, &Progress::new()).unwrap();
        assert_eq!(n as usize, corpus.len() - dropped.len());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn records_are_copied_byte_for_byte() {
        let rows =
            "{\"text\": \"a\\u00e9\",  \"n\":1}\r\n\n {\"n\":2.0,\"text\":\"b\"}\n{\"text\":\"c\"}";
        let kept = copied(&[("rows.jsonl", rows)], &[1]);
        // The last line has no end, so it gets that of the line before.
        assert_eq!(kept, "{\"text\": \"a\\u00e9\",  \"n\":1}\r\n{\"text\":\"c\"}\r\n");
        let table = "id,\"te\"\"xt\",text\n1,\"x\ny\",\"a \"\"b\"\"\"\n2,z,w\n";
        assert_eq!(copied(&[("t.csv", table)], &[]), table);
        assert_eq!(copied(&[("t.csv", table)], &[0]), "id,\"te\"\"xt\",text\n2,z,w\n");
        assert_eq!(copied(&[("lines.txt", "one\ntwo\nthree\n")], &[1]), "one\nthree\n");
        // The mark and the line end of a header are those of the file, whichever rows are kept.
        for (name, text, expected) in [
            ("lines.txt", "\u{feff}one\ntwo\n", "\u{feff}two\n"),
            (
                "rows.jsonl",
                "\u{feff}{\"text\":\"a\"}\r\n{\"text\":\"b\"}\n",
                "\u{feff}{\"text\":\"b\"}\n",
            ),
            ("t.csv", "\u{feff}text\r\none\ntwo\n", "\u{feff}text\r\ntwo\n"),
            ("t.csv", "text\n\none\r\ntwo\n", "text\ntwo\n"),
            ("t.csv", "text\rone\rtwo\r", "text\rtwo\r"),
        ] {
            assert_eq!(copied(&[(name, text)], &[0]), expected, "{text:?}");
        }
    }

    #[test]
    fn items_of_an_array_are_copied_as_an_array() {
        for array in [
            "[{\"text\":\"a\"},{\"text\":\"b\"},{\"text\":\"c\"}]",
            "[{\"text\": \"a\"}, {\"text\": \"b\"}, {\"text\": \"c\"}]\n",
            "\u{feff}[\r\n  {\"text\": \"a\"},\r\n  {\"text\": \"b\"},\r\n  {\"text\": \"c\"}\r\n]\r\n",
            "{\"n\": [3], \"data\": [ {\"text\":\"a\"}, {\"text\":\"b\"}, {\"text\":\"c\"} ], \"z\": \"]\"}",
            "[\"a\", \"b\", \"c\"]",
        ] {
            assert_eq!(copied(&[("rows.json", array)], &[]), array);
            for dropped in [&[0_u32][..], &[1], &[2], &[0, 1, 2]] {
                let kept = copied(&[("rows.json", array)], dropped);
                let kept = kept.trim_start_matches('\u{feff}');
                let value: serde_json::Value = serde_json::from_str(kept).unwrap();
                let items = value.as_array().or_else(|| value["data"].as_array()).unwrap();
                let texts: Vec<_> =
                    items.iter().map(|it| it["text"].as_str().or(it.as_str()).unwrap()).collect();
                let expected = (0..3).filter(|at| !dropped.contains(at));
                let expected: Vec<_> = expected.map(|at| ["a", "b", "c"][at as usize]).collect();
                assert_eq!(texts, expected, "{array} without {dropped:?}");
                assert!(value.is_array() || value["z"] == "]" && value["n"][0] == 3, "{kept}");
            }
        }
        // Of several files one array, and objects one after another as they are.
        let arrays = [("a.json", "[{\"text\":\"a\"}]"), ("b.json", "{\"d\": [{\"text\":\"b\"}]}")];
        assert_eq!(copied(&arrays, &[]), "[\n{\"text\":\"a\"},\n{\"text\":\"b\"}\n]\n");
        let objects = "{\n \"text\": \"a\"\n}\n{\n \"text\": \"b\"\n}\n";
        assert_eq!(copied(&[("rows.json", objects)], &[]), objects);
        let files = [("a.json", "{\n\"text\":\"a\"}"), ("b.json", "{\n\"text\":\"b\"}")];
        assert!(copied(&files, &[1]).starts_with("{\"id\":\"a.json:1\","), "a list of files");
    }

    #[test]
    fn rows_without_a_header_are_copied_without_one() {
        let options = LoadOptions {
            no_header: true,
            text_field: Some("2".to_owned()),
            id_field: Some("1".to_owned()),
            ..LoadOptions::default()
        };
        let inputs =
            [Input::Bundled { name: "t.csv", bytes: b"a;one, two;\nb;three;\nc;four;5;6\n" }];
        let corpus = load(&inputs, &options, &Progress::new(), &mut |_| {}).unwrap();
        assert_eq!((corpus.len(), corpus.id(DocId(0)), corpus.id(DocId(1))), (2, "a", "b"));
        let mut out = Vec::new();
        let is_kept = |document: DocId| document.0 == 0;
        corpus.copy(&is_kept, InputLimits::default(), &mut out, &Progress::new()).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a;one, two;\n");
    }

    #[test]
    fn inputs_of_different_formats_become_a_list() {
        let inputs = [("a.csv", "text\none\n"), ("b.csv", "text,n\ntwo,2\n")];
        assert_eq!(
            copied(&inputs, &[]),
            "{\"id\":\"a.csv:2\",\"file\":\"a.csv\",\"line\":2}\n{\"id\":\"b.csv:2\",\"file\":\"b.csv\",\"line\":2}\n"
        );
        let same = [("a.csv", "text\none\n"), ("b.csv", "text\ntwo\n")];
        assert_eq!(copied(&same, &[]), "text\none\ntwo\n");
    }
}
