//! A document's tokens, laid end to end so that every run of N of them is one slice.
//!
//! Words are joined by single spaces, characters by nothing. A shingle of N tokens is then a slice of
//! one buffer and costs no allocation; the buffer is reused from document to document.

use unicode_segmentation::UnicodeSegmentation;

use super::{StopWords, ascii_words};

/// Tokens of one text: a buffer and where each token lies in it.
#[derive(Debug, Default)]
pub struct Tokens {
    buffer: String,
    spans: Vec<(u32, u32)>,
}

impl Tokens {
    /// No tokens yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the UAX #29 words of `text`, leaving out stop words.
    pub fn take_words(&mut self, text: &str, stop_words: &StopWords) {
        self.clear();
        for_each_word(text, |word| {
            if !stop_words.contains(word) {
                if !self.spans.is_empty() {
                    self.buffer.push(' ');
                }
                self.push(word);
            }
        });
    }

    /// Takes the grapheme clusters of `text`: runs of white space count as one space, none at the ends.
    pub fn take_characters(&mut self, text: &str) {
        self.clear();
        let mut collapsed = String::with_capacity(text.len());
        for word in text.split_whitespace() {
            if !collapsed.is_empty() {
                collapsed.push(' ');
            }
            collapsed.push_str(word);
        }
        for grapheme in collapsed.graphemes(true) {
            self.push(grapheme);
        }
    }

    /// Number of tokens.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether the text had no token at all.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The tokens in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.spans.iter().map(|&(start, end)| &self.buffer[start as usize..end as usize])
    }

    /// Every run of `n` consecutive tokens; if there are fewer, one run of all; if none, nothing.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn shingles(&self, n: usize) -> impl Iterator<Item = &str> {
        assert!(n > 0, "a shingle has at least one token");
        self.spans.windows(n.min(self.spans.len()).max(1)).map(|run| {
            let (start, end) = (run[0].0, run[run.len() - 1].1);
            &self.buffer[start as usize..end as usize]
        })
    }

    fn clear(&mut self) {
        self.buffer.clear();
        self.spans.clear();
    }

    fn push(&mut self, token: &str) {
        let start = self.buffer.len();
        self.buffer.push_str(token);
        self.spans.push((start as u32, self.buffer.len() as u32));
    }
}

/// Calls `word` with every UAX #29 word of `text`, in order: what `unicode_words` yields, faster.
///
/// No word reaches back across ASCII white space, so the text is taken apart there, and what is ASCII
/// between takes the short way. (A mark may cling to the space before it: then the space goes along.)
pub fn for_each_word(text: &str, mut word: impl FnMut(&str)) {
    if text.is_ascii() {
        return ascii_words::for_each(text, word);
    }
    let mut rest = text;
    while !rest.is_empty() {
        let blanks = rest.len() - rest.trim_ascii_start().len();
        let length = rest[blanks..].bytes().take_while(|byte| !byte.is_ascii_whitespace()).count();
        let (chunk, after) = rest.split_at(blanks + length);
        if chunk.is_ascii() {
            ascii_words::for_each(chunk, &mut word);
        } else {
            chunk.unicode_words().for_each(&mut word);
        }
        rest = after;
    }
}

/// A piece of text as a reader sees it: a word or a mark, and the white space before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The word, number, ideograph or punctuation mark.
    pub text: String,
    /// Whether white space stands before it.
    pub spaced: bool,
    /// Line ends before it: 0 or 1, or 2 where a blank line stands.
    pub line_breaks: u8,
}

/// Cuts a text into words and marks at the word boundaries of UAX #29, white space kept aside.
///
/// For comparing and laying out texts; fingerprints use [`Tokens`].
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut spaced, mut line_breaks) = (false, 0u8);
    for segment in text.split_word_bounds() {
        if segment.chars().all(char::is_whitespace) {
            spaced = true;
            line_breaks = (line_breaks + segment.matches('\n').count().min(2) as u8).min(2);
        } else {
            pieces.push(Piece { text: segment.to_owned(), spaced, line_breaks });
            (spaced, line_breaks) = (false, 0);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Tokens {
        let mut tokens = Tokens::new();
        tokens.take_words(text, &StopWords::none());
        tokens
    }

    #[test]
    fn shingles_are_runs_of_words_joined_by_one_space() {
        let tokens = words("the cat,  sat\non the mat.");
        let shingles: Vec<&str> = tokens.shingles(3).collect();
        assert_eq!(shingles, ["the cat sat", "cat sat on", "sat on the", "on the mat"]);
    }

    #[test]
    fn a_short_text_is_one_shingle_and_an_empty_one_none() {
        assert_eq!(words("Hello").shingles(3).collect::<Vec<_>>(), ["Hello"]);
        assert_eq!(words(" ... ").shingles(3).count(), 0);
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

    #[test]
    fn characters_are_grapheme_clusters_with_white_space_collapsed() {
        let mut tokens = Tokens::new();
        tokens.take_characters("  e\u{301} \t\n b ");
        assert_eq!(tokens.iter().collect::<Vec<_>>(), ["e\u{301}", " ", "b"]);
        assert_eq!(tokens.shingles(2).collect::<Vec<_>>(), ["e\u{301} ", " b"]);
    }
}
