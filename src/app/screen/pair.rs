//! The Pair screen: the neighbours of one document, and how each differs from it; and the Tables screen: the tables in
//! which a pair is a candidate, and the search in one of them.

use crate::analysis::inspection::{Neighbours, TableWindow};
use crate::app::side_by_side::ShownTexts;
use crate::app::{Cursor, Resource, query};
use crate::explain::PairExplanation;
use crate::id::DocId;
use crate::index::Neighbour;

/// The state of the Pair screen.
#[derive(Debug, Default)]
pub struct NearState {
    /// The document whose neighbours these are.
    pub query: Option<DocId>,
    /// Its neighbours within the listed distance, nearest first, then in corpus order.
    pub neighbours: Vec<Neighbour>,
    /// The largest listed distance.
    pub reach: u32,
    /// The number of neighbours that are not listed.
    pub n_hidden: usize,
    /// The cursor in the list.
    pub cursor: Cursor,
    /// The request for neighbours.
    pub listing: Resource<query::NeighboursQuery>,
    /// The query and the selected neighbour, compared.
    pub texts: Resource<query::Texts>,
    /// The comparison laid out for the present screen.
    pub shown: ShownTexts,
    /// The index of the difference to which the texts were last scrolled, from 0.
    pub difference: usize,
    /// The explanation of the pair, or of the pair before until its answer comes.
    pub why: Resource<query::Why>,
    /// A document that is listed whatever the query, near or not.
    pub held: Option<DocId>,
    /// The pair that was opened last: beside its first document the second is listed, near or not.
    pub opened: Option<[DocId; 2]>,
    /// The document that is listed only because it is held or was opened.
    pub guest: Option<DocId>,
    /// The neighbour to select when the list comes.
    pub(in crate::app) pending_selection: Option<DocId>,
}

impl NearState {
    /// Shows a list. The neighbour of a pair that was just opened is selected, else the neighbour that was selected
    /// before, if the list has it.
    pub fn show(&mut self, found: Neighbours) {
        let selected = self.selected().filter(|_| self.query == found.query);
        let selected = self.pending_selection.or(selected.map(|neighbour| neighbour.document));
        self.query = found.query;
        self.neighbours = found.list;
        self.reach = found.reach;
        self.n_hidden = found.n_hidden;
        self.guest = found.guest;
        let row = selected.and_then(|kept| self.neighbours.iter().position(|n| n.document == kept));
        self.cursor.selected = row.unwrap_or(0);
    }

    /// The selected neighbour.
    pub fn selected(&self) -> Option<Neighbour> {
        self.neighbours.get(self.cursor.selected).copied()
    }

    /// The query and the selected neighbour.
    pub fn pair(&self) -> Option<(DocId, Neighbour)> {
        self.query.zip(self.selected())
    }

    /// Whether the selected document is listed only because the user holds it: others were chosen by their bits.
    pub fn is_on_held(&self) -> bool {
        let selected = self.selected().map(|it| it.document);
        selected.is_some() && [self.guest, self.held] == [selected; 2]
    }

    /// Neighbours within k; the rest are listed but not guaranteed.
    pub fn n_within(&self, k: u32) -> usize {
        self.neighbours.partition_point(|neighbour| neighbour.distance <= k)
    }
}

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
