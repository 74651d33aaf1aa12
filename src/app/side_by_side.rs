//! The difference of two texts laid out in rows: two columns, or one.
//!
//! Shared words are on the same row on both sides; words of only one side are bracketed.

use super::JobNumber;
use super::text_column::{Column, Word};
pub use super::text_column::{RunKind, TextRun, cells};
use crate::analysis::explained_pair::Comparison;
use crate::explain::{DiffSpan, TextDiff};
use crate::number::counted;

/// Below this share of common words marks would be shreds all over both texts.
const LITTLE: f64 = 0.2;
/// The fewest equal lines that fold.
const LEAST_FOLDED: usize = 4;

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

impl DiffRow {
    fn of(left: Vec<TextRun>, right: Vec<TextRun>) -> Self {
        let changed = left.iter().chain(&right).any(TextRun::is_changed);
        Self { left, right, changed }
    }

    /// Rows of two columns of the same height.
    fn beside(left: Vec<Vec<TextRun>>, right: Vec<Vec<TextRun>>) -> Vec<Self> {
        left.into_iter().zip(right).map(|(left, right)| Self::of(left, right)).collect()
    }

    /// Rows of one column.
    fn alone(rows: Vec<Vec<TextRun>>) -> Vec<Self> {
        rows.into_iter().map(|left| Self::of(left, Vec::new())).collect()
    }
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
            for (left, right) in Word::joined(span.left.iter().zip(&span.right)) {
                if left.field.is_some() || right.field.is_some() {
                    align(&mut columns);
                    columns[0].begin(&left);
                    columns[1].begin(&right);
                    align(&mut columns);
                    apart = false;
                }
                let attached = !left.spaced && !right.spaced;
                if apart && !attached {
                    align(&mut columns);
                    apart = false;
                }
                let break_row = !apart && left.line_breaks > 0 && right.line_breaks > 0;
                // A word behind a mark that only one text has is not cut either.
                if break_row || !columns[0].fits(&left) || !columns[1].fits(&right) {
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
        DiffRow::beside(left, right)
    }

    /// Rows of one column: differences as `[-left-] {+right+}` in place. `right` stays empty.
    pub fn unified(&self, width: usize) -> Vec<DiffRow> {
        let mut column = Column::new(width.max(4));
        for span in self.spans() {
            if span.same {
                column.put_all(span.left.iter(), RunKind::Shared);
            } else {
                column.put_bracketed(&span.left, 0, ["[-", "-]"]);
                column.put_bracketed(&span.right, 1, ["{+", "+}"]);
            }
        }
        DiffRow::alone(column.rows)
    }

    /// The rows as they are shown: in one column of these cells, or in two with a gutter between them; without marks if
    /// the texts have little in common. Costs the length of the texts.
    pub fn rows(&self, column: usize, is_side_by_side: bool) -> Vec<DiffRow> {
        if self.little_in_common().is_some() {
            self.plain(column.saturating_sub(usize::from(is_side_by_side)), is_side_by_side)
        } else if is_side_by_side {
            self.side_by_side(column.saturating_sub(1))
        } else {
            self.unified(column)
        }
    }

    /// The share of words that both texts have, if it is so small that their differences are not marked.
    pub fn little_in_common(&self) -> Option<f64> {
        self.diff.as_ref().map(TextDiff::shared).filter(|shared| *shared < LITTLE)
    }

    /// Rows of both texts without marks: each in a column of its own, or one below the other.
    pub fn plain(&self, width: usize, is_side_by_side: bool) -> Vec<DiffRow> {
        let [mut left, mut right] = [0, 1].map(|side| {
            let mut column = Column::new(width.max(4));
            let pieces = self.spans().iter().flat_map(|it| [&it.left, &it.right][side]);
            column.put_all(pieces, RunKind::Plain);
            column.rows
        });
        if is_side_by_side {
            let n_rows = left.len().max(right.len());
            left.resize(n_rows, Vec::new());
            right.resize(n_rows, Vec::new());
            return DiffRow::beside(left, right);
        }
        let name = vec![TextRun { text: "two:".to_owned(), kind: RunKind::Shared }];
        DiffRow::alone([left, vec![Vec::new(), name], right].concat())
    }

    /// The differences in numbers, with the number of places in these rows that have edits.
    pub fn in_numbers(&self, rows: &[DiffRow]) -> String {
        let Some(diff) = &self.diff else { return String::new() };
        let of = if self.clipped { " in the first 256 kB" } else { "" };
        // Rounded down, so that only equal words show 100 %.
        let shared = format!("{:.0} % of the words shared", (diff.shared() * 100.0).floor());
        match diff.n_edits() {
            0 => format!("the same words{of}"),
            _ if self.little_in_common().is_some() => {
                format!("little in common, {shared}{of}; no difference is marked")
            }
            n => {
                let n_places = Some(places_with_edits(rows).count()).filter(|it| *it < n);
                let places = n_places.map_or_else(String::new, |n_places| {
                    format!(" in {}", counted(n_places as u64, "place"))
                });
                format!("{}{places}{of}", counted(n as u64, "edit"))
            }
        }
    }

    fn spans(&self) -> &[DiffSpan] {
        self.diff.as_ref().map_or(&[], |diff| &diff.spans)
    }
}

/// The rows with equal ones folded, as few as leave no row of the screen empty.
pub fn folded(rows: &[DiffRow], height: usize) -> Vec<DiffRow> {
    let mut around = 2;
    while rows.len() > height && rows.iter().any(|row| row.changed) {
        let folded = fold(rows, around);
        if folded.len() >= height {
            return folded;
        }
        around *= 2;
    }
    rows.to_vec()
}

/// The rows with a sentence instead of equal ones, but for some around each difference.
fn fold(rows: &[DiffRow], around: usize) -> Vec<DiffRow> {
    let mut is_shown = vec![false; rows.len()];
    for at in (0..rows.len()).filter(|&at| rows[at].changed) {
        is_shown[at.saturating_sub(around)..(at + around + 1).min(rows.len())].fill(true);
    }
    let (mut folded, mut from) = (Vec::new(), 0);
    for part in is_shown.chunk_by(|one, other| one == other) {
        let equal = &rows[from..from + part.len()];
        from += part.len();
        if part[0] || part.len() < LEAST_FOLDED {
            folded.extend_from_slice(equal);
        } else {
            let text = format!("-- {} equal lines --", part.len());
            let run = TextRun { text, kind: RunKind::Shared };
            folded.push(DiffRow::of(vec![run], Vec::new()));
        }
    }
    folded
}

/// Both columns begin a new row.
fn break_both(columns: &mut [Column; 2]) {
    if columns.iter().any(|column| column.used > 0) {
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

/// The rows, each the first of those that are changed one below the other.
pub fn places_with_edits(rows: &[DiffRow]) -> impl Iterator<Item = usize> + '_ {
    (0..rows.len()).filter(|&row| rows[row].changed && (row == 0 || !rows[row - 1].changed))
}

/// Two texts laid out in rows for the present screen, and the place to which they are scrolled.
#[derive(Clone, Debug, Default)]
pub struct ShownTexts {
    /// The rows, with equal ones folded as far as the screen needs it.
    pub rows: Vec<DiffRow>,
    /// The first shown row.
    pub top: usize,
    /// The rows before folding.
    whole: Vec<DiffRow>,
    /// The rows of the screen that they fit into; `None` before they are fitted.
    height: Option<usize>,
    /// The inputs that the rows were laid out from.
    made_from: Option<TextsInput>,
}

/// The number of a comparison, the cells of a column, and whether there are two.
type TextsInput = (JobNumber, usize, bool);

impl ShownTexts {
    /// Lays a comparison out, unless it is laid out so already. Costs the length of the texts.
    pub(super) fn lay_out(&mut self, comparison: Option<&Comparison>, input: TextsInput) {
        if self.made_from != Some(input) {
            let rows = comparison.map_or_else(Vec::new, |it| it.rows(input.1, input.2));
            (self.whole, self.height, self.made_from) = (rows, None, Some(input));
        }
    }

    /// Fits them into a number of rows of the screen; folds equal rows as far as that needs it, if `folds`.
    pub(super) fn fit(&mut self, height: usize, folds: bool) {
        if self.height != Some(height) {
            self.rows = folded(&self.whole, if folds { height } else { usize::MAX });
            self.height = Some(height);
        }
        self.scroll_to(self.top);
    }

    /// Makes this the first shown row, or an earlier one, so that no row below the last one is shown.
    pub(super) fn scroll_to(&mut self, row: usize) {
        self.top = row.min(self.rows.len().saturating_sub(self.height()));
    }

    /// Shows the first row with edits, from the beginning on if that shows it.
    pub(super) fn show_first_edit(&mut self) {
        let first = places_with_edits(&self.rows).next().unwrap_or(0);
        self.scroll_to(if first < self.height() { 0 } else { first.saturating_sub(1) });
    }

    /// The rows of the screen.
    pub fn height(&self) -> usize {
        self.height.unwrap_or(0)
    }

    /// The rows that show, where not all do.
    pub(super) fn scrolled(&self) -> Option<String> {
        let (n, height) = (self.rows.len(), self.height());
        let last = (self.top + height).min(n);
        (n > height && height > 0).then(|| format!("rows {}-{last} of {n}", self.top + 1))
    }

    /// The rows from the first shown one on.
    pub(super) fn below_top(&self) -> &[DiffRow] {
        &self.rows[self.top.min(self.rows.len())..]
    }

    /// The most rows that they can use.
    pub(super) fn most_rows(&self) -> usize {
        if self.rows.is_empty() { usize::from(u16::MAX) } else { self.whole.len().max(3) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(left: &str, right: &str) -> Comparison {
        Comparison::new(Some((left, right)), None)
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
    fn the_names_of_fields_stand_above_their_texts() {
        let field = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let left = [field("ask", "when is high tide"), field("say", "at ten")];
        let right = [field("ask", "when is low tide"), field("say", "at four")];
        let joined = |fields: &[(String, String)]| {
            fields.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("\n\n")
        };
        let mut comparison = compared(&joined(&left), &joined(&right));
        let diff = comparison.diff.as_mut().unwrap();
        diff.name_fields(0, &left);
        diff.name_fields(1, &right);
        for rows in [comparison.side_by_side(30), comparison.plain(30, true)] {
            let names =
                rows.iter().filter(|row| row.left.iter().any(|it| it.kind == RunKind::Field));
            let names: Vec<_> = names.map(|row| (text(&row.left), text(&row.right))).collect();
            assert_eq!(names, [("ask", "ask"), ("say", "say")].map(|(a, b)| (a.into(), b.into())));
        }
        let one = comparison.unified(30);
        assert_eq!(one.iter().filter(|row| text(&row.left) == "say").count(), 1, "{one:?}");
    }

    #[test]
    fn a_word_behind_a_mark_of_one_text_is_not_cut() {
        let comparison =
            compared("the terms bind a (legal entity alone", "the terms bind a legal entity alone");
        for width in 16..30 {
            let rows = comparison.side_by_side(width);
            for side in [0, 1] {
                let words: Vec<String> = rows
                    .iter()
                    .map(|row| text(if side == 0 { &row.left } else { &row.right }))
                    .flat_map(|row| row.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
                    .collect();
                assert!(
                    words.iter().any(|it| it.trim_start_matches("[(]") == "legal"),
                    "{width}: {words:?}"
                );
            }
        }
    }

    #[test]
    fn texts_with_little_in_common_stay_plain() {
        let (left, right) = ("the boat leaves at nine", "a lamp, lit twice\n\nin the old tower");
        let comparison = compared(left, right);
        assert_eq!(comparison.little_in_common(), Some(1.0 / 13.0));
        assert_eq!(compared("open at nine", "open at ten").little_in_common(), None);
        let rows = comparison.plain(24, true);
        let shown: Vec<_> = rows.iter().map(|row| (text(&row.left), text(&row.right))).collect();
        assert_eq!(shown[0], (left.to_owned(), "a lamp, lit twice".to_owned()));
        assert_eq!(shown.last().unwrap().1, "in the old tower");
        assert!(rows.iter().all(|row| !row.changed));
        let below: Vec<_> = comparison.plain(24, false).iter().map(|row| text(&row.left)).collect();
        assert_eq!(below[..3], [left, "", "two:"]);
    }

    #[test]
    fn equal_lines_fold_as_far_as_the_screen_needs() {
        let lines = |word: &str| -> String {
            let line = |at| ["line ", if at == 20 { word } else { "same" }, "\n\n"];
            (0..40).flat_map(line).collect()
        };
        let rows = compared(&lines("old"), &lines("new")).side_by_side(30);
        for height in [1, 5, 9, 20, rows.len()] {
            let shown = folded(&rows, height);
            assert!((height..=rows.len()).contains(&shown.len()), "{height} {shown:#?}");
            let n: usize = shown
                .iter()
                .map(|row| {
                    let said = text(&row.left);
                    said.strip_prefix("-- ")
                        .map_or(1, |it| it.split(' ').next().unwrap().parse().unwrap())
                })
                .sum();
            assert_eq!(n, rows.len(), "every line is shown or counted");
        }
        assert!(folded(&rows, 5).len() < 12);
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
