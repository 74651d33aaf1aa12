//! The kind of text that a corpus holds: how short the texts are, and how many letters are characters of
//! scripts without word spaces. It says when a recipe made for long texts of words does not fit.

use super::{Analysis, Job};
use crate::{
    feature::Shingling,
    id::DocId,
    number::{counted, grouped},
    progress::Cancelled,
};

/// Documents that are looked at, evenly spread over the corpus.
const SAMPLE: usize = 400;
/// Bytes of each that are looked at.
const MOST_BYTES: usize = 1 << 14;
/// Below so many tokens a text is short: one changed word touches a tenth of the shingles or more.
const SHORT: u32 = 30;
/// Fewer texts are no sample to advise by.
const FEWEST: usize = 20;
/// From this share of the letters on a script is named.
const MANY: f64 = 0.3;

/// The kind of text, by documents that were looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct TextKind {
    /// Documents looked at.
    pub n_looked_at: usize,
    /// The script without word spaces that has most letters, and its share of all letters.
    pub script: Option<(&'static str, f64)>,
    /// The median number of tokens over all documents with text, as the recipe cuts them; `None` where there is
    /// none.
    pub median_tokens: Option<u32>,
}

/// The scripts whose words are not set apart by spaces.
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

/// Their names.
const SCRIPTS: [&str; 6] = ["Han", "Hiragana", "Thai", "Lao", "Myanmar", "Khmer"];

impl Analysis {
    /// Looks at the texts of some documents, and at the lengths of all. Reads the former again; those that
    /// cannot be read are left out.
    ///
    /// # Errors
    /// [`Cancelled`] if the job was.
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
        let mut lengths: Vec<u32> =
            lengths.map(|record| record.n_tokens).filter(|&n| n > 0).collect();
        let middle = lengths.len() / 2;
        let median_tokens = (!lengths.is_empty()).then(|| *lengths.select_nth_unstable(middle).1);
        Ok(TextKind { n_looked_at, script, median_tokens })
    }
}

impl TextKind {
    /// A sentence on how these shingles fit the texts; none if nothing is to be said.
    pub fn advice(&self, shingling: Shingling) -> Option<String> {
        if self.n_looked_at < FEWEST {
            return None;
        }
        let size = shingling.size();
        let is_words = matches!(shingling, Shingling::Words(_));
        if let Some((script, share)) = self.script.filter(|&(_, share)| is_words && share >= MANY) {
            return Some(format!(
                "{:.0} % of the letters in {} looked at are {script}, where each character counts as a word: \
                 {shingling} is {}",
                // Never rounded up to all.
                (share * 100.0).floor(),
                counted(self.n_looked_at as u64, "document"),
                counted(size as u64, "character"),
            ));
        }
        let median = self.median_tokens.filter(|&n| is_words && size > 1 && n < SHORT)?;
        Some(format!(
            "half of the texts have {} words or fewer, and one word is in up to {size} shingles: words:1 or \
             chars:5 serve short texts",
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
            "98 % of the letters in 400 documents looked at are Han, where each character counts as a word: words:3 \
             is 3 characters"
        );
    }
}
