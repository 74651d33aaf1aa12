//! The kind of shingle: N words, or N characters.

use std::{fmt, str::FromStr};

/// The longest shingle that can be asked for, in tokens.
pub const MAX_SHINGLE: usize = 100;

/// The way in which a text is cut into overlapping shingles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shingling {
    /// Runs of that many consecutive words, joined by one space.
    Words(usize),
    /// Runs of that many consecutive grapheme clusters.
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
}

impl Shingling {
    /// The same in five letters, for the head of a column.
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

/// A text that names no shingling.
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
