//! The Disagreements view: pairs whose fingerprints and texts disagree.

use crate::{
    analysis::disagreement::Disagreement,
    app::{
        cursor::Cursor,
        layout::{Size, SizeClass},
        query,
        resource::Resource,
    },
};

/// The state of the Disagreements view.
#[derive(Debug, Default)]
pub struct DisagreementsState {
    /// The pairs found, perhaps at another k.
    pub found: Resource<query::DisagreementsQuery>,
    /// Selection in the list.
    pub cursor: Cursor,
}

impl DisagreementsState {
    /// The selected pair.
    pub fn selected(&self) -> Option<&Disagreement> {
        self.found.answer()?.found.get(self.cursor.selected)
    }
}

/// Columns from which each note has one row.
const ONE_ROW_FROM: u16 = 110;

/// Rows of the list on a screen of this size, without its header.
pub fn disagreements_rows(size: Size) -> usize {
    let others = match size.shape() {
        SizeClass::TooSmall => return 0,
        SizeClass::Small => 2,
        SizeClass::Medium => 6,
        SizeClass::Standard if size.width < ONE_ROW_FROM => 7,
        SizeClass::Standard => 5,
        // The bits and the texts of the selected pair are below the list.
        SizeClass::Wide => return (size.body() * 2 / 5).saturating_sub(3),
    };
    size.body().saturating_sub(others)
}
