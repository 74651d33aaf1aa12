//! The order and the filter of the document list, and the rows that result.
//!
//! The list of all documents in corpus order needs no memory. A filtered or sorted list takes 4 bytes for each
//! shown document; the row of a document is found by a linear search. The rows are computed in the background.
//!
//! The values of fields: read again for a list, and sorted.

use std::{
    cmp::{Ordering, Reverse},
    sync::Arc,
};

use rayon::prelude::*;

use super::{Analysis, Job, batch, filter::Filter, found::FilterMatches};
use crate::{choice::choice, id::DocId, progress::Cancelled};

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

/// The number of documents that are read to find the names of fields.
const LOOKED_AT: usize = 64;

/// The value of a field: a number if it can be parsed as a number.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FieldValue {
    /// With its whole part, since neighbours beyond 2^53 are one `f64`.
    Number(f64, i128),
    Text(String),
}

impl FieldValue {
    pub(super) fn new(text: String) -> Self {
        Self::number(&text).unwrap_or(Self::Text(text))
    }

    /// The number that a text is, if it is one.
    pub(super) fn number(text: &str) -> Option<Self> {
        let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite())?;
        Some(Self::Number(number, text.trim().parse().unwrap_or(number as i128)))
    }

    /// Numbers come first, by size; then texts, by their characters.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(a, whole), Self::Number(b, other)) => {
                a.partial_cmp(b).unwrap_or(Ordering::Equal).then(whole.cmp(other))
            }
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            (Self::Number(..), Self::Text(_)) => Ordering::Less,
            (Self::Text(_), Self::Number(..)) => Ordering::Greater,
        }
    }
}

/// Compares two values that may be missing: missing ones come last, whatever the order of the others.
pub(super) fn missing_last<T>(
    a: Option<&T>,
    b: Option<&T>,
    compare: impl FnOnce(&T, &T) -> Ordering,
) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => compare(a, b),
        _ => b.is_some().cmp(&a.is_some()),
    }
}

/// The value of each name among the fields of a row. If a name occurs twice, the last value is used. An empty value
/// counts as missing.
pub(super) fn values_of<'a>(
    fields: &[(String, String)],
    names: impl Iterator<Item = &'a str>,
) -> Vec<Option<String>> {
    let value = |name: &str| {
        let (_, value) = fields.iter().rfind(|(field, _)| field == name)?;
        (!value.is_empty()).then(|| value.clone())
    };
    names.map(value).collect()
}

impl Analysis {
    /// The value of each of these fields for each document, as text; `None` if a row does not have the field or its
    /// value is empty. Reads the documents.
    pub fn field_values(&self, documents: &[DocId], names: &[String]) -> Vec<Vec<Option<String>>> {
        let read = |&document: &DocId| {
            let at = document.index();
            let fields = self.corpus.fields(at..at + 1).pop().and_then(Result::ok);
            values_of(&fields.unwrap_or_default(), names.iter().map(String::as_str))
        };
        documents.par_iter().map(read).collect()
    }

    /// The names of the fields of the first documents, in the order in which they occur.
    pub fn field_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for fields in self.corpus.fields(0..LOOKED_AT).into_iter().flatten() {
            for (name, _) in fields {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }

    /// Sorts documents, which must be in corpus order, by the values of these fields: the first field decides, ties
    /// go to the next. Documents without a value come last. Reads all of them.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub(super) fn sort_by_fields(
        &self,
        documents: &mut Vec<DocId>,
        names: &[String],
        is_reversed: bool,
        job: &Job,
    ) -> Result<(), Cancelled> {
        let read = |range: std::ops::Range<usize>| {
            let keyed = range.clone().map(DocId::from).zip(self.corpus.fields(range));
            let keyed = keyed.map(|(document, fields)| {
                let fields = fields.unwrap_or_default();
                let values = values_of(&fields, names.iter().map(String::as_str));
                let key = values.into_iter().map(|value| value.map(FieldValue::new));
                (key.collect::<Vec<Option<FieldValue>>>(), document)
            });
            keyed.collect()
        };
        let is_listed = |document| documents.binary_search(&document).is_ok();
        let mut keyed = batch::read_ranges(&self.corpus, is_listed, job, read)?;
        let compare = |a: &FieldValue, b: &FieldValue| {
            if is_reversed { b.order(a) } else { a.order(b) }
        };
        keyed.par_sort_by(|(a, _), (b, _)| {
            let fields = a.iter().zip(b);
            let mut orders = fields.map(|(a, b)| missing_last(a.as_ref(), b.as_ref(), compare));
            orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        });
        *documents = keyed.into_iter().map(|(_, document)| document).collect();
        Ok(())
    }
}

#[cfg(test)]
mod field_value_tests {
    use super::*;

    #[test]
    fn whole_numbers_are_compared_beyond_what_a_float_holds() {
        let order = |a: &str, b: &str| FieldValue::new(a.into()).order(&FieldValue::new(b.into()));
        assert_eq!(order("9007199254740993", "9007199254740992"), Ordering::Greater);
        assert_eq!(order("18446744073709551615", "18446744073709551616"), Ordering::Less);
        assert_eq!(order("5", "5.0"), Ordering::Equal);
        assert_eq!(order("-0", "0.0"), Ordering::Equal);
        assert_eq!(order("-1.5", "-1"), Ordering::Less);
    }
}
