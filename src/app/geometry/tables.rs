//! The Tables screen: tables, sorted rows, search and reasons.

use super::{Edge, Pane, PaneFocus, body, whole};
use crate::app::layout::{Size, SizeClass, boxes, grid_cell};

/// The parts of the Tables screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TablesLayout {
    /// A row that sums up the tables, if they are a grid.
    pub summary: Pane,
    /// The tables: a list in a box, else a grid.
    pub list: Pane,
    /// Rows of tables.
    pub grid: usize,
    /// Columns of tables.
    pub columns: usize,
    /// The sorted rows, with their rulers.
    pub window: Pane,
    /// The binary search in the sorted rows.
    pub search: Pane,
    /// The reasons of the outcome.
    pub why: Pane,
}

/// Cells of the sorted rows, including their frame.
fn window_width(size: Size, alone: Option<PaneFocus>) -> usize {
    let left = match alone {
        None if size.shape() == SizeClass::Wide => boxes(size).tables,
        _ => 0,
    };
    usize::from(size.width).saturating_sub(left)
}

/// Cells for the bits of a table's row; the row number and the distance take more.
pub fn table_cells(size: Size, alone: Option<PaneFocus>) -> usize {
    let others = if size.shape() == SizeClass::Wide { 17 } else { 11 };
    window_width(size, alone).saturating_sub(others)
}

/// The Tables screen for `n_tables` tables over `n_blocks` blocks.
pub fn tables(
    size: Size,
    n_tables: usize,
    n_blocks: usize,
    alone: Option<PaneFocus>,
) -> TablesLayout {
    let [width, body] = body(size);
    let columns = (width / grid_cell(n_blocks)).max(1);
    let grid = n_tables.div_ceil(columns).clamp(1, 5);
    let stacked = |grid: usize, search: Pane| {
        let above = 1 + grid;
        let window = [width, body.saturating_sub(above + search.height)];
        TablesLayout {
            summary: Pane::new(Edge::None, [0, 0], [width, 1]),
            list: Pane::new(Edge::None, [0, 1], [width, grid]),
            grid,
            columns,
            window: Pane::new(Edge::Rule, [0, above], window),
            search,
            why: Pane::default(),
        }
    };
    let search = |edge, height| Pane::new(edge, [0, body.saturating_sub(height)], [width, height]);
    let layout = match size.shape() {
        SizeClass::TooSmall => TablesLayout::default(),
        SizeClass::Small => stacked(grid.min(body.saturating_sub(3)).max(1), Pane::default()),
        SizeClass::Medium => stacked(grid, search(Edge::None, 1)),
        SizeClass::Standard => stacked(grid, search(Edge::Rule, 2)),
        SizeClass::Wide => {
            let left = boxes(size).tables;
            let right = width - left;
            // The frame, the header and the legend.
            let tables = (n_tables + 4).min(body / 2);
            let why = 8;
            let boxed = |at, size| Pane::new(Edge::Box, at, size);
            TablesLayout {
                summary: Pane::default(),
                list: boxed([0, 0], [left, tables]),
                grid: tables - 4,
                columns: 1,
                window: boxed([left, 0], [right, body - why]),
                search: boxed([0, tables], [left, body - tables]),
                why: boxed([left, body - why], [right, why]),
            }
        }
    };
    if alone.is_none() {
        return layout;
    }
    let (grid, columns) = (layout.grid, layout.columns);
    TablesLayout { grid, columns, window: whole(size, Edge::Rule), ..TablesLayout::default() }
}
