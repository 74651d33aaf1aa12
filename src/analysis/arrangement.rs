//! The order and the filter of the document list, and the rows that result.
//!
//! The list of all documents in corpus order needs no memory. A filtered or sorted list takes 4 bytes for each
//! shown document; the row of a document is found by a linear search. The rows are computed in the background.

use std::cmp::Reverse;
use std::sync::Arc;

use super::filter::Filter;
use super::found::FilterMatches;
use super::{Analysis, Job};
use crate::choice::choice;
use crate::id::DocId;
use crate::progress::Cancelled;

choice! {
    /// The key by which the list is ordered.
    pub enum ListOrder, "order" {
        /// In corpus order.
        #[default]
        Corpus = "corpus",
        /// By the number of near-duplicates, most first.
        Near = "near",
        /// By the number of tokens, most first.
        Words = "words",
        /// By id.
        Id = "id",
        /// By the fields that are shown as columns.
        Fields = "field",
        /// By group, the largest group first; documents in no group last.
        Group = "group",
    }
}

/// The order and the filter of a list of documents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arrangement {
    /// The key of the order.
    pub order: ListOrder,
    /// Whether the order is reversed.
    pub reversed: bool,
    /// The filter of documents.
    pub filter: Filter,
    /// The fields to order by, the most important first; used by [`ListOrder::Fields`] only.
    pub fields: Vec<String>,
}

impl Arrangement {
    /// Whether the list depends on the groups.
    pub fn needs_groups(&self) -> bool {
        self.filter.needs_groups() || matches!(self.order, ListOrder::Near | ListOrder::Group)
    }

    /// Whether the list shows all documents in corpus order.
    pub fn is_plain(&self) -> bool {
        self.filter.is_empty() && self.order == ListOrder::Corpus && !self.reversed
    }
}

/// The documents of an arrangement, in its order.
#[derive(Clone, Debug)]
pub struct ListRows {
    /// The order and filter that were asked for.
    pub arrangement: Arrangement,
    documents: Vec<DocId>,
}

impl ListRows {
    /// Filters and sorts the documents of an analysis, as far as they were scanned. Documents with equal keys stay
    /// in corpus order. An order by fields reads the documents.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn new(
        arrangement: Arrangement,
        found: &FilterMatches,
        analysis: &Analysis,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        let mut documents = analysis.admitted(&arrangement.filter, &found.read());
        documents.shrink_to_fit();
        let tokens = |document| analysis.record(document).map_or(0, |record| record.n_tokens);
        let near = |document| analysis.near_count(document).unwrap_or(0);
        let id = |document| analysis.corpus.id(document);
        let groups = analysis.groups.as_ref();
        let group = |document| groups.and_then(|it| it.group_of(document)).unwrap_or(u32::MAX);
        match arrangement.order {
            ListOrder::Corpus => {}
            // Of equal counts the members of a group stand together.
            ListOrder::Near => {
                documents.sort_by_key(|&document| (Reverse(near(document)), group(document)));
            }
            ListOrder::Words => documents.sort_by_key(|&document| Reverse(tokens(document))),
            ListOrder::Group => documents.sort_by_key(|&document| group(document)),
            ListOrder::Id => documents.sort_by(|&a, &b| id(a).cmp(id(b))),
            ListOrder::Fields => {
                let Arrangement { fields, reversed, .. } = &arrangement;
                analysis.sort_by_fields(&mut documents, fields, *reversed, job)?;
            }
        }
        if arrangement.reversed && arrangement.order != ListOrder::Fields {
            documents.reverse();
        }
        Ok(Self { arrangement, documents })
    }
}

/// The rows of a list. Cloning costs a pointer.
#[derive(Clone, Debug, Default)]
pub struct DocumentList {
    /// `None` for all documents in corpus order.
    rows: Option<Arc<ListRows>>,
    n_documents: usize,
}

impl DocumentList {
    /// The first `n_documents` documents in corpus order.
    pub fn all(n_documents: usize) -> Self {
        Self { rows: None, n_documents }
    }

    /// The list with these rows.
    pub fn of(rows: Arc<ListRows>) -> Self {
        Self { n_documents: rows.documents.len(), rows: Some(rows) }
    }

    /// The order and filter of the list.
    pub fn arrangement(&self) -> Arrangement {
        self.rows.as_ref().map_or_else(Arrangement::default, |rows| rows.arrangement.clone())
    }

    /// Whether the list shows all documents in corpus order.
    pub fn is_plain(&self) -> bool {
        self.rows.is_none()
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.n_documents
    }

    /// Whether no document is shown.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The document in a row.
    pub fn document(&self, row: usize) -> Option<DocId> {
        match &self.rows {
            Some(rows) => rows.documents.get(row).copied(),
            None => (row < self.n_documents).then(|| DocId::from(row)),
        }
    }

    /// The row of a document, if it is shown. A linear search: a fraction of a millisecond for a million rows.
    pub fn row_of(&self, document: DocId) -> Option<usize> {
        match &self.rows {
            Some(rows) => rows.documents.iter().position(|&other| other == document),
            None => Some(document.index()).filter(|&row| row < self.n_documents),
        }
    }
}
