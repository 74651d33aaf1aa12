//! The Tune screen: what each k would do to this corpus, and the evidence for one.

use crate::app::cursor::Cursor;

/// What the Tune screen remembers.
#[derive(Clone, Debug, Default)]
pub struct TuneState {
    /// Selection among the rows, one for each k.
    pub cursor: Cursor,
}
