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

    /// Rows below the last one shown.
    pub fn n_below(&self) -> usize {
        self.rows.len().saturating_sub(self.top + self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scrolling_stops_at_the_ends() {
        let rows = vec![DisplayRow::default(); 9];
        let mut pane = TextPane { rows, top: 0, height: 4 };
        pane.scroll(99);
        assert_eq!((pane.top, pane.n_below()), (5, 0));
        pane.scroll(-99);
        assert_eq!((pane.top, pane.n_below()), (0, 5));
        // If everything fits, nothing scrolls.
        pane.height = 99;
        pane.scroll(1);
        assert_eq!(pane.top, 0);
    }
}
