//! The columns of a delimited file, found once in its header.

/// The columns that matter, and the number of columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RowColumns {
    pub(super) delimiter: u8,
    pub(super) width: usize,
    pub(super) id: Option<usize>,
    /// The text, or the fingerprint if `is_fingerprint`.
    pub(super) content: usize,
    pub(super) is_fingerprint: bool,
    /// The names of all columns.
    pub(super) names: Vec<String>,
    /// The column that holds the title.
    pub(super) title: Option<usize>,
}
