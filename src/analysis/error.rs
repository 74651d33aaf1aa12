//! The reason why an analysis ended without a result.

use super::SettingsError;
use crate::{
    corpus::{Corpus, CorpusError, Diagnostic},
    index::{LayoutError, TooManyPartPairs},
    number::counted,
    progress::Cancelled,
    simhash::RecipeError,
};

/// The reason why an analysis ended without a result.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// It was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The corpus could not be read.
    #[error(transparent)]
    Corpus(CorpusError),
    /// The settings contradict themselves.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Some texts could not be read a second time.
    #[error(
        "{} cannot be read a second time ({}), so figures would be wrong; run it again when no program \
         writes to these files, or leave them out",
        counted(*.n_documents, "document"),
        .diagnostics[0]
    )]
    Unread {
        /// The number of documents.
        n_documents: u64,
        /// The reasons, one or more.
        diagnostics: Vec<Diagnostic>,
    },
    /// No document passes the filter.
    #[error("no document passes the filter")]
    NonePasses,
    /// A corpus or its reference has documents, but no fingerprint.
    #[error(
        "no document of {side} has a fingerprint of {width} bits; its rows may carry fingerprints of another \
         width, which `bits` asks for, or texts without words"
    )]
    NoFingerprints {
        /// The corpus in words.
        side: &'static str,
        /// Bits of a fingerprint.
        width: u32,
    },
    /// Complete linkage would take too much memory.
    #[error(transparent)]
    Linkage(#[from] TooManyPartPairs),
}

impl AnalysisError {
    /// Returns an error if a document could not be read again. Call it before a figure is reported that depends on
    /// the second reading.
    pub(crate) fn require_all_read(corpus: &Corpus) -> Result<(), Self> {
        match corpus.n_unread() {
            0 => Ok(()),
            n_documents => Err(Self::Unread { n_documents, diagnostics: corpus.unread() }),
        }
    }
}

impl From<CorpusError> for AnalysisError {
    fn from(error: CorpusError) -> Self {
        match error {
            CorpusError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            other => Self::Corpus(other),
        }
    }
}

impl From<LayoutError> for AnalysisError {
    fn from(error: LayoutError) -> Self {
        Self::Settings(error.into())
    }
}

impl From<RecipeError> for AnalysisError {
    fn from(error: RecipeError) -> Self {
        Self::Settings(error.into())
    }
}
