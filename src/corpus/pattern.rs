//! Words to look for in documents, whatever their case and the white space between them.
//!
//! A pattern has three forms: for text, and for text inside a stored record of JSON or of delimited rows. The
//! form for a record may match where the text does not, but never the other way round, so that a record without
//! a match need not be parsed. Before any of them its longest run of plain characters is looked for, by the
//! rarest of them: that goes at several gigabytes a second.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, LazyLock},
};

use memchr::{memchr_iter, memchr2_iter, memmem::Finder};
use regex::bytes::Regex;

/// The most characters of a pattern.
const MOST_CHARS: usize = 1_000;

/// Words to look for: one or more, in this order, with white space between them. Cloning costs a pointer.
#[derive(Clone)]
pub struct Pattern(Arc<Forms>);

struct Forms {
    folded: String,
    run: Option<Run>,
    text: Regex,
    json: Regex,
    cells: Regex,
}

/// Characters that stand in every stored form of a pattern as they are, but for the case of ASCII.
struct Run {
    bytes: Vec<u8>,
    /// The place of the rarest of them.
    rarest: usize,
    /// Whether the pattern is nothing else.
    is_all: bool,
}

/// The letters of ASCII, the rarest in common text first; other characters are rarer.
const RARE_LETTERS: &[u8] = b"zqxjkvbpygfwmucldrhsnioate";

/// The way in which a record stores its text.
#[derive(Clone, Copy, PartialEq)]
enum Stored {
    /// As it is.
    Text,
    /// In JSON strings, with escapes.
    Json,
    /// In cells that may be quoted.
    Cells,
}

/// A pattern that is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("more than {MOST_CHARS} characters to look for; take fewer")]
pub struct TooLong;

/// In lower case, with one space for all white space between words. Both small sigmas count as one letter.
pub fn folded(text: &str) -> String {
    let lower = text.to_lowercase().replace('ς', "σ");
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The characters with another, single character as their lower case, by that.
static CAPITALS: LazyLock<BTreeMap<char, Vec<char>>> = LazyLock::new(|| {
    let mut capitals: BTreeMap<char, Vec<char>> = BTreeMap::from([('σ', vec!['ς'])]);
    // No character beyond has a case.
    for c in '\0'..='\u{1ffff}' {
        let mut lower = c.to_lowercase();
        if let (Some(small), None) = (lower.next(), lower.next())
            && small != c
        {
            capitals.entry(small).or_default().push(c);
        }
    }
    capitals
});

/// The members of the class of white space.
static SPACES: LazyLock<String> =
    LazyLock::new(|| ('\0'..='\u{ffff}').filter(|c| c.is_whitespace()).map(code).collect());

/// A character by its number, as a regular expression has it.
fn code(c: char) -> String {
    format!("\\x{{{:x}}}", u32::from(c))
}

impl Pattern {
    /// Words to look for. A pattern without any is in every text.
    ///
    /// # Errors
    /// [`TooLong`] above 1,000 characters.
    pub fn new(words: &str) -> Result<Self, TooLong> {
        let folded = folded(words);
        if folded.chars().count() > MOST_CHARS {
            return Err(TooLong);
        }
        let build = |form: &str| Regex::new(form).map_err(|_| TooLong);
        Ok(Self(Arc::new(Forms {
            run: Run::longest_of(&folded),
            text: build(&expression(&folded, Stored::Text))?,
            json: build(&expression(&folded, Stored::Json))?,
            cells: build(&expression(&folded, Stored::Cells))?,
            folded,
        })))
    }

    /// Whether a text holds it.
    pub fn is_in(&self, text: &str) -> bool {
        self.matches(&self.0.text, text.as_bytes())
    }

    /// Whether bytes that were stored as text hold it.
    pub(super) fn is_in_bytes(&self, bytes: &[u8]) -> bool {
        self.is_replacement() || self.matches(&self.0.text, bytes)
    }

    /// Whether some string in a line of JSON may hold it.
    pub(super) fn may_be_in_json(&self, line: &[u8]) -> bool {
        static NUMBERED: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\\u"));
        self.is_replacement() || self.matches(&self.0.json, line) || NUMBERED.find(line).is_some()
    }

    /// Whether some cell of a row may hold it.
    pub(super) fn may_be_in_row(&self, row: &[u8], delimiter: u8) -> bool {
        // A quote inside a cell that ends the quoted part of it falls away when the cell is read. Before it
        // stands a character of the cell; whether a delimiter or a quote is one, only a parser can tell.
        let delimiter_as_folded = if delimiter == b'\t' { b' ' } else { delimiter };
        let is_hard = self.0.folded.bytes().any(|c| c == delimiter_as_folded || c == b'"');
        let is_inside = |at: usize| row.get(at).is_some_and(|c| *c != delimiter && *c != b'"');
        let falls_away = |at: usize| is_hard || at > 0 && is_inside(at - 1) && is_inside(at + 1);
        self.is_replacement()
            || self.matches(&self.0.cells, row)
            || memchr_iter(b'"', row).any(falls_away)
    }

    /// Whether one of its forms matches.
    fn matches(&self, form: &Regex, bytes: &[u8]) -> bool {
        match &self.0.run {
            Some(run) => run.is_in(bytes) && (run.is_all || form.is_match(bytes)),
            None => form.is_match(bytes),
        }
    }

    /// Whether it has the character that invalid bytes are read as, so that bytes do not show it.
    fn is_replacement(&self) -> bool {
        self.0.folded.contains('\u{fffd}')
    }
}

impl Run {
    /// The longest run of a folded pattern, if there is any.
    fn longest_of(folded: &str) -> Option<Self> {
        let mut next = folded.chars().skip(1);
        let is_plain: Vec<bool> = folded.chars().map(|c| is_plain(c, next.next())).collect();
        let (mut longest, mut start) = (0..0, 0);
        for at in 0..=is_plain.len() {
            if is_plain.get(at) != Some(&true) {
                if at - start > longest.len() {
                    longest = start..at;
                }
                start = at + 1;
            }
        }
        let is_all = longest.len() == is_plain.len();
        let bytes = folded.chars().skip(longest.start).take(longest.len());
        let bytes: Vec<u8> = bytes.map(|c| c as u8).collect();
        let commonness = |at: &usize| RARE_LETTERS.iter().position(|letter| *letter == bytes[*at]);
        let rarest = (0..bytes.len()).min_by_key(commonness)?;
        Some(Self { bytes, rarest, is_all })
    }

    fn is_in(&self, bytes: &[u8]) -> bool {
        let rarest = self.bytes[self.rarest];
        memchr2_iter(rarest, rarest.to_ascii_uppercase(), bytes).any(|at| {
            let start = at.checked_sub(self.rarest);
            let place = start.and_then(|start| bytes.get(start..start + self.bytes.len()));
            place.is_some_and(|place| place.eq_ignore_ascii_case(&self.bytes))
        })
    }
}

/// Whether a folded character before `next` stands for itself and its capital in ASCII alone, however it is
/// stored.
fn is_plain(c: char, next: Option<char>) -> bool {
    match c {
        // The sign of kelvin is a K, and a capital I with a dot is an i and the dot.
        'k' | '"' | '\\' | '/' => false,
        'i' => next.is_some_and(|next| next != '\u{307}'),
        _ => c.is_ascii_graphic(),
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.folded == other.0.folded
    }
}

impl Eq for Pattern {}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern({:?})", self.0.folded)
    }
}

/// The regular expression of a folded pattern in a text as it is stored.
fn expression(folded: &str, stored: Stored) -> String {
    let mut form = String::from("(?:");
    let mut rest = folded.chars().peekable();
    let mut is_first = true;
    while let Some(c) = rest.next() {
        let is_last = rest.peek().is_none();
        match (c, stored) {
            (' ', Stored::Json) => form += &format!("(?:[{}]|\\\\[nrtf])+", *SPACES),
            (' ', _) => form += &format!("[{}]+", *SPACES),
            ('"' | '\\' | '/', Stored::Json) => form += &format!("\\\\?{}", code(c)),
            ('\u{8}', Stored::Json) => form += "(?:\\x08|\\\\b)",
            ('"', Stored::Cells) => form += "\"+",
            // The capital I with a dot is the one character with two in lower case.
            ('i', _) if rest.next_if_eq(&'\u{307}').is_some() => {
                form += "(?:[iI]\\x{307}|\\x{130})";
            }
            ('i', _) if is_last => form += "[iI\\x{130}]",
            ('\u{307}', _) if is_first => form += "[\\x{307}\\x{130}]",
            _ => {
                let capitals = CAPITALS.get(&c).into_iter().flatten().copied().map(code);
                form += &format!("[{}{}]", code(c), capitals.collect::<String>());
            }
        }
        is_first = false;
    }
    form + ")"
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn case_and_white_space_do_not_count() {
        let holds = |words: &str, text: &str| Pattern::new(words).unwrap().is_in(text);
        assert!(holds("low  TIDE", "At LOW\n\ttide."));
        assert!(holds("", "anything") && holds(" ", ""));
        assert!(!holds("low tide", "lowtide"));
        assert!(holds("ΟΔΟΣ", "ὁ οδος") && holds("istanbul", "ISTANBUL"));
        // No character has a meaning of its own.
        assert!(holds(r"a.*[b](\d", r"x A.*[B](\D y") && !holds("a.b", "axb"));
        assert_eq!(Pattern::new(&"x".repeat(1_001)), Err(TooLong));
        assert!(Pattern::new(&"é".repeat(1_000)).is_ok());
    }

    #[test]
    fn every_lower_case_but_one_is_one_character() {
        let several = (char::MIN..=char::MAX).filter(|c| c.to_lowercase().count() > 1);
        assert_eq!(several.collect::<String>(), "İ");
        let beyond = ('\u{20000}'..=char::MAX).find(|c| c.to_lowercase().next() != Some(*c));
        assert_eq!(beyond, None);
    }

    proptest! {
        /// Pieces in which cases are odd.
        #[test]
        fn it_is_in_what_holds_it_folded(
            words in prop::collection::vec(prop::sample::select(pieces()), 0..4),
            text in prop::collection::vec(prop::sample::select(pieces()), 0..12),
        ) {
            let (words, text) = (words.concat(), text.concat());
            let expected = folded(&text).contains(&folded(&words));
            prop_assert_eq!(Pattern::new(&words).unwrap().is_in(&text), expected);
        }
    }

    fn pieces() -> Vec<&'static str> {
        vec![
            "a", "A", "i", "I", "İ", "\u{307}", "ı", "k", "K", "ſ", "s", "ß", "ẞ", "Σ", "ς", "σ",
            " ", "\n", "\u{3000}", "\"", "\\", "/", "ǅ", "ǆ", "Ω", "Ω", ".",
        ]
    }
}
