//! The titles of documents that were read again for a list.

use std::collections::HashMap;

use crate::app::{query, resource::Resource};
use crate::id::DocId;

/// The titles that are known.
#[derive(Debug, Default)]
pub struct Titles {
    pub(in crate::app) known: HashMap<DocId, Option<String>>,
    /// Cells of the longest of some ids of the corpus, and of how many documents they are.
    pub(in crate::app) ids: (usize, usize),
    /// Cells that nine in ten of these ids do not exceed.
    pub(in crate::app) usual: usize,
    /// More of them on their way.
    pub asked: Resource<query::TitlesQuery>,
}

impl Titles {
    /// Cells of the longest id, as far as a sample knows.
    pub fn longest_id(&self) -> usize {
        self.ids.0
    }

    /// Cells that nine in ten ids do not exceed, as far as a sample knows.
    pub fn usual_id(&self) -> usize {
        self.usual
    }

    /// The title of a document, once it is known and if there is one.
    pub fn get(&self, document: DocId) -> Option<&str> {
        self.known.get(&document)?.as_deref()
    }
}
