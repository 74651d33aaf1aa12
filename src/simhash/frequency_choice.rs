//! The document frequencies of a recipe: those of the corpus, or fixed ones from a file.

use std::{fmt, sync::Arc};

use super::recipe_file::{RecipeContent, RecipeFile};
use crate::feature::DocumentFrequencies;

/// The source of the document frequencies in weights.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum FrequencyChoice {
    /// The corpus: one more document changes the fingerprints of all documents.
    #[default]
    Corpus,
    /// A file: a text has the same fingerprint in every corpus.
    File(FrequencyFile),
}

/// A file of document frequencies.
pub type FrequencyFile = RecipeFile<Arc<DocumentFrequencies>>;

impl RecipeContent for Arc<DocumentFrequencies> {
    const NAME: &'static str = "frequencies";

    fn digest(&self) -> u64 {
        DocumentFrequencies::digest(self)
    }
}

impl FrequencyChoice {
    /// Parses the value of `df=` in a recipe line.
    pub(super) fn parse(text: &str) -> Self {
        if text == "corpus" { Self::Corpus } else { Self::File(FrequencyFile::parse(text)) }
    }

    /// The frequencies of the file; `None` for those of the corpus, and for a file that was not read.
    pub fn frozen(&self) -> Option<&Arc<DocumentFrequencies>> {
        match self {
            Self::Corpus => None,
            Self::File(file) => file.content(),
        }
    }
}

impl fmt::Display for FrequencyChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Corpus => f.write_str("corpus"),
            Self::File(file) => file.fmt(f),
        }
    }
}
