//! Keys and mouse events, independent of the terminal.
//!
//! In `--keys` and help a printable character is written as itself; other keys have names in angle brackets:
//! `<enter>`, `<esc>`, `<tab>`, `<s-tab>`, `<up>`, `<pgdn>`, `<c-d>`, `<space>`, `<lt>`.

use std::{fmt, str::FromStr};

/// A key without modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BareKey {
    /// A printable character, to which shift was applied.
    Char(char),
    /// Return.
    Enter,
    /// Escape.
    Esc,
    /// Tabulator.
    Tab,
    /// Shift and tabulator.
    BackTab,
    /// Delete to the left.
    Backspace,
    /// Delete to the right.
    Delete,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
    /// To the start.
    Home,
    /// To the end.
    End,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// A function key.
    F(u8),
}

/// A key press.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The key.
    pub code: BareKey,
    /// Whether Control was held.
    pub ctrl: bool,
    /// Whether Alt was held.
    pub alt: bool,
}

impl Key {
    /// The key alone.
    pub const fn plain(code: BareKey) -> Self {
        Self { code, ctrl: false, alt: false }
    }

    /// A character alone.
    pub const fn char(c: char) -> Self {
        Self::plain(BareKey::Char(c))
    }

    /// Control and a character.
    pub const fn ctrl(c: char) -> Self {
        Self { code: BareKey::Char(c), ctrl: true, alt: false }
    }
}

impl Key {
    /// The key as `--keys` takes it: `j`, `<enter>`, `<c-d>`.
    pub fn written(self) -> String {
        let name = NAMES.iter().find(|(.., code)| *code == self.code).map(|(name, ..)| *name);
        match (self.code, name) {
            (BareKey::Char(c), _) if self.ctrl => format!("<c-{c}>"),
            (BareKey::Char(c), _) if self.alt => format!("<a-{c}>"),
            (_, Some(name)) => format!("<{name}>"),
            (BareKey::F(number), _) => format!("<f{number}>"),
            (BareKey::Char(c), _) => c.to_string(),
            (other, None) => format!("<{other:?}>"),
        }
    }
}

/// The names of keys as `--keys` writes them, and as help shows them.
const NAMES: &[(&str, &str, BareKey)] = &[
    ("enter", "Enter", BareKey::Enter),
    ("esc", "Esc", BareKey::Esc),
    ("tab", "Tab", BareKey::Tab),
    ("s-tab", "S-Tab", BareKey::BackTab),
    ("bs", "Backspace", BareKey::Backspace),
    ("del", "Del", BareKey::Delete),
    ("up", "Up", BareKey::Up),
    ("down", "Down", BareKey::Down),
    ("left", "Left", BareKey::Left),
    ("right", "Right", BareKey::Right),
    ("home", "Home", BareKey::Home),
    ("end", "End", BareKey::End),
    ("pgup", "PgUp", BareKey::PageUp),
    ("pgdn", "PgDn", BareKey::PageDown),
    ("space", "Space", BareKey::Char(' ')),
    ("lt", "<", BareKey::Char('<')),
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
        let name = NAMES.iter().find(|(.., code)| *code == self.code);
        match (name, self.code) {
            (Some((_, name, _)), _) => f.write_str(name),
            (None, BareKey::Char(c)) => write!(f, "{c}"),
            (None, BareKey::F(number)) => write!(f, "F{number}"),
            (None, other) => write!(f, "{other:?}"),
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
        return (1..=12).contains(&number).then_some(Key::plain(BareKey::F(number)));
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
    /// The mouse moved with the left button down.
    Drag,
    /// The left button went up.
    Release,
    /// The wheel turned up.
    WheelUp,
    /// The wheel turned down.
    WheelDown,
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
            Key::plain(BareKey::Enter),
            Key::ctrl('d'),
            Key::plain(BareKey::BackTab),
            Key::char('<'),
            Key::char('ä'),
            Key::plain(BareKey::F(2)),
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
