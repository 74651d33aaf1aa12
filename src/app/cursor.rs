//! The cursor of a list, and a text that scrolls.

use crate::present::lines::DisplayRow;

/// Selection and scroll offset. They are part of the state, so that no widget has a state of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// The selected row; 0 in an empty list.
    pub selected: usize,
    /// The first row shown.
    pub top: usize,
}

impl Cursor {
    /// Moves the selection by `rows`, stopping at the ends.
    pub fn step(&mut self, rows: isize, len: usize, height: usize) {
        self.selected = self.selected.saturating_add_signed(rows);
        self.fit(len, height);
    }

    /// Selects a row, or the last one if it is out of range. The list scrolls to it when it is shown.
    pub fn select(&mut self, row: usize, len: usize) {
        self.selected = row.min(len.saturating_sub(1));
    }

    /// Scrolls as little as needed so that the selection shows and no row is wasted below the end; a selection more
    /// than a screen away comes to the middle.
    pub fn fit(&mut self, len: usize, height: usize) {
        let height = height.max(1);
        self.select(self.selected, len);
        if !(self.top..self.top + 3 * height).contains(&(self.selected + height)) {
            self.top = self.selected.saturating_sub(height / 2);
        }
        let lowest = (self.selected + 1).saturating_sub(height);
        self.top = self.top.clamp(lowest, self.selected).min(len.saturating_sub(height));
    }

    /// The rows on the screen.
    pub fn window(&self, len: usize, height: usize) -> std::ops::Range<usize> {
        self.top.min(len)..(self.top + height).min(len)
    }
}

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
    fn the_selection_always_shows() {
        // (start, step, selected, top) in a list of 40 with 4 rows on the screen
        let table = [
            ((0, 0), 1, 1, 0),
            ((3, 0), 1, 4, 1),
            ((4, 1), -4, 0, 0),
            ((5, 3), 99, 39, 36),
            ((39, 36), -3, 36, 36),
            // A page scrolls, a jump leaves rows on both sides.
            ((0, 0), 7, 7, 4),
            ((0, 0), 8, 8, 6),
            ((39, 36), -30, 9, 7),
            ((20, 20), -1, 19, 19),
            ((20, 20), -4, 16, 16),
            ((20, 20), -5, 15, 13),
        ];
        for ((selected, top), step, expected, expected_top) in table {
            let mut cursor = Cursor { selected, top };
            cursor.step(step, 40, 4);
            assert_eq!(cursor, Cursor { selected: expected, top: expected_top });
        }
    }

    #[test]
    fn an_empty_list_and_no_room_are_no_trouble() {
        let mut cursor = Cursor { selected: 7, top: 5 };
        cursor.fit(0, 0);
        assert_eq!((cursor, cursor.window(0, 0)), (Cursor::default(), 0..0));
    }

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
