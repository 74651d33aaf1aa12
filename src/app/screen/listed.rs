//! The known facts about listed documents: their titles, and the exact similarities to one document of those that Pair and
//! Groups list.

use std::collections::HashMap;

use crate::app::{Resource, query};
use crate::explain::overlap::Similarity;
use crate::id::DocId;

/// The titles that are known.
#[derive(Debug, Default)]
pub struct Titles {
    pub(in crate::app) known: HashMap<DocId, Option<String>>,
    /// The number of documents of whose ids some were measured.
    pub(in crate::app) measured: usize,
    /// Cells of the longest id, as far as a sample knows.
    pub longest_id: usize,
    /// Cells that nine in ten ids do not exceed, as far as a sample knows.
    pub usual_id: usize,
    /// More of them on their way.
    pub asked: Resource<query::TitlesQuery>,
}

impl Titles {
    /// The title of a document, once it is known and if there is one.
    pub fn get(&self, document: DocId) -> Option<&str> {
        self.known.get(&document)?.as_deref()
    }
}

/// The known similarities of listed documents to one of them.
#[derive(Debug, Default)]
pub struct SimilarState {
    /// The document that the others are compared with, and the version of the recipe.
    pub(in crate::app) about: Option<(DocId, u64)>,
    /// `None` for documents without a text or features, and those that cannot be read.
    pub(in crate::app) known: HashMap<DocId, Option<Similarity>>,
    /// The request for more similarities.
    pub(in crate::app) asked: Resource<query::SimilaritiesQuery>,
}

impl SimilarState {
    /// The similarity of a document to `query`, once it is known; the inner `None` means that it has none.
    pub fn to(&self, query: DocId, document: DocId) -> Option<Option<Similarity>> {
        self.about.filter(|(about, _)| *about == query)?;
        self.known.get(&document).copied()
    }

    /// Forgets all similarities, and begins with those to another document or under another recipe.
    pub(in crate::app) fn begin(&mut self, about: Option<(DocId, u64)>) {
        self.about = about;
        self.known.clear();
        self.asked.forget();
    }
}
