//! The kind of shingle: N words, or N characters.
//!
//! The shingles of a text that has fewer tokens than one shingle.

use std::fmt;
use std::str::FromStr;

use crate::choice::ValueError;
use crate::kernel::Slices;
use crate::text::Tokens;

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
        write!(f, "{}:{}", self.tokens_short(), self.size())
    }
}

impl FromStr for Shingling {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || {
            ValueError(format!(
                "features {text:?} are unknown; write words, words:N or chars:N with N from 1 to {MAX_SHINGLE}"
            ))
        };
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

    /// The shingles of this size of tokenized text, repeats included, in text order.
    pub(crate) fn shingles(self, tokens: &Tokens, size: usize) -> Slices<'_> {
        match self {
            Self::Empty if tokens.is_empty() => Tokens::empty_shingle(),
            _ if tokens.len() < self.least(size) => Slices::NONE,
            _ => tokens.shingle_slices(size),
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

impl FromStr for ShortTexts {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let n = || text.strip_prefix("drop:")?.parse().ok().map(Self::DropBelow);
        match text {
            "whole" => Ok(Self::Whole),
            "empty" => Ok(Self::Empty),
            "drop" => Ok(Self::Drop),
            _ => n().ok_or_else(|| {
                ValueError(format!(
                    "short texts {text:?} are unknown; write whole, empty, drop or drop:N"
                ))
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
