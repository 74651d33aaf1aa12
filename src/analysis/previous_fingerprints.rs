//! The fingerprints from before a change of settings, and their comparison with the present fingerprints.

use std::sync::Arc;

use super::{
    Analysis, AnalysisError, ChangedPair, Changes, FingerprintIndex, Settings, changes::ChangeSide,
};
use crate::progress::Progress;

/// The fingerprints from before a change, with the settings of that time.
#[derive(Debug)]
pub struct PreviousFingerprints {
    /// Recipe, k and layout.
    pub settings: Settings,
    /// The fingerprints.
    pub index: Arc<FingerprintIndex>,
}

/// The pairs gained and lost between two settings.
#[derive(Debug)]
pub struct PairChanges {
    /// The changes.
    pub changes: Changes,
    /// The settings before.
    pub before: Settings,
    /// The settings after.
    pub after: Settings,
}

impl PreviousFingerprints {
    /// Compares with the present analysis. Two searches: about a second for a million documents.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, if a document could not be read again, or if a side has too many pairs.
    pub fn compare(
        &self,
        now: &Analysis,
        progress: &Progress,
    ) -> Result<PairChanges, AnalysisError> {
        progress.check()?;
        AnalysisError::require_all_read(&now.corpus)?;
        let index = now.index.as_ref().unwrap_or(&self.index);
        let before = ChangeSide { index: &self.index, k: self.settings.k };
        let after = ChangeSide { index, k: now.settings.k };
        let changes = Changes::new(before, after, progress)?;
        Ok(PairChanges { changes, before: self.settings.clone(), after: now.settings.clone() })
    }
}

impl PairChanges {
    /// The number of listed changes.
    pub fn len(&self) -> usize {
        self.changes.gained.list.len() + self.changes.lost.list.len()
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A row of the list, gained pairs first: the change, and whether the pair is gained.
    pub fn row(&self, row: usize) -> Option<(&ChangedPair, bool)> {
        let gained = &self.changes.gained.list;
        let lost = || self.changes.lost.list.get(row - gained.len());
        gained.get(row).map(|changed| (changed, true)).or_else(|| Some((lost()?, false)))
    }
}
