//! The Layouts view: the tables that could be built, and what each would hold.

use std::sync::Arc;

use crate::{
    analysis::{Offer, offers::Measured},
    app::{
        cursor::Cursor,
        layout::{Shape, Size},
        query,
        resource::Resource,
    },
    index::Layout,
};

/// The state of the Layouts view.
#[derive(Debug, Default)]
pub struct LayoutsState {
    /// Selection among the offers.
    pub cursor: Cursor,
    /// The layouts there are to choose from.
    pub offers: Vec<Offer>,
    /// The measurements of the layouts.
    pub measured: Vec<Arc<Measured>>,
    /// The next layout being measured.
    pub load: Resource<query::Load>,
    /// The version the offers were made for.
    pub(in crate::app) offered: Option<u64>,
}

impl LayoutsState {
    /// The selected offer.
    pub fn selected(&self) -> Option<&Offer> {
        self.offers.get(self.cursor.selected)
    }

    /// The measurements of a layout.
    pub fn measured(&self, layout: &Layout) -> Option<&Measured> {
        self.measured.iter().find(|known| known.layout == *layout).map(|known| &**known)
    }

    /// The layout to measure next: the selected one, then the others in order.
    pub(in crate::app) fn next(&self) -> Option<&Layout> {
        let layouts = self.selected().into_iter().chain(&self.offers).map(|offer| &offer.layout);
        layouts.into_iter().find(|layout| self.measured(layout).is_none())
    }
}

/// Rows of the list of layouts on a screen of this size, its header not counted.
pub fn layouts_rows(size: Size) -> usize {
    let body = size.body();
    match size.shape() {
        Shape::TooSmall => 0,
        Shape::Small => body.saturating_sub(4),
        Shape::Medium => body.saturating_sub(6),
        Shape::Standard => body.saturating_sub(9),
        Shape::Wide => (body / 2).saturating_sub(2),
    }
}
