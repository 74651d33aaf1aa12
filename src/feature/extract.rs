//! The shingles of a text.

use std::collections::HashMap;

use super::{Shingling, ShortTexts};
use crate::{
    kernel::Slices,
    progress::{Cancelled, Progress},
    text::{StopWords, TokenRule, Tokens, token::whole_characters},
};

/// The part of a recipe that turns texts into shingles: tokens, stop words and shingling.
#[derive(Clone, Debug, Default)]
pub struct Extractor {
    /// The rules for turning a text into tokens.
    pub rule: TokenRule,
    /// The kind and length of shingles.
    pub shingling: Shingling,
    /// The shingles of texts that are too short for one.
    pub short: ShortTexts,
    /// Words that are removed; shingles of characters have no stop words.
    pub stop_words: StopWords,
}

/// A shingle and its number of occurrences in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShingleCount {
    /// The shingle's text.
    pub shingle: String,
    /// Occurrences, at least 1.
    pub count: u32,
}

impl Extractor {
    /// Fills `tokens` with the tokens of `text`.
    pub fn tokenize(&self, text: &str, tokens: &mut Tokens) {
        // It is never cancelled.
        let _ = self.try_tokenize(text, tokens, &Progress::new());
    }

    /// [`Extractor::tokenize`] with a check for cancellation every few milliseconds.
    ///
    /// # Errors
    /// [`Cancelled`] after [`Progress::cancel`]; then some tokens are missing.
    pub fn try_tokenize(
        &self,
        text: &str,
        tokens: &mut Tokens,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        match self.shingling {
            Shingling::Words(_) => tokens.take_words(text, self.rule, &self.stop_words, progress),
            Shingling::Chars(_) => {
                tokens.take_characters(text, self.rule);
                Ok(())
            }
        }
    }

    /// The shingles of tokenized text, repeats included, in text order.
    pub fn shingles<'a>(&self, tokens: &'a Tokens) -> impl Iterator<Item = &'a str> + use<'a> {
        self.shingle_slices(tokens).iter().map(whole_characters)
    }

    /// [`Extractor::shingles`] as slices of one buffer, for hashing.
    pub(crate) fn shingle_slices<'a>(&self, tokens: &'a Tokens) -> Slices<'a> {
        let size = self.shingling.size();
        match self.short {
            ShortTexts::Empty if tokens.is_empty() => Tokens::empty_shingle(),
            short if tokens.len() < short.least(size) => Slices::NONE,
            _ => tokens.shingle_slices(size),
        }
    }

    /// The distinct shingles with their counts, in the order of first occurrence.
    pub fn count(&self, tokens: &Tokens) -> Vec<ShingleCount> {
        let mut counted: Vec<ShingleCount> = Vec::new();
        let mut place: HashMap<&str, usize> = HashMap::new();
        for shingle in self.shingles(tokens) {
            let at = *place.entry(shingle).or_insert_with(|| {
                counted.push(ShingleCount { shingle: shingle.to_owned(), count: 0 });
                counted.len() - 1
            });
            counted[at].count += 1;
        }
        counted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_shingles_are_counted_once_with_their_number() {
        let extractor = Extractor { shingling: Shingling::Words(2), ..Extractor::default() };
        let mut tokens = Tokens::new();
        extractor.tokenize("The tide, the TIDE", &mut tokens);
        let counted = extractor.count(&tokens);
        let expected = [("the tide", 2), ("tide the", 1)];
        assert_eq!(
            counted.iter().map(|c| (c.shingle.as_str(), c.count)).collect::<Vec<_>>(),
            expected
        );
    }
}
