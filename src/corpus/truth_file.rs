//! Judged pairs by id: rows `id1,id2,label`, as in the truth files of benchmarks.
//!
//! The accepted words are listed in [`verdict_of`]; a row with any other word is skipped and reported.

use std::path::Path;

use super::diagnostic::{CorpusError, DIAGNOSTICS_KEPT, Diagnostic, shown};
use super::single_file::read_text_file;
use crate::verdict::Verdict;

/// A verdict of a truth file on two documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Their ids.
    pub ids: [String; 2],
    /// Whether they are near-duplicates.
    pub verdict: Verdict,
}

/// Words for yes, no, and unsure.
const WORDS: [(Verdict, &str); 3] = [
    (
        Verdict::Yes,
        "1 yes y true match same same-text duplicate near-duplicate revision version planted",
    ),
    (Verdict::No, "0 no n false not no-match non-match different distinct not-duplicate"),
    (Verdict::Unsure, "unsure unknown ? maybe"),
];

/// The verdict for a word of the label column; `None` for an unknown word. Case does not matter, and `_` or a
/// space counts as `-`.
pub fn verdict_of(word: &str) -> Option<Verdict> {
    let word = word.trim().to_lowercase().replace(['_', ' '], "-");
    let is_meant = |(_, words): &&(_, &str)| words.split(' ').any(|known| known == word);
    WORDS.iter().find(is_meant).map(|(verdict, _)| *verdict)
}

/// The judgements of a CSV or TSV file with the columns `id1`, `id2` and `label`, in order, and a message for
/// each row that is not a judgement. Other columns are ignored; a compressed file is unpacked.
///
/// # Errors
/// [`CorpusError::File`] if it cannot be read, lacks a column, or has rows but no judgement.
pub fn read_truth(path: &Path) -> Result<(Vec<Judgement>, Vec<Diagnostic>), CorpusError> {
    let (text, place) = (read_text_file(path)?, shown(path));
    let header = text.lines().next().unwrap_or_default();
    let delimiter = if header.contains('\t') && !header.contains(',') { b'\t' } else { b',' };
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(text.as_bytes());
    let mut columns = [0; 3];
    for (column, name) in columns.iter_mut().zip(["id1", "id2", "label"]) {
        let header = reader.headers().cloned().unwrap_or_default();
        let Some(found) = header.iter().position(|found| found.trim() == name) else {
            let problem = format!("no column \"{name}\" in its first line");
            let remedy = "a truth file has the columns id1, id2 and label";
            return Err(CorpusError::File(Diagnostic::new(
                &format!("{place}:1"),
                &problem,
                remedy,
            )));
        };
        *column = found;
    }
    let (mut judgements, mut diagnostics) = (Vec::new(), Vec::new());
    for row in reader.records() {
        let (line, judged) = match row {
            Ok(row) => (row.position().map_or(0, csv::Position::line), judgement(&row, columns)),
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line);
                (line, Err((error.to_string(), "")))
            }
        };
        match judged {
            Ok(judged) => judgements.push(judged),
            Err((problem, remedy)) if diagnostics.len() < DIAGNOSTICS_KEPT => {
                diagnostics.push(Diagnostic::new(&format!("{place}:{line}"), &problem, remedy));
            }
            Err(_) => {}
        }
    }
    match diagnostics.first() {
        Some(first) if judgements.is_empty() => Err(CorpusError::File(first.clone())),
        _ => Ok((judgements, diagnostics)),
    }
}

fn judgement(
    row: &csv::StringRecord,
    columns: [usize; 3],
) -> Result<Judgement, (String, &'static str)> {
    let [Some(one), Some(other), Some(word)] = columns.map(|column| row.get(column)) else {
        let problem = format!("{} fields, so an id or the label is missing", row.len());
        return Err((problem, "complete the row or delete it"));
    };
    let verdict = verdict_of(word).ok_or_else(|| {
        (format!("label \"{word}\" is unknown"), "write 1 or yes, 0 or no, or unsure")
    })?;
    Ok(Judgement { ids: [one.to_owned(), other.to_owned()], verdict })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_their_verdicts() {
        for word in ["1", "match", "Same_Text", "same text", " revision", "planted", "TRUE"] {
            assert_eq!(verdict_of(word), Some(Verdict::Yes), "{word}");
        }
        for word in ["0", "not", "No Match"] {
            assert_eq!(verdict_of(word), Some(Verdict::No), "{word}");
        }
        for word in ["", "2", "-1", "train", "yess"] {
            assert_eq!(verdict_of(word), None, "{word}");
        }
        for &verdict in Verdict::ALL {
            assert_eq!(verdict_of(verdict.name()), Some(verdict));
        }
    }
}
