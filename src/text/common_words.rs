//! UAX #29 words of text in the common scripts, a look-up a character.
//!
//! The rules of the annex that speak of the classes of [`word_class`](super::word_class), and nothing else:
//! two to five times as fast as the general tables, to which a property test holds it.
//! Source: Unicode Standard Annex #29, rules WB4 to WB13 and WB999.

use std::ops::Range;

use super::word_class::{Class, classes};

/// A word as it is met.
#[derive(Clone, Copy)]
struct Word {
    start: usize,
    /// The class of its last character, marks aside.
    last: Class,
    /// Whether it has more than `_`.
    counts: bool,
    /// Whether it has a character whose lower case must be looked up.
    has_capital: bool,
    /// A mark that may join it to the next character, and the position of the mark.
    middle: Option<(Class, usize)>,
    /// Whether it ends in a joining mark, which must not be followed by another one.
    is_joined: bool,
}

impl Word {
    fn new(start: usize, class: Class) -> Self {
        Self {
            start,
            last: class,
            counts: class != Class::Join,
            has_capital: class == Class::Capital,
            middle: None,
            is_joined: false,
        }
    }

    /// Takes a character that belongs to it; whether it does.
    fn takes(&mut self, class: Class) -> bool {
        use Class::{Capital, Digit, Join, Kana, Letter, MidBoth, MidDigit, MidLetter};
        let holds = match self.middle {
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
        if holds {
            self.middle = None;
            self.is_joined = false;
            self.last = class;
            self.counts |= class != Join;
            self.has_capital |= class == Capital;
        }
        holds
    }

    /// Takes a mark that clings to it; whether all is still simple.
    fn takes_mark(&mut self, class: Class) -> bool {
        // A vowel sign is a letter, and would make a word of `_`.
        let simple =
            self.counts && self.middle.is_none() && !(self.is_joined && class == Class::Joined);
        self.is_joined = class == Class::Joined;
        simple
    }
}

/// Calls `word` with the place of every word of `text`, in order, and whether its lower case must be asked
/// for: if not, lowering ASCII is enough.
///
/// `false` where the text has a character that only the general tables know: then the calls so far must be
/// discarded.
pub(super) fn for_each(text: &str, mut word: impl FnMut(Range<usize>, bool)) -> bool {
    let classes = classes();
    let mut open: Option<Word> = None;
    let mut close = |open: &mut Option<Word>, at: usize| {
        if let Some(Word { start, counts: true, has_capital, middle, .. }) = open.take() {
            word(start..middle.map_or(at, |(_, middle)| middle), has_capital);
        }
    };
    for (at, character) in text.char_indices() {
        let Some(&class) = classes.get(character as usize) else { return false };
        match class {
            Class::Other => return false,
            Class::Mark | Class::Joined => {
                if !open.as_mut().is_some_and(|word| word.takes_mark(class)) {
                    return false;
                }
            }
            Class::Break => close(&mut open, at),
            Class::MidLetter | Class::MidDigit | Class::MidBoth => match &mut open {
                Some(word @ Word { middle: None, .. }) => word.middle = Some((class, at)),
                _ => close(&mut open, at),
            },
            _ => {
                if !open.as_mut().is_some_and(|word| word.takes(class)) {
                    close(&mut open, at);
                    open = Some(Word::new(at, class));
                }
            }
        }
    }
    close(&mut open, text.len());
    true
}
