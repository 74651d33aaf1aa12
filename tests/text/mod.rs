//! Words: the fast way against the annex's tables, on any text.

use proptest::prelude::*;
use simscope::progress::Progress;
use simscope::text::{Case, NormalForm, StopWords, TokenRule, Tokens, normalize};
use unicode_segmentation::UnicodeSegmentation;

use crate::support::cases;

fn words(text: &str) -> Vec<String> {
    tokens(text, NormalForm::None, Case::Keep)
}

fn expected(text: &str) -> Vec<String> {
    text.unicode_words().map(str::to_owned).collect()
}

/// Tokens, the fast way.
fn tokens(text: &str, form: NormalForm, case: Case) -> Vec<String> {
    let mut tokens = Tokens::default();
    let rule = TokenRule { form, case, ..TokenRule::default() };
    tokens.take_words(text, rule, &StopWords::none(), &Progress::new()).unwrap();
    tokens.shingles(1).map(str::to_owned).collect()
}

/// Tokens by the book: the whole text in normal form and case, then its words.
fn expected_tokens(text: &str, form: NormalForm, case: Case) -> Vec<String> {
    expected(&normalize(text, form, case))
}

/// Some of every kind the rules know, and what composes, swaps, grows or depends on its neighbours.
const KINDS: &[&str] = &[
    "a",
    "Z",
    "1",
    "_",
    "'",
    ".",
    ":",
    ",",
    ";",
    "\"",
    "-",
    " ",
    "\n",
    "\u{b}",
    "\u{e9}",
    "\u{c9}",
    "\u{130}",
    "\u{3a3}",
    "\u{3c3}",
    "\u{418}",
    "\u{431}",
    "\u{5d0}",
    "\u{627}",
    "\u{653}",
    "\u{64b}",
    "\u{915}",
    "\u{93f}",
    "\u{94d}",
    "\u{93c}",
    "\u{9c7}",
    "\u{9be}",
    "\u{e01}",
    "\u{e31}",
    "\u{e48}",
    "\u{301}",
    "\u{327}",
    "\u{ad}",
    "\u{200d}",
    "\u{202f}",
    "\u{2019}",
    "\u{b7}",
    "\u{2028}",
    "\u{3000}",
    "\u{3002}",
    "\u{3042}",
    "\u{3099}",
    "\u{30ab}",
    "\u{30fc}",
    "\u{6f22}",
    "\u{ac00}",
    "\u{11a8}",
    "\u{ff21}",
    "\u{ff0c}",
    "\u{ff0e}",
    "\u{ff11}",
    "\u{212a}",
    "\u{1f469}",
    "\u{1f1e6}",
    "\u{20000}",
    "\u{1a55}",
    "\u{660}",
];

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn tokens_are_the_words_of_the_normalized_text(
        kinds in proptest::collection::vec(proptest::sample::select(KINDS), 0..24),
        form in proptest::sample::select(NormalForm::ALL.to_vec()),
        case in proptest::sample::select(Case::ALL.to_vec()),
    ) {
        let text = kinds.concat();
        prop_assert_eq!(tokens(&text, form, case), expected_tokens(&text, form, case), "{:?}", text);
    }

    #[test]
    fn so_are_those_of_any_text_at_all(text in "([ -~]{0,9}|\\PC{0,9}|.{0,6}){0,12}", form in proptest::sample::select(NormalForm::ALL.to_vec())) {
        prop_assert_eq!(tokens(&text, form, Case::Lower), expected_tokens(&text, form, Case::Lower));
    }

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

/// Every character in the company of every kind: what the tables of common characters must say of it.
#[test]
fn every_character_between_any_two() {
    const COMPANY: [&str; 12] =
        ["", "a", "1", "_", "'", ",", ":", " ", "\u{30ab}", "\u{6f22}", "\u{94d}", "\u{c9}"];
    let wide = |code: u32| matches!(code, 0x3400..0x9fff | 0xac00..0xd7a3 | 0x1_0000..);
    let codes = (0x80..0x2_0000).filter(|&code| !wide(code) || code % 97 == 0);
    for character in codes.chain([0x3400, 0x4dbf, 0x4e00]).filter_map(char::from_u32) {
        for (at, before) in COMPANY.iter().enumerate() {
            // Every neighbour on either side, though not every pair of them.
            for after in [COMPANY[at], COMPANY[(at + 5) % COMPANY.len()]] {
                let text =
                    format!("{before}{character}{after} {before}{character}{character}{after}");
                let found = tokens(&text, NormalForm::Nfc, Case::Lower);
                assert_eq!(found, expected_tokens(&text, NormalForm::Nfc, Case::Lower), "{text:?}");
            }
        }
    }
}
