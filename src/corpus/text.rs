//! A document's text, as a piece of what was read together with it.
//!
//! Documents are parsed on one core and fingerprinted on another. A million small allocations that one
//! core makes and another gives back have both wait for the allocator's locks; some documents in one
//! allocation, given back with the last of them, cost nothing. So it is with lines, of text or JSON; other
//! documents have an allocation each. 24 bytes a document.

use std::{
    fmt,
    ops::{Deref, Range},
    sync::{Arc, Mutex, PoisonError},
};

/// Allocations up to this are filled again.
const MOST_BYTES: usize = 1 << 20;
/// No more of them wait for it.
const MOST_WAITING: usize = 32;

/// Text, shared with other documents in one allocation.
#[derive(Clone)]
pub struct TextSlice {
    all: Arc<TextSlab>,
    own: Range<usize>,
}

/// The text of some documents, end to end.
pub(super) struct TextSlab {
    text: String,
    /// The pool that the allocation returns to.
    pool: Option<BufferPool>,
}

/// Allocations to be filled again: a big one that comes and goes is trimmed and got anew each time, while
/// others wait for the lock.
#[derive(Clone, Default)]
pub(super) struct BufferPool(Arc<Mutex<Vec<String>>>);

impl BufferPool {
    /// An empty string with room for so many bytes.
    pub(super) fn take(&self, n_bytes: usize) -> String {
        let free = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        // The same for texts of about one length; what is large is not made larger.
        let wanted = if n_bytes <= MOST_BYTES { n_bytes.next_power_of_two() } else { n_bytes };
        free.filter(|free| free.capacity() >= n_bytes)
            .unwrap_or_else(|| String::with_capacity(wanted))
    }

    /// `text`, to be shared by documents; its allocation returns to the pool.
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
    /// The piece `own` of `all`.
    ///
    /// # Panics
    /// If the range is invalid: it ends inside a character, or lies outside.
    pub(super) fn of(all: &Arc<TextSlab>, own: Range<usize>) -> Self {
        assert!(all.get(own.clone()).is_some(), "a piece of the text");
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
    fn a_string_comes_back_with_the_last_of_its_pieces() {
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
    fn few_wait_and_none_that_is_large() {
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
