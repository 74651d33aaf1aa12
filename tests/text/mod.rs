//! Words: the fast way against the annex's tables, on any text.

use proptest::prelude::*;
use simscope::text::for_each_word;
use unicode_segmentation::UnicodeSegmentation;

use crate::support::cases;

fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for_each_word(text, |word| words.push(word.to_owned()));
    words
}

fn expected(text: &str) -> Vec<String> {
    text.unicode_words().map(str::to_owned).collect()
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn ascii_words_are_the_annexs(text in "[ -~\t\n\r]{0,60}") {
        prop_assert_eq!(words(&text), expected(&text));
    }

    #[test]
    fn so_are_those_of_the_characters_with_rules(text in "[ab1_'.:,;\"\r\n -]{0,24}") {
        prop_assert_eq!(words(&text), expected(&text));
    }

    #[test]
    fn and_those_of_any_text(text in "([ -~]{0,8}|.{0,6}|[ab1_'.:,; \u{e9}\u{301}\u{200d}\u{ad}\u{1f1e6}\u{5d0}\"\u{6f22}\u{30ab}\u{2019}\u{a0}\u{3000}]{0,12}){0,6}") {
        prop_assert_eq!(words(&text), expected(&text));
    }
}

#[test]
fn a_mark_clings_to_the_space_before_it() {
    assert_eq!(words("a  \u{1a55}b c"), expected("a  \u{1a55}b c"));
}

#[test]
fn every_ascii_character_between_any_two() {
    let all: Vec<char> = (0u8..128).map(char::from).collect();
    for &middle in &all {
        for before in ["a", "1", "_", "-", "\u{e9}", ""] {
            for after in ["a", "1", "_", "-", "\u{301}", ""] {
                let text = format!("{before}{middle}{after}");
                assert_eq!(words(&text), expected(&text), "{text:?}");
            }
        }
    }
}
