//! Words to search for in documents; case and the kind of white space do not matter.
//!
//! A pattern has three forms: for text, and for text inside a stored record of JSON or of delimited rows. The
//! form for a record may match where the text does not, but it always matches where the text does. So a record
//! without a match need not be parsed.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use memchr::memchr_iter;
use memchr::memmem::Finder;
use regex::bytes::Regex;

/// The most characters of a pattern.
const MOST_CHARS: usize = 1_000;

/// Words to search for: one or more, in this order, separated by white space. Cloning copies one pointer.
#[derive(Clone)]
pub struct Pattern(Arc<Forms>);

struct Forms {
    folded: String,
    text: Regex,
    json: Regex,
    cells: Regex,
}

/// The notation in which a record stores its text.
#[derive(Clone, Copy, PartialEq)]
enum Stored {
    /// Plain text.
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

/// The text in lower case, with one space for each run of white space. Both small sigmas count as one letter.
pub fn folded(text: &str) -> String {
    let lower = text.to_lowercase().replace('ς', "σ");
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Characters that have a different, single character as their lower case, listed by that lower case.
static CAPITALS: LazyLock<BTreeMap<char, Vec<char>>> = LazyLock::new(|| {
    let mut capitals: BTreeMap<char, Vec<char>> = BTreeMap::from([('σ', vec!['ς'])]);
    // Higher characters have no case.
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

/// All white space characters, for a class of a regular expression.
static SPACES: LazyLock<String> =
    LazyLock::new(|| ('\0'..='\u{ffff}').filter(|c| c.is_whitespace()).map(code).collect());

/// A character as its number in the syntax of a regular expression.
fn code(c: char) -> String {
    format!("\\x{{{:x}}}", u32::from(c))
}

impl Pattern {
    /// Its words in lower case.
    pub fn folded(&self) -> &str {
        &self.0.folded
    }

    /// The pattern for some words. A pattern without words is in every text.
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
            text: build(&expression(&folded, Stored::Text))?,
            json: build(&expression(&folded, Stored::Json))?,
            cells: build(&expression(&folded, Stored::Cells))?,
            folded,
        })))
    }

    /// Whether a text contains the pattern.
    pub fn is_in(&self, text: &str) -> bool {
        self.0.text.is_match(text.as_bytes())
    }

    /// The places of a text that are the pattern, as ranges of bytes, in their order.
    pub fn places(&self, text: &str) -> Vec<Range<usize>> {
        self.0.text.find_iter(text.as_bytes()).map(|found| found.range()).collect()
    }

    /// Whether bytes stored as text contain the pattern.
    pub(super) fn is_in_bytes(&self, bytes: &[u8]) -> bool {
        self.has_replacement() || self.0.text.is_match(bytes)
    }

    /// Whether some string in a line of JSON may contain the pattern.
    pub(super) fn may_be_in_json(&self, line: &[u8]) -> bool {
        static NUMBERED: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\\u"));
        self.has_replacement() || self.0.json.is_match(line) || NUMBERED.find(line).is_some()
    }

    /// Whether some cell of a row may contain the pattern.
    pub(super) fn may_be_in_row(&self, row: &[u8], delimiter: u8) -> bool {
        // A quote that ends the quoted part of a cell is removed when the cell is read. The character before it
        // belongs to the cell; only a parser can decide whether a delimiter or a quote there is such a
        // character.
        let delimiter_as_folded = if delimiter == b'\t' { b' ' } else { delimiter };
        let is_hard = self.0.folded.bytes().any(|c| c == delimiter_as_folded || c == b'"');
        let is_inside = |at: usize| row.get(at).is_some_and(|c| *c != delimiter && *c != b'"');
        let is_dropped = |at: usize| is_hard || at > 0 && is_inside(at - 1) && is_inside(at + 1);
        self.has_replacement()
            || self.0.cells.is_match(row)
            || memchr_iter(b'"', row).any(is_dropped)
    }

    /// Whether the pattern has U+FFFD. A search in bytes would miss the invalid bytes that are read as it.
    fn has_replacement(&self) -> bool {
        self.0.folded.contains('\u{fffd}')
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

/// The regular expression of a folded pattern for a kind of stored text.
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
            // The capital I with a dot is the only character whose lower case has two characters.
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
        // No character has a special meaning.
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
        /// Pieces with unusual case rules.
        #[test]
        fn a_pattern_is_in_texts_that_contain_it_folded(
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
