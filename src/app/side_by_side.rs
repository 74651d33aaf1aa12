//! The difference of two texts laid out in rows: two columns, or one.
//!
//! Shared words are on the same row on both sides; words of only one side are bracketed.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::{
    analysis::comparison::Comparison,
    explain::DiffSpan,
    text::{Piece, visible},
};

/// A run of text on one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextRun {
    /// The text.
    pub text: String,
    /// The texts that have it.
    pub kind: RunKind,
}

/// The texts that have a run of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunKind {
    /// Both.
    Shared,
    /// Only one text: the left, 0, or the right, 1.
    OnlyIn(usize),
    /// The bracket around words that only one text has.
    Bracket(usize),
}

/// The cells of a text on the screen if each grapheme is drawn by itself. The width of the whole text may be less,
/// because some Arabic letters make a ligature of one cell.
pub fn cells(text: &str) -> usize {
    text.graphemes(true).map(UnicodeWidthStr::width).sum()
}

impl TextRun {
    /// Whether only one side has it.
    fn is_changed(&self) -> bool {
        self.kind != RunKind::Shared
    }
}

/// One row of the side-by-side layout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiffRow {
    /// The left cells.
    pub left: Vec<TextRun>,
    /// The right cells.
    pub right: Vec<TextRun>,
    /// Whether the row holds a difference.
    pub changed: bool,
}

impl Comparison {
    /// Rows of two columns, each `width` cells wide. Costs the length of the texts.
    pub fn side_by_side(&self, width: usize) -> Vec<DiffRow> {
        let width = width.max(4);
        let mut columns = [Column::new(width), Column::new(width)];
        // After a difference the columns are aligned again at the next word: a mark stays with its word.
        let mut apart = false;
        for span in self.spans() {
            if !span.same {
                align(&mut columns);
                columns[0].put_bracketed(&span.left, 0, ["[", "]"]);
                columns[1].put_bracketed(&span.right, 1, ["[", "]"]);
                apart = true;
                continue;
            }
            for (left, right) in Word::joined(&span.left, &span.right) {
                let attached = !left.spaced && !right.spaced;
                if apart && !attached {
                    align(&mut columns);
                    apart = false;
                }
                let break_row = left.line_breaks > 0 && right.line_breaks > 0;
                if !apart && (break_row || !columns[0].fits(&left) || !columns[1].fits(&right)) {
                    break_both(&mut columns);
                }
                columns[0].put(&left, RunKind::Shared);
                columns[1].put(&right, RunKind::Shared);
                if !apart {
                    align(&mut columns);
                }
            }
        }
        align(&mut columns);
        let [left, right] = columns.map(|column| column.rows);
        left.into_iter()
            .zip(right)
            .map(|(left, right)| {
                let changed = left.iter().chain(&right).any(TextRun::is_changed);
                DiffRow { left, right, changed }
            })
            .collect()
    }

    /// Rows of one column: differences as `[-left-] {+right+}` in place. `right` stays empty.
    pub fn unified(&self, width: usize) -> Vec<DiffRow> {
        let mut column = Column::new(width.max(4));
        for span in self.spans() {
            if span.same {
                for (word, _) in Word::joined(&span.left, &span.left) {
                    if word.line_breaks > 0 || !column.fits(&word) {
                        column.break_row();
                    }
                    column.put(&word, RunKind::Shared);
                }
            } else {
                column.put_bracketed(&span.left, 0, ["[-", "-]"]);
                column.put_bracketed(&span.right, 1, ["{+", "+}"]);
            }
        }
        let rows = column.rows.into_iter();
        rows.map(|left| DiffRow {
            changed: left.iter().any(TextRun::is_changed),
            left,
            right: Vec::new(),
        })
        .collect()
    }

    fn spans(&self) -> &[DiffSpan] {
        self.diff.as_ref().map_or(&[], |diff| &diff.spans)
    }
}

/// A piece of text without control characters, and its width.
struct Word {
    text: String,
    width: usize,
    spaced: bool,
    line_breaks: u8,
}

impl Word {
    fn of(piece: &Piece) -> Self {
        Self::new(visible(&piece.text).into_owned(), piece.spaced, piece.line_breaks)
    }

    /// Shared pieces as words: a mark stays with the word before it, a wide character is a word of its own.
    fn joined(left: &[Piece], right: &[Piece]) -> Vec<(Self, Self)> {
        let mut words: Vec<(Self, Self)> = Vec::new();
        for (a, b) in left.iter().zip(right) {
            let (a, b) = (Self::of(a), Self::of(b));
            let is_wide =
                a.text.chars().next().is_some_and(|c| c.is_alphanumeric() && c.width() == Some(2));
            match words.last_mut() {
                Some(last) if !a.spaced && !b.spaced && !is_wide => {
                    last.0.append(&a);
                    last.1.append(&b);
                }
                _ => words.push((a, b)),
            }
        }
        words
    }

    fn append(&mut self, other: &Self) {
        self.text.push_str(&other.text);
        self.width += other.width;
    }

    fn new(text: String, spaced: bool, line_breaks: u8) -> Self {
        Self { width: cells(&text), text, spaced, line_breaks }
    }
}

/// A column being filled row by row.
struct Column {
    width: usize,
    used: usize,
    rows: Vec<Vec<TextRun>>,
}

impl Column {
    fn new(width: usize) -> Self {
        Self { width, used: 0, rows: vec![Vec::new()] }
    }

    fn fits(&self, word: &Word) -> bool {
        let gap = usize::from(word.spaced && self.used > 0);
        // A word longer than a row is cut where it stands, because a line break before it would not help.
        self.used + gap + word.width <= self.width || self.used == 0
    }

    fn break_row(&mut self) {
        if self.used > 0 {
            self.rows.push(Vec::new());
            self.used = 0;
        }
    }

    /// Puts a word at the end of the row, and cuts it if a row is too short for it.
    fn put(&mut self, word: &Word, kind: RunKind) {
        if word.spaced && self.used > 0 {
            self.append(" ", 1, kind);
        }
        if self.used + word.width <= self.width {
            self.append(&word.text, word.width, kind);
            return;
        }
        for grapheme in word.text.graphemes(true) {
            let cells = grapheme.width();
            if self.used + cells > self.width {
                self.break_row();
            }
            self.append(grapheme, cells, kind);
        }
    }

    /// Puts the words that only one side has, between brackets that stay with the first and the last of them.
    fn put_bracketed(&mut self, pieces: &[Piece], side: usize, [open, close]: [&str; 2]) {
        let (words, brackets) = (RunKind::OnlyIn(side), RunKind::Bracket(side));
        for (at, piece) in pieces.iter().enumerate() {
            let (is_first, is_last) = (at == 0, at + 1 == pieces.len());
            let word = Word::of(piece);
            let opening = if is_first { open.len() } else { 0 };
            let closing = if is_last { close.len() } else { 0 };
            let whole = Word { width: word.width + opening + closing, text: String::new(), ..word };
            if !is_first && word.line_breaks > 0 || !self.fits(&whole) {
                self.break_row();
            }
            // The space before a difference belongs to the shared text.
            if word.spaced && self.used > 0 {
                self.append(" ", 1, if is_first { RunKind::Shared } else { words });
            }
            if is_first {
                self.put(&Word::new(open.to_owned(), false, 0), brackets);
            }
            self.put(&Word { spaced: false, ..word }, words);
            if is_last {
                self.put(&Word::new(close.to_owned(), false, 0), brackets);
            }
        }
    }

    fn append(&mut self, text: &str, cells: usize, kind: RunKind) {
        self.used += cells;
        let row = self.rows.last_mut().expect("a column has a row");
        match row.last_mut() {
            Some(run) if run.kind == kind => run.text.push_str(text),
            _ => row.push(TextRun { text: text.to_owned(), kind }),
        }
    }
}

/// Both columns begin a new row.
fn break_both(columns: &mut [Column; 2]) {
    let used = columns.iter().any(|column| column.used > 0);
    if used {
        for column in columns {
            column.rows.push(Vec::new());
            column.used = 0;
        }
    }
}

/// Fills the shorter column with empty rows up to the length of the longer one.
fn align(columns: &mut [Column; 2]) {
    let n_rows = columns[0].rows.len().max(columns[1].rows.len());
    for column in columns {
        while column.rows.len() < n_rows {
            column.rows.push(Vec::new());
            column.used = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::DocId;

    fn compared(left: &str, right: &str) -> Comparison {
        Comparison::new((DocId(0), Some(left)), (DocId(1), Some(right)), None)
    }

    fn text(runs: &[TextRun]) -> String {
        runs.iter().map(|run| run.text.as_str()).collect()
    }

    #[test]
    fn shared_words_stand_on_the_same_row() {
        let comparison = compared(
            "the boat leaves on Monday at nine from the old quay",
            "the boat leaves on Tuesday or Wednesday at nine from the old quay",
        );
        let rows = comparison.side_by_side(24);
        let shown: Vec<_> =
            rows.iter().map(|row| (text(&row.left), text(&row.right), row.changed)).collect();
        let expected = [
            ("the boat leaves on", "the boat leaves on", true),
            ("[Monday]", "[Tuesday or Wednesday]", true),
            ("at nine from the old", "at nine from the old", false),
            ("quay", "quay", false),
        ];
        for (row, (left, right, _)) in shown.iter().zip(expected) {
            assert_eq!((row.0.trim(), row.1.trim()), (left, right), "{shown:#?}");
        }
    }

    #[test]
    fn brackets_are_runs_of_their_own() {
        let rows = compared("open at nine", "open at ten").side_by_side(40);
        let run = |text: &str, kind| TextRun { text: text.to_owned(), kind };
        let expected = [
            run("open at ", RunKind::Shared),
            run("[", RunKind::Bracket(1)),
            run("ten", RunKind::OnlyIn(1)),
            run("]", RunKind::Bracket(1)),
        ];
        assert_eq!(rows[0].right, expected);
    }

    #[test]
    fn cells_are_counted_as_they_are_drawn() {
        // Lam and alef: a ligature of one cell by itself, drawn as two letters.
        assert_eq!((cells("\u{644}\u{627}"), cells("漢a")), (2, 3));
    }

    #[test]
    fn no_row_is_wider_than_its_column() {
        let comparison = compared(
            "漢字かな混じり文 and averyveryverylongwordindeed",
            "漢字 and another \u{1b}[2J",
        );
        for width in [4, 7, 11, 30] {
            for row in comparison.side_by_side(width).iter().chain(&comparison.unified(width)) {
                assert!(
                    cells(&text(&row.left)) <= width && cells(&text(&row.right)) <= width,
                    "{row:?}"
                );
                assert!(!text(&row.right).contains('\u{1b}'));
            }
        }
    }

    #[test]
    fn the_unified_form_names_both_sides_in_place() {
        let rows = compared("open at nine", "open at ten").unified(40);
        assert_eq!(text(&rows[0].left), "open at [-nine-] {+ten+}");
    }
}
