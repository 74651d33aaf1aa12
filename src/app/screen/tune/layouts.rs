//! The Layouts view: which of the tables that could be built is selected.

use crate::app::cursor::Cursor;

/// What the Layouts view remembers.
#[derive(Clone, Debug, Default)]
pub struct LayoutsState {
    /// Selection among the layouts.
    pub cursor: Cursor,
}
