//! The rule by which a text is cut into tokens, and the plain way to do it.
//!
//! The usual rule has a fast way of its own, in `token`. The others are those of other programs, whose fingerprints
//! can be made again with them.

use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;

use crate::choice::choice;

choice! {
    /// The rule by which a text is cut into tokens.
    pub enum Split, "split" {
        /// Words of UAX #29. As characters: grapheme clusters, a run of white space being one space.
        #[default]
        Unicode = "unicode",
        /// Runs of letters, digits and `_`, as `\w+` of Python. As characters: their code points, and nothing else.
        Word = "word",
        /// Words between white space. As characters: the code points of the text as it is.
        Plain = "plain",
        /// Words between white space and punctuation of ASCII. Other characters stay in the words.
        Ascii = "ascii",
    }
}

/// The words of a text, in order.
pub(super) fn words(text: &str, split: Split) -> Box<dyn Iterator<Item = &str> + '_> {
    match split {
        Split::Unicode => Box::new(text.unicode_words()),
        Split::Word => Box::new(words_between(text, |c| !is_word_character(c))),
        Split::Plain => Box::new(text.split_whitespace()),
        Split::Ascii => {
            // `is_ascii_whitespace` leaves out the vertical tab, as Rust has it.
            Box::new(words_between(text, |c| c.is_ascii_punctuation() || c.is_ascii_whitespace()))
        }
    }
}

/// Whether a character belongs to the tokens of characters.
pub(super) fn is_token(c: char, split: Split) -> bool {
    split != Split::Word || is_word_character(c)
}

fn words_between(text: &str, is_between: impl Fn(char) -> bool) -> impl Iterator<Item = &str> {
    text.split(is_between).filter(|word| !word.is_empty())
}

/// Whether `\w` of Python matches: general categories L and N, and the underscore.
///
/// Rust's letters are those of the property Alphabetic, which has marks and circled letters besides.
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
