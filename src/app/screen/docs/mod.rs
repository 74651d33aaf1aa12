//! The Docs screen: an ordered, filtered list of documents, facts about one of them, and what misleads in all.
//!
//! Its views share one selection. The known facts about listed documents are here, too: their titles, and the exact
//! similarities to one document of those that Pair and the groups list.

pub mod bits;
pub mod problems;

use std::collections::HashMap;
use std::sync::Arc;

pub use self::bits::BitsState;
use crate::analysis::arrangement::{Arrangement, DocumentList, ListOrder};
use crate::analysis::disagreement::{Disagreement, DisagreementKind};
use crate::analysis::filter::Filter;
use crate::analysis::found::FilterMatches;
use crate::analysis::query;
use crate::app::side_by_side::DiffRow;
use crate::app::tone::Tinted;
use crate::app::{Cursor, JobNumber, Resource};
use crate::choice::choice;
use crate::corpus::Pattern;
use crate::explain::overlap::Similarity;
use crate::id::DocId;

choice! {
    /// The rows of the Docs view.
    pub enum Listed, "list" {
        /// Groups of near-duplicates. All texts as long as there are none.
        #[default]
        Groups = "groups",
        /// All texts.
        All = "all texts",
    }
}

/// Words that the user looks for.
#[derive(Clone, Debug)]
pub struct Find {
    /// The words as typed.
    pub words: String,
    /// The words as they are looked for.
    pub pattern: Pattern,
    /// The filter of documents that hold them.
    pub filter: Filter,
    /// The documents that hold the words, as far as they were searched.
    pub found: Arc<FilterMatches>,
    /// The direction of the match to go to when it is found: 1 downwards, -1 upwards.
    pub step: Option<isize>,
    /// Whether the user stopped the search.
    pub is_stopped: bool,
}

/// The state of the Docs screen.
#[derive(Debug, Default)]
pub struct DocsState {
    /// The Bits view.
    pub votes: BitsState,
    /// The Check view.
    pub check: CheckState,
    /// The documents whose distances may mislead.
    pub flags: Resource<query::Flags>,
    /// The documents with equal fingerprints, divided by equal texts.
    pub equal_texts: Resource<query::EqualTextsQuery>,
    /// The rows that the user asked for.
    pub listed: Listed,
    /// Selection in the list of all texts.
    pub cursor: Cursor,
    /// The order that the user asked for; the list may not have it yet.
    pub order: ListOrder,
    /// Whether the order is reversed.
    pub reversed: bool,
    /// The filter that the user asked for.
    pub filter: Filter,
    /// The filter as typed.
    pub filter_text: String,
    /// The documents that were checked for the filter, and the ones that pass.
    pub found: Arc<FilterMatches>,
    /// The kind of text that the corpus holds.
    pub text_kind: Resource<query::TextKindQuery>,
    /// The words to search for.
    pub find: Option<Find>,
    /// The warnings about the selected document, then its text, wrapped for the preview. Names of fields and lines that
    /// are left out of the features are pale, words looked for stand out.
    pub preview: Vec<Tinted>,
    /// The inputs that the preview was wrapped from: the answer about the document, the width, and whether
    /// flags were known.
    pub(in crate::app) wrapped: Option<(JobNumber, usize, bool)>,
    /// The first row of the preview that is shown.
    pub preview_top: usize,
    /// The selected text against the one that is kept for it, in rows.
    pub against: Vec<DiffRow>,
    /// The inputs that these rows were laid out from: the comparison and the width.
    pub(in crate::app) against_of: Option<(JobNumber, usize)>,
    /// Whether bits are shown as 0 and 1, in all views; else a block is a 1 and a dot a 0.
    pub has_digits: bool,
    /// The columns of fields.
    pub fields: FieldColumns,
    /// The request for rows.
    pub rows: Resource<query::Rows>,
    /// The search for words.
    pub searching: Resource<query::TextSearch>,
    /// The check of texts and fields for the filter.
    pub admission: Resource<query::FilterScan>,
    /// The rows shown.
    pub list: DocumentList,
    /// The filter as typed when the rows were last shown.
    pub(in crate::app) filter_of_rows: String,
    /// Whether the new rows are shown from the first one.
    pub from_top: bool,
}

impl DocsState {
    /// The order and filter that the user asked for.
    pub fn arrangement(&self) -> Arrangement {
        let Self { order, reversed, filter, .. } = self;
        let is_by_fields = *order == ListOrder::Fields;
        let fields = if is_by_fields { self.fields.names.clone() } else { Vec::new() };
        Arrangement { order: *order, reversed: *reversed, filter: filter.clone(), fields }
    }

    /// Asks for the documents that pass a filter; `text` is the filter as typed.
    pub fn set_filter(&mut self, filter: Filter, text: String) {
        if filter != self.filter {
            self.found = Arc::default();
        }
        (self.filter, self.filter_text) = (filter, text);
    }

    /// Whether not all texts and fields were checked for the filter: the check goes on, or was stopped.
    pub fn is_admitting(&self) -> bool {
        let is_stopped = self.admission.asked().is_none() || self.admission.is_cancelled();
        self.filter.needs_records() && (is_stopped || self.admission.is_running())
    }

    /// Asks for all documents, in the present order.
    pub fn lift_filter(&mut self) {
        self.set_filter(Filter::default(), String::new());
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether no document is shown.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The document in a row.
    pub fn document(&self, row: usize) -> Option<DocId> {
        self.list.document(row)
    }

    /// The selected document.
    pub fn selected(&self) -> Option<DocId> {
        self.document(self.cursor.selected)
    }

    /// Selects the row of a document, if the list has it.
    pub fn select(&mut self, document: DocId) {
        if let Some(row) = self.list.row_of(document) {
            self.cursor.selected = row;
        }
    }

    /// Shows another list: from its first row if that was asked for, else with the selected document still selected if
    /// the list has it. A list by another filter begins at the top otherwise.
    pub fn show(&mut self, list: DocumentList) {
        let selected = self.selected();
        let is_filtered_anew = self.filter_of_rows != self.filter_text;
        self.filter_of_rows.clone_from(&self.filter_text);
        self.list = list;
        if std::mem::take(&mut self.from_top) {
            self.cursor = Cursor::default();
            return;
        }
        let row = selected.and_then(|document| self.list.row_of(document));
        let other = if is_filtered_anew { 0 } else { self.cursor.selected };
        self.cursor.select(row.unwrap_or(other), self.len());
    }
}

/// The most columns that can be shown.
pub const MOST_COLUMNS: usize = 6;

/// The fields that are shown as columns.
#[derive(Debug, Default)]
pub struct FieldColumns {
    /// Their names, in the order of the columns.
    pub names: Vec<String>,
    /// The values that were read: one value for each name.
    pub(in crate::app) known: HashMap<DocId, Vec<Option<String>>>,
    /// The request for more values.
    pub(in crate::app) asked: Resource<query::FieldValues>,
    /// The names of the fields that the corpus has.
    pub(in crate::app) there: Resource<query::FieldNamesQuery>,
}

impl FieldColumns {
    /// Shows these fields; their values are not known yet.
    pub(in crate::app) fn show(&mut self, names: Vec<String>) {
        self.names = names;
        self.known.clear();
        self.asked.forget();
    }

    /// The value of a field of a document: `None` if it was not read yet, or if there is none.
    pub fn value(&self, document: DocId, column: usize) -> Option<&str> {
        self.known.get(&document)?.get(column)?.as_deref()
    }

    /// Whether the values of a document were read.
    pub fn is_known(&self, document: DocId) -> bool {
        self.known.contains_key(&document)
    }

    /// The fields that the first documents have, in words.
    pub fn there(&self) -> String {
        match self.there.answer().map(Vec::as_slice) {
            None => "..".to_owned(),
            Some([]) => "none: a document is a line or a file".to_owned(),
            Some(names) => names.join(", "),
        }
    }
}

/// The state of the Check view.
#[derive(Debug, Default)]
pub struct CheckState {
    /// The pairs whose bits and texts disagree, perhaps at another k.
    pub disagreements: Resource<query::DisagreementsQuery>,
    /// The cursor in the kinds.
    pub cursor: Cursor,
    /// The kind whose rows are listed.
    pub open: Option<OpenKind>,
    /// The cursor in these rows.
    pub opened_cursor: Cursor,
    /// The rows of Docs before a kind was listed there.
    pub(in crate::app) before: Option<Listed>,
}

/// A kind of what misleads whose rows are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenKind {
    /// Pairs whose bits and texts disagree.
    Pairs(DisagreementKind),
    /// Problems, a row for each kind of them, and the number of the one whose places are listed below it.
    Unread(Option<usize>),
}

impl CheckState {
    /// The listed pairs: those of the open kind.
    pub(in crate::app) fn listed(&self) -> Vec<&Disagreement> {
        let found = self.disagreements.answer().map_or(&[][..], |it| &it.found);
        found.iter().filter(|it| self.open == Some(OpenKind::Pairs(it.kind))).collect()
    }

    /// The selected pair.
    pub fn selected(&self) -> Option<&Disagreement> {
        self.listed().get(self.opened_cursor.selected).copied()
    }
}

/// The titles that are known.
#[derive(Debug, Default)]
pub struct Titles {
    pub(in crate::app) known: HashMap<DocId, Option<String>>,
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
