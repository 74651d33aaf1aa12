//! The columns of a delimited file, found once in its header, or numbered.

use super::options::FingerprintType;

/// The columns that matter, and the number of columns.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct RowColumns {
    pub(super) delimiter: u8,
    /// Whether the first row names the columns.
    pub(super) has_header: bool,
    pub(super) width: usize,
    pub(super) id: Option<usize>,
    /// The column that documents are made of.
    pub(super) content: usize,
    pub(super) kind: CellKind,
    /// The notation of fingerprints.
    pub(super) fingerprint_type: FingerprintType,
    /// The names of all columns.
    pub(super) names: Vec<String>,
    /// The column that holds the title.
    pub(super) title: Option<usize>,
}

/// The kind of content that a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) enum CellKind {
    Text,
    Fingerprint,
    Hashes,
}
