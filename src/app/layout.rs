//! The classes of size, and the cells of tabs, lines of bits, boxes and lessons: arithmetic without a terminal.

use std::ops::Range;

use super::Screen;
use crate::index::Block;

/// The class of the terminal's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SizeClass {
    /// Too small to show anything.
    TooSmall,
    /// From 40x10: one list and one line below.
    Small,
    /// From 60x16: lists without preview and bits.
    Medium,
    /// From 80x24: everything, stacked.
    Standard,
    /// From 120x30: lists and details side by side.
    Wide,
}

/// Columns and rows of the terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

impl Size {
    /// The class of layout that fits this size.
    pub fn shape(self) -> SizeClass {
        match (self.width, self.height) {
            (120.., 30..) => SizeClass::Wide,
            (80.., 24..) => SizeClass::Standard,
            (60.., 16..) => SizeClass::Medium,
            (40.., 10..) => SizeClass::Small,
            _ => SizeClass::TooSmall,
        }
    }

    /// The size of a screen on which this many cells are between the tabs and the footer.
    pub fn of_body(width: usize, height: usize) -> Self {
        let with = |frame| Self { width: width as u16, height: (height + frame) as u16 };
        [with(4), with(3)].into_iter().find(|size| size.body() == height).unwrap_or_default()
    }

    /// Rows between the tabs above and status and footer below.
    pub fn body(self) -> usize {
        let frame = if self.shape() <= SizeClass::Small { 3 } else { 4 };
        (self.height as usize).saturating_sub(frame)
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

/// The place of a lesson's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LessonLayout {
    /// Whether the text is beside the picture; else it is above the picture, or in its place on a small screen.
    pub is_beside: bool,
    /// Cells of its frame or, if it has none, of the screen.
    pub outer: usize,
    /// Cells of a row of text.
    pub width: usize,
    /// Rows of text.
    pub height: usize,
}

/// Columns from which on a lesson's text is beside its picture.
const LESSON_BESIDE_FROM: usize = 100;
/// Columns of a picture in which 64 bits fit into a line.
const LESSON_PICTURE: usize = 82;

/// The place of an open lesson's text: as wide as the picture leaves it, but never too narrow to read.
pub fn lesson(size: Size) -> LessonLayout {
    let (width, body) = (size.width as usize, size.body());
    if width >= LESSON_BESIDE_FROM {
        let outer = width.saturating_sub(LESSON_PICTURE).clamp(38, 64);
        let (width, height) = (outer - 4, body.saturating_sub(2));
        return LessonLayout { is_beside: true, outer, width, height };
    }
    // A third of the screen is the picture's.
    let is_small = size.shape() < SizeClass::Standard;
    let picture = if is_small { 0 } else { usize::from(size.height).div_ceil(3) };
    let height = body.saturating_sub(1 + picture);
    LessonLayout { is_beside: false, outer: width, width: width.saturating_sub(4).min(76), height }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lesson_leaves_a_third_of_the_rows_to_its_picture() {
        let size = Size { width: 80, height: 24 };
        let cut = lesson(size);
        assert!(!cut.is_beside && size.body() - 1 - cut.height >= 8, "{cut:?}");
    }

    #[test]
    fn blocks_stay_whole_on_their_line() {
        let block = |width| Block { low: 0, width };
        let blocks: Vec<Block> = [32, 32, 32, 32].map(block).to_vec();
        assert_eq!(bit_lines(&blocks, 74), [0..2, 2..4]);
        assert_eq!(bit_lines(&blocks, 20), [0..1, 1..2, 2..3, 3..4]);
        assert_eq!(bit_lines(&blocks, 200), vec![0..4]);
    }
}
