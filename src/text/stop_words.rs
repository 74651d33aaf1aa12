//! Words removed before shingling: none, the bundled English list, or the user's own list.
//!
//! Whole words are compared, after the recipe's normal form, and always in lower case. The words around a removed
//! word become neighbours: with words:3 and "of" removed, "end of the day" has the shingle "end the day". An
//! entry of two words matches nothing; neither does an entry in another normal form.

use std::{
    collections::HashSet,
    sync::{Arc, LazyLock},
};

use siphasher::sip::SipHasher13;

const ENGLISH: &str = include_str!("../../assets/stop-words-english.txt");

/// A set of words to remove; cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct StopWords(Option<Arc<HashSet<String>>>);

impl StopWords {
    /// The empty set.
    pub fn none() -> Self {
        Self(None)
    }

    /// The bundled list of English function words.
    pub fn english() -> Self {
        static WORDS: LazyLock<StopWords> = LazyLock::new(|| {
            StopWords::from_words(ENGLISH.lines().filter(|line| !line.starts_with('#')))
        });
        WORDS.clone()
    }

    /// A set of these words, in lower case and without empty ones.
    pub fn from_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let set: HashSet<String> = words
            .into_iter()
            .map(|word| word.trim().to_lowercase())
            .filter(|w| !w.is_empty())
            .collect();
        Self(if set.is_empty() { None } else { Some(Arc::new(set)) })
    }

    /// The number of words in the set.
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |set| set.len())
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Identifies a list by its words, independent of its name and order: SipHash-1-3 under the key (0, 0) of the
    /// distinct words in lower case, sorted by their bytes, each followed by a line feed.
    pub fn digest(&self) -> u64 {
        let mut words: Vec<&str> =
            self.0.iter().flat_map(|set| set.iter().map(String::as_str)).collect();
        words.sort_unstable();
        let list: String = words.into_iter().flat_map(|word| [word, "\n"]).collect();
        SipHasher13::new_with_keys(0, 0).hash(list.as_bytes())
    }

    /// Whether `word` is removed.
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
    fn a_digest_is_of_the_words_and_not_of_their_order() {
        let digest = |words: &[&str]| StopWords::from_words(words.iter().copied()).digest();
        assert_eq!(digest(&["the", "of", "The", " "]), digest(&["of", "the"]));
        assert_ne!(digest(&["of", "the"]), digest(&["of"]));
        assert_ne!(digest(&["of", "the"]), digest(&["ofthe"]));
        // The bundled list is part of the recipe contract: `stop=english` names these words.
        assert_eq!(StopWords::english().len(), 177);
        assert_eq!(format!("{:016x}", StopWords::english().digest()), "c3b9711fa312a76e");
    }

    #[test]
    fn an_empty_list_leaves_nothing_out() {
        assert!(StopWords::from_words(["", " "]).is_empty());
        assert!(!StopWords::none().contains("the"));
    }
}
