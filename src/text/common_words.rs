//! UAX #29 words of text in common scripts, with one table look-up for each character.
//!
//! Implements only the rules of the annex for the classes of [`word_class`](super::word_class), and is two to
//! five times as fast as the general tables. A property test compares it with them. Source: Unicode Standard
//! Annex #29, rules WB4 to WB13 and WB999.

use std::ops::Range;

use super::word_class::{Class, classes};

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
