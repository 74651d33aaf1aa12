//! The known facts about listed documents: their titles, and the exact similarities to one document of those that Pair and
//! Groups list.

use std::collections::HashMap;

use crate::{
    app::{query, resource::Resource},
    explain::overlap::Similarity,
    id::DocId,
};

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
