//! The Near screen: the neighbours of one document, and what sets each apart.

use std::sync::Arc;

use crate::{
    analysis::{Analysis, Neighbour},
    app::{comparison::Comparison, cursor::Cursor, side_by_side::DiffRow},
    choice::choice,
    id::DocId,
};

choice! {
    /// How two texts are shown.
    pub enum DiffView, "view" {
        /// Two columns where they fit, else one.
        #[default]
        Side = "side by side",
        /// One column.
        Unified = "one column",
    }
}

/// What the Near screen remembers.
#[derive(Clone, Debug, Default)]
pub struct NearState {
    /// The document whose neighbours these are.
    pub query: Option<DocId>,
    /// Its neighbours within reach, nearest first, then in corpus order.
    pub neighbours: Vec<Neighbour>,
    /// The largest distance listed.
    pub reach: u32,
    /// Neighbours beyond those listed.
    pub n_hidden: usize,
    /// Selection among them.
    pub cursor: Cursor,
    /// The query and the selected neighbour, compared; `None` until they are read.
    pub comparison: Option<Arc<Comparison>>,
    /// The comparison laid out in rows for the present screen.
    pub rows: Vec<DiffRow>,
    /// What the rows were laid out from: comparison, column width, side by side.
    pub laid_out: Option<(usize, usize, bool)>,
    /// Why the two could not be read again.
    pub unreadable: Option<String>,
    /// First row of the texts shown.
    pub text_top: usize,
    /// Which difference the texts were last moved to, from 0.
    pub difference: usize,
    /// How the texts are shown.
    pub view: DiffView,
}

/// More neighbours than this are counted, not listed.
pub const MOST_NEIGHBOURS: usize = 10_000;

/// So many are listed of a document that has no neighbour within the usual reach.
pub const NEAREST: usize = 20;

/// How far beyond k the list reaches: documents that just fail to be near teach most.
pub fn reach(k: u32, width: u32) -> u32 {
    (k + k.clamp(3, 6)).min(width)
}

impl NearState {
    /// Lists the neighbours of `query` anew, keeping the selected one where it still is there.
    pub fn list(&mut self, analysis: &Analysis, query: Option<DocId>, k: u32, height: usize) {
        let selected = self.selected().filter(|_| self.query == query);
        self.query = query;
        self.reach = reach(k, analysis.settings.recipe.bits);
        let found = query.and_then(|query| {
            let shelf = analysis.shelf.as_ref()?;
            let fingerprint = analysis.fingerprint(query)?;
            let within = |reach| {
                let mut found = shelf.neighbours(fingerprint, reach);
                found.retain(|neighbour| neighbour.document != query);
                found
            };
            let mut found = within(self.reach);
            // Nothing near teaches nothing: then the nearest there are, however far.
            while found.is_empty() && self.reach < fingerprint.width() {
                self.reach = (self.reach * 2).clamp(1, fingerprint.width());
                found = within(self.reach);
                found.truncate(NEAREST);
            }
            Some(found)
        });
        self.neighbours = found.unwrap_or_default();
        self.n_hidden = self.neighbours.len().saturating_sub(MOST_NEIGHBOURS);
        self.neighbours.truncate(MOST_NEIGHBOURS);
        let row = selected
            .and_then(|kept| self.neighbours.iter().position(|n| n.document == kept.document));
        self.cursor.select(row.unwrap_or(0), self.neighbours.len(), height);
    }

    /// The selected neighbour.
    pub fn selected(&self) -> Option<Neighbour> {
        self.neighbours.get(self.cursor.selected).copied()
    }

    /// The query and the selected neighbour.
    pub fn pair(&self) -> Option<(DocId, Neighbour)> {
        self.query.zip(self.selected())
    }

    /// Neighbours within k; the rest are listed but not guaranteed.
    pub fn n_within(&self, k: u32) -> usize {
        self.neighbours.partition_point(|neighbour| neighbour.distance <= k)
    }
}
