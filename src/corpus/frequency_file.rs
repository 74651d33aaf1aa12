//! A file of document frequencies, as `fingerprint --document-frequencies` writes it: each row holds the key of a
//! feature and the number of documents that have it.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use super::decode::DecodedInput;
use super::diagnostic::{CorpusError, Diagnostic, shown};
use super::options::InputLimits;

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
    let failed = |error: &_| CorpusError::File(Diagnostic::from_io(&shown(path), error));
    let wrong = |line: usize, problem: &str| {
        let remedy =
            "give a file that `simscope fingerprint --document-frequencies -o FILE.tsv` wrote";
        let place = format!("{}:{}", shown(path), line + 1);
        CorpusError::File(Diagnostic::new(&place, problem, remedy))
    };
    let file = File::open(path).map_err(|error| failed(&error))?;
    let decoded = DecodedInput::open(Box::new(file), InputLimits::NONE);
    let mut reader = BufReader::new(decoded.reader);
    let (mut n_documents, mut counts) = (None, Vec::new());
    let mut line = Vec::new();
    for at in 0.. {
        line.clear();
        // A file that is something else can be one line of any length.
        let mut start_of_line = reader.by_ref().take(LONGEST_LINE);
        if start_of_line.read_until(b'\n', &mut line).map_err(|error| failed(&error))? == 0 {
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
