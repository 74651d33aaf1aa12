//! The way back: the places that were visited before the present one. Esc goes back along them.
//!
//! A place is a view and, if the view is about a document, the document.

use super::ViewId;
use crate::id::DocId;

/// A view, and the document it is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) view: ViewId,
    pub(super) document: Option<DocId>,
}

/// The present place, and the places before it.
#[derive(Debug, Default)]
pub(super) struct Trail {
    pub(super) present: Place,
    pub(super) passed: Vec<Place>,
}
