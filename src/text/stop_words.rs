//! Words left out before shingling: none, the bundled English list, or the user's own.
//!
//! A word is compared in lower case, whatever the recipe does with case.

use std::{collections::HashSet, sync::Arc};

const ENGLISH: &str = include_str!("../../assets/stop-words-english.txt");

/// A set of words to leave out; cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct StopWords(Option<Arc<HashSet<String>>>);

impl StopWords {
    /// Leaves nothing out.
    pub fn none() -> Self {
        Self(None)
    }

    /// The bundled list of English function words.
    pub fn english() -> Self {
        Self::from_words(ENGLISH.lines().filter(|line| !line.starts_with('#')))
    }

    /// The given words, in lower case, blank ones ignored.
    pub fn from_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let set: HashSet<String> = words
            .into_iter()
            .map(|word| word.trim().to_lowercase())
            .filter(|w| !w.is_empty())
            .collect();
        Self(if set.is_empty() { None } else { Some(Arc::new(set)) })
    }

    /// Number of words in the set.
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |set| set.len())
    }

    /// Whether nothing is left out.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether `word` is to be left out.
    pub fn contains(&self, word: &str) -> bool {
        let Some(set) = &self.0 else { return false };
        set.contains(word) || set.contains(word.to_lowercase().as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_english_list_holds_function_words_and_no_nouns() {
        let english = StopWords::english();
        assert!(["the", "The", "and", "of"].iter().all(|word| english.contains(word)));
        assert!(!english.contains("harbour"));
    }

    #[test]
    fn an_empty_list_leaves_nothing_out() {
        assert!(StopWords::from_words(["", " "]).is_empty());
        assert!(!StopWords::none().contains("the"));
    }
}
