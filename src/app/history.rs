//! The places before the present one, to which Esc goes back, and the earlier choices, to which undo does.
//!
//! A place is a view and, if the view is about a document, the document. The choices are k, recipe and tables, filter,
//! order and fields, policy and marks, linkage.

use super::ViewId;
use crate::analysis::Settings;
use crate::analysis::arrangement::ListOrder;
use crate::analysis::dedup::DropRule;
use crate::analysis::filter::Filter;
use crate::id::DocId;
use crate::index::Linkage;

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

/// All choices of the user.
#[derive(Clone, Debug, Default)]
pub(super) struct Choices {
    pub(super) settings: Settings,
    pub(super) filter: Filter,
    pub(super) filter_text: String,
    pub(super) order: (ListOrder, bool),
    pub(super) fields: Vec<String>,
    pub(super) rule: DropRule,
    pub(super) linkage: Linkage,
}

/// The choices before the present ones, and the undone choices.
#[derive(Debug, Default)]
pub(super) struct History {
    pub(super) present: Choices,
    pub(super) before: Vec<Choices>,
    pub(super) after: Vec<Choices>,
}
