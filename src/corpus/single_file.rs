//! Single files that are not a corpus: a list of stop words, a text to query with, document frequencies, judged
//! pairs.
//!
//! They are unpacked and decoded like documents. Document frequencies are those that
//! `fingerprint --document-frequencies` writes: each row holds the key of a feature and the number of documents that
//! have it. Judged pairs are rows `id1,id2,label`, as in the truth files of benchmarks; the accepted words are listed in
//! [`verdict_of`], and a row with any other word is skipped and reported.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use super::decode::{DecodedInput, read_whole};
use super::diagnostic::{CorpusError, DIAGNOSTICS_KEPT, Diagnostic, shown};
use super::options::InputLimits;
use crate::verdict::Verdict;

/// The words of a stop-word file: one on each line; blank lines and lines that start with `#` are skipped.
///
/// # Errors
/// [`CorpusError::File`] if it cannot be read.
pub fn read_word_list(path: impl AsRef<Path>) -> Result<Vec<String>, CorpusError> {
    let text = read_text_file(path)?;
    let words =
        text.lines().map(str::trim).filter(|word| !word.is_empty() && !word.starts_with('#'));
    Ok(words.map(str::to_owned).collect())
}

/// The text of one file. Gzip and zstd are unpacked, a byte order mark is obeyed, and invalid UTF-8 becomes
/// U+FFFD.
///
/// # Errors
/// [`CorpusError::File`] if it cannot be read, is binary, or exceeds the limit of a document.
pub fn read_text_file(path: impl AsRef<Path>) -> Result<String, CorpusError> {
    let (path, limits) = (path.as_ref(), InputLimits::default());
    let failed = |error| CorpusError::of_file(path, &error);
    let file = File::open(path).map_err(failed)?;
    let decoded = DecodedInput::open(Box::new(file), limits);
    if decoded.is_binary() {
        return Err(CorpusError::at(&shown(path), "binary, not text", "give a text file"));
    }
    read_whole(decoded.reader, limits).map(|(text, _)| text).map_err(failed)
}

/// The name of the row that holds the number of all documents.
pub const ALL_DOCUMENTS: &str = "all";

/// Bytes of a line, at most: a key of 16 digits, a tabulator and a number have fewer.
const LONGEST_LINE: u64 = 64;

/// Reads the number of all documents and, for each key, the number of documents that have it. Compressed files
/// are unpacked. Costs 16 bytes for each key.
///
/// # Errors
/// [`CorpusError::File`], with the line that is wrong.
pub fn read_frequencies(path: impl AsRef<Path>) -> Result<(u64, Vec<(u64, u32)>), CorpusError> {
    let path = path.as_ref();
    let failed = |error| CorpusError::of_file(path, &error);
    let wrong = |line: usize, problem: &str| {
        let remedy =
            "give a file that `simscope fingerprint --document-frequencies -o FILE.tsv` wrote";
        let place = format!("{}:{}", shown(path), line + 1);
        CorpusError::at(&place, problem, remedy)
    };
    let file = File::open(path).map_err(failed)?;
    let decoded = DecodedInput::open(Box::new(file), InputLimits::NONE);
    let mut reader = BufReader::new(decoded.reader);
    let (mut n_documents, mut counts) = (None, Vec::new());
    let mut line = Vec::new();
    for at in 0.. {
        line.clear();
        // A file that is something else can be one line of any length.
        let mut start_of_line = reader.by_ref().take(LONGEST_LINE);
        if start_of_line.read_until(b'\n', &mut line).map_err(failed)? == 0 {
            break;
        }
        let line = str::from_utf8(&line).map_or("", |line| line.trim_end_matches(['\n', '\r']));
        let (feature, count) = line.split_once('\t').unwrap_or((line, ""));
        match (at, feature) {
            (0, "feature") => {}
            (0, _) => return Err(wrong(at, "not a table of document frequencies")),
            (_, ALL_DOCUMENTS) => n_documents = count.parse::<u64>().ok(),
            _ => {
                let key =
                    (feature.len() == 16).then(|| u64::from_str_radix(feature, 16).ok()).flatten();
                let count: Option<u32> = count.parse().ok().filter(|count| *count > 0);
                let (Some(key), Some(count)) = (key, count) else {
                    return Err(wrong(
                        at,
                        "neither 16 hexadecimal digits nor a number of documents",
                    ));
                };
                counts.push((key, count));
            }
        }
    }
    let n_documents = n_documents.ok_or_else(|| wrong(0, "cut off, or without a row \"all\""))?;
    counts.sort_unstable();
    if counts.windows(2).any(|two| two[0].0 == two[1].0) {
        return Err(wrong(0, "a feature occurs twice"));
    }
    if counts.iter().any(|(_, count)| u64::from(*count) > n_documents) {
        return Err(wrong(0, "a feature has more documents than the corpus"));
    }
    Ok((n_documents, counts))
}

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
            return Err(CorpusError::at(&format!("{place}:1"), &problem, remedy));
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
