//! The part of a sorted table around one document, and the search that leads there.

use std::{ops::Range, sync::Arc};

use super::{FingerprintIndex, TableRow};
use crate::{
    index::{IndexWindow, SearchStep},
    simhash::Fingerprint,
};

/// The part of a sorted table that is on the screen.
#[derive(Clone, Debug)]
pub struct TableWindow {
    /// The index it comes from, which gives the layout: after a step of k it differs from the present one.
    pub index: Arc<FingerprintIndex>,
    /// The number of the table.
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
    pub steps: Vec<SearchStep>,
    /// Rows of the whole table.
    pub n_rows: usize,
}

impl TableWindow {
    /// Looks up `fingerprint` in a table and takes `height` rows around it: a pass over all fingerprints.
    pub fn around(
        index: &Arc<FingerprintIndex>,
        table: usize,
        fingerprint: Fingerprint,
        height: usize,
    ) -> Self {
        let found = index.window(table, fingerprint, height);
        let rows = found.entries.iter().map(|&entry| index.row(entry)).collect();
        let steps = found.steps();
        let IndexWindow { n_rows, matching, query, first, .. } = found;
        Self { index: Arc::clone(index), table, first, rows, matching, query, steps, n_rows }
    }
}
