//! Words removed before shingling: none, the bundled English list, or the user's own list.
//!
//! Whole words are compared, after the recipe's normal form, and always in lower case. The words around a removed
//! word become neighbours: with words:3 and "of" removed, "end of the day" has the shingle "end the day". An
//! entry of two words matches nothing; neither does an entry in another normal form.
//!
//! Also here: the words of UAX #29 in common scripts, with one table look-up for each character.
//!
//! Implements only the rules of the annex for the classes of `word_class`, and is two to
//! five times as fast as the general tables. A property test compares it with them. Source: Unicode Standard
//! Annex #29, rules WB4 to WB13 and WB999.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use siphasher::sip::SipHasher13;

use super::word_class::{Class, classes};

const ENGLISH: &str = include_str!("../../assets/stop-words-english.txt");

/// A set of words to remove; cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct StopWords(Arc<HashSet<String>>);

impl StopWords {
    /// The empty set.
    pub fn none() -> Self {
        Self::default()
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
        let lower = words.into_iter().map(|word| word.trim().to_lowercase());
        Self(Arc::new(lower.filter(|word| !word.is_empty()).collect()))
    }

    /// The number of words in the set.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Identifies a list by its words, independent of its name and order: SipHash-1-3 under the key (0, 0) of the
    /// distinct words in lower case, sorted by their bytes, each followed by a line feed.
    pub fn digest(&self) -> u64 {
        let mut words: Vec<&str> = self.0.iter().map(String::as_str).collect();
        words.sort_unstable();
        let list: String = words.into_iter().flat_map(|word| [word, "\n"]).collect();
        SipHasher13::new_with_keys(0, 0).hash(list.as_bytes())
    }

    /// Whether `word` is removed.
    pub fn contains(&self, word: &str) -> bool {
        let in_lower_case = || self.0.contains(&*word.to_lowercase());
        !self.is_empty() && (self.0.contains(word) || in_lower_case())
    }
}

/// The current word, up to the last character read.
#[derive(Clone, Copy)]
struct Word {
    start: usize,
    /// The class of its last character, not counting marks.
    last: Class,
    /// Whether it has a character other than `_`.
    has_content: bool,
    /// Whether it has a character that needs Unicode lower-casing.
    has_capital: bool,
    /// A punctuation mark that may join it to the next character, and the position of the mark.
    middle: Option<(Class, usize)>,
    /// Whether it ends in a mark of class [`Class::Reordering`], which must not be followed by another one.
    ends_in_reordering: bool,
}

impl Word {
    fn new(start: usize, class: Class) -> Self {
        Self {
            start,
            last: class,
            has_content: class != Class::Join,
            has_capital: class == Class::Capital,
            middle: None,
            ends_in_reordering: false,
        }
    }

    /// Appends the character if it belongs to this word; returns whether it did.
    fn append(&mut self, class: Class) -> bool {
        use Class::{Capital, Digit, Join, Kana, Letter, MidBoth, MidDigit, MidLetter};
        let belongs = match self.middle {
            Some((middle, _)) => matches!(
                (self.last, middle, class),
                (Letter | Capital, MidLetter | MidBoth, Letter | Capital)
                    | (Digit, MidDigit | MidBoth, Digit)
            ),
            None => matches!(
                (self.last, class),
                (Letter | Capital | Digit | Join, Letter | Capital | Digit | Join)
                    | (Kana | Join, Kana | Join)
            ),
        };
        if belongs {
            self.middle = None;
            self.ends_in_reordering = false;
            self.last = class;
            self.has_content |= class != Join;
            self.has_capital |= class == Capital;
        }
        belongs
    }

    /// Appends a combining mark; returns whether the word can still be handled here.
    fn append_mark(&mut self, class: Class) -> bool {
        // A vowel sign is a letter, so after `_` alone it would make a word.
        let is_simple = self.has_content
            && self.middle.is_none()
            && !(self.ends_in_reordering && class == Class::Reordering);
        self.ends_in_reordering = class == Class::Reordering;
        is_simple
    }
}

/// Calls `word` with the byte range of every word of `text`, in order, and with whether the word needs Unicode
/// lower-casing: if not, lowering ASCII is enough.
///
/// Returns `false` if the text has a character that only the general tables cover; then the calls so far must be
/// discarded.
pub(super) fn for_each(text: &str, mut word: impl FnMut(Range<usize>, bool)) -> bool {
    let classes = classes();
    let mut current: Option<Word> = None;
    let mut close = |current: &mut Option<Word>, at: usize| {
        if let Some(Word { start, has_content: true, has_capital, middle, .. }) = current.take() {
            word(start..middle.map_or(at, |(_, middle)| middle), has_capital);
        }
    };
    for (at, character) in text.char_indices() {
        let Some(&class) = classes.get(character as usize) else { return false };
        match class {
            Class::Other => return false,
            Class::Mark | Class::Reordering => {
                if !current.as_mut().is_some_and(|word| word.append_mark(class)) {
                    return false;
                }
            }
            Class::Break => close(&mut current, at),
            Class::MidLetter | Class::MidDigit | Class::MidBoth => match &mut current {
                Some(word @ Word { middle: None, .. }) => word.middle = Some((class, at)),
                _ => close(&mut current, at),
            },
            _ => {
                if !current.as_mut().is_some_and(|word| word.append(class)) {
                    close(&mut current, at);
                    current = Some(Word::new(at, class));
                }
            }
        }
    }
    close(&mut current, text.len());
    true
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
