//! The titles of documents that were read again for a list.

use std::collections::HashMap;

use crate::app::{query, resource::Resource};
use crate::id::DocId;

/// The titles that are known.
#[derive(Debug, Default)]
pub struct Titles {
    pub(in crate::app) known: HashMap<DocId, Option<String>>,
    /// The request for more titles.
    pub asked: Resource<query::TitlesQuery>,
}

impl Titles {
    /// The title of a document, if it is known and there is one.
    pub fn get(&self, document: DocId) -> Option<&str> {
        self.known.get(&document)?.as_deref()
    }
}
