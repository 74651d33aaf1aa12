//! The differences of two texts: runs of words that both have, and runs that only one of them has.
//!
//! A word-by-word Myers difference with a deadline: after it the answer is coarser, but never wrong.
//! Source: Myers, "An O(ND) difference algorithm and its variations" (1986), by the `similar` crate.
//!
//! Two texts cut down to their differences, for a page that shows many pairs.
//!
//! ```text
//! both texts             a b c d e f g h i j k l m n o p   a b c d e f g h i J k l m n o p
//! the excerpt            .. 6 equal words ..  g h i [j | J] k l m  .. 3 equal words ..
//! ```
//!
//! Equal texts give equal excerpts on every machine, because the work is limited by bytes, not by time. The
//! text of a document is made safe to show here. The cost is at most the square of [`MOST_BYTES`] in words: a
//! second.

use std::time::Instant;

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::text::{Piece, pieces, visible};

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

    /// Notes where the fields begin that a text, 0 or 1, is made of. Costs the length of the text.
    pub fn name_fields(&mut self, side: usize, fields: &[(String, String)]) {
        let of_side = self.spans.iter_mut();
        let mut all =
            of_side.flat_map(|span| if side == 0 { &mut span.left } else { &mut span.right });
        for (name, text) in fields {
            let n = pieces(text).len();
            if let Some(first) = all.by_ref().take(n).fold(None, |first, it| first.or(Some(it))) {
                first.field = Some(name.as_str().into());
            }
        }
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

/// Bytes of each text that are compared.
pub const MOST_BYTES: usize = 20_000;
/// The approximate number of words and marks of both texts that are shown.
const MOST_PIECES: usize = 600;
/// Words and marks in both texts that are shown before and after a difference.
const CONTEXT: usize = 14;
/// The least number of words and marks that are left out together.
const FEWEST_SKIPPED: usize = 8;
/// Words and marks of one difference that are shown for each text.
const MOST_CHANGED: usize = 120;
/// Characters of the longest word shown.
const LONGEST: usize = 80;

/// A stretch of two texts. Text is safe to show, on one line, with its leading space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExcerptPart {
    /// Words that both texts have.
    Same(String),
    /// The number of words and marks in both texts that are left out.
    Skipped(usize),
    /// The different words of each text; empty where a text has none.
    Changed {
        /// The left text.
        left: String,
        /// The right text.
        right: String,
    },
}

/// Two compared texts, cut down to their differences.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Excerpt {
    /// The parts in text order.
    pub parts: Vec<ExcerptPart>,
    /// The number of differences in the compared part.
    pub n_edits: usize,
    /// The number of differences that are not shown, because there are too many.
    pub n_hidden: usize,
    /// Share of words and marks that both texts have, 0 to 1.
    pub shared: f64,
    /// Bytes of each text that were not compared, because it is too long.
    pub uncompared: [usize; 2],
}

impl Excerpt {
    /// Compares the first [`MOST_BYTES`] of two texts.
    pub fn new(left: &str, right: &str) -> Self {
        let [a, b] = [left, right].map(|text| &text[..text.floor_char_boundary(MOST_BYTES)]);
        let uncompared = [left.len() - a.len(), right.len() - b.len()];
        let mut diff = TextDiff::new(a, b, None);
        if uncompared != [0, 0] {
            diff.leave_out_end();
        }
        let (n_edits, shared) = (diff.n_edits(), diff.shared());
        let mut excerpt = Self { n_edits, shared, uncompared, ..Self::default() };
        let mut room = MOST_PIECES;
        for (at, span) in diff.spans.iter().enumerate() {
            if room == 0 {
                excerpt.n_hidden = diff.spans[at..].iter().filter(|span| !span.same).count();
                break;
            }
            let n_shown = if span.same {
                excerpt.put_same(&span.left, at == 0, at + 1 == diff.spans.len())
            } else {
                excerpt.put_changed(span)
            };
            room = room.saturating_sub(n_shown);
        }
        excerpt
    }

    /// Adds both ends of a run that both texts have. Returns the number of pieces shown.
    fn put_same(&mut self, run: &[Piece], is_first: bool, is_last: bool) -> usize {
        let (before, after) = match (is_first, is_last) {
            // Equal texts show their beginning.
            (true, true) => (4 * CONTEXT, 0),
            (true, false) => (0, CONTEXT),
            (false, true) => (CONTEXT, 0),
            (false, false) => (CONTEXT, CONTEXT),
        };
        let skipped = run.len().saturating_sub(before + after);
        if skipped < FEWEST_SKIPPED {
            self.parts.push(ExcerptPart::Same(spell(run)));
            return run.len();
        }
        let same = |run: &[Piece]| (!run.is_empty()).then(|| ExcerptPart::Same(spell(run)));
        self.parts.extend(same(&run[..before]));
        self.parts.push(ExcerptPart::Skipped(skipped));
        self.parts.extend(same(&run[before + skipped..]));
        before + after
    }

    fn put_changed(&mut self, span: &DiffSpan) -> usize {
        let side = |pieces: &[Piece]| {
            let n_shown = pieces.len().min(MOST_CHANGED);
            let hidden = pieces.len() - n_shown;
            let more = if hidden > 0 { format!(" … {hidden} more") } else { String::new() };
            (n_shown, spell(&pieces[..n_shown]) + &more)
        };
        let ((n_left, left), (n_right, right)) = (side(&span.left), side(&span.right));
        self.parts.push(ExcerptPart::Changed { left, right });
        n_left + n_right
    }
}

/// The first words of a text on one line, at most `most` characters, safe to show. An ellipsis shows that the
/// text continues.
pub fn opening(text: &str, most: usize) -> String {
    let start = &text[..text.floor_char_boundary(8 * most)];
    let words: Vec<&str> = start.split_whitespace().collect();
    clipped(&visible(&words.join(" ")), most, start.len() < text.len())
}

/// At most `most` characters; an ellipsis shows that some are missing.
fn clipped(text: &str, most: usize, is_cut: bool) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None if is_cut => format!("{text}…"),
        None => text.to_owned(),
    }
}

fn spell(pieces: &[Piece]) -> String {
    let mut text = String::new();
    for piece in pieces {
        if piece.spaced {
            text.push(' ');
        }
        // A word may be a megabyte long; only its beginning is needed.
        let start = &piece.text[..piece.text.floor_char_boundary(8 * LONGEST)];
        text.push_str(&clipped(&visible(start), LONGEST, start.len() < piece.text.len()));
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

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

    fn numbers(range: std::ops::Range<usize>) -> String {
        range.map(|n| n.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn only_the_neighbourhood_of_a_difference_stays() {
        let (left, right) = (numbers(0..100), numbers(0..100).replace("50", "fifty"));
        let excerpt = Excerpt::new(&left, &right);
        let expected = [
            ExcerptPart::Skipped(36),
            ExcerptPart::Same(format!(" {}", numbers(36..50))),
            ExcerptPart::Changed { left: " 50".into(), right: " fifty".into() },
            ExcerptPart::Same(format!(" {}", numbers(51..65))),
            ExcerptPart::Skipped(35),
        ];
        assert_eq!(excerpt.parts, expected);
        assert_eq!((excerpt.n_edits, excerpt.n_hidden, excerpt.uncompared), (1, 0, [0, 0]));
    }

    #[test]
    fn equal_texts_show_how_they_begin_and_short_ones_are_whole() {
        let excerpt = Excerpt::new(&numbers(0..100), &numbers(0..100));
        assert_eq!(excerpt.parts, [ExcerptPart::Same(numbers(0..56)), ExcerptPart::Skipped(44)]);
        let excerpt = Excerpt::new("a b c", "a B c");
        assert_eq!((excerpt.parts.len(), excerpt.shared), (3, 0.5));
        assert_eq!(Excerpt::new("", "").parts, []);
    }

    #[test]
    fn the_cut_of_long_texts_is_not_a_difference() {
        let long = numbers(0..9000);
        let longer = long.replace(" 50 ", " 50 and some words that only one has 50 ");
        let excerpt = Excerpt::new(&long, &longer);
        assert_eq!((excerpt.n_edits, excerpt.uncompared[0] > 0), (1, true));
        assert!(excerpt.shared > 0.99 && excerpt.shared < 1.0, "{}", excerpt.shared);
        // A difference that covers the whole text is counted.
        let other = Excerpt::new(&long, &"x ".repeat(20_000));
        assert_eq!(other.n_edits, 1);
    }

    #[test]
    fn long_and_hostile_texts_are_bounded_and_this_is_reported() {
        let line = "x".repeat(1 << 20);
        let excerpt = Excerpt::new(&line, &format!("{line} y"));
        assert_eq!(excerpt.uncompared, [(1 << 20) - MOST_BYTES, (1 << 20) + 2 - MOST_BYTES]);
        let [ExcerptPart::Same(same)] = &excerpt.parts[..] else { panic!("{:?}", excerpt.parts) };
        assert!(same.chars().count() <= LONGEST + 1 && same.ends_with('…'));
        let (left, right) = (numbers(0..3000), numbers(5000..8000));
        let excerpt = Excerpt::new(&left, &right);
        assert_eq!((excerpt.n_edits, excerpt.n_hidden), (1, 0));
        let ExcerptPart::Changed { left, right } = &excerpt.parts[0] else { panic!() };
        assert!(left.ends_with("2880 more") && right.ends_with("2880 more"), "{left}");
        let apart: Vec<String> = (0..2000).map(|n| format!("same{n} {}", n % 2)).collect();
        let apart = apart.join(" ") + " ";
        let excerpt = Excerpt::new(&apart, &apart.replace(" 1 ", " one "));
        assert!(excerpt.n_hidden > 0 && excerpt.n_hidden < excerpt.n_edits);
        let hostile = Excerpt::new("a \u{202e}b\u{1b}[2J", "a c");
        let ExcerptPart::Changed { left, .. } = &hostile.parts[1] else { panic!("{hostile:?}") };
        assert!(left.contains("<U+202E>") && left.contains("^["), "{left}");
    }

    /// The words of one side of an excerpt, including those left out.
    fn n_words(excerpt: &Excerpt, side: usize) -> usize {
        let words = |text: &str| text.split_whitespace().count();
        let of = |part: &ExcerptPart| match part {
            ExcerptPart::Same(text) => words(text),
            ExcerptPart::Skipped(n) => *n,
            ExcerptPart::Changed { left, right } => words([left, right][side]),
        };
        excerpt.parts.iter().map(of).sum()
    }

    proptest! {
        /// Few different words, so that runs of any length are equal.
        #[test]
        fn no_word_is_lost_or_repeated(
            texts in [vec(prop_oneof![9 => Just("a"), 1 => Just("b")], 0..110),
                      vec(prop_oneof![9 => Just("a"), 1 => Just("c")], 0..110)],
        ) {
            let excerpt = Excerpt::new(&texts[0].join(" "), &texts[1].join(" "));
            prop_assert_eq!(excerpt.n_hidden, 0);
            let found = [0, 1].map(|side| n_words(&excerpt, side));
            prop_assert_eq!(found, [texts[0].len(), texts[1].len()]);
        }
    }

    #[test]
    fn an_opening_is_one_line() {
        assert_eq!(opening("  one\n\ntwo\tthree ", 20), "one two three");
        assert_eq!(opening("one two three", 7), "one two…");
        assert_eq!(opening(&"wide ".repeat(100_000), 9), "wide wide…");
        assert_eq!(opening("\u{202e}", 20), "<U+202E>");
    }
}
