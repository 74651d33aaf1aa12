//! The background of the terminal is asked for once at the start, and the answers are separated from the keys.
//!
//! OSC 11 asks for the colour. A query that every terminal answers (DA1) follows, so that a terminal without OSC 11 is
//! noticed at once. Over a slow link the answers may come late and in pieces: then they look like keys, because they
//! begin like Alt-] or Escape. [`Answers`] takes them out of the keys as long as they may come.

#[cfg(any(unix, test))]
use std::time::Duration;
use std::time::Instant;

#[cfg(unix)]
use super::input::ready;
use crate::app::{Key, KeyCode};
use crate::look::{Ground, luminance};

/// The time that the first frame waits for the answer; a later one has the screen drawn again.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_millis(30);
/// The time in which a late answer may come.
#[cfg(unix)]
const LATEST: Duration = Duration::from_secs(20);
/// The time in which the next key follows if the key before began an answer.
#[cfg(unix)]
pub(super) const PAUSE: Duration = Duration::from_millis(50);

/// The beginning of the colour in the answer; `rgba` has the same beginning.
const COLOUR: &str = "\x1b]11;rgb";
/// The beginning of the other answer.
const ATTRIBUTES: &str = "\x1b[?";
/// The most characters of an answer.
const LONGEST: usize = 64;

/// Keys that are, or may be, answers of the terminal.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// The time until which answers may come; `None` if none is awaited.
    until: Option<Instant>,
    /// Keys that may be the beginning of an answer.
    held: Vec<Key>,
    /// These keys as the terminal writes them.
    text: String,
    /// The background, after the answer.
    ground: Option<Ground>,
}

/// The kind of a text, by whether the terminal may have written it as an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Not an answer.
    Other,
    /// The beginning of an answer.
    Part,
    /// The colour of the ground.
    Colour,
    /// The abilities of the terminal: the last answer.
    Attributes,
}

impl Answers {
    /// Takes a key; returns the keys that the user pressed.
    pub(super) fn take(&mut self, key: Key) -> Vec<Key> {
        if self.until.is_none_or(|until| Instant::now() > until) {
            let mut keys = self.give_back();
            keys.push(key);
            return keys;
        }
        let unit = written(key);
        let mut user = Vec::new();
        // A key that does not continue the held keys may begin another answer.
        if kind(&format!("{}{unit}", self.text)) == Kind::Other {
            user = self.give_back();
            if kind(&unit) == Kind::Other {
                user.push(key);
                return user;
            }
        }
        self.held.push(key);
        self.text += &unit;
        match kind(&self.text) {
            Kind::Colour => self.ground = ground(&self.text),
            Kind::Attributes => self.until = None,
            Kind::Part | Kind::Other => return user,
        }
        self.held.clear();
        self.text.clear();
        user
    }

    /// The ground, if the terminal has told it since the last time.
    pub(super) fn new_ground(&mut self) -> Option<Ground> {
        self.ground.take()
    }

    /// Whether keys are held that the user may have pressed.
    #[cfg(unix)]
    pub(super) fn is_in_doubt(&self) -> bool {
        !self.held.is_empty() && !self.is_certain()
    }

    /// The held keys if the user pressed them, because they do not become an answer.
    pub(super) fn give_back(&mut self) -> Vec<Key> {
        let is_certain = self.is_certain();
        self.text.clear();
        let held = std::mem::take(&mut self.held);
        if is_certain { Vec::new() } else { held }
    }

    /// Whether the held keys can only be an answer.
    fn is_certain(&self) -> bool {
        self.text.len() > ATTRIBUTES.len() && self.text.starts_with(ATTRIBUTES)
            || self.text.starts_with(COLOUR)
    }
}

/// A key as the terminal writes it; a character that no answer has for other keys than those of [`pressed`].
fn written(key: Key) -> String {
    match key {
        Key { code: KeyCode::Esc, ctrl: false, alt: false } => "\x1b".to_owned(),
        Key { code: KeyCode::Enter, .. } => "\r".to_owned(),
        Key { code: KeyCode::Tab, .. } => "\t".to_owned(),
        Key { code: KeyCode::Backspace, .. } => "\x7f".to_owned(),
        Key { code: KeyCode::Char(c @ 'a'..='z'), ctrl: true, alt: false } => {
            char::from(c as u8 & 0x1f).to_string()
        }
        Key { code: KeyCode::Char(c), ctrl: false, alt: true } => format!("\x1b{c}"),
        Key { code: KeyCode::Char(c), ctrl: false, alt: false } => c.to_string(),
        _ => "\0".to_owned(),
    }
}

/// The kind of a text.
fn kind(text: &str) -> Kind {
    if COLOUR.starts_with(text) || ATTRIBUTES.starts_with(text) {
        return Kind::Part;
    }
    if text.len() > LONGEST {
        return Kind::Other;
    }
    if let Some(rest) = text.strip_prefix(COLOUR) {
        let body = rest.trim_end_matches(['\x07', '\\', '\x1b']);
        let is_colour = body.chars().all(|c| c.is_ascii_hexdigit() || "a:/".contains(c));
        return match &rest[body.len()..] {
            _ if !is_colour => Kind::Other,
            "" | "\x1b" => Kind::Part,
            "\x07" | "\x1b\\" => Kind::Colour,
            _ => Kind::Other,
        };
    }
    let Some(rest) = text.strip_prefix(ATTRIBUTES) else { return Kind::Other };
    let body = rest.strip_suffix('c');
    let is_known = |body: &str| body.chars().all(|c| c.is_ascii_digit() || c == ';');
    match body {
        Some(body) if is_known(body) => Kind::Attributes,
        None if is_known(rest) => Kind::Part,
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

/// Asks the terminal, which must be in raw mode, for its background, and waits a short time. Returns the background,
/// the keys that were pressed in this time, and the answers that may still come.
#[cfg(unix)]
pub(super) fn ask() -> (Option<Ground>, Vec<Key>, Answers) {
    use std::io::{self, IsTerminal as _, Write as _};

    use std::os::fd::AsFd as _;

    let (input, mut output) = (io::stdin(), io::stdout());
    let (mut answers, mut keys) = (Answers::default(), Vec::new());
    if !input.is_terminal() || !output.is_terminal() {
        return (None, keys, answers);
    }
    let asked = output.write_all(b"\x1b]11;?\x1b\\\x1b[c").and_then(|()| output.flush());
    if asked.is_err() {
        return (None, keys, answers);
    }
    let started = Instant::now();
    answers.until = Some(started + LATEST);
    while answers.until.is_some() {
        let Some(left) = PATIENCE.checked_sub(started.elapsed()) else { break };
        if !matches!(ready([input.as_fd()], Some(left)), Ok(Some(_))) {
            break;
        }
        let mut bytes = [0; 256];
        let Ok(n @ 1..) = rustix::io::read(&input, &mut bytes) else { break };
        for key in pressed(&bytes[..n]) {
            keys.extend(answers.take(key));
        }
    }
    (answers.new_ground(), without_sequences(&keys), answers)
}

/// A paste, another sequence such as those of the mouse and of most keys, and one of an arrow.
#[cfg(unix)]
const SEQUENCES: &str = r"(?s)\x1b\[200~.*?(?:\x1b\[201~|$)|\x1b\[[^@-~]*(?:[@-~]|$)|\x1bO.";

/// Keys without the sequences among them: crossterm has not read them, and their characters are not what was meant.
#[cfg(unix)]
fn without_sequences(keys: &[Key]) -> Vec<Key> {
    let text: String = keys.iter().map(|key| written(*key)).collect();
    let sequences = regex::Regex::new(SEQUENCES).expect("the expression is sound");
    pressed(sequences.replace_all(&text, "").as_bytes())
}

/// The keys of bytes that were typed before the first frame, one for each character.
#[cfg(unix)]
fn pressed(bytes: &[u8]) -> Vec<Key> {
    let plain = |c: char| match c {
        '\r' => Key::plain(KeyCode::Enter),
        '\t' => Key::plain(KeyCode::Tab),
        '\x1b' => Key::plain(KeyCode::Esc),
        '\x7f' => Key::plain(KeyCode::Backspace),
        '\x01'..='\x1a' => Key::ctrl(char::from(b'a' + c as u8 - 1)),
        _ => Key::char(c),
    };
    String::from_utf8_lossy(bytes).chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn awaited() -> Answers {
        Answers { until: Some(Instant::now() + Duration::from_mins(1)), ..Answers::default() }
    }

    /// The keys that the user pressed, as they are written in `--keys`.
    fn of_the_user(answers: &mut Answers, keys: &[Key]) -> String {
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
                    // After the last answer no key is held.
                    let keys = as_keys("\x1b[?62;4;22cf\x1b", true);
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
        assert_eq!(Answers::default().take(Key::plain(KeyCode::Esc)), [Key::plain(KeyCode::Esc)]);
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

    #[cfg(unix)]
    #[test]
    fn what_was_typed_before_is_typed_without_sequences() {
        for (bytes, kept) in [
            ("j\x1b[Bk\x1b[1;5Aq", "jkq"),
            ("\x1bOAj", "j"),
            ("a\x1b[<64;10;10Mb", "ab"),
            ("a\x1b[200~quit\x1b[201~b", "ab"),
            ("a\x1b[200~quit", "a"),
            ("a\x1b[1;", "a"),
            ("a\x1b", "a<esc>"),
            ("\x1bj", "<esc>j"),
        ] {
            let keys = without_sequences(&pressed(bytes.as_bytes()));
            let keys: String = keys.into_iter().map(Key::written).collect();
            assert_eq!(keys, kept, "{bytes:?}");
        }
        let keys: String = pressed(b"j\r\x04\xc3\xa4\x7f").into_iter().map(Key::written).collect();
        assert_eq!(keys, "j<enter><c-d>ä<bs>");
    }
}
