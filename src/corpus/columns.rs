//! The columns of a delimited file, found once in its header, or numbered.

use super::options::FingerprintType;

/// The columns that matter, and the number of columns.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct RowColumns {
    pub(super) delimiter: u8,
    /// The byte before a quote that is a part of its cell.
    #[serde(default)]
    pub(super) escape: Option<u8>,
    /// The first row as it stands in the file, with its line end; empty without a header.
    pub(super) head: Vec<u8>,
    /// Whether the first row names the columns.
    pub(super) has_header: bool,
    pub(super) width: usize,
    pub(super) id: Option<usize>,
    /// The columns that documents are made of; several only of texts.
    pub(super) content: Vec<usize>,
    pub(super) kind: CellKind,
    /// The notation of fingerprints.
    pub(super) fingerprint_type: FingerprintType,
    /// The names of all columns.
    pub(super) names: Vec<String>,
    /// The column that holds the title.
    pub(super) title: Option<usize>,
}

impl RowColumns {
    /// Whether all columns are within the row: those of an index may be anything.
    pub(super) fn are_sound(&self) -> bool {
        let mut places = self.content.iter().copied().chain(self.id).chain(self.title);
        self.names.len() == self.width
            && !self.content.is_empty()
            && places.all(|at| at < self.width)
    }
}

/// The kind of content that a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) enum CellKind {
    Text,
    Fingerprint,
    Hashes,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_beyond_the_row_are_not_sound() {
        let sound = RowColumns {
            delimiter: b',',
            escape: None,
            head: Vec::new(),
            has_header: true,
            width: 2,
            id: Some(0),
            content: vec![1],
            kind: CellKind::Text,
            fingerprint_type: FingerprintType::default(),
            names: vec!["id".to_owned(), "text".to_owned()],
            title: None,
        };
        assert!(sound.are_sound());
        let damaged = [
            RowColumns { content: vec![1, 2], ..sound.clone() },
            RowColumns { content: Vec::new(), ..sound.clone() },
            RowColumns { id: Some(2), ..sound.clone() },
            RowColumns { title: Some(9), ..sound.clone() },
            RowColumns { width: 3, ..sound.clone() },
            RowColumns { names: Vec::new(), ..sound.clone() },
        ];
        assert!(damaged.iter().all(|columns| !columns.are_sound()));
    }
}
