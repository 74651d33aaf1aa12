//! The shares of text that were computed: neither marks nor policy change them, so a mark reads no text again.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use crate::id::DocId;

/// The most pairs whose share of text is remembered, at some 40 bytes each.
const MOST_SHARES: usize = 1 << 20;

/// The share of the text of a document that a kept one has, for a million pairs at most.
#[derive(Debug, Default)]
pub struct KnownShares(Mutex<HashMap<[DocId; 2], Option<f64>>>);

impl KnownShares {
    /// The share for a pair; `compare` computes it if it is not known.
    pub(super) fn of(
        &self,
        pair: [DocId; 2],
        compare: impl FnOnce() -> Option<f64>,
    ) -> Option<f64> {
        let all = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&known) = all().get(&pair) {
            return known;
        }
        let share = compare();
        let mut known = all();
        if known.len() < MOST_SHARES {
            known.insert(pair, share);
        }
        share
    }
}
