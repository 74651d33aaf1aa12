//! The user's choices that can be undone: k, recipe and tables, filter, order and fields, policy and marks, linkage.

use crate::{
    analysis::{Settings, arrangement::ListOrder, dedup::DropRule, filter::Filter},
    index::Linkage,
};

/// All choices of the user.
#[derive(Clone, Debug)]
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
#[derive(Debug)]
pub(super) struct History {
    pub(super) present: Choices,
    pub(super) before: Vec<Choices>,
    pub(super) after: Vec<Choices>,
}

impl History {
    /// No choices except the settings with which the program was started.
    pub(super) fn new(settings: Settings) -> Self {
        let present = Choices {
            settings,
            filter: Filter::default(),
            filter_text: String::new(),
            order: (ListOrder::default(), false),
            fields: Vec::new(),
            rule: DropRule::default(),
            linkage: Linkage::default(),
        };
        Self { present, before: Vec::new(), after: Vec::new() }
    }
}
