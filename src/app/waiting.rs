//! Keys that wait for the next key: a count before a motion, and `g` before the number of a screen.

use std::fmt::{self, Display, Formatter};

use super::{
    Screen,
    key::{BareKey, Key},
    keymap::Action,
};

/// The largest count: more rows than any corpus has.
const LARGEST: usize = 9_999_999;

/// The typed keys of a count, or of the way to a screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WaitingKeys {
    /// The count; 0 before a digit was typed.
    count: Option<usize>,
    /// Whether the next key names a place to go to.
    goes: bool,
}

/// The meaning of a key after the waiting keys.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum KeyMeaning {
    /// More keys are needed.
    Waits(WaitingKeys),
    /// The waiting keys are dropped.
    Drops,
    /// An action, and its count if one was typed.
    Does(Action, Option<usize>),
    /// The key has no meaning.
    Nothing,
}

impl WaitingKeys {
    /// The meaning of the next key, whose action in the view is `action`.
    pub(super) fn then(self, key: Key, action: Option<Action>) -> KeyMeaning {
        let digit = match key {
            Key { code: BareKey::Char(digit), ctrl: false, alt: false } => digit.to_digit(10),
            _ => None,
        };
        let digit = digit.map(|digit| digit as usize);
        if self != Self::default() && key == Key::plain(BareKey::Esc) {
            return KeyMeaning::Drops;
        }
        if self.goes {
            let screen = digit.and_then(|number| Screen::ALL.get(number.checked_sub(1)?));
            return match screen {
                Some(screen) => KeyMeaning::Does(Action::Go(*screen), None),
                None if key == Key::char('g') => KeyMeaning::Does(Action::First, self.count()),
                None => KeyMeaning::Nothing,
            };
        }
        match (self.count, digit, action) {
            (Some(count), Some(digit), _) => {
                let count = Some((10 * count + digit).min(LARGEST));
                KeyMeaning::Waits(Self { count, ..self })
            }
            (_, digit, Some(Action::Count)) => {
                KeyMeaning::Waits(Self { count: Some(digit.unwrap_or(0)), ..self })
            }
            (_, _, Some(Action::GoTo)) => KeyMeaning::Waits(Self { goes: true, ..self }),
            (_, _, Some(action)) => KeyMeaning::Does(action, self.count()),
            (_, _, None) => KeyMeaning::Nothing,
        }
    }

    fn count(self) -> Option<usize> {
        self.count.filter(|count| *count > 0)
    }
}

impl Display for WaitingKeys {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match (self.goes, self.count()) {
            (true, _) => f.write_str("go to .. 1 to 6: a screen; g: the first row; Esc: drop it"),
            (false, None) => f.write_str("count .. a number, then a motion; Esc: drop it"),
            (false, Some(count)) => {
                write!(f, "count {count} .. then a motion, such as j, G, n; Esc: drop it")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_add_up_to_a_count_that_has_a_limit() {
        let mut keys = WaitingKeys::default();
        for (digit, action) in ["1", "2", "0"].into_iter().zip([Some(Action::Count), None, None]) {
            let key = Key::char(digit.chars().next().unwrap());
            let KeyMeaning::Waits(more) = keys.then(key, action) else { panic!("{digit}") };
            keys = more;
        }
        let down = Some(Action::Step(1));
        let meaning = keys.then(Key::char('j'), down);
        assert_eq!(meaning, KeyMeaning::Does(Action::Step(1), Some(120)));
        for _ in 0..20 {
            let KeyMeaning::Waits(more) = keys.then(Key::char('9'), None) else { panic!() };
            keys = more;
        }
        assert_eq!(keys.count(), Some(LARGEST));
        assert_eq!(keys.then(Key::plain(BareKey::Esc), Some(Action::Back)), KeyMeaning::Drops);
    }

    #[test]
    fn a_count_of_nothing_is_none() {
        let KeyMeaning::Waits(keys) =
            WaitingKeys::default().then(Key::char('#'), Some(Action::Count))
        else {
            panic!()
        };
        let meaning = keys.then(Key::char('j'), Some(Action::Step(1)));
        assert_eq!(meaning, KeyMeaning::Does(Action::Step(1), None));
    }
}
