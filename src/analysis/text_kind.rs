//! The kind of text that a corpus holds: how short the texts are, and how many letters are of scripts without word
//! spaces. It shows when a recipe for long texts of words does not fit.

use super::{Analysis, Job};
use crate::feature::Shingling;
use crate::id::DocId;
use crate::number::{counted, grouped};
use crate::progress::Cancelled;

/// The most documents that are read, evenly spread over the corpus.
const SAMPLE: usize = 400;
/// The most bytes of each document that are used.
const MOST_BYTES: usize = 1 << 14;
/// A text with fewer tokens is short: one changed word changes a tenth of the shingles or more.
const SHORT: u32 = 30;
/// If fewer texts were read, there is no advice.
const FEWEST: usize = 20;
/// The least share of the letters at which a script is named.
const MANY_LETTERS: f64 = 0.3;

/// The kind of text, from a sample of documents.
#[derive(Clone, Debug, PartialEq)]
pub struct TextKind {
    /// The number of documents that were read.
    pub n_looked_at: usize,
    /// The script without word spaces that has the most letters, and its share of all letters.
    pub script: Option<(&'static str, f64)>,
    /// The median number of tokens over all documents with text, as the recipe cuts them; `None` if there are no
    /// such documents.
    pub median_tokens: Option<u32>,
}

/// The number in [`SCRIPTS`] of the script of a character, if its words are not separated by spaces.
fn script(c: char) -> Option<usize> {
    match u32::from(c) {
        0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x2_0000..=0x3_ffff => Some(0),
        0x3040..=0x309f => Some(1),
        0x0e00..=0x0e7f => Some(2),
        0x0e80..=0x0eff => Some(3),
        0x1000..=0x109f => Some(4),
        0x1780..=0x17ff => Some(5),
        _ => None,
    }
}

/// The names of these scripts.
const SCRIPTS: [&str; 6] = ["Han", "Hiragana", "Thai", "Lao", "Myanmar", "Khmer"];

impl Analysis {
    /// Reads a sample of the texts again, without those that cannot be read. The lengths of all texts are used.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn text_kind(&self, job: &Job) -> Result<TextKind, Cancelled> {
        let step = self.len().div_ceil(SAMPLE).max(1);
        let (mut letters, mut n_letters, mut n_looked_at) = ([0_u64; SCRIPTS.len()], 0_u64, 0);
        for document in (0..self.len()).step_by(step).map(DocId::from) {
            job.progress.check()?;
            let Ok(content) = self.corpus.read(document) else { continue };
            let Some(text) = content.text() else { continue };
            n_looked_at += 1;
            let text = &text[..text.floor_char_boundary(MOST_BYTES)];
            for c in text.chars().filter(|c| c.is_alphabetic()) {
                n_letters += 1;
                if let Some(script) = script(c) {
                    letters[script] += 1;
                }
            }
        }
        let most = (0..SCRIPTS.len()).max_by_key(|&script| letters[script]);
        let most = most.filter(|&script| letters[script] > 0);
        let script =
            most.map(|script| (SCRIPTS[script], letters[script] as f64 / n_letters as f64));
        let lengths = (0..self.len()).filter_map(|at| self.record(DocId::from(at)));
        let lengths = lengths.map(|record| record.n_tokens).filter(|&n| n > 0);
        let median_tokens = median(lengths.collect());
        Ok(TextKind { n_looked_at, script, median_tokens })
    }
}

/// The value in the middle, the larger one of two; `None` if there are no values.
pub(super) fn median(mut values: Vec<u32>) -> Option<u32> {
    let middle = values.len() / 2;
    (!values.is_empty()).then(|| *values.select_nth_unstable(middle).1)
}

impl TextKind {
    /// A sentence if these shingles do not fit the texts.
    pub fn advice(&self, shingling: Shingling) -> Option<String> {
        if self.n_looked_at < FEWEST {
            return None;
        }
        let size = shingling.size();
        let is_words = matches!(shingling, Shingling::Words(_));
        if let Some((script, share)) =
            self.script.filter(|&(_, share)| is_words && share >= MANY_LETTERS)
        {
            return Some(format!(
                "{:.0} % of the letters in a sample of {} are {script}, where each character counts as a word: \
                 {shingling} is {}",
                // Rounded down, so that 99.9 % is never shown as 100 %.
                (share * 100.0).floor(),
                counted(self.n_looked_at as u64, "document"),
                counted(size as u64, "character"),
            ));
        }
        let median = self.median_tokens.filter(|&n| is_words && size > 1 && n < SHORT)?;
        Some(format!(
            "half of the texts have {} words or fewer, and one word is in up to {size} shingles: words:1 or \
             chars:5 suit short texts better",
            grouped(u64::from(median)),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(script: Option<(&'static str, f64)>, median_tokens: u32) -> TextKind {
        TextKind { n_looked_at: 400, script, median_tokens: Some(median_tokens) }
    }

    #[test]
    fn short_texts_and_texts_without_word_spaces_are_named() {
        let words = Shingling::Words(3);
        assert_eq!(kind(None, 300).advice(words), None);
        assert_eq!(kind(Some(("Hiragana", 0.1)), 300).advice(words), None);
        let short = kind(None, 14).advice(words).unwrap();
        assert!(short.starts_with("half of the texts have 14 words or fewer"), "{short}");
        assert_eq!(kind(None, 14).advice(Shingling::Words(1)), None);
        assert_eq!(kind(None, 14).advice(Shingling::Chars(5)), None);
        let han = kind(Some(("Han", 0.98)), 14).advice(words).unwrap();
        assert_eq!(
            han,
            "98 % of the letters in a sample of 400 documents are Han, where each character counts as a word: words:3 \
             is 3 characters"
        );
    }
}
