//! The rows of a sorted table around one document, and the steps of the binary search for it. The table itself is
//! never built.

use std::{ops::Range, sync::Arc};

use super::{FingerprintIndex, TableRow};
use crate::{
    index::{IndexWindow, SearchStep},
    simhash::Fingerprint,
};

/// The rows of a sorted table on the screen.
#[derive(Clone, Debug)]
pub struct TableWindow {
    /// The index from which the rows were made. After a change of k it may differ from the present index.
    pub index: Arc<FingerprintIndex>,
    /// The number of the table.
    pub table: usize,
    /// The position of the first row in the table.
    pub first: usize,
    /// The rows.
    pub rows: Vec<TableRow>,
    /// The positions of all rows of the table with the query's key.
    pub matching: Range<usize>,
    /// The position of the query's own row.
    pub query: Option<usize>,
    /// Every comparison of the search for the window.
    pub steps: Vec<SearchStep>,
    /// The number of rows of the table.
    pub n_rows: usize,
}

impl TableWindow {
    /// Finds `fingerprint` in a table and returns `height` rows around it. One pass over all fingerprints.
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
