//! The shingles of a text that has fewer tokens than one shingle.

use std::{fmt, str::FromStr};

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
    fn every_value_prints_and_reads_back() {
        for text in ["whole", "empty", "drop", "drop:5"] {
            assert_eq!(text.parse::<ShortTexts>().unwrap().to_string(), text);
        }
        for text in ["", "drop:", "drop:-1", "none"] {
            assert!(text.parse::<ShortTexts>().unwrap_err().to_string().contains("drop:N"));
        }
    }
}
