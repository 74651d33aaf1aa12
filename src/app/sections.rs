//! What is said in words and figures: titled sections of labelled entries, wrapped for a pane, scrolled.
//!
//! Screens that explain make [`Section`]s of what they know; a [`Pane`] lays them out once for its width and
//! remembers how far it is scrolled. Whatever a document says in them must be harmless already
//! ([`figures::quoted`](crate::explain::figures::quoted)). Laying out costs the length of the text.

use unicode_width::UnicodeWidthStr;

use super::wrap::wrap;

/// A figure, a name or nothing, and what is said of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// What stands before the text, at the right of its column; may be empty.
    pub label: String,
    /// The text; wrapped below itself.
    pub text: String,
}

/// Entries under a title.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// The title.
    pub title: String,
    /// The entries.
    pub entries: Vec<Entry>,
}

impl Section {
    /// A section without entries yet.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), entries: Vec::new() }
    }

    /// Adds a text without a label.
    pub fn say(&mut self, text: impl Into<String>) {
        self.entry("", text);
    }

    /// Adds an entry.
    pub fn entry(&mut self, label: impl Into<String>, text: impl Into<String>) {
        self.entries.push(Entry { label: label.into(), text: text.into() });
    }

    /// Says how many of `n_all` were left out after `most`, if any were.
    pub fn more(&mut self, n_all: usize, most: usize) {
        if n_all > most {
            self.say(format!("and {} more", n_all - most));
        }
    }
}

/// A row of a pane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The text, no wider than the pane.
    pub text: String,
    /// Whether it belongs to a title.
    pub is_title: bool,
}

/// How a pane is cut: so many columns of so many rows, each so many cells wide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// Columns, side by side: the second goes on where the first ends.
    pub columns: usize,
    /// Cells of a column.
    pub width: usize,
    /// Rows of a column.
    pub height: usize,
}

/// Cells between two columns.
pub const GAP: usize = 2;

impl Cut {
    /// As many columns as read well in `width` cells, one or two.
    pub fn of(width: usize, height: usize) -> Self {
        let columns = if width >= 110 { 2 } else { 1 };
        Self { columns, width: (width - GAP * (columns - 1)) / columns, height }
    }

    /// Rows of all columns.
    pub fn rows(self) -> usize {
        self.columns * self.height
    }
}

/// Sections laid out, and how far they are scrolled.
#[derive(Clone, Debug, Default)]
pub struct Pane {
    /// The rows.
    pub rows: Vec<Row>,
    /// The first row shown.
    pub top: usize,
}

impl Pane {
    /// Lays sections out in columns of `width` cells, a blank row before each title but the first.
    pub fn lay_out(&mut self, sections: &[Section], width: usize) {
        self.rows.clear();
        for section in sections {
            if !self.rows.is_empty() {
                self.rows.push(Row { text: String::new(), is_title: false });
            }
            let titles = wrap(&section.title, width.saturating_sub(1));
            self.rows.extend(titles.into_iter().map(|text| Row { text, is_title: true }));
            let widest = section.entries.iter().map(|entry| entry.label.width()).max().unwrap_or(0);
            let indent = if widest == 0 { 1 } else { widest + 3 };
            for Entry { label, text } in &section.entries {
                for (at, row) in wrap(text, width.saturating_sub(indent)).into_iter().enumerate() {
                    let text = match at {
                        0 if widest > 0 => format!(" {label:>widest$}  {row}"),
                        _ => format!("{:indent$}{row}", ""),
                    };
                    self.rows.push(Row { text, is_title: false });
                }
            }
        }
    }

    /// Scrolls, to the ends and no farther.
    pub fn scroll(&mut self, by: isize, height: usize) {
        let last = self.rows.len().saturating_sub(height);
        self.top = self.top.saturating_add_signed(by).min(last);
    }

    /// Brings the next title, or the one before, to the top, round the end; as far as the rows reach.
    pub fn to_title(&mut self, step: isize, height: usize) {
        let begins = |at: usize| self.rows[at].is_title && (at == 0 || !self.rows[at - 1].is_title);
        let titles: Vec<usize> = (0..self.rows.len()).filter(|&at| begins(at)).collect();
        let last = self.rows.len().saturating_sub(height);
        let next = if step > 0 {
            let is_end = self.top >= last;
            titles.iter().find(|title| **title > self.top && !is_end).or(titles.first())
        } else {
            titles.iter().rev().find(|title| **title < self.top).or(titles.last())
        };
        self.top = next.map_or(0, |title| *title).min(last);
    }

    /// Rows below the last of `height`.
    pub fn n_below(&self, height: usize) -> usize {
        self.rows.len().saturating_sub(self.top + height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sections() -> Vec<Section> {
        let mut how = Section::new("how alike");
        how.entry("0.98", "cosine of all the features they have");
        how.entry("1", "Jaccard");
        let mut why = Section::new("why");
        why.say("the keys of two tables are whole");
        vec![how, why]
    }

    #[test]
    fn entries_wrap_below_themselves() {
        let mut pane = Pane::default();
        pane.lay_out(&sections(), 24);
        let rows: Vec<&str> = pane.rows.iter().map(|row| row.text.as_str()).collect();
        let expected = [
            "how alike",
            " 0.98  cosine of all the",
            "       features they",
            "       have",
            "    1  Jaccard",
            "",
            "why",
            " the keys of two tables",
            " are whole",
        ];
        assert_eq!(rows, expected);
        assert!(pane.rows.iter().all(|row| row.text.width() <= 24));
    }

    #[test]
    fn scrolling_stops_at_the_ends_and_titles_go_round() {
        let mut pane = Pane::default();
        pane.lay_out(&sections(), 24);
        pane.scroll(99, 4);
        assert_eq!((pane.top, pane.n_below(4)), (5, 0));
        pane.scroll(-99, 4);
        pane.to_title(1, 2);
        assert_eq!(pane.top, 6);
        pane.to_title(1, 2);
        assert_eq!(pane.top, 0);
        pane.to_title(-1, 2);
        assert_eq!(pane.top, 6);
        // Where everything fits nothing moves.
        pane.scroll(-99, 99);
        pane.to_title(1, 99);
        assert_eq!(pane.top, 0);
        Pane::default().to_title(1, 3);
    }

    #[test]
    fn any_width_will_do() {
        let mut pane = Pane::default();
        for width in 0..10 {
            pane.lay_out(&sections(), width);
            assert!(!pane.rows.is_empty());
        }
        assert_eq!(Cut::of(0, 3).rows(), 3);
    }
}
