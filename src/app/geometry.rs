//! The places of the parts of screens: arithmetic without a terminal.
//!
//! `update` scrolls by these places and finds the clicked part, and `draw` draws into them.

use super::Size;

/// The frame of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Edge {
    /// None.
    #[default]
    None,
    /// A rule above it.
    Rule,
    /// A box around it.
    Box,
}

/// A rectangle of cells below the tabs, including its frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pane {
    /// Columns to the left of it.
    pub x: usize,
    /// Rows above it.
    pub y: usize,
    /// Columns.
    pub width: usize,
    /// Rows; 0 if the part is not shown.
    pub height: usize,
    /// The frame.
    pub edge: Edge,
}

impl Pane {
    fn new(edge: Edge, [x, y]: [usize; 2], [width, height]: [usize; 2]) -> Self {
        Self { x, y, width, height, edge }
    }

    /// The part without its frame.
    #[must_use]
    pub fn inside(self) -> Self {
        let Self { x, y, width, height, edge } = self;
        let [left, top, both, rows] = match edge {
            Edge::None => [0, 0, 0, 0],
            Edge::Rule => [0, 1, 0, 1],
            Edge::Box => [1, 1, 2, 2],
        };
        let size = [width.saturating_sub(both), height.saturating_sub(rows)];
        Self::new(Edge::None, [x + left, y + top], size)
    }

    /// Rows without the frame.
    pub fn rows(self) -> usize {
        self.inside().height
    }

    /// Whether a cell of the screen is in the part or its frame.
    pub fn holds(self, size: Size, column: usize, row: usize) -> bool {
        let row = row.checked_sub(size.above() + self.y);
        let column = column.checked_sub(self.x);
        row.is_some_and(|row| row < self.height) && column.is_some_and(|it| it < self.width)
    }
}
