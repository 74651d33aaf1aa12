//! The Compare view: the pairs gained and lost against the recipe before.
//!
//! Before a recipe or its k is changed by the form, or by the Sweep view, the fingerprints on the screen are
//! put aside; nothing is searched in them until the view is looked at.

use std::sync::Arc;

use crate::{
    analysis::before::Before,
    app::{
        cursor::Cursor,
        layout::{Shape, Size},
        query,
        resource::Resource,
    },
};

/// What the Compare view remembers.
#[derive(Debug, Default)]
pub struct CompareState {
    /// The fingerprints before the last change of the recipe.
    pub before: Option<Arc<Before>>,
    /// The fingerprints shown, while another recipe's are being made.
    pub(in crate::app) pending: Option<Arc<Before>>,
    /// The pairs gained and lost.
    pub found: Resource<query::Changes>,
    /// Selection among the changes.
    pub cursor: Cursor,
}

/// Rows of the list on a screen of this size, its header not counted.
pub fn compare_rows(size: Size) -> usize {
    let above = match size.shape() {
        Shape::TooSmall => return 0,
        Shape::Small => 2,
        Shape::Medium | Shape::Standard => 4,
        Shape::Wide => 5,
    };
    size.body().saturating_sub(above)
}
