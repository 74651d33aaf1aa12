//! The differences of two texts: runs of words that both have, and runs that only one of them has.
//!
//! A word-by-word Myers difference with a deadline: after it the answer is coarser, but never wrong.
//! Source: Myers, "An O(ND) difference algorithm and its variations" (1986), by the `similar` crate.

use std::time::Instant;

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::text::{Piece, pieces};

/// A run of pieces that both texts have, or that differs between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffSpan {
    /// Whether both texts have it.
    pub same: bool,
    /// The pieces of the left text; empty if only the right text has some here.
    pub left: Vec<Piece>,
    /// The pieces of the right text.
    pub right: Vec<Piece>,
}

/// Two texts cut into shared and differing runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextDiff {
    /// The runs in text order.
    pub spans: Vec<DiffSpan>,
    /// The number of pieces that both texts have.
    pub n_shared: usize,
    /// The number of pieces of both texts together; shared pieces count once.
    pub n_pieces: usize,
}

impl TextDiff {
    /// Compares two texts; less carefully after `deadline`. Only words and marks count, not white space.
    pub fn new(left: &str, right: &str, deadline: Option<Instant>) -> Self {
        let (left, right) = (pieces(left), pieces(right));
        let left_words: Vec<&str> = left.iter().map(|piece| piece.text.as_str()).collect();
        let right_words: Vec<&str> = right.iter().map(|piece| piece.text.as_str()).collect();
        let ops =
            capture_diff_slices_deadline(Algorithm::Myers, &left_words, &right_words, deadline);
        let spans: Vec<DiffSpan> = ops
            .iter()
            .map(|op| DiffSpan {
                same: matches!(op, DiffOp::Equal { .. }),
                left: left[op.old_range()].to_vec(),
                right: right[op.new_range()].to_vec(),
            })
            .collect();
        let n_shared = spans.iter().filter(|span| span.same).map(|span| span.left.len()).sum();
        Self { spans, n_shared, n_pieces: left.len() + right.len() - n_shared }
    }

    /// Leaves out a difference at the end, unless it is the only one: if the texts were cut, the cut may have
    /// caused it.
    pub fn leave_out_end(&mut self) {
        if self.spans.len() > 1
            && let Some(end) = self.spans.pop_if(|span| !span.same)
        {
            self.n_pieces -= end.left.len() + end.right.len();
        }
    }

    /// The number of differences.
    pub fn n_edits(&self) -> usize {
        self.spans.iter().filter(|span| !span.same).count()
    }

    /// Share of words and marks that both texts have, 0 to 1; 1 for two empty texts.
    pub fn shared(&self) -> f64 {
        if self.n_pieces == 0 { 1.0 } else { self.n_shared as f64 / self.n_pieces as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_and_differing_runs_spell_both_texts() {
        let diff = TextDiff::new("back by nine on Monday.", "back by ten on\nMonday.", None);
        let words = |pieces: &[Piece]| pieces.iter().map(|p| p.text.clone()).collect::<Vec<_>>();
        let changed: Vec<_> = diff.spans.iter().filter(|span| !span.same).collect();
        assert_eq!(changed.len(), 1);
        assert_eq!(
            (words(&changed[0].left), words(&changed[0].right)),
            (vec!["nine".into()], vec!["ten".into()])
        );
        assert_eq!((diff.n_edits(), diff.n_shared, diff.n_pieces), (1, 5, 7));
    }

    #[test]
    fn an_empty_text_differs_everywhere() {
        assert_eq!(TextDiff::new("", "", None).shared(), 1.0);
        let diff = TextDiff::new("", "one two", None);
        assert_eq!((diff.n_edits(), diff.shared()), (1, 0.0));
    }
}
