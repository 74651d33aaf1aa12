//! The Tables screen: which tables catch a pair, and how one of them is searched.

use std::{ops::Range, sync::Arc};

use crate::{
    analysis::{Shelf, TableRow},
    app::{cursor::Cursor, query, resource::Resource},
    explain::PairExplanation,
    id::DocId,
    index::{Step, Window},
    simhash::Fingerprint,
};

/// A query and, where it has one, a neighbour.
pub type Pair = (DocId, Option<DocId>);

/// What the Tables screen remembers.
#[derive(Debug, Default)]
pub struct TablesState {
    /// The pair on the screen; the second is `None` where the query has no neighbour.
    pub pair: Option<Pair>,
    /// What each table makes of the pair.
    pub explanation: Option<PairExplanation>,
    /// Selection among the tables; scrolls by rows of the grid.
    pub table: Cursor,
    /// Comparisons of the binary search shown so far.
    pub probes: usize,
    /// The selected table around the query, and its search.
    pub window: Option<TableWindow>,
    /// The next window on its way.
    pub lookup: Resource<query::Window>,
    /// The pair that was explained, and the version of the analysis.
    pub(in crate::app) made_for: Option<(Option<Pair>, u64)>,
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
    /// Looks up `fingerprint` in a table and takes `height` rows around it: a pass over all fingerprints.
    pub fn around(
        shelf: &Arc<Shelf>,
        table: usize,
        fingerprint: Fingerprint,
        height: usize,
    ) -> Self {
        let found = shelf.window(table, fingerprint, height);
        let rows = found.entries.iter().map(|&entry| shelf.row(entry)).collect();
        let steps = found.steps();
        let Window { n_rows, matching, query, first, .. } = found;
        Self { shelf: Arc::clone(shelf), table, first, rows, matching, query, steps, n_rows }
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
