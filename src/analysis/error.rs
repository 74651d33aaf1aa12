//! The reason why an analysis ended without a result.

use super::SettingsError;
use crate::{
    corpus::{Corpus, CorpusError, Diagnostic},
    index::{LayoutError, TooManyMeetings},
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
    /// Nothing could be read.
    #[error(transparent)]
    Corpus(CorpusError),
    /// The settings contradict themselves.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Texts have changed since they were first read.
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
    /// There are documents, but none that is asked for.
    #[error("no document passes the filter")]
    NonePasses,
    /// A corpus or its reference has documents, but not one fingerprint.
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
    /// Complete linkage would fill the memory.
    #[error(transparent)]
    Linkage(#[from] TooManyMeetings),
}

impl AnalysisError {
    /// Refuses a corpus of which a document could not be read again: what holds two readings against each
    /// other, or tells texts apart, asks this before it gives a figure.
    pub(crate) fn unless_all_was_read(corpus: &Corpus) -> Result<(), Self> {
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
