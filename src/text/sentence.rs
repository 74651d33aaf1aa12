//! Sentences of a text, to measure the effect of each on a fingerprint.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_those_of_the_annex_with_their_places() {
        let text = "The tide is in. ... Is it? Yes!\n\n潮が満ちた。引いた。";
        let found: Vec<&str> = sentences(text).into_iter().map(|place| &text[place]).collect();
        assert_eq!(found, text.unicode_sentences().collect::<Vec<_>>());
        assert_eq!(found.first(), Some(&"The tide is in. ... "), "marks alone are no sentence");
        assert_eq!(found.last(), Some(&"引いた。"));
        assert!(sentences(" \n ... ").is_empty());
    }
}
