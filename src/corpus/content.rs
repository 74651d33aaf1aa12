//! The content of a document, and what is noticed about it.
//!
//! A text is a slice of a larger allocation. Documents are parsed on one core and fingerprinted on another. A million
//! small allocations that one core makes and another frees make both wait for the locks of the allocator. Several
//! documents in one allocation, freed with the last of them, avoid this. Lines of text or JSON share allocations; each
//! other document has its own. A slice takes 24 bytes.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A small set of properties of a document, noticed while it was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ContentFlags(u8);

impl ContentFlags {
    /// No property.
    pub const NONE: Self = Self(0);
    /// Some bytes are invalid in the encoding and are shown as U+FFFD.
    pub const LOSSY: Self = Self(1);
    /// No text, or only white space; or a fingerprint row without a fingerprint.
    pub const EMPTY: Self = Self(2);
    /// A fingerprint instead of text.
    pub const FINGERPRINT_ONLY: Self = Self(4);
    /// Hashed features instead of text.
    pub const HASHES_ONLY: Self = Self(8);

    /// Whether some bytes were invalid and are read as U+FFFD.
    pub fn is_lossy(self) -> bool {
        self.contains(Self::LOSSY)
    }

    /// Whether the document has no text (or only white space), or no fingerprint.
    pub fn is_empty(self) -> bool {
        self.contains(Self::EMPTY)
    }

    /// Whether the document has a fingerprint instead of text.
    pub fn is_fingerprint_only(self) -> bool {
        self.contains(Self::FINGERPRINT_ONLY)
    }

    /// Whether the document has hashed features instead of text.
    pub fn is_hashes_only(self) -> bool {
        self.contains(Self::HASHES_ONLY)
    }

    /// Whether the document has something else instead of text.
    pub fn lacks_text(self) -> bool {
        self.is_fingerprint_only() || self.is_hashes_only()
    }

    /// Whether all flags of `other` are set.
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// These flags and, if `wanted`, the flags of `other`.
    #[must_use]
    pub fn with(self, other: Self, wanted: bool) -> Self {
        if wanted { Self(self.0 | other.0) } else { self }
    }
}

/// The content of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Its text.
    Text(TextSlice),
    /// Its fingerprint in hex, as found; `None` for JSON `null` or an empty cell, which mean "no features".
    Fingerprint(Option<String>),
    /// Its features as another program hashed them: 64 bits and a weight each, at least 0. The weights of a document
    /// add up to 10^12 at most.
    Hashes(Vec<(u64, f64)>),
}

impl Content {
    /// The text; `None` for a fingerprint.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Fingerprint(_) | Self::Hashes(_) => None,
        }
    }

    /// The flags that follow from the content alone.
    pub(super) fn flags(&self) -> ContentFlags {
        match self {
            Self::Text(text) => Self::text_flags(text),
            Self::Fingerprint(hex) => ContentFlags::FINGERPRINT_ONLY
                .with(ContentFlags::EMPTY, hex.as_deref().is_none_or(str::is_empty)),
            Self::Hashes(hashes) => {
                ContentFlags::HASHES_ONLY.with(ContentFlags::EMPTY, hashes.is_empty())
            }
        }
    }

    /// The flags of a text.
    pub(super) fn text_flags(text: &str) -> ContentFlags {
        ContentFlags::NONE.with(ContentFlags::EMPTY, text.trim().is_empty())
    }

    /// Bytes of text.
    pub(super) fn text_bytes(&self) -> usize {
        self.text().map_or(0, str::len)
    }

    /// Bytes in memory of a text, or of the hashes instead.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Hashes(hashes) => size_of_val(hashes.as_slice()),
            _ => self.text_bytes(),
        }
    }
}

/// Text, shared with other documents in one allocation.
#[derive(Clone)]
pub struct TextSlice {
    all: Arc<String>,
    own: Range<usize>,
}

impl TextSlice {
    /// The slice `own` of `all`.
    ///
    /// # Panics
    /// If the range lies outside the text or cuts a character.
    pub(super) fn of(all: &Arc<String>, own: Range<usize>) -> Self {
        assert!(all.get(own.clone()).is_some(), "the range is a slice of the text");
        Self { all: Arc::clone(all), own }
    }
}

impl Deref for TextSlice {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        &self.all[self.own.clone()]
    }
}

impl From<String> for TextSlice {
    fn from(text: String) -> Self {
        Self { own: 0..text.len(), all: Arc::new(text) }
    }
}

impl From<&str> for TextSlice {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl PartialEq for TextSlice {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for TextSlice {}

impl fmt::Debug for TextSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_empty_and_a_fingerprint_is_marked() {
        assert!(Content::Text(" \n\u{3000}".into()).flags().is_empty());
        assert!(!Content::Text("a".into()).flags().is_empty());
        let flags = Content::Fingerprint(Some("ff".into())).flags();
        assert!(flags.is_fingerprint_only() && !flags.is_empty());
        assert!(Content::Fingerprint(None).flags().is_empty());
    }
}
