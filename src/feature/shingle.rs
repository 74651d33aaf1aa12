//! The kind of shingle: N words, or N characters.

use std::{fmt, str::FromStr};

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
