//! The shingles of a text.
//!
//! The kind of shingle: N words, or N characters.
//!
//! The shingles of a text that has fewer tokens than one shingle.

use std::{collections::HashMap, fmt, str::FromStr};

use crate::{
    kernel::Slices,
    progress::{Cancelled, Progress},
    text::{StopWords, TokenRule, Tokens, token::whole_characters},
};

/// The part of a recipe that turns texts into shingles: tokens, stop words and shingling.
#[derive(Clone, Debug, Default)]
pub struct Extractor {
    /// The rules for turning a text into tokens.
    pub rule: TokenRule,
    /// The kind and length of shingles.
    pub shingling: Shingling,
    /// The shingles of texts that are too short for one.
    pub short: ShortTexts,
    /// Words that are removed; shingles of characters have no stop words.
    pub stop_words: StopWords,
}

/// A shingle and its number of occurrences in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShingleCount {
    /// The shingle's text.
    pub shingle: String,
    /// Occurrences, at least 1.
    pub count: u32,
}

impl Extractor {
    /// Fills `tokens` with the tokens of `text`.
    pub fn tokenize(&self, text: &str, tokens: &mut Tokens) {
        // It is never cancelled.
        let _ = self.try_tokenize(text, tokens, &Progress::new());
    }

    /// [`Extractor::tokenize`] with a check for cancellation every few milliseconds.
    ///
    /// # Errors
    /// [`Cancelled`] after [`Progress::cancel`]; then some tokens are missing.
    pub fn try_tokenize(
        &self,
        text: &str,
        tokens: &mut Tokens,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        match self.shingling {
            Shingling::Words(_) => tokens.take_words(text, self.rule, &self.stop_words, progress),
            Shingling::Chars(_) => {
                tokens.take_characters(text, self.rule);
                Ok(())
            }
        }
    }

    /// The shingles of tokenized text, repeats included, in text order.
    pub fn shingles<'a>(&self, tokens: &'a Tokens) -> impl Iterator<Item = &'a str> + use<'a> {
        self.shingle_slices(tokens).iter().map(whole_characters)
    }

    /// [`Extractor::shingles`] as slices of one buffer, for hashing.
    pub(crate) fn shingle_slices<'a>(&self, tokens: &'a Tokens) -> Slices<'a> {
        let size = self.shingling.size();
        match self.short {
            ShortTexts::Empty if tokens.is_empty() => Tokens::empty_shingle(),
            short if tokens.len() < short.least(size) => Slices::NONE,
            _ => tokens.shingle_slices(size),
        }
    }

    /// The distinct shingles with their counts, in the order of first occurrence.
    pub fn count(&self, tokens: &Tokens) -> Vec<ShingleCount> {
        let mut counted: Vec<ShingleCount> = Vec::new();
        let mut place: HashMap<&str, usize> = HashMap::new();
        for shingle in self.shingles(tokens) {
            let at = *place.entry(shingle).or_insert_with(|| {
                counted.push(ShingleCount { shingle: shingle.to_owned(), count: 0 });
                counted.len() - 1
            });
            counted[at].count += 1;
        }
        counted
    }
}

/// The largest shingle size, in tokens.
pub const MAX_SHINGLE: usize = 100;

/// The kind and size of the overlapping shingles of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shingling {
    /// Runs of this many consecutive words, joined by one space.
    Words(usize),
    /// Runs of this many consecutive grapheme clusters.
    Chars(usize),
}

impl Default for Shingling {
    fn default() -> Self {
        Self::Words(3)
    }
}

impl Shingling {
    /// Tokens in a shingle.
    pub fn size(self) -> usize {
        match self {
            Self::Words(n) | Self::Chars(n) => n,
        }
    }

    /// The plural name of its tokens: `words` or `characters`.
    pub fn tokens_name(self) -> &'static str {
        match self {
            Self::Words(_) => "words",
            Self::Chars(_) => "characters",
        }
    }

    /// The plural name of its tokens in five letters, for the header of a column: `words` or `chars`.
    pub fn tokens_short(self) -> &'static str {
        match self {
            Self::Words(_) => "words",
            Self::Chars(_) => "chars",
        }
    }
}

impl fmt::Display for Shingling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(n) => write!(f, "words:{n}"),
            Self::Chars(n) => write!(f, "chars:{n}"),
        }
    }
}

/// The error for a text that names no shingling.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "features {0:?} are unknown; write words, words:N or chars:N with N from 1 to {MAX_SHINGLE}"
)]
pub struct ParseShinglingError(String);

impl FromStr for Shingling {
    type Err = ParseShinglingError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseShinglingError(text.to_owned());
        if text == "words" {
            return Ok(Self::Words(1));
        }
        let (kind, size) = text.split_once(':').ok_or_else(error)?;
        let size = size.parse().ok().filter(|n| (1..=MAX_SHINGLE).contains(n)).ok_or_else(error)?;
        match kind {
            "words" => Ok(Self::Words(size)),
            "chars" => Ok(Self::Chars(size)),
            _ => Err(error()),
        }
    }
}

/// The shingles of a text that has fewer tokens than one shingle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ShortTexts {
    /// One shingle of all its tokens; no shingle if it has no tokens.
    #[default]
    Whole,
    /// One shingle of all its tokens; the empty shingle if it has no tokens.
    Empty,
    /// No shingle.
    Drop,
    /// One shingle of all its tokens; no shingle if it has fewer tokens than this number.
    DropBelow(u32),
}

impl ShortTexts {
    /// The smallest number of tokens with which a text has shingles of this size.
    pub fn least(self, size: usize) -> usize {
        match self {
            Self::Whole | Self::Empty => 0,
            Self::Drop => size,
            Self::DropBelow(n) => n as usize,
        }
    }
}

impl fmt::Display for ShortTexts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => f.write_str("whole"),
            Self::Empty => f.write_str("empty"),
            Self::Drop => f.write_str("drop"),
            Self::DropBelow(n) => write!(f, "drop:{n}"),
        }
    }
}

/// The error for a text that names no treatment of short texts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("short texts {0:?} are unknown; write whole, empty, drop or drop:N")]
pub struct ParseShortTextsError(String);

impl FromStr for ShortTexts {
    type Err = ParseShortTextsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let n = || text.strip_prefix("drop:")?.parse().ok().map(Self::DropBelow);
        match text {
            "whole" => Ok(Self::Whole),
            "empty" => Ok(Self::Empty),
            "drop" => Ok(Self::Drop),
            _ => n().ok_or_else(|| ParseShortTextsError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_shingles_are_counted_once_with_their_number() {
        let extractor = Extractor { shingling: Shingling::Words(2), ..Extractor::default() };
        let mut tokens = Tokens::new();
        extractor.tokenize("The tide, the TIDE", &mut tokens);
        let counted = extractor.count(&tokens);
        let expected = [("the tide", 2), ("tide the", 1)];
        assert_eq!(
            counted.iter().map(|c| (c.shingle.as_str(), c.count)).collect::<Vec<_>>(),
            expected
        );
    }

    #[test]
    fn every_value_prints_and_reads_back() {
        for text in ["whole", "empty", "drop", "drop:5"] {
            assert_eq!(text.parse::<ShortTexts>().unwrap().to_string(), text);
        }
        for text in ["", "drop:", "drop:-1", "none"] {
            assert!(text.parse::<ShortTexts>().unwrap_err().to_string().contains("drop:N"));
        }
    }
}
