//! Single files that are not a corpus, such as a list of stop words or a text to query with.
//!
//! They are unpacked and decoded like documents.

use std::fs::File;
use std::path::Path;

use super::InputLimits;
use super::decode::{DecodedInput, read_whole};
use super::diagnostic::{CorpusError, Diagnostic, shown};

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
    let failed = |error: &_| CorpusError::File(Diagnostic::from_io(&shown(path), error));
    let file = File::open(path).map_err(|error| failed(&error))?;
    let decoded = DecodedInput::open(Box::new(file), limits);
    if decoded.is_binary() {
        let diagnostic = Diagnostic::new(&shown(path), "binary, not text", "give a text file");
        return Err(CorpusError::File(diagnostic));
    }
    read_whole(decoded.reader, limits).map(|(text, _)| text).map_err(|error| failed(&error))
}
