//! Paragraphs: texts with a blank line between them.

use memchr::memmem;
use serde::{Deserialize, Serialize};

use super::blocks::RecordCut;
use super::lines::PlainText;
use super::options::LoadOptions;
use super::record_format::{Parsed, RecordFormat};

/// The end of a paragraph.
const END: &[u8] = b"\n\n";

/// A paragraph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Paragraph;

impl RecordFormat for Paragraph {
    fn cut(&self) -> Option<Box<dyn RecordCut>> {
        Some(Box::new(BlankLines))
    }

    fn parse(&self, bytes: &[u8], options: &LoadOptions, strings: &mut String) -> Parsed {
        PlainText.parse(bytes, options, strings)
    }
}

struct BlankLines;

impl RecordCut for BlankLines {
    fn end(&mut self, bytes: &[u8], from: usize) -> usize {
        let from = from.saturating_sub(1);
        memmem::rfind(&bytes[from..], END).map_or(0, |at| from + at + END.len())
    }

    fn skip(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        memmem::find(bytes, END).map(|at| bytes[at + END.len()..].to_vec())
    }

    fn records(&mut self, bytes: &[u8]) -> Vec<(usize, usize)> {
        let ends: Vec<_> = memmem::find_iter(bytes, END).chain([bytes.len()]).collect();
        let starts = [0].into_iter().chain(ends.iter().map(|end| end + END.len()));
        starts.zip(ends.iter().copied()).filter(|(start, end)| start < end).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::corpus::{Content, Input, LoadOptions, load};
    use crate::id::DocId;
    use crate::progress::Progress;

    #[test]
    fn a_paragraph_is_a_document() {
        let input = Input::Bundled { name: "a.txt", bytes: b"one\ntwo\n\nthree\n\nfour\n" };
        let options = LoadOptions { format: "paragraphs".parse().unwrap(), ..LoadOptions::default() };
        let mut read = Vec::new();
        let mut sink = |batch: crate::corpus::Batch| read.extend(batch.contents);
        let corpus = load(&[input], &options, &Progress::new(), &mut sink).unwrap();
        assert_eq!(corpus.read(DocId(0)), Ok(Content::Text("one\ntwo".into())));
        assert_eq!(corpus.read(DocId(2)), Ok(read[2].clone()));
        assert_eq!((corpus.len(), corpus.id(DocId(1))), (3, "a.txt:2"));
        assert_eq!(corpus.titles(&[DocId(0)]), [Some("one two".to_owned())]);
    }
}
