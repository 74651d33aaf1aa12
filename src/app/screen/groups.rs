//! The Groups screen: groups of near-duplicates, largest first.

use crate::app::cursor::Cursor;

/// What the Groups screen remembers.
#[derive(Clone, Debug, Default)]
pub struct GroupsState {
    /// Selection among the groups.
    pub cursor: Cursor,
}
