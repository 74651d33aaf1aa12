//! The background of the terminal is asked for once at the start, and the answer is separated from the keys.
//!
//! OSC 11 asks for the colour. The input thread reads the answer, which looks like keys, because it begins like Alt-] or
//! Escape; over a slow link it may come late and in pieces. [`Answer`] takes it out of the keys as long as it may come.

use std::time::{Duration, Instant};

use crate::app::{Key, KeyCode};
use crate::look::{Ground, luminance};

/// The time that the first frame waits for the answer; a later one has the screen drawn again.
pub(super) const PATIENCE: Duration = Duration::from_millis(30);
/// The time in which a late answer may come.
#[cfg(unix)]
const LATEST: Duration = Duration::from_secs(20);
/// The time in which the next key follows if the key before began the answer.
#[cfg(unix)]
pub(super) const PAUSE: Duration = Duration::from_millis(50);

/// The beginning of the colour in the answer; `rgba` has the same beginning.
const COLOUR: &str = "\x1b]11;rgb";
/// The most characters of an answer.
const LONGEST: usize = 64;

/// Keys that are, or may be, the answer of the terminal.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// The time until which it may come; `None` if it is not awaited.
    until: Option<Instant>,
    /// Keys that may be its beginning.
    held: Vec<Key>,
    /// These keys as the terminal writes them.
    text: String,
    /// The background, after the answer.
    ground: Option<Ground>,
}

/// The kind of a text, by whether the terminal may have written it as the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Not the answer.
    Other,
    /// The beginning of the answer.
    Part,
    /// The answer.
    Whole,
}

impl Answer {
    /// Whether it may still come.
    pub(super) fn is_awaited(&self) -> bool {
        self.until.is_some()
    }

    /// Takes a key; returns the keys that the user pressed.
    pub(super) fn take(&mut self, key: Key) -> Vec<Key> {
        if self.until.is_none_or(|until| Instant::now() > until) {
            let mut keys = self.give_back();
            keys.push(key);
            return keys;
        }
        let unit = written(key);
        let mut user = Vec::new();
        // A key that does not continue the held keys may begin the answer.
        if kind(&format!("{}{unit}", self.text)) == Kind::Other {
            user = self.give_back();
            if kind(&unit) == Kind::Other {
                user.push(key);
                return user;
            }
        }
        self.held.push(key);
        self.text += &unit;
        if kind(&self.text) == Kind::Whole {
            (self.ground, self.until) = (ground(&self.text), None);
            self.held.clear();
            self.text.clear();
        }
        user
    }

    /// The ground, if the terminal has told it since the last time.
    pub(super) fn new_ground(&mut self) -> Option<Ground> {
        self.ground.take()
    }

    /// Whether keys are held that the user may have pressed.
    #[cfg(unix)]
    pub(super) fn is_in_doubt(&self) -> bool {
        !self.held.is_empty() && !self.text.starts_with(COLOUR)
    }

    /// The held keys if the user pressed them, because they do not become the answer.
    pub(super) fn give_back(&mut self) -> Vec<Key> {
        let is_certain = std::mem::take(&mut self.text).starts_with(COLOUR);
        let held = std::mem::take(&mut self.held);
        if is_certain { Vec::new() } else { held }
    }
}

/// A key as the terminal writes it; a character that no answer has for keys that are none of an answer.
fn written(key: Key) -> String {
    match key {
        Key { code: KeyCode::Esc, ctrl: false, alt: false } => "\x1b".to_owned(),
        Key { code: KeyCode::Char('g'), ctrl: true, alt: false } => "\x07".to_owned(),
        Key { code: KeyCode::Char(c), ctrl: false, alt: true } => format!("\x1b{c}"),
        Key { code: KeyCode::Char(c), ctrl: false, alt: false } => c.to_string(),
        _ => "\0".to_owned(),
    }
}

/// The kind of a text.
fn kind(text: &str) -> Kind {
    if COLOUR.starts_with(text) {
        return Kind::Part;
    }
    let Some(rest) = text.strip_prefix(COLOUR).filter(|_| text.len() <= LONGEST) else {
        return Kind::Other;
    };
    let body = rest.trim_end_matches(['\x07', '\\', '\x1b']);
    let is_colour = body.chars().all(|c| c.is_ascii_hexdigit() || "a:/".contains(c));
    match &rest[body.len()..] {
        _ if !is_colour => Kind::Other,
        "" | "\x1b" => Kind::Part,
        "\x07" | "\x1b\\" => Kind::Whole,
        _ => Kind::Other,
    }
}

/// The ground of an answer such as `rgb:ffff/ffff/e0e0`.
fn ground(answer: &str) -> Option<Ground> {
    let colour = answer.split_once(':')?.1.trim_end_matches(['\x07', '\x1b', '\\']);
    let mut parts = colour.split('/').map(|part| {
        let most = (1_u32 << (4 * part.len().clamp(1, 4))) - 1;
        Some((u32::from_str_radix(part, 16).ok()? * 255 / most).min(255) as u8)
    });
    let mut part = || parts.next()?;
    // Half as light as white to the eye.
    Some(if luminance([part()?, part()?, part()?]) > 0.18 { Ground::Light } else { Ground::Dark })
}

/// Asks the terminal, which must be in raw mode, for its background; returns the answer that may come.
#[cfg(unix)]
pub(super) fn ask() -> Answer {
    use std::io::{self, IsTerminal as _, Write as _};

    let mut output = io::stdout();
    let are_terminals = io::stdin().is_terminal() && output.is_terminal();
    let mut write = || output.write_all(b"\x1b]11;?\x1b\\").and_then(|()| output.flush());
    let is_asked = are_terminals && write().is_ok();
    Answer { until: is_asked.then(|| Instant::now() + LATEST), ..Answer::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn awaited() -> Answer {
        Answer { until: Some(Instant::now() + Duration::from_mins(1)), ..Answer::default() }
    }

    /// The keys that the user pressed, as they are written in `--keys`.
    fn of_the_user(answers: &mut Answer, keys: &[Key]) -> String {
        let mut user: Vec<Key> = keys.iter().flat_map(|key| answers.take(*key)).collect();
        user.extend(answers.give_back());
        user.into_iter().map(Key::written).collect()
    }

    /// A text as crossterm reads it: Escape and the next character are one key.
    fn as_keys(text: &str, is_cut_after_escape: bool) -> Vec<Key> {
        let mut keys = Vec::new();
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            keys.push(match c {
                '\x1b' if is_cut_after_escape => Key::plain(KeyCode::Esc),
                '\x1b' => Key { alt: true, ..Key::char(chars.next().unwrap()) },
                '\x07' => Key::ctrl('g'),
                c => Key::char(c),
            });
        }
        keys
    }

    #[test]
    fn no_answer_is_a_key_however_it_comes() {
        for end in ["\x07", "\x1b\\"] {
            for colour in ["rgb:ffff/FFFF/ffff", "rgb:28/2a/36", "rgba:0000/0000/0000/ffff"] {
                for is_cut in [false, true] {
                    let text = format!("\x1b]11;{colour}{end}");
                    let keys = as_keys(&format!("j{text}k"), is_cut);
                    let mut answers = awaited();
                    assert_eq!(of_the_user(&mut answers, &keys), "jk", "{text:?}");
                    let light = colour.contains("FFFF");
                    assert_eq!(answers.ground == Some(Ground::Light), light);
                    // After the answer no key is held.
                    let keys = as_keys("f\x1b", true);
                    assert_eq!(of_the_user(&mut answers, &keys), "f<esc>");
                    assert!(answers.until.is_none());
                }
            }
        }
    }

    #[test]
    fn keys_of_the_user_pass() {
        for text in
            ["5jq", "]11;rgb:", "\x1b]x", "\x1bg", "\x1b", "\x1b[A", "\x1b\x1b", "\x1b]11;x"]
        {
            let keys = as_keys(text, true);
            let written: String = keys.iter().map(|key| key.written()).collect();
            assert_eq!(of_the_user(&mut awaited(), &keys), written, "{text:?}");
        }
        let named = [Key::plain(KeyCode::Esc), Key::plain(KeyCode::Down), Key::ctrl('d')];
        assert_eq!(of_the_user(&mut awaited(), &named), "<esc><down><c-d>");
        // A key of the user in the middle of an answer ends it.
        let keys = as_keys("\x1b]11;rgb:ff/ffqj", false);
        assert_eq!(of_the_user(&mut awaited(), &keys), "qj");
        // If no answer is expected, no key is held.
        assert_eq!(Answer::default().take(Key::plain(KeyCode::Esc)), [Key::plain(KeyCode::Esc)]);
    }

    #[test]
    fn the_ground_is_light_or_dark_to_the_eye() {
        let told = |colour: &str| ground(&format!("\x1b]11;{colour}\x07"));
        assert_eq!(told("rgb:fdfd/f6f6/e3e3"), Some(Ground::Light));
        assert_eq!(told("rgb:28/2a/36"), Some(Ground::Dark));
        assert_eq!(told("rgb:f/f/f"), Some(Ground::Light));
        assert_eq!(told("rgb:0000/0000/ffff"), Some(Ground::Dark));
        assert_eq!(told("rgb:x"), None);
    }
}
