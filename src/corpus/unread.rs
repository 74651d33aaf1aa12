//! Documents that could not be read again unchanged: each is recorded once.
//!
//! Every later reading uses [`Corpus::read`](super::Corpus::read),
//! [`Corpus::read_many`](super::Corpus::read_many) or a search, and all of them record failures here, for all
//! snapshots of the corpus. So code that computes a figure can ask here afterwards whether the figure is
//! complete.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::id::DocId;
use crate::number::counted;

use super::diagnostic::{DIAGNOSTICS_KEPT, Diagnostic, ReadError};

/// The documents that could not be read again. Memory: about 10 bytes for each, and 1000 places.
#[derive(Debug, Default)]
pub(super) struct UnreadDocuments(Mutex<UnreadNotes>);

#[derive(Debug, Default)]
struct UnreadNotes {
    documents: BTreeSet<DocId>,
    /// The number of documents for each file and problem.
    places: BTreeMap<(String, String), u64>,
    /// Documents whose file and problem are not kept, because there are too many.
    n_unlisted: u64,
}

impl UnreadDocuments {
    /// Records that a document of the file `origin` could not be read; each document counts once.
    pub(super) fn note(&self, document: DocId, origin: String, error: &ReadError) {
        let mut notes = self.lock();
        if !notes.documents.insert(document) {
            return;
        }
        let place = (origin, error.fault.problem().to_owned());
        if notes.places.len() < DIAGNOSTICS_KEPT || notes.places.contains_key(&place) {
            *notes.places.entry(place).or_default() += 1;
        } else {
            notes.n_unlisted += 1;
        }
    }

    /// Whether this document could not be read.
    pub(super) fn has(&self, document: DocId) -> bool {
        self.lock().documents.contains(&document)
    }

    /// The number of documents.
    pub(super) fn count(&self) -> u64 {
        self.lock().documents.len() as u64
    }

    /// One message for each file and problem, sorted by file.
    pub(super) fn list(&self) -> Vec<Diagnostic> {
        let notes = self.lock();
        let diagnostic = |((place, problem), &n): (&(String, String), &u64)| {
            let affected = if n > 1 {
                format!(", {} affected", counted(n, "document"))
            } else {
                String::new()
            };
            Diagnostic::new(place, &format!("{problem}{affected}"), "")
        };
        let mut list: Vec<Diagnostic> = notes.places.iter().map(diagnostic).collect();
        if notes.n_unlisted > 0 {
            let more = format!("{} not listed", counted(notes.n_unlisted, "more document"));
            list.push(Diagnostic::new("and", &more, ""));
        }
        list
    }

    fn lock(&self) -> MutexGuard<'_, UnreadNotes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::ReadFault;

    fn changed() -> ReadError {
        ReadError { place: "a.jsonl:1".to_owned(), fault: ReadFault::Changed }
    }

    #[test]
    fn a_document_counts_once_and_a_file_is_named_once() {
        let unread = UnreadDocuments::default();
        for document in [3, 1, 3, 2] {
            unread.note(DocId(document), "a.jsonl".to_owned(), &changed());
        }
        unread.note(DocId(9), "b.txt".to_owned(), &changed());
        let list: Vec<String> = unread.list().iter().map(ToString::to_string).collect();
        assert_eq!(unread.count(), 4);
        assert_eq!(
            list,
            [
                "a.jsonl: changed since it was loaded, 3 documents affected",
                "b.txt: changed since it was loaded"
            ]
        );
    }

    #[test]
    fn too_many_files_are_counted() {
        let unread = UnreadDocuments::default();
        for document in 0..DIAGNOSTICS_KEPT as u32 + 5 {
            unread.note(DocId(document), document.to_string(), &changed());
        }
        let list = unread.list();
        assert_eq!(list.len(), DIAGNOSTICS_KEPT + 1);
        assert_eq!(list[DIAGNOSTICS_KEPT].to_string(), "and: 5 more documents not listed");
    }
}
