//! The reason why an analysis ended without a result.

use super::SettingsError;
use crate::{
    corpus::{CarriedRecipe, Corpus, CorpusError, Diagnostic, ITS_METADATA},
    id::DocId,
    index::{LayoutError, TooManyPartPairs},
    number::counted,
    progress::Cancelled,
    simhash::{Recipe, RecipeError},
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
    /// Fingerprints in the corpus were made under another recipe, or under different ones.
    #[error("{0}")]
    OtherRecipe(String),
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

    /// Returns an error if fingerprints in the corpus are known to be of another recipe than this one: their
    /// distances would mean nothing.
    pub(crate) fn require_recipe(corpus: &Corpus, ours: &Recipe) -> Result<(), Self> {
        let mut first: Option<(&CarriedRecipe, String)> = None;
        for carried in corpus.carried_recipes() {
            let CarriedRecipe { file, .. } = carried;
            let recipe = parsed(carried)?;
            match &first {
                Some((other, of_other)) if *of_other != recipe => {
                    return Err(Self::OtherRecipe(format!(
                        "{} and {file} hold fingerprints of different recipes, {of_other} and {recipe}; give files of \
                         one recipe",
                        other.file
                    )));
                }
                Some(_) => {}
                None => first = Some((carried, recipe)),
            }
        }
        match first {
            Some((CarriedRecipe { file, place, .. }, recipe)) if recipe != ours.to_string() => {
                let recipe = recipe.replace('\'', r"'\''");
                Err(Self::OtherRecipe(format!(
                    "{file}: its fingerprints are of another recipe, as {place} says; give `recipe` '{recipe}'"
                )))
            }
            _ => Ok(()),
        }
    }

    /// Returns an error if the reference holds fingerprints whose weights depend on the corpus that they were made
    /// with.
    pub(crate) fn require_texts_of_reference(corpus: &Corpus, ours: &Recipe) -> Result<(), Self> {
        if !ours.counts_frequencies() {
            return Ok(());
        }
        let mut reference = (corpus.n_first()..corpus.len()).map(DocId::from);
        match reference.find(|document| corpus.flags(*document).is_fingerprint_only()) {
            Some(document) => Err(Self::OtherRecipe(format!(
                "{}: fingerprints of the reference under {} depend on the corpus they were made with; name the texts \
                 instead",
                corpus.place(document),
                ours.weights
            ))),
            None => Ok(()),
        }
    }
}

/// The recipe that a place names, in full.
fn parsed(carried: &CarriedRecipe) -> Result<String, AnalysisError> {
    let CarriedRecipe { file, place, line } = carried;
    // Metadata has no path of its own.
    let file = if place == ITS_METADATA { format!("{file}: ") } else { String::new() };
    if line.is_empty() {
        return Err(AnalysisError::OtherRecipe(format!(
            "{file}{place}: no recipe can be read there; write it again, or move it away"
        )));
    }
    let recipe: Recipe = line.parse().map_err(|problem| {
        AnalysisError::OtherRecipe(format!("{file}{place}: {problem}; mend it, or move it away"))
    })?;
    Ok(recipe.to_string())
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
