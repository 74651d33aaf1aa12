//! Words and punctuation marks as a reader sees them, for comparing and laying out texts.

use unicode_segmentation::UnicodeSegmentation;

/// A word or punctuation mark, and the white space before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The word, number, ideograph or punctuation mark.
    pub text: String,
    /// Whether white space comes before it.
    pub spaced: bool,
    /// Line breaks before it: 0, 1, or 2 for at least one blank line.
    pub line_breaks: u8,
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
            pieces.push(Piece { text: segment.to_owned(), spaced, line_breaks });
            (spaced, line_breaks) = (false, 0);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

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
