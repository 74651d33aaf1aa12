//! Fingerprints put aside before a change, compared with those after it.

use std::sync::Arc;

use super::{Analysis, AnalysisError, Changed, Changes, Settings, Shelf, changes::Side};
use crate::progress::Progress;

/// Fingerprints put aside, and what counted as near among them.
#[derive(Debug)]
pub struct Before {
    /// Recipe, k and layout.
    pub settings: Settings,
    /// The fingerprints.
    pub shelf: Arc<Shelf>,
}

/// The pairs gained and lost between two settings.
#[derive(Debug)]
pub struct Found {
    /// The changes.
    pub changes: Changes,
    /// The settings before.
    pub before: Settings,
    /// The settings after.
    pub after: Settings,
}

impl Before {
    /// Compares with the present analysis: two searches, a second or so for a million documents.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, if a document could not be read again for one of the recipes, or
    /// if a side has too many pairs.
    pub fn compare(&self, now: &Analysis, progress: &Progress) -> Result<Found, AnalysisError> {
        progress.check()?;
        AnalysisError::unless_all_was_read(&now.corpus)?;
        let shelf = now.shelf.as_ref().unwrap_or(&self.shelf);
        let before = Side { shelf: &self.shelf, k: self.settings.k };
        let after = Side { shelf, k: now.settings.k };
        let changes = Changes::new(before, after, progress)?;
        Ok(Found { changes, before: self.settings.clone(), after: now.settings.clone() })
    }
}

impl Found {
    /// Changes listed.
    pub fn len(&self) -> usize {
        self.changes.gained.list.len() + self.changes.lost.list.len()
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A row of the list, gained ones first: the change, and whether it is a gain.
    pub fn row(&self, row: usize) -> Option<(&Changed, bool)> {
        let gained = &self.changes.gained.list;
        let lost = || self.changes.lost.list.get(row - gained.len());
        gained.get(row).map(|changed| (changed, true)).or_else(|| Some((lost()?, false)))
    }
}
