//! The fingerprints of the texts of a truth under one recipe. Layouts are evaluated on them.
//!
//! The fingerprints from before a change of settings, and their comparison with the present fingerprints.

use std::sync::Arc;

use super::{
    Analysis, AnalysisError, ChangedPair, Changes, FingerprintIndex, Settings, changes::ChangeSide,
    fingerprint_index::each,
};
use crate::{
    index::Distinct,
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// The fingerprints of distinct texts, for either word size.
#[derive(Debug)]
pub enum TextFingerprints {
    /// Up to 64 bits.
    Narrow(TypedFingerprints<u64>),
    /// Up to 128 bits.
    Wide(TypedFingerprints<u128>),
}

/// Fingerprints of one word size.
#[derive(Debug)]
pub struct TypedFingerprints<B> {
    /// The documents with text, by fingerprint.
    pub(super) distinct: Distinct<B>,
    /// The fingerprint of each text.
    pub(super) values: Vec<B>,
    pub(super) width: u32,
}

impl TextFingerprints {
    pub(super) fn new(
        texts: &Distinct<u128>,
        analysis: &Analysis,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        Ok(if analysis.settings.recipe.bits <= u64::BITS {
            Self::Narrow(TypedFingerprints::new(texts, analysis, progress)?)
        } else {
            Self::Wide(TypedFingerprints::new(texts, analysis, progress)?)
        })
    }

    /// The width of the fingerprints.
    pub fn width(&self) -> u32 {
        each!(self, typed => typed.width)
    }
}

impl<B: Bits> TypedFingerprints<B> {
    fn new(
        texts: &Distinct<u128>,
        analysis: &Analysis,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let value = |document| analysis.fingerprint(document).map(|it| B::from_wide(it.bits()));
        let mut fingerprints = vec![None; texts.n_documents()];
        let mut values = Vec::with_capacity(texts.len());
        for text in 0..texts.len() as u32 {
            if text.is_multiple_of(1 << 14) {
                progress.check()?;
            }
            let documents = texts.documents(text);
            // Equal features give equal fingerprints, but a document may have been unreadable for a moment.
            let fingerprint = documents.iter().find_map(|&document| value(document));
            let fingerprint = fingerprint.unwrap_or(B::from_wide(0));
            for document in documents {
                fingerprints[document.index()] = Some(fingerprint);
            }
            values.push(fingerprint);
        }
        let distinct = Distinct::collapse(&fingerprints, progress)?;
        Ok(Self { distinct, values, width: analysis.settings.recipe.bits })
    }
}

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
