//! The rules by which a text is cut into tokens, and a simple implementation of each.
//!
//! The default rule also has a fast implementation, in `token`. The other rules are those of other programs, so
//! that their fingerprints can be reproduced.
//!
//! The positions where a text may be cut without splitting a word, a letter or an accent.
//!
//! Sentences of a text, to measure the effect of each on a fingerprint.
//!
//! Words and punctuation marks as a reader sees them, for comparing and laying out texts.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;

use crate::choice::choice;

choice! {
    /// The rule by which a text is cut into tokens.
    pub enum Split, "split" {
        /// Words: those of UAX #29. Characters: grapheme clusters, with each run of white space as one space.
        #[default]
        Unicode = "unicode",
        /// Words: runs of letters, digits and `_`, like `\w+` in Python. Characters: the code points of these
        /// words.
        Word = "word",
        /// Words: separated by white space. Characters: all code points of the text.
        Plain = "plain",
        /// As plain; U+001C to U+001F separate words, too, as in `str.split` of Python.
        Python = "python",
        /// Words: separated by ASCII white space and ASCII punctuation; other characters stay in the words.
        Ascii = "ascii",
        /// Words: Japanese phrases, found by the model of `BudouX`, which has no dictionary.
        Japanese = "japanese",
        /// Words: phrases of simplified Chinese.
        Chinese = "chinese",
        /// Words: phrases of traditional Chinese.
        TraditionalChinese = "traditional-chinese",
        /// Words: phrases of Thai.
        Thai = "thai",
    }
}

impl Split {
    /// Whether words are the phrases of a language.
    pub fn is_by_phrases(self) -> bool {
        matches!(self, Self::Japanese | Self::Chinese | Self::TraditionalChinese | Self::Thai)
    }

    /// Whether the rule cuts no characters.
    pub fn needs_words(self) -> bool {
        self == Self::Ascii || self.is_by_phrases()
    }
}

/// The words of a text, in order.
pub(super) fn words(text: &str, split: Split) -> Box<dyn Iterator<Item = &str> + '_> {
    match split {
        Split::Unicode => Box::new(text.unicode_words()),
        Split::Word => Box::new(words_between(text, |c| !is_word_character(c))),
        Split::Plain => Box::new(text.split_whitespace()),
        Split::Python => Box::new(words_between(text, |c| {
            c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
        })),
        Split::Ascii => {
            // `is_ascii_whitespace` does not include the vertical tab.
            Box::new(words_between(text, |c| c.is_ascii_punctuation() || c.is_ascii_whitespace()))
        }
        Split::Japanese | Split::Chinese | Split::TraditionalChinese | Split::Thai => {
            Box::new(phrases(text, split).into_iter())
        }
    }
}

/// The phrases of a text, without the punctuation around them. The model sees the characters between white space.
#[cfg(feature = "phrases")]
fn phrases(text: &str, split: Split) -> Vec<&str> {
    use budoux_phf_rs::Parser;
    let parser = match split {
        Split::Thai => Parser::thai_parser(),
        Split::Japanese => Parser::japanese_parser(),
        Split::TraditionalChinese => Parser::traditional_chinese_parser(),
        _ => Parser::simplified_chinese_parser(),
    };
    let mut phrases = Vec::new();
    for run in text.split_whitespace() {
        parser.parse_with(run, |phrase| {
            phrases.push(phrase.trim_matches(|c| !is_word_character(c) && !is_combining_mark(c)));
        });
    }
    phrases.retain(|phrase| !phrase.is_empty());
    phrases
}

/// Never called: `Recipe::check` rejects phrases in a build without them.
#[cfg(not(feature = "phrases"))]
fn phrases(_: &str, _: Split) -> Vec<&str> {
    Vec::new()
}

/// Whether a character is a token when characters are the tokens.
pub(super) fn is_token(c: char, split: Split) -> bool {
    split != Split::Word || is_word_character(c)
}

fn words_between(text: &str, is_between: impl Fn(char) -> bool) -> impl Iterator<Item = &str> {
    text.split(is_between).filter(|word| !word.is_empty())
}

/// Whether Python's `\w` matches: general categories L and N, and the underscore.
///
/// Rust's `is_alphanumeric` uses the property Alphabetic, which also includes marks and circled letters.
fn is_word_character(c: char) -> bool {
    const CIRCLED: [std::ops::RangeInclusive<char>; 4] = [
        '\u{24b6}'..='\u{24e9}',
        '\u{1f130}'..='\u{1f149}',
        '\u{1f150}'..='\u{1f169}',
        '\u{1f170}'..='\u{1f189}',
    ];
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    c.is_alphanumeric()
        && !is_combining_mark(c)
        && !CIRCLED.iter().any(|letters| letters.contains(&c))
}

/// Bytes processed between two checks for cancellation.
const CHECK_INTERVAL: usize = 1 << 20;

/// Cuts a text into portions of about [`CHECK_INTERVAL`] bytes. A cut is always at white space between two ASCII
/// characters, so a portion without any is longer.
pub(super) fn portions(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut around = text.as_bytes().get(CHECK_INTERVAL..).unwrap_or_default().windows(3);
        let cut = around.position(|around| {
            around.is_ascii() && !around[0].is_ascii_whitespace() && around[1].is_ascii_whitespace()
        });
        let (portion, after) = match cut {
            Some(at) => text.split_at(CHECK_INTERVAL + at + 1),
            None => (text, ""),
        };
        rest = cut.map(|_| after);
        Some(portion)
    })
}

/// Cuts a text at ASCII white space into ASCII text, possibly all of it, and text with other characters, usually one
/// word. `each` gets each part in order, and whether it is ASCII. No word, letter or accent extends across such
/// a cut. (A combining mark may belong to the space before it; then that space is in the same part as the mark.)
pub(super) fn for_each_run(text: &str, mut each: impl FnMut(&str, bool)) {
    let mut rest = text;
    while !rest.is_empty() {
        let ascii = ascii_length(rest.as_bytes());
        if ascii == rest.len() {
            return each(rest, true);
        }
        let last_blank = rest.as_bytes()[..ascii].iter().rposition(u8::is_ascii_whitespace);
        let before = last_blank.map_or("", |at| rest[..at].trim_ascii_end());
        // Non-ASCII white space before the blank would join it to a combining mark after it, so the cut comes
        // later.
        let ends = rest[ascii..].match_indices(|c: char| c.is_ascii_whitespace());
        let mut ends = ends.map(|(at, _)| ascii + at);
        let end = ends.find(|&at| !rest[..at].ends_with(char::is_whitespace)).unwrap_or(rest.len());
        if !before.is_empty() {
            each(before, true);
        }
        each(&rest[before.len()..end], false);
        rest = &rest[end..];
    }
}

/// The number of bytes before the first byte that is not ASCII.
fn ascii_length(text: &[u8]) -> usize {
    const BLOCK: usize = 64;
    let blocks = text.chunks(BLOCK).take_while(|block| block.is_ascii()).count();
    let rest = text.get(blocks * BLOCK..).unwrap_or_default();
    text.len().min(blocks * BLOCK) + rest.iter().take_while(|byte| byte.is_ascii()).count()
}

/// The byte ranges of the sentences of UAX #29, with the white space after them. A part without a letter or digit
/// is not a sentence and is left out.
///
/// The parts left out contain no word.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    text.split_sentence_bound_indices()
        .filter(|(_, sentence)| sentence.contains(char::is_alphanumeric))
        .map(|(start, sentence)| start..start + sentence.len())
        .collect()
}

/// A word or punctuation mark, and the white space before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The word, number, ideograph or punctuation mark.
    pub text: String,
    /// Whether white space comes before it.
    pub spaced: bool,
    /// Line breaks before it: 0, 1, or 2 for at least one blank line.
    pub line_breaks: u8,
    /// The name of the field whose text it begins, if the text is made of several fields.
    pub field: Option<Box<str>>,
}

/// Cuts a text at the word boundaries of UAX #29 into words and punctuation marks, without white space.
///
/// Only for comparing and laying out texts; fingerprints use [`Tokens`](super::Tokens).
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut spaced, mut line_breaks) = (false, 0u8);
    for segment in text.split_word_bounds() {
        if segment.chars().all(char::is_whitespace) {
            spaced = true;
            line_breaks = (line_breaks + segment.matches('\n').count().min(2) as u8).min(2);
        } else {
            pieces.push(Piece { text: segment.to_owned(), spaced, line_breaks, field: None });
            (spaced, line_breaks) = (false, 0);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_cuts_as_it_says() {
        let text = "Don't stop_me, caf\u{e9}\u{3000}1.5 \u{4f60}\u{ff01}";
        let cut = |split| words(text, split).collect::<Vec<_>>();
        assert_eq!(cut(Split::Unicode), ["Don't", "stop_me", "caf\u{e9}", "1.5", "\u{4f60}"]);
        let expected = ["Don", "t", "stop_me", "caf\u{e9}", "1", "5", "\u{4f60}"];
        assert_eq!(cut(Split::Word), expected);
        let expected = ["Don't", "stop_me,", "caf\u{e9}", "1.5", "\u{4f60}\u{ff01}"];
        assert_eq!(cut(Split::Plain), expected);
        assert_eq!(cut(Split::Python), expected);
        let separated = "a\u{1c}b\u{1f}\u{85}c\u{1b}d";
        assert_eq!(words(separated, Split::Python).collect::<Vec<_>>(), ["a", "b", "c\u{1b}d"]);
        assert_eq!(words(separated, Split::Plain).count(), 2);
        let expected = ["Don", "t", "stop", "me", "caf\u{e9}\u{3000}1", "5", "\u{4f60}\u{ff01}"];
        assert_eq!(cut(Split::Ascii), expected);
    }

    #[cfg(feature = "phrases")]
    #[test]
    fn phrases_are_those_of_budoux() {
        for (split, text, expected) in [
            (Split::Japanese, "今日は天気です。 tide_log!", vec!["今日は", "天気です", "tide_log"]),
            (Split::Chinese, "今天是晴天。", vec!["今天", "是", "晴天"]),
            (Split::TraditionalChinese, "今天是晴天。", vec!["今天", "是", "晴天"]),
            (Split::Thai, "วันนี้อากาศดี", vec!["วัน", "นี้", "อากาศ", "ดี"]),
            (Split::Thai, "!? ...", vec![]),
        ] {
            assert_eq!(words(text, split).collect::<Vec<_>>(), expected, "{split}");
        }
    }

    #[test]
    fn marks_and_circled_letters_are_no_letters() {
        for (c, is_word) in [
            ('\u{93f}', false),
            ('\u{24b6}', false),
            ('\u{301}', false),
            ('\u{2160}', true),
            ('\u{b2}', true),
            ('\u{915}', true),
            ('\u{203f}', false),
        ] {
            assert_eq!(is_word_character(c), is_word, "{c:?}");
        }
    }

    #[test]
    fn portions_join_to_the_text_and_cut_no_word() {
        let text = "tide  \u{1a55}pool \u{6f22}\u{5b57} it's 3.14 ".repeat(CHECK_INTERVAL / 12);
        assert_eq!(portions(&text).collect::<String>(), text);
        assert!(portions(&text).count() > 2);
        let words: Vec<&str> = portions(&text).flat_map(str::unicode_words).collect();
        assert!(text.unicode_words().eq(words));
        assert_eq!(portions("").collect::<Vec<_>>(), [""]);
        assert_eq!(portions(&"x".repeat(3 * CHECK_INTERVAL)).count(), 1);
    }

    #[test]
    fn sentences_are_those_of_the_annex_with_their_places() {
        let text = "The tide is in. ... Is it? Yes!\n\n潮が満ちた。引いた。";
        let found: Vec<&str> = sentences(text).into_iter().map(|place| &text[place]).collect();
        assert_eq!(found, text.unicode_sentences().collect::<Vec<_>>());
        assert_eq!(found.first(), Some(&"The tide is in. ... "), "marks alone are no sentence");
        assert_eq!(found.last(), Some(&"引いた。"));
        assert!(sentences(" \n ... ").is_empty());
    }

    #[test]
    fn pieces_keep_marks_apart_and_white_space_in_mind() {
        let found: Vec<(String, bool, u8)> = pieces("It's here,\n\nnow. 漢字")
            .into_iter()
            .map(|piece| (piece.text, piece.spaced, piece.line_breaks))
            .collect();
        let expected = [
            ("It's", false, 0),
            ("here", true, 0),
            (",", false, 0),
            ("now", true, 2),
            (".", false, 0),
            ("漢", true, 0),
            ("字", false, 0),
        ];
        assert_eq!(found, expected.map(|(text, spaced, breaks)| (text.to_owned(), spaced, breaks)));
    }
}
