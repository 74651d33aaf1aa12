//! The Tables screen: which tables catch a pair, and how one of them is searched.

use std::{ops::Range, sync::Arc};

use crate::{
    analysis::{Shelf, TableRow},
    app::cursor::Cursor,
    explain::PairExplanation,
    id::DocId,
    index::Step,
    simhash::Fingerprint,
};

/// What the Tables screen remembers.
#[derive(Clone, Debug, Default)]
pub struct TablesState {
    /// The pair on the screen; the second is `None` where the query has no neighbour.
    pub pair: Option<(DocId, Option<DocId>)>,
    /// What each table makes of the pair.
    pub explanation: Option<PairExplanation>,
    /// Selection among the tables; scrolls by rows of the grid.
    pub table: Cursor,
    /// Comparisons of the binary search shown so far.
    pub probes: usize,
    /// The selected table around the query, and its search.
    pub window: Option<TableWindow>,
}

/// The part of a sorted table that is on the screen.
#[derive(Clone, Debug)]
pub struct TableWindow {
    /// Where it comes from, which tells the layout: another than the present one's after a step of k.
    pub shelf: Arc<Shelf>,
    /// Which table.
    pub table: usize,
    /// The first row here is this row of the table.
    pub first: usize,
    /// The rows.
    pub rows: Vec<TableRow>,
    /// All rows of the table that share the query's key.
    pub matching: Range<usize>,
    /// The query's own row.
    pub query: Option<usize>,
    /// Every comparison of the search for the window.
    pub steps: Vec<Step>,
    /// Rows of the whole table.
    pub n_rows: usize,
}

impl TableWindow {
    /// Looks up `fingerprint` in a table and takes `height` rows around it. Sorts the table if nobody has
    /// looked at it before.
    pub fn around(
        shelf: &Arc<Shelf>,
        table: usize,
        fingerprint: Fingerprint,
        height: usize,
    ) -> Self {
        let matching = shelf.window(table, fingerprint);
        let n_rows = shelf.n_distinct();
        let query = shelf.row_of(table, fingerprint);
        // The whole window if it fits, with equal room above and below; else the query in the middle.
        let centre = match query {
            Some(row) if matching.len() > height => row,
            _ => usize::midpoint(matching.start, matching.end),
        };
        let first = centre.saturating_sub(height / 2).min(n_rows.saturating_sub(height));
        let rows = shelf.rows(table, first..(first + height).min(n_rows));
        let steps = shelf.search_steps(table, fingerprint);
        let shelf = Arc::clone(shelf);
        Self { shelf, table, first, rows, matching, query, steps, n_rows }
    }
}

impl TablesState {
    /// The next table, round the end, that catches the pair.
    pub fn next_hit(&self) -> Option<usize> {
        let tables = &self.explanation.as_ref()?.tables;
        let n = tables.len();
        (1..=n).map(|away| (self.table.selected + away) % n).find(|&table| tables[table].hit)
    }
}
