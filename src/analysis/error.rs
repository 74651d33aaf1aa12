//! Why an analysis ended without a result.

use super::SettingsError;
use crate::{
    corpus::CorpusError,
    index::{LayoutError, TooManyMeetings},
    progress::Cancelled,
    simhash::RecipeError,
};

/// Why an analysis ended without a result.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// It was told to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Nothing could be read.
    #[error(transparent)]
    Corpus(CorpusError),
    /// The settings contradict themselves.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Complete linkage would fill the memory.
    #[error(transparent)]
    Linkage(#[from] TooManyMeetings),
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
