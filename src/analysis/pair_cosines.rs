//! All pairs of the first documents of a corpus, with exact cosines of the recipe's own features.

use super::{Analysis, Job};
use crate::{corpus::Content, evaluate::pair_cosines::PairCosines, id::DocId};

/// Documents at most: half a million pairs, computed in about a second.
pub const MOST_DOCUMENTS: usize = 1000;

impl PairCosines {
    /// The pairs of the first [`MOST_DOCUMENTS`] documents of `analysis` that have a text and features.
    ///
    /// # Errors
    /// The reason why there are none, or that the job was cancelled.
    pub fn of(analysis: &Analysis, job: &Job) -> Result<Self, String> {
        if !analysis.fingerprinter.is_ready() {
            return Err("the weights of this recipe are not known yet".to_owned());
        }
        let n = analysis.len().min(MOST_DOCUMENTS);
        let mut documents = Vec::with_capacity(n);
        for (number, content) in analysis.corpus.read_many(0..n).into_iter().enumerate() {
            let Ok(Content::Text(text)) = content else { continue };
            let Some(fingerprint) = analysis.fingerprint(DocId::from(number)) else { continue };
            documents.push((analysis.fingerprinter.feature_votes(&text), fingerprint));
            job.progress.check().map_err(|cancelled| cancelled.to_string())?;
        }
        if documents.len() < 2 {
            return Err("there are no two documents with text and features".to_owned());
        }
        let width = analysis.settings.recipe.bits;
        Self::new(&documents, width, &job.progress).map_err(|cancelled| cancelled.to_string())
    }
}
