//! The text of a document, as a slice of a larger allocation.
//!
//! Documents are parsed on one core and fingerprinted on another. A million small allocations that one core
//! makes and another frees make both wait for the locks of the allocator. Several documents in one allocation,
//! freed with the last of them, avoid this. Lines of text or JSON share allocations; each other document has
//! its own. A slice takes 24 bytes.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::{Arc, Mutex, PoisonError};

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

impl From<TextSlice> for String {
    fn from(text: TextSlice) -> Self {
        (*text).to_owned()
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

impl fmt::Display for TextSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!((&*one, String::from(other)), ("the tide", "the pool".to_owned()));
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
