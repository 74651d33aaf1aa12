//! The Tables screen: which tables catch a pair, and how one of them is searched.

use crate::{
    analysis::table_window::TableWindow,
    app::{cursor::Cursor, query, resource::Resource},
    explain::PairExplanation,
    id::DocId,
};

/// A query and, where it has one, a neighbour.
pub type QueryPair = (DocId, Option<DocId>);

/// The state of the Tables screen.
#[derive(Debug, Default)]
pub struct TablesState {
    /// The pair on the screen; the second is `None` where the query has no neighbour.
    pub pair: Option<QueryPair>,
    /// The outcome of each table for the pair.
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
    pub(in crate::app) made_for: Option<(Option<QueryPair>, u64)>,
}

impl TablesState {
    /// The next table, round the end, that catches the pair.
    pub fn next_hit(&self) -> Option<usize> {
        let tables = &self.explanation.as_ref()?.tables;
        let n = tables.len();
        (1..=n).map(|away| (self.table.selected + away) % n).find(|&table| tables[table].hit)
    }
}
