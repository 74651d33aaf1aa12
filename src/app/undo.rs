//! The user's choices that can be undone: k, recipe and tables, filter, order and fields, policy and marks, linkage.

use crate::analysis::Settings;
use crate::analysis::arrangement::ListOrder;
use crate::analysis::dedup::DropRule;
use crate::analysis::filter::Filter;
use crate::index::Linkage;

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
