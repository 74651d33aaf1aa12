//! The distances between a document and edited versions of it.

use super::{Analysis, Job};
use crate::{
    explain::{self, PerturbationPlan, PerturbationRow},
    id::DocId,
};

/// The lengths in words of the beginnings of a text in which one word is changed.
const LENGTHS: [usize; 3] = [20, 80, 240];
/// Shares of all words that are changed.
const SHARES: [f64; 2] = [0.05, 0.10];
/// The number of trials for each length or share. Each trial uses its own hash function.
pub const TRIALS: u32 = 200;

/// The distances of a document after edits.
#[derive(Clone, Debug)]
pub struct PerturbedDocument {
    /// The document.
    pub document: DocId,
    /// A row for each length and share; `None` if the text has no words or no features.
    pub wear: Option<Vec<PerturbationRow>>,
    /// The number of bytes that were used, and of all bytes of the text.
    pub bytes: (usize, usize),
}

/// The most bytes of a text that are used: enough to measure, and fast.
pub const MOST_BYTES: usize = 32 * 1024;

impl PerturbedDocument {
    /// Edits the text of a document many times and measures the distances. The same seed gives the same trials.
    /// Costs some thousand fingerprints.
    ///
    /// # Errors
    /// A message: why it cannot be read, or that the job was cancelled.
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
