//! The state of the columns of fields: which fields the list of documents shows.

use std::collections::HashMap;

use crate::{
    app::{query, resource::Resource},
    id::DocId,
};

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
