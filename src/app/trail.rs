//! The way back: the places that were passed to come to the present one. Esc goes along it.
//!
//! A place is a view, and where that is about a document, the document.

use super::screen::ViewId;
use crate::id::DocId;

/// A view, and the document it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) view: ViewId,
    pub(super) document: Option<DocId>,
}

/// The present place, and those passed before it.
#[derive(Debug)]
pub(super) struct Trail {
    pub(super) present: Place,
    pub(super) passed: Vec<Place>,
}

impl Default for Trail {
    fn default() -> Self {
        Self { present: Place { view: ViewId::Documents, document: None }, passed: Vec::new() }
    }
}
