//! The Tables screen: the tables in which a pair is a candidate, and the search in one of them.

use crate::analysis::inspection::TableWindow;
use crate::app::{Cursor, Resource, query};
use crate::explain::PairExplanation;
use crate::id::DocId;

/// A query and its neighbour, if it has one.
pub type QueryPair = (DocId, Option<DocId>);

/// The state of the Tables screen.
#[derive(Debug, Default)]
pub struct TablesState {
    /// The pair on the screen; the second is `None` if the query has no neighbour.
    pub pair: Option<QueryPair>,
    /// The outcome of each table for the pair.
    pub explanation: Option<PairExplanation>,
    /// The cursor in the tables.
    pub table: Cursor,
    /// The number of shown comparisons of the binary search.
    pub probes: usize,
    /// The selected table around the query, and its search.
    pub window: Option<TableWindow>,
    /// The request for the next window.
    pub lookup: Resource<query::Window>,
    /// The pair that was explained, and the version of the analysis.
    pub(in crate::app) made_for: Option<(Option<QueryPair>, u64)>,
}

impl TablesState {
    /// The next table in which the pair is a candidate; after the last table comes the first.
    pub fn next_hit(&self) -> Option<usize> {
        let tables = &self.explanation.as_ref()?.tables;
        let n = tables.len();
        (1..=n).map(|away| (self.table.selected + away) % n).find(|&table| tables[table].hit)
    }
}
