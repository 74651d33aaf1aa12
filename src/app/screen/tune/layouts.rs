//! The Layouts view: the layouts of tables that could be built, and the size and load of each.

use std::sync::Arc;

use crate::{
    analysis::{LayoutOffer, offers::MeasuredLoad},
    app::{
        cursor::Cursor,
        layout::{Size, SizeClass},
        query,
        resource::Resource,
    },
    index::Layout,
};

/// The state of the Layouts view.
#[derive(Debug, Default)]
pub struct LayoutsState {
    /// The cursor in the offers.
    pub cursor: Cursor,
    /// The layouts to choose from.
    pub offers: Vec<LayoutOffer>,
    /// The measurements of the layouts.
    pub measured: Vec<Arc<MeasuredLoad>>,
    /// The next layout being measured.
    pub load: Resource<query::LoadQuery>,
    /// The version for which the offers were made.
    pub(in crate::app) offered: Option<u64>,
}

impl LayoutsState {
    /// The selected offer.
    pub fn selected(&self) -> Option<&LayoutOffer> {
        self.offers.get(self.cursor.selected)
    }

    /// The measurements of a layout.
    pub fn measured(&self, layout: &Layout) -> Option<&MeasuredLoad> {
        self.measured.iter().find(|known| known.layout == *layout).map(|known| &**known)
    }

    /// The layout to measure next: the selected one, then the others in order.
    pub(in crate::app) fn next(&self) -> Option<&Layout> {
        let layouts = self.selected().into_iter().chain(&self.offers).map(|offer| &offer.layout);
        layouts.into_iter().find(|layout| self.measured(layout).is_none())
    }
}

/// Rows of the list of layouts on a screen of this size, without its header.
pub fn layouts_rows(size: Size) -> usize {
    let body = size.body();
    match size.shape() {
        SizeClass::TooSmall => 0,
        SizeClass::Small => body.saturating_sub(4),
        SizeClass::Medium => body.saturating_sub(6),
        SizeClass::Standard => body.saturating_sub(9),
        SizeClass::Wide => (body / 2).saturating_sub(2),
    }
}
