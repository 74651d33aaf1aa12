//! The exact similarities of the documents that Near and Groups list to one document.

use std::collections::HashMap;

use crate::{
    analysis::Similarity,
    app::{query, resource::Resource},
    id::DocId,
};

/// The known similarities of listed documents to one of them.
#[derive(Debug, Default)]
pub struct SimilarState {
    pub(in crate::app) known: Option<Similarities>,
    /// The request for more similarities.
    pub(in crate::app) asked: Resource<query::SimilaritiesQuery>,
}

/// The similarity of documents to one of them by their features.
#[derive(Clone, Debug)]
pub(in crate::app) struct Similarities {
    /// The document that the others are compared with.
    pub(in crate::app) query: DocId,
    /// The version of the fingerprints.
    pub(in crate::app) fingerprinted: u64,
    /// `None` for documents without a text or features, and those that cannot be read.
    pub(in crate::app) of: HashMap<DocId, Option<Similarity>>,
}

impl Similarities {
    /// No known similarities.
    pub(in crate::app) fn none(query: DocId, fingerprinted: u64) -> Self {
        Self { query, fingerprinted, of: HashMap::new() }
    }
}

impl SimilarState {
    /// The similarity of a document to `query`, once it is known; the inner `None` means that it has none.
    pub fn to(&self, query: DocId, document: DocId) -> Option<Option<Similarity>> {
        let known = self.known.as_ref().filter(|known| known.query == query)?;
        known.of.get(&document).copied()
    }

    /// Forgets all similarities, because the fingerprints have changed.
    pub(in crate::app) fn forget(&mut self) {
        self.known = None;
        self.asked.forget();
    }
}
