//! The rules by which a text is cut into tokens, and a simple implementation of each.
//!
//! The default rule also has a fast implementation, in `token`. The other rules are those of other programs, so
//! that their fingerprints can be reproduced.

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
    }
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
}
