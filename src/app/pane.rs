//! An explanation on the screen: sections laid out for a width, and the scroll offset.

use crate::present::lines::DisplayRow;

/// Sections laid out, and the scroll offset.
#[derive(Clone, Debug, Default)]
pub struct TextPane {
    /// The rows.
    pub rows: Vec<DisplayRow>,
    /// The first row shown.
    pub top: usize,
    /// The number of rows shown.
    pub height: usize,
}

impl TextPane {
    /// Shows other rows, in this height.
    pub fn show(&mut self, rows: Vec<DisplayRow>, height: usize) {
        (self.rows, self.height) = (rows, height);
        self.scroll(0);
    }

    /// Scrolls, at most to the ends.
    pub fn scroll(&mut self, by: isize) {
        let last = self.rows.len().saturating_sub(self.height);
        self.top = self.top.saturating_add_signed(by).min(last);
    }

    /// Scrolls to the next title or the one before; after the last title comes the first. The last rows stay at the bottom.
    pub fn to_title(&mut self, step: isize) {
        let begins = |at: usize| self.rows[at].is_title && (at == 0 || !self.rows[at - 1].is_title);
        let titles: Vec<usize> = (0..self.rows.len()).filter(|&at| begins(at)).collect();
        let last = self.rows.len().saturating_sub(self.height);
        let next = if step > 0 {
            let is_end = self.top >= last;
            titles.iter().find(|title| **title > self.top && !is_end).or(titles.first())
        } else {
            titles.iter().rev().find(|title| **title < self.top).or(titles.last())
        };
        self.top = next.map_or(0, |title| *title).min(last);
    }

    /// Rows below the last one shown.
    pub fn n_below(&self) -> usize {
        self.rows.len().saturating_sub(self.top + self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scrolling_stops_at_the_ends_and_titles_go_round() {
        let row =
            |text: &str| DisplayRow { text: text.to_owned(), is_title: !text.starts_with(' ') };
        let rows = ["how alike", " a", " b", " c", " d", " e", "why", " f", " g"];
        let mut pane = TextPane { rows: rows.map(row).into(), top: 0, height: 4 };
        pane.scroll(99);
        assert_eq!((pane.top, pane.n_below()), (5, 0));
        pane.scroll(-99);
        pane.height = 2;
        pane.to_title(1);
        assert_eq!(pane.top, 6);
        pane.to_title(1);
        assert_eq!(pane.top, 0);
        pane.to_title(-1);
        assert_eq!(pane.top, 6);
        // If everything fits, nothing scrolls.
        pane.height = 99;
        pane.scroll(-99);
        pane.to_title(1);
        assert_eq!(pane.top, 0);
        TextPane::default().to_title(1);
    }
}
