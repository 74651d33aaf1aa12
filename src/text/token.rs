//! A document's tokens, stored end to end so that every run of N tokens is one slice.
//!
//! Words are separated by single spaces, characters by nothing. A shingle of N tokens is then a slice of one
//! buffer and costs no allocation; the buffer is reused for the next document.

use unicode_segmentation::UnicodeSegmentation;

use super::normalize::{normalize, stemmer};
use super::split::{self, for_each_run, portions};
use super::{Case, NormalForm, Split, Stem, StopWords, stop_words};
use crate::kernel::sip::Sip13;
use crate::kernel::{Slices, words};
use crate::progress::{Cancelled, Progress};

/// The rules for turning a text into tokens, except for stop words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenRule {
    /// The Unicode normal form.
    pub form: NormalForm,
    /// The treatment of upper and lower case.
    pub case: Case,
    /// The rule by which the text is cut.
    pub split: Split,
    /// The language of the stemmer.
    pub stem: Stem,
}

/// Tokens of one text: a buffer and the start of each token in it.
#[derive(Debug, Default)]
pub struct Tokens {
    /// UTF-8 up to `filled`; the bytes after it are left over from earlier texts.
    buffer: Vec<u8>,
    filled: usize,
    /// The start of each token; then the position where the next token would start.
    starts: Vec<u32>,
    /// Bytes between two tokens: 1 for words, 0 for characters.
    gap: u32,
}

impl Tokens {
    /// Replaces the tokens with the words of `text` by this rule, without stop words. Cancellation is checked
    /// every few milliseconds.
    ///
    /// # Errors
    /// [`Cancelled`] after [`Progress::cancel`]; then some words are missing.
    pub fn take_words(
        &mut self,
        text: &str,
        rule: TokenRule,
        stop_words: &StopWords,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        let TokenRule { form, case, split, stem } = rule;
        self.begin(1);
        if (split, stem) != (Split::Unicode, Stem::None) {
            return self.take_words_of_rule(text, rule, stop_words, progress);
        }
        // NFKC turns some other characters into white space, and a word can have unseen characters inside, so the
        // text must be normalised before it is cut.
        let text = match form {
            NormalForm::Nfkc | NormalForm::NfkcVisible => normalize(text, form, Case::Keep),
            _ => form.kept(text),
        };
        let outcome = portions(&text).try_for_each(|portion| {
            self.add_words(portion, form, case, stop_words);
            progress.check()
        });
        self.starts.push(self.filled as u32);
        outcome
    }

    /// Replaces the tokens with the words of a rule other than the default: normalises the whole text, then cuts
    /// it.
    fn take_words_of_rule(
        &mut self,
        text: &str,
        rule: TokenRule,
        stop_words: &StopWords,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        let text = normalize(text, rule.form, rule.case);
        let stemmed = stemmer(rule.stem);
        for (number, word) in split::words(&text, rule.split).enumerate() {
            if number % CHECK_INTERVAL == 0 {
                progress.check()?;
            }
            if !stop_words.contains(word) {
                let stem = stemmed(word);
                self.reserve(stem.len());
                self.push(stem.as_bytes(), 0..stem.len());
            }
        }
        self.starts.push(self.filled as u32);
        Ok(())
    }

    fn add_words(&mut self, text: &str, form: NormalForm, case: Case, stop_words: &StopWords) {
        for_each_run(text, |run, is_ascii| {
            if is_ascii {
                self.reserve(run.len());
                let first = self.starts.len();
                // No normal form changes ASCII.
                let (text, lower) = (run.as_bytes(), case == Case::Lower);
                self.filled =
                    words::pack(text, lower, &mut self.buffer, self.filled, &mut self.starts);
                if !stop_words.is_empty() {
                    self.drop_stop_words(first, stop_words);
                }
            } else {
                let (n_words, filled) = (self.starts.len(), self.filled);
                if !self.take_common_words(run, case, stop_words) {
                    self.starts.truncate(n_words);
                    self.filled = filled;
                    self.take_any_words(run, form, case, stop_words);
                }
            }
        });
    }

    /// Adds words that need neither normalisation nor the general tables. Returns `false` if the text has other
    /// words; then the caller must remove the words added so far.
    fn take_common_words(&mut self, text: &str, case: Case, stop_words: &StopWords) -> bool {
        let from = self.filled;
        // No character becomes more than three times as long in lower case.
        self.reserve(3 * text.len());
        let is_simple = stop_words::for_each(text, |place, has_capital| {
            if !stop_words.is_empty() && stop_words.contains(&text[place.clone()]) {
            } else if has_capital && case == Case::Lower {
                let lower = text[place].to_lowercase();
                self.push(lower.as_bytes(), 0..lower.len());
            } else {
                self.push(text.as_bytes(), place);
            }
        });
        if case == Case::Lower {
            self.buffer[from..self.filled].make_ascii_lowercase();
        }
        is_simple
    }

    /// Adds words by normalisation and the general tables.
    fn take_any_words(&mut self, text: &str, form: NormalForm, case: Case, stop_words: &StopWords) {
        let text = normalize(text, form, case);
        self.reserve(2 * text.len());
        for (start, word) in text.unicode_word_indices() {
            if !stop_words.contains(word) {
                self.push(text.as_bytes(), start..start + word.len());
            }
        }
    }

    /// Replaces the tokens with the characters of `text` by this rule; characters have no stems. Under the
    /// default rule they are grapheme clusters, each run of white space counts as one space, and there is no
    /// space at the ends.
    pub fn take_characters(&mut self, text: &str, rule: TokenRule) {
        self.begin(0);
        let text = normalize(text, rule.form, rule.case);
        if rule.split != Split::Unicode {
            self.reserve(text.len());
            for (start, c) in text.char_indices().filter(|(_, c)| split::is_token(*c, rule.split)) {
                self.push(text.as_bytes(), start..start + c.len_utf8());
            }
            self.starts.push(self.filled as u32);
            return;
        }
        let collapsed = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.reserve(collapsed.len());
        for (start, grapheme) in collapsed.grapheme_indices(true) {
            self.push(collapsed.as_bytes(), start..start + grapheme.len());
        }
        self.starts.push(self.filled as u32);
    }

    /// Number of tokens.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are no tokens.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every run of `n` consecutive tokens; if there are fewer than `n`, one run of all tokens; if there are
    /// none, nothing.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn shingles(&self, n: usize) -> impl Iterator<Item = &str> {
        self.shingle_slices(n).iter().map(whole_characters)
    }

    /// [`Tokens::shingles`] as slices of one buffer, for hashing.
    ///
    /// # Panics
    /// If `n` is 0.
    #[inline]
    pub(crate) fn shingle_slices(&self, n: usize) -> Slices<'_> {
        assert!(n > 0, "a shingle has at least one token");
        // Without tokens `starts` has at most one element, so `ends` is empty.
        let ends = self.starts.get(n.min(self.len()).max(1)..).unwrap_or_default();
        let starts = &self.starts[..ends.len()];
        Slices { bytes: &self.buffer, starts, ends, gap: self.gap }
    }

    /// One empty shingle, for recipes that give one to a text without tokens.
    pub(crate) fn empty_shingle() -> Slices<'static> {
        // The buffer of tokens may have nothing yet, not even the padding that hashing needs.
        Slices { bytes: &[0; Sip13::PADDING], starts: &[0], ends: &[0], gap: 0 }
    }

    fn begin(&mut self, gap: u32) {
        self.starts.clear();
        (self.filled, self.gap) = (0, gap);
    }

    /// Enlarges the buffer for tokens of `bytes` bytes, separators included.
    fn reserve(&mut self, bytes: usize) {
        let wanted = self.filled + bytes + words::PADDING + Sip13::PADDING;
        assert!(u32::try_from(wanted).is_ok(), "less than 4 GB of tokens");
        if self.buffer.len() < wanted {
            self.buffer.resize(wanted.next_power_of_two(), 0);
        }
    }

    /// Adds the token at `place` of `text`; the buffer must be large enough.
    #[inline]
    fn push(&mut self, text: &[u8], place: std::ops::Range<usize>) {
        self.starts.push(self.filled as u32);
        let end = words::copy_word(text, place, &mut self.buffer, self.filled);
        self.filled = end + self.gap as usize;
    }

    /// Removes stop words from the tokens from number `first` on.
    fn drop_stop_words(&mut self, first: usize, stop_words: &StopWords) {
        let Some(&from) = self.starts.get(first) else { return };
        let (mut n, mut filled) = (first, from as usize);
        for number in first..self.starts.len() {
            let next = self.starts.get(number + 1).map_or(self.filled, |&next| next as usize);
            let (start, end) = (self.starts[number] as usize, next - self.gap as usize);
            let word = std::str::from_utf8(&self.buffer[start..end]);
            if !stop_words.contains(word.expect("words are whole characters")) {
                self.buffer.copy_within(start..next, filled);
                self.starts[n] = filled as u32;
                n += 1;
                filled += next - start;
            }
        }
        self.starts.truncate(n);
        self.filled = filled;
    }
}

/// A shingle as a string.
pub(crate) fn whole_characters(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("tokens are whole characters")
}

/// Words between two checks for cancellation, for a rule other than the default.
const CHECK_INTERVAL: usize = 1 << 14;

#[cfg(test)]
mod tests {
    use super::*;

    /// Neither normal form nor lower case.
    const AS_IS: TokenRule = TokenRule {
        form: NormalForm::None,
        case: Case::Keep,
        split: Split::Unicode,
        stem: Stem::None,
    };

    fn words(text: &str) -> Tokens {
        let mut tokens = Tokens::default();
        tokens.take_words(text, AS_IS, &StopWords::none(), &Progress::new()).unwrap();
        tokens
    }

    #[test]
    fn shingles_are_runs_of_words_joined_by_one_space() {
        let tokens = words("the cat,  sat\non the mat.");
        let shingles: Vec<&str> = tokens.shingles(3).collect();
        assert_eq!(shingles, ["the cat sat", "cat sat on", "sat on the", "on the mat"]);
    }

    #[test]
    fn taking_words_stops_when_told_to() {
        let mut tokens = Tokens::default();
        let text = "tide ".repeat(1_000_000);
        for split in [Split::Unicode, Split::Word] {
            let rule = TokenRule { split, ..TokenRule::default() };
            let progress = Progress::new();
            progress.cancel();
            let all = tokens.take_words(&text, rule, &StopWords::none(), &progress);
            assert!(all.is_err() && tokens.len() < 500_000);
        }
    }

    #[test]
    fn a_short_text_is_one_shingle_and_an_empty_one_none() {
        assert_eq!(words("Hello").shingles(3).collect::<Vec<_>>(), ["Hello"]);
        assert_eq!(words(" ... ").shingles(3).count(), 0);
    }

    #[test]
    fn characters_are_grapheme_clusters_with_white_space_collapsed() {
        let mut tokens = Tokens::default();
        tokens.take_characters("  e\u{301} \t\n b ", AS_IS);
        assert_eq!(tokens.shingles(1).collect::<Vec<_>>(), ["e\u{301}", " ", "b"]);
        assert_eq!(tokens.shingles(2).collect::<Vec<_>>(), ["e\u{301} ", " b"]);
    }

    #[test]
    fn characters_of_other_rules_are_code_points() {
        let mut tokens = Tokens::default();
        for (split, expected) in [
            (Split::Plain, vec![" ", "e", "\u{301}", "\n", "b", "!"]),
            (Split::Word, vec!["e", "b"]),
        ] {
            tokens.take_characters(" e\u{301}\nb!", TokenRule { split, ..AS_IS });
            assert_eq!(tokens.shingles(1).collect::<Vec<_>>(), expected, "{split}");
        }
    }

    /// The simple implementation agrees with the fast one where both implement the rule.
    #[test]
    fn words_of_other_rules_leave_out_stop_words_and_are_joined_by_one_space() {
        let stop_words = StopWords::from_words(["the"]);
        let mut tokens = Tokens::default();
        let rule = TokenRule { split: Split::Plain, ..TokenRule::default() };
        tokens.take_words(" The tide,\n the POOL ", rule, &stop_words, &Progress::new()).unwrap();
        assert_eq!(tokens.shingles(2).collect::<Vec<_>>(), ["tide, pool"]);
        let text = "The cat, sat\non the mat. ".repeat(9);
        let mut plain = Tokens::default();
        plain.begin(1);
        let rule = TokenRule::default();
        plain.take_words_of_rule(&text, rule, &stop_words, &Progress::new()).unwrap();
        tokens.take_words(&text, rule, &stop_words, &Progress::new()).unwrap();
        assert_eq!(plain.shingles(3).collect::<Vec<_>>(), tokens.shingles(3).collect::<Vec<_>>());
    }

    #[test]
    fn stop_words_are_left_out_wherever_they_stand() {
        let stop_words = StopWords::from_words(["the", "caf\u{e9}", "x"]);
        let filler = "harbour ".repeat(9);
        for text in [
            "the tide",
            "The",
            "tide the",
            "x X tide x x caf\u{e9} pool CAF\u{c9} x the",
            "",
            "the the",
            &format!("{filler}the {filler}THE x {filler}"),
        ] {
            for case in [Case::Keep, Case::Lower] {
                let mut tokens = Tokens::default();
                let rule = TokenRule { case, ..AS_IS };
                tokens.take_words(text, rule, &stop_words, &Progress::new()).unwrap();
                let kept = text.unicode_words().filter(|word| !stop_words.contains(word));
                let expected: Vec<String> = match case {
                    Case::Keep => kept.map(str::to_owned).collect(),
                    Case::Lower => kept.map(str::to_lowercase).collect(),
                };
                assert_eq!(tokens.shingles(1).collect::<Vec<_>>(), expected, "{text}");
                let joined = expected.join(" ");
                assert_eq!(tokens.shingles(99).collect::<String>(), joined);
            }
        }
    }
}
