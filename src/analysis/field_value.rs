//! The values of fields: read again for a list, and sorted.

use std::cmp::Ordering;
use std::collections::HashSet;

use rayon::prelude::*;

use super::{Analysis, Job, batch};
use crate::id::DocId;
use crate::progress::Cancelled;

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
        let mut seen = HashSet::new();
        let fields = self.corpus.fields(0..LOOKED_AT).into_iter().flatten().flatten();
        fields.map(|(name, _)| name).filter(|name| seen.insert(name.clone())).collect()
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
mod tests {
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
