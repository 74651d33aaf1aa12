//! Keys and mouse events, independent of the terminal.
//!
//! In `--keys` and help a printable character is written as itself; other keys have names in angle brackets:
//! `<enter>`, `<esc>`, `<tab>`, `<s-tab>`, `<up>`, `<pgdn>`, `<c-d>`, `<space>`, `<lt>`.

use std::fmt;
use std::str::FromStr;

/// A key without modifiers, and a character to which shift was applied. crossterm's names of keys are plain data: no
/// terminal comes with them.
pub use crossterm::event::KeyCode;

/// A key press.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The key.
    pub code: KeyCode,
    /// Whether Control was held.
    pub ctrl: bool,
    /// Whether Alt was held.
    pub alt: bool,
}

impl Key {
    /// The key alone.
    pub const fn plain(code: KeyCode) -> Self {
        Self { code, ctrl: false, alt: false }
    }

    /// A character alone.
    pub const fn char(c: char) -> Self {
        Self::plain(KeyCode::Char(c))
    }

    /// Control and a character.
    pub const fn ctrl(c: char) -> Self {
        Self { code: KeyCode::Char(c), ctrl: true, alt: false }
    }

    /// The names of the key in `--keys` and in help, if it has names.
    fn names(self) -> Option<(&'static str, &'static str)> {
        let row = NAMES.iter().find(|(.., code)| *code == self.code);
        row.map(|(written, shown, _)| (*written, *shown))
    }

    /// Whether the program knows the key: media keys and lock keys mean nothing to it.
    pub fn is_known(self) -> bool {
        matches!(self.code, KeyCode::Char(_) | KeyCode::F(_)) || self.names().is_some()
    }

    /// The key as `--keys` takes it: `j`, `<enter>`, `<c-d>`.
    pub fn written(self) -> String {
        match (self.code, self.names()) {
            (KeyCode::Char(c), _) if self.ctrl => format!("<c-{c}>"),
            (KeyCode::Char(c), _) if self.alt => format!("<a-{c}>"),
            (_, Some((name, _))) => format!("<{name}>"),
            (KeyCode::F(number), None) => format!("<f{number}>"),
            (code, None) => code.to_string(),
        }
    }
}

/// The names of keys as `--keys` writes them, and as help shows them.
const NAMES: &[(&str, &str, KeyCode)] = &[
    ("enter", "Enter", KeyCode::Enter),
    ("esc", "Esc", KeyCode::Esc),
    ("tab", "Tab", KeyCode::Tab),
    ("s-tab", "S-Tab", KeyCode::BackTab),
    ("bs", "Backspace", KeyCode::Backspace),
    ("del", "Del", KeyCode::Delete),
    ("up", "Up", KeyCode::Up),
    ("down", "Down", KeyCode::Down),
    ("left", "Left", KeyCode::Left),
    ("right", "Right", KeyCode::Right),
    ("home", "Home", KeyCode::Home),
    ("end", "End", KeyCode::End),
    ("pgup", "PgUp", KeyCode::PageUp),
    ("pgdn", "PgDn", KeyCode::PageDown),
    ("space", "Space", KeyCode::Char(' ')),
    ("lt", "<", KeyCode::Char('<')),
];

impl fmt::Display for Key {
    /// The key as help shows it: `j`, `Enter`, `^d`, `PgDn`, `Space`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("^")?;
        }
        if self.alt {
            f.write_str("Alt-")?;
        }
        match self.names() {
            Some((_, shown)) => f.write_str(shown),
            None => self.code.fmt(f),
        }
    }
}

/// A `--keys` string that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "--keys: {0:?} names no key; write characters as they are and others as <enter>, <esc>, <tab>, <up>, <pgdn>, <c-d>, <lt> .."
)]
pub struct KeyError(String);

/// A sequence of key presses as `--keys` takes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys(pub Vec<Key>);

impl FromStr for Keys {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut keys = Vec::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            if c == '<' {
                let end = rest.find('>').ok_or_else(|| KeyError(rest.to_owned()))?;
                keys.push(named(&rest[1..end]).ok_or_else(|| KeyError(rest[..=end].to_owned()))?);
                rest = &rest[end + 1..];
            } else if c.is_control() {
                return Err(KeyError(c.to_string()));
            } else {
                keys.push(Key::char(c));
                rest = &rest[c.len_utf8()..];
            }
        }
        Ok(Self(keys))
    }
}

fn named(name: &str) -> Option<Key> {
    let lower = name.to_ascii_lowercase();
    if let Some((.., code)) = NAMES.iter().find(|(known, ..)| *known == lower) {
        return Some(Key::plain(*code));
    }
    if let Some(number) = lower.strip_prefix('f').and_then(|n| n.parse().ok()) {
        return (1..=12).contains(&number).then_some(Key::plain(KeyCode::F(number)));
    }
    let (modifier, c) = lower.split_once('-')?;
    let mut chars = c.chars();
    let (c, None) = (chars.next()?, chars.next()) else { return None };
    match modifier {
        "c" => Some(Key::ctrl(c)),
        "a" => Some(Key { alt: true, ..Key::char(c) }),
        _ => None,
    }
}

/// An action of the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseAction {
    /// The left button went down.
    Click,
    /// The wheel turned: down by 1, up by -1.
    Wheel(isize),
}

/// A mouse event with its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mouse {
    /// The action.
    pub action: MouseAction,
    /// The column, from 0.
    pub column: u16,
    /// The row, from 0.
    pub row: u16,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_keys_are_read() {
        let keys: Keys = "3j<enter><c-d><S-Tab><lt>ä<F2>".parse().unwrap();
        let expected = [
            Key::char('3'),
            Key::char('j'),
            Key::plain(KeyCode::Enter),
            Key::ctrl('d'),
            Key::plain(KeyCode::BackTab),
            Key::char('<'),
            Key::char('ä'),
            Key::plain(KeyCode::F(2)),
        ];
        assert_eq!(keys.0, expected);
    }

    #[test]
    fn keys_are_written_as_they_are_read() {
        for text in
            ["j", "<enter>", "<c-d>", "<a-x>", "<s-tab>", "<f12>", "<space>", "<lt>", "ä", ":"]
        {
            let keys: Keys = text.parse().unwrap();
            assert_eq!(keys.0[0].written(), text);
        }
    }

    #[test]
    fn a_control_character_is_no_key() {
        for text in ["a\tb", "\n", "\u{1b}"] {
            assert!(
                text.parse::<Keys>().unwrap_err().to_string().contains("names no key"),
                "{text:?}"
            );
        }
    }

    #[test]
    fn what_names_no_key_is_named_back() {
        for text in ["<entr>", "a<", "<c->", "<f99>"] {
            let message = text.parse::<Keys>().unwrap_err().to_string();
            assert!(message.contains("names no key"), "{message}");
        }
    }
}
