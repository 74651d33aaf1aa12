//! The number of rows of each part of a screen: sums, no terminal.
//!
//! `update` needs these to scroll, `draw` to draw; both ask here.

use std::ops::Range;

use super::{Screen, screen::groups::GroupsPane};
use crate::index::Block;

/// The class of the terminal's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SizeClass {
    /// Nothing sensible fits.
    TooSmall,
    /// From 40x10: one list and one line below.
    Small,
    /// From 60x16: lists without preview and bits.
    Medium,
    /// From 80x24: everything, stacked.
    Standard,
    /// From 100x30: lists and details side by side.
    Wide,
}

/// Columns and rows of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
            (100.., 30..) => SizeClass::Wide,
            (80.., 24..) => SizeClass::Standard,
            (60.., 16..) => SizeClass::Medium,
            (40.., 10..) => SizeClass::Small,
            _ => SizeClass::TooSmall,
        }
    }

    /// Whether the details of a document stand at the right of the list, one above the other: on a wide screen
    /// that has no room for three columns.
    pub fn has_details_at_right(self) -> bool {
        self.shape() == SizeClass::Wide && (self.width as usize) < THREE_COLUMNS_FROM
    }

    /// The class of the layout of Tables: side by side only where 64 bits then fit on a line.
    pub fn tables_shape(self) -> SizeClass {
        match self.shape() {
            SizeClass::Wide if self.width < 120 => SizeClass::Standard,
            shape => shape,
        }
    }

    /// Rows between the tabs above and status and footer below.
    pub fn body(self) -> usize {
        let frame = if self.shape() <= SizeClass::Small { 3 } else { 4 };
        (self.height as usize).saturating_sub(frame)
    }
}

/// Columns from which on a wide screen has three columns, not two.
const THREE_COLUMNS_FROM: usize = 140;

/// The name before the tabs, shown where there is room for it.
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

/// Rows of the Docs screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DocsLayout {
    /// Of the list, its header not counted.
    pub list: usize,
    /// Of the fingerprint: three a line of bits.
    pub bits: usize,
    /// Of the box of the document's group, its frame counted; 0 where there is none or it shares the rows of
    /// the fingerprint.
    pub group: usize,
    /// Of the preview.
    pub preview: usize,
}

/// Rows of the Near screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NearLayout {
    /// Of the list, its header and the line below k not counted.
    pub list: usize,
    /// Of the two fingerprints and their XOR: four a line of bits.
    pub bits: usize,
    /// Of the texts.
    pub text: usize,
}

/// Rows of the Groups screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupsLayout {
    /// Of the list, its header not counted.
    pub list: usize,
    /// Rows of the sentences about the selected group.
    pub facts: usize,
    /// Of its tree.
    pub tree: usize,
    /// Rows of the text of the focused document.
    pub text: usize,
}

/// Rows of the Tables screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TablesLayout {
    /// Of the grid of tables.
    pub grid: usize,
    /// Columns of tables in the grid.
    pub columns: usize,
    /// Of the sorted window, rulers not counted.
    pub window: usize,
    /// Of the search.
    pub search: usize,
}

/// Cells of a table's name in the grid, for keys of `key_blocks` among `blocks` blocks.
pub fn grid_cell(blocks: usize) -> usize {
    blocks + 14
}

/// Lines that blocks of these widths take when `cells` are to be had: whole blocks to a line.
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

/// Cells for the bits of a pair: five more are the label's.
pub fn pair_cells(size: Size) -> usize {
    match size.shape() {
        SizeClass::Wide => (size.width as usize).saturating_sub(boxes(size).neighbours + 7),
        _ => (size.width as usize).saturating_sub(5),
    }
}

/// The same for the bits of a document on Docs.
pub fn document_cells(size: Size) -> usize {
    match size.shape() {
        SizeClass::Wide if size.has_details_at_right() => boxes(size).details.saturating_sub(7),
        SizeClass::Wide => (size.width as usize).saturating_sub(boxes(size).details + 7),
        _ => (size.width as usize).saturating_sub(5),
    }
}

/// Cells for the bits of a table's row: more are the row number's and the distance's.
pub fn table_cells(size: Size) -> usize {
    match size.tables_shape() {
        SizeClass::Wide => (size.width as usize).saturating_sub(boxes(size).tables + 17),
        _ => (size.width as usize).saturating_sub(11),
    }
}

/// Cells of the boxes that stand beside others on a wide screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxWidths {
    /// The details beside the list of documents.
    pub details: usize,
    /// The list of neighbours.
    pub neighbours: usize,
    /// The list of groups.
    pub groups: usize,
    /// The list of tables.
    pub tables: usize,
    /// The search in a table.
    pub search: usize,
}

/// The boxes of a wide screen: on a very wide one, lists of names grow with it.
pub fn boxes(size: Size) -> BoxWidths {
    let width = size.width as usize;
    match width {
        ..THREE_COLUMNS_FROM => BoxWidths {
            details: 43,
            neighbours: 43,
            groups: width * 9 / 20,
            tables: 36,
            search: width / 2 - 2,
        },
        _ => BoxWidths {
            details: (width * 3 / 10).max(48),
            neighbours: (width * 2 / 5).max(64),
            groups: (width * 2 / 5).max(64),
            tables: 52,
            search: (width * 2 / 5).max(70),
        },
    }
}

/// Cells of a list of documents from which on it has a column for groups.
pub const GROUPS_FROM: usize = 90;
/// Rows of a list or a text on the Learn screen.
pub fn learn_text(size: Size) -> usize {
    size.body().saturating_sub(2)
}

/// The place of a lesson's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LessonLayout {
    /// Whether it stands beside the picture; else in its place.
    pub is_beside: bool,
    /// Cells of its frame or, where it has none, of the screen.
    pub outer: usize,
    /// Cells of a row of text.
    pub width: usize,
    /// Rows of text.
    pub height: usize,
}

/// Columns from which on a lesson's text stands beside its picture.
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
    let height = body.saturating_sub(1);
    LessonLayout { is_beside: false, outer: width, width: width.saturating_sub(4).min(76), height }
}

/// Cells of the list of lessons beside the text about one.
pub const LESSON_LIST: usize = 48;

/// Columns and rows of the text about the selected lesson, where there are so many.
pub fn lesson_list_text(size: Size, n_lessons: usize) -> (usize, usize) {
    let (width, body) = (size.width as usize, size.body());
    match size.shape() {
        SizeClass::Wide => (width.saturating_sub(LESSON_LIST + 5).min(80), body.saturating_sub(2)),
        SizeClass::Standard => {
            (width.saturating_sub(4).min(80), body.saturating_sub(n_lessons + 1))
        }
        _ => (width.saturating_sub(3), body - (body / 3).max(2).min(body)),
    }
}

/// Rows of the Docs screen for fingerprints that take `lines` lines of bits.
pub fn docs(size: Size, lines: usize) -> DocsLayout {
    let body = size.body();
    match size.shape() {
        SizeClass::TooSmall => DocsLayout::default(),
        SizeClass::Small => DocsLayout { list: body.saturating_sub(1), ..DocsLayout::default() },
        SizeClass::Medium => {
            DocsLayout { list: body.saturating_sub(3), preview: 1, ..DocsLayout::default() }
        }
        SizeClass::Standard => {
            let bits = 3 * lines;
            let preview = 4 + (size.height as usize - 24) / 3;
            let list = body.saturating_sub(2 + bits + preview).max(3);
            let preview = body.saturating_sub(2 + bits + list);
            DocsLayout { list, bits, group: 0, preview }
        }
        SizeClass::Wide if size.has_details_at_right() => {
            let (bits, group) = (3 * lines, body / 4);
            let preview = body.saturating_sub(bits + 2 + group + 2);
            DocsLayout { list: body.saturating_sub(3), bits, group, preview }
        }
        SizeClass::Wide => {
            let bits = (4 * lines + 6).max(10);
            let list = body.saturating_sub(bits + 5);
            DocsLayout { list, bits, group: 0, preview: body.saturating_sub(bits + 4) }
        }
    }
}

/// Rows of the Near screen for fingerprints that take `lines` lines of bits.
pub fn near(size: Size, lines: usize) -> NearLayout {
    let body = size.body();
    match size.shape() {
        SizeClass::TooSmall => NearLayout::default(),
        SizeClass::Small => {
            let list = (body / 2 - 1).max(2);
            NearLayout { list, bits: 0, text: body.saturating_sub(list + 3) }
        }
        SizeClass::Medium => {
            let list = (body / 2 - 1).max(3);
            NearLayout { list, bits: 0, text: body.saturating_sub(list + 3) }
        }
        SizeClass::Standard => {
            let bits = 4 * lines;
            let list =
                (5 + (size.height as usize - 24) / 3).min(body.saturating_sub(bits + 6)).max(2);
            NearLayout { list, bits, text: body.saturating_sub(4 + list + bits) }
        }
        SizeClass::Wide => {
            let upper = (4 * lines + 9).max(body * 2 / 5);
            NearLayout { list: upper - 4, bits: 4 * lines, text: body.saturating_sub(upper + 2) }
        }
    }
}

/// Rows of the Near screen in its Why view: `text` is the explanation. Where everything is stacked the bits
/// make room for it.
pub fn near_why(size: Size, lines: usize) -> NearLayout {
    let body = size.body();
    let list = match size.shape() {
        SizeClass::TooSmall => return NearLayout::default(),
        SizeClass::Wide => return near(size, lines),
        SizeClass::Small | SizeClass::Medium => 2,
        SizeClass::Standard => 3 + (size.height as usize - 24) / 4,
    };
    NearLayout { list, bits: 0, text: body.saturating_sub(list + 3) }
}

/// Rows of the Groups screen: list and tree side by side, one above the other, or, where there is not
/// room for both, each with the screen to itself.
pub fn groups(size: Size) -> GroupsLayout {
    let body = size.body();
    match size.shape() {
        SizeClass::TooSmall => GroupsLayout::default(),
        SizeClass::Small => {
            let (list, tree) = (body.saturating_sub(1), body.saturating_sub(2));
            GroupsLayout { list, facts: 1, tree, text: 0 }
        }
        SizeClass::Medium => {
            let (list, tree) = (body.saturating_sub(4), body.saturating_sub(3));
            GroupsLayout { list, facts: 2, tree, text: 0 }
        }
        SizeClass::Standard => {
            let list = (body * 2 / 5).saturating_sub(1);
            GroupsLayout { list, facts: 4, tree: body.saturating_sub(list + 6), text: 0 }
        }
        SizeClass::Wide => {
            let (text, facts) = (body / 3, 5);
            let list = body.saturating_sub(text + 5);
            GroupsLayout { list, facts, tree: body.saturating_sub(facts + 3), text }
        }
    }
}

/// The part of the Groups screen and its row at a cell of the screen; `pane` is the one that shows where
/// only one does. The row may be after the last.
pub fn groups_at(
    size: Size,
    pane: GroupsPane,
    column: usize,
    row: usize,
) -> Option<(GroupsPane, usize)> {
    let rows = groups(size);
    let row = row.checked_sub(2)?;
    let (list, tree) = match size.shape() {
        SizeClass::Wide => (2, rows.facts + 2),
        SizeClass::Standard => (1, rows.list + rows.facts + 2),
        _ => (1, rows.facts + 1),
    };
    let pane = match size.shape() {
        SizeClass::Wide if column < boxes(size).groups => GroupsPane::List,
        SizeClass::Standard if row <= rows.list => GroupsPane::List,
        SizeClass::Wide | SizeClass::Standard => GroupsPane::Tree,
        _ => pane,
    };
    let first = if pane == GroupsPane::List { list } else { tree };
    Some((pane, row.checked_sub(first)?))
}

/// Rows of the Tables screen for `n_tables` tables over `n_blocks` blocks and `lines` lines a row.
pub fn tables(size: Size, n_tables: usize, n_blocks: usize, lines: usize) -> TablesLayout {
    let body = size.body();
    let width = size.width as usize;
    let columns = (width / grid_cell(n_blocks)).max(1);
    let grid = n_tables.div_ceil(columns).clamp(1, 5);
    match size.tables_shape() {
        SizeClass::TooSmall => TablesLayout::default(),
        SizeClass::Small => {
            let grid = grid.min(body.saturating_sub(3)).max(1);
            TablesLayout { grid, columns, window: body.saturating_sub(grid + 2), search: 0 }
        }
        SizeClass::Medium => {
            TablesLayout { grid, columns, window: body.saturating_sub(grid + 3), search: 1 }
        }
        SizeClass::Standard => {
            let window = body.saturating_sub(grid + 4 + lines);
            TablesLayout { grid, columns, window, search: 1 }
        }
        SizeClass::Wide => {
            let search = 12;
            let upper = body.saturating_sub(search);
            TablesLayout {
                grid: upper.saturating_sub(5),
                columns: 1,
                window: upper.saturating_sub(2 + lines),
                search: search - 2,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mock_ups_rows_come_out() {
        let standard = Size { width: 80, height: 24 };
        assert_eq!(docs(standard, 1), DocsLayout { list: 11, bits: 3, group: 0, preview: 4 });
        let near = near(standard, 1);
        assert_eq!((near.list, near.bits, near.text), (5, 4, 7));
        let tables = tables(standard, 20, 6, 1);
        assert_eq!((tables.columns, tables.grid, tables.window), (4, 5, 10));
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
