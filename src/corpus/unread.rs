//! Documents that could not be read again as they were first read: each is noted once, whoever asked for it.
//!
//! Every second reading goes through [`Corpus::read`](super::Corpus::read) or
//! [`Corpus::read_many`](super::Corpus::read_many), and both note what fails here, for all snapshots of the
//! corpus. So every figure that was made from a part of the corpus can say so: its code asks here
//! afterwards.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::{id::DocId, number::counted};

use super::diagnostic::{DIAGNOSTICS_KEPT, Diagnostic, ReadError};

/// The documents that could not be read again. Memory: some 10 bytes each, and 1000 places.
#[derive(Debug, Default)]
pub(super) struct UnreadDocuments(Mutex<UnreadNotes>);

#[derive(Debug, Default)]
struct UnreadNotes {
    documents: BTreeSet<DocId>,
    /// The number of documents, by their file and its problem.
    places: BTreeMap<(String, String), u64>,
    /// Documents in places that are too many to keep.
    n_unlisted: u64,
}

impl UnreadDocuments {
    /// Notes that a document of the file `origin` could not be read; a second time is not counted.
    pub(super) fn note(&self, document: DocId, origin: String, error: &ReadError) {
        let mut noted = self.noted();
        if !noted.documents.insert(document) {
            return;
        }
        let place = (origin, error.problem().to_owned());
        if noted.places.len() < DIAGNOSTICS_KEPT || noted.places.contains_key(&place) {
            *noted.places.entry(place).or_default() += 1;
        } else {
            noted.n_unlisted += 1;
        }
    }

    /// Whether this document could not be read.
    pub(super) fn has(&self, document: DocId) -> bool {
        self.noted().documents.contains(&document)
    }

    /// The number of documents.
    pub(super) fn count(&self) -> u64 {
        self.noted().documents.len() as u64
    }

    /// A message a file and problem, by name.
    pub(super) fn list(&self) -> Vec<Diagnostic> {
        let noted = self.noted();
        let diagnostic = |((place, problem), &n): (&(String, String), &u64)| {
            let of =
                if n > 1 { format!(", {} of it", counted(n, "document")) } else { String::new() };
            Diagnostic::new(place, &format!("{problem}{of}"), "")
        };
        let mut list: Vec<Diagnostic> = noted.places.iter().map(diagnostic).collect();
        if noted.n_unlisted > 0 {
            let more = format!("{} like these not listed", counted(noted.n_unlisted, "document"));
            list.push(Diagnostic::new("and", &more, ""));
        }
        list
    }

    fn noted(&self) -> MutexGuard<'_, UnreadNotes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed() -> ReadError {
        ReadError::Changed { place: "a.jsonl:1".to_owned() }
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
                "a.jsonl: changed since it was loaded, 3 documents of it",
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
        assert_eq!(list[DIAGNOSTICS_KEPT].to_string(), "and: 5 documents like these not listed");
    }
}
