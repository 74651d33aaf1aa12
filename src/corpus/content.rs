//! The content of a document, and what is noticed about it.
//!
//! A text is a slice of a larger allocation. Documents are parsed on one core and fingerprinted on another. A million
//! small allocations that one core makes and another frees make both wait for the locks of the allocator. Several
//! documents in one allocation, freed with the last of them, avoid this. Lines of text or JSON share allocations; each
//! other document has its own. A slice takes 24 bytes.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::{Arc, Mutex, PoisonError};

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

/// Allocations up to this size are used again.
const MOST_BYTES: usize = 1 << 20;
/// The number of free allocations that are kept.
const MOST_WAITING: usize = 32;

/// Text, shared with other documents in one allocation.
#[derive(Clone)]
pub struct TextSlice {
    all: Arc<TextSlab>,
    own: Range<usize>,
}

/// The texts of some documents, end to end.
pub(super) struct TextSlab {
    text: String,
    /// The pool to which the allocation returns.
    pool: Option<BufferPool>,
}

/// Allocations to be used again. Otherwise the allocator would trim and request a large one each time, while
/// other threads wait for its lock.
#[derive(Clone, Default)]
pub(super) struct BufferPool(Arc<Mutex<Vec<String>>>);

impl BufferPool {
    /// An empty string with room for `n_bytes`.
    pub(super) fn take(&self, n_bytes: usize) -> String {
        let free = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        // Rounded up, so that an allocation fits all texts of similar length; large ones are not rounded.
        let wanted = if n_bytes <= MOST_BYTES { n_bytes.next_power_of_two() } else { n_bytes };
        free.filter(|free| free.capacity() >= n_bytes)
            .unwrap_or_else(|| String::with_capacity(wanted))
    }

    /// Shares `text` between documents; its allocation returns to the pool.
    pub(super) fn share(&self, mut text: String) -> Arc<TextSlab> {
        if text.len() < text.capacity() / 4 {
            text.shrink_to_fit();
        }
        Arc::new(TextSlab { text, pool: Some(self.clone()) })
    }
}

impl Drop for TextSlab {
    fn drop(&mut self) {
        let Some(pool) = &self.pool else { return };
        let mut waiting = pool.0.lock().unwrap_or_else(PoisonError::into_inner);
        if (1..=MOST_BYTES).contains(&self.text.capacity()) && waiting.len() < MOST_WAITING {
            let mut text = std::mem::take(&mut self.text);
            text.clear();
            waiting.push(text);
        }
    }
}

impl Deref for TextSlab {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl TextSlice {
    /// The slice `own` of `all`.
    ///
    /// # Panics
    /// If the range lies outside the text or cuts a character.
    pub(super) fn of(all: &Arc<TextSlab>, own: Range<usize>) -> Self {
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
        Self { own: 0..text.len(), all: Arc::new(TextSlab { text, pool: None }) }
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

    fn n_waiting(pool: &BufferPool) -> usize {
        pool.0.lock().unwrap().len()
    }

    #[test]
    fn an_allocation_returns_with_the_last_of_its_slices() {
        let pool = BufferPool::default();
        let mut strings = pool.take(20);
        strings.push_str("the tide, the pool");
        let all = pool.share(strings);
        let texts = [TextSlice::of(&all, 0..8), TextSlice::of(&all, 10..18)];
        drop(all);
        let [one, other] = texts;
        assert_eq!((&*one, &*other), ("the tide", "the pool"));
        drop(other);
        assert_eq!(n_waiting(&pool), 0);
        drop(one);
        assert_eq!(n_waiting(&pool), 1);
        assert_eq!(pool.take(5).len(), 0);
        assert_eq!(n_waiting(&pool), 0);
    }

    #[test]
    fn few_allocations_are_kept_and_none_that_is_large() {
        let pool = BufferPool::default();
        let full = |n| "x".repeat(n);
        drop(pool.share(full(MOST_BYTES + 1)));
        drop(pool.share(String::new()));
        assert_eq!(n_waiting(&pool), 0);
        let all: Vec<_> = (0..2 * MOST_WAITING).map(|_| pool.share(full(9))).collect();
        drop(all);
        assert_eq!(n_waiting(&pool), MOST_WAITING);
    }
}
