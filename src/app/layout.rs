//! The size of the screen, and the cells of parts, tabs and lines of bits: arithmetic without a terminal.
//!
//! `update` scrolls by these places and finds the clicked part, and `draw` draws into them.

use std::ops::Range;

use super::Screen;
use crate::index::Block;

/// Columns and rows of the terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

impl Size {
    /// Whether it has fewer columns or fewer rows.
    pub fn is_below(self, width: u16, height: u16) -> bool {
        self.width < width || self.height < height
    }

    /// Whether the sentence alone stands above the list: below 60x16.
    pub fn is_small(self) -> bool {
        self.is_below(60, 16)
    }

    /// Rows of the screen above the parts: the tabs and the rule below them, unless the screen is small, and the
    /// sentence.
    pub fn above(self) -> usize {
        if self.is_small() { 1 } else { 3 }
    }

    /// Rows between that and the footer.
    pub fn body(self) -> usize {
        (self.height as usize).saturating_sub(self.above() + 1)
    }
}

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

/// The name before the tabs, shown if there is room for it.
pub const NAME: &str = " simscope ";
/// The least number of columns at which it is shown.
const NAME_FROM: u16 = 70;

/// Cells of the top row before the tabs.
pub fn before_tabs(size: Size) -> usize {
    if size.width >= NAME_FROM { NAME.len() } else { 1 }
}

/// Each screen with the cells of its tab, which is its number and name and a cell on both sides.
pub fn tabs(size: Size) -> impl Iterator<Item = (Screen, Range<usize>)> {
    let mut end = before_tabs(size);
    Screen::ALL.iter().map(move |&screen| {
        let begin = end;
        end += screen.name().len() + 4;
        (screen, begin..end)
    })
}

/// The number of lines that blocks of these widths take in `cells` cells; no block is divided.
pub fn bit_lines(blocks: &[Block], cells: usize) -> Vec<std::ops::Range<usize>> {
    let mut lines = Vec::new();
    let (mut start, mut used) = (0, 0);
    for (at, block) in blocks.iter().enumerate() {
        let needed = block.width as usize + usize::from(at > start);
        if at > start && used + needed > cells {
            lines.push(start..at);
            (start, used) = (at, block.width as usize);
        } else {
            used += needed;
        }
    }
    if start < blocks.len() {
        lines.push(start..blocks.len());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_stay_whole_on_their_line() {
        let block = |width| Block { low: 0, width };
        let blocks: Vec<Block> = [32, 32, 32, 32].map(block).to_vec();
        assert_eq!(bit_lines(&blocks, 74), [0..2, 2..4]);
        assert_eq!(bit_lines(&blocks, 20), [0..1, 1..2, 2..3, 3..4]);
        assert_eq!(bit_lines(&blocks, 200), vec![0..4]);
    }
}
