//! The distances that a document moves when some of its words change.

use super::{Analysis, Job};
use crate::{
    explain::{self, PerturbationPlan, PerturbationRow},
    id::DocId,
};

/// Words of the beginnings in which one word is changed.
pub const LENGTHS: [usize; 3] = [20, 80, 240];
/// Shares of all words that are changed.
pub const SHARES: [f64; 2] = [0.05, 0.10];
/// Trials for each, a hash function each.
pub const TRIALS: u32 = 200;

/// The distances of a document after edits.
#[derive(Clone, Debug)]
pub struct PerturbedDocument {
    /// The document.
    pub document: DocId,
    /// One for each beginning and share; `None` where it has no words or no features.
    pub wear: Option<Vec<PerturbationRow>>,
    /// Bytes of the text that were used, and of all of it.
    pub bytes: (usize, usize),
}

/// Bytes of a text that are edited: enough to see how it moves, and done in a moment.
pub const MOST_BYTES: usize = 32 * 1024;

impl PerturbedDocument {
    /// Wears a document of `analysis`; the same seed gives the same trials. Costs some thousand fingerprints.
    ///
    /// # Errors
    /// The reason why it cannot be read, or that the job was cancelled.
    pub fn new(analysis: &Analysis, document: DocId, seed: u64, job: &Job) -> Result<Self, String> {
        let content = analysis.corpus.read(document).map_err(|error| error.to_string())?;
        let Some(text) = content.text() else {
            return Ok(Self { document, wear: None, bytes: (0, 0) });
        };
        let used = &text[..text.floor_char_boundary(MOST_BYTES)];
        let plan = PerturbationPlan { lengths: &LENGTHS, shares: &SHARES, n_trials: TRIALS };
        let wear = explain::perturb(used, &analysis.fingerprinter, plan, seed, &job.progress)
            .map_err(|cancelled| cancelled.to_string())?;
        Ok(Self { document, wear, bytes: (used.len(), text.len()) })
    }
}
