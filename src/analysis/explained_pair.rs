//! The explanation of a pair of documents by its fingerprints and tables, and by its texts if both are known.
//!
//! Also here: two documents that are read again by their addresses and compared word by word.

use std::time::Instant;

use super::Analysis;
use super::inspection::clip;
use crate::corpus::{Corpus, ReadError};
use crate::explain::{PairExplanation, TextDiff, TextsExplanation};
use crate::id::DocId;
use crate::index::Layout;
use crate::simhash::{FeatureVotes, Fingerprint, Recipe};

/// The explanation of a pair with the k, the recipe and the tables of an analysis.
#[derive(Clone, Debug)]
pub struct ExplainedPair {
    /// The documents.
    pub documents: [DocId; 2],
    /// Their fingerprints.
    pub fingerprints: [Fingerprint; 2],
    /// The recipe that made them.
    pub recipe: Recipe,
    /// The layout of the tables.
    pub layout: Layout,
    /// The largest distance that counts as near.
    pub k: u32,
    /// The differing bits, and for each table whether it finds the pair.
    pub bits: PairExplanation,
    /// The features of the texts; `None` if the corpus does not hold both texts.
    pub texts: Option<TextsExplanation>,
}

impl ExplainedPair {
    /// Explains two documents with these fingerprints, as [`Analysis::open`] returned them. The first `most`
    /// features of each list are kept. Takes up to half a second for long texts.
    ///
    /// # Panics
    /// If the analysis has no index.
    pub fn new(
        analysis: &Analysis,
        documents: [DocId; 2],
        fingerprints: [Fingerprint; 2],
        opened: &[(Option<String>, Option<FeatureVotes>); 2],
        most: usize,
    ) -> Self {
        let layout = analysis.index.as_deref().expect("a pair has an index").layout().clone();
        let k = analysis.settings.k;
        let texts = match opened {
            [(Some(one), Some(votes)), (Some(other), Some(other_votes))] => {
                let (texts, votes) = ([one.as_str(), other], [votes, other_votes]);
                let fingerprinter = &analysis.fingerprinter;
                let mut said = TextsExplanation::new(fingerprinter, texts, votes, fingerprints, k);
                said.overlap.truncate(most);
                Some(said)
            }
            _ => None,
        };
        Self {
            documents,
            fingerprints,
            recipe: analysis.settings.recipe.clone(),
            bits: PairExplanation::new(fingerprints[0], fingerprints[1], &layout),
            layout,
            k,
            texts,
        }
    }
}

/// Two documents read again and compared.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The difference; `None` if a document carries only a fingerprint.
    pub diff: Option<TextDiff>,
    /// Whether texts were cut to what a screen can show.
    pub clipped: bool,
}

impl Comparison {
    /// Compares two texts. After `deadline` the diff is coarser.
    pub fn new(texts: Option<(&str, &str)>, deadline: Option<Instant>) -> Self {
        let diff = texts.map(|(a, b)| TextDiff::new(clip(a), clip(b), deadline));
        let clipped =
            texts.is_some_and(|(a, b)| clip(a).len() < a.len() || clip(b).len() < b.len());
        Self { diff, clipped }
    }

    /// Notes where the fields begin of which the texts of these documents are made. Reads their rows again.
    ///
    /// # Errors
    /// [`ReadError`] if a row cannot be read.
    pub fn name_fields(&mut self, corpus: &Corpus, pair: [DocId; 2]) -> Result<(), ReadError> {
        let Some(diff) = &mut self.diff else { return Ok(()) };
        for (side, document) in pair.into_iter().enumerate() {
            diff.name_fields(side, &corpus.parts(document)?);
        }
        Ok(())
    }
}
