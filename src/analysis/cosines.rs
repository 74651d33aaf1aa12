//! The similarity of documents by their features: the exact cosine, which a distance only estimates, and the
//! Jaccard index.
//!
//! The texts are read again by their addresses. Costs as much as fingerprinting each document once more, and 16
//! bytes for each feature in memory.

use std::collections::HashMap;

use rayon::prelude::*;

use super::alike::ShingleSets;
use super::{Analysis, Job, Stage};
use crate::corpus::Content;
use crate::explain::overlap::{FeatureVector, Similarity};
use crate::id::DocId;
use crate::index::DocumentPair;
use crate::progress::{Cancelled, Progress};
use crate::simhash::{Fingerprinter, Scratch};

/// The most features of documents held at once: 16 bytes each.
const MOST_AT_ONCE: u64 = 4_000_000;

impl Analysis {
    /// Reads a document again and weighs its features; `None` if it has no text, cannot be read, or the job is
    /// cancelled.
    pub(super) fn vector(
        &self,
        document: DocId,
        by: &Fingerprinter,
        scratch: &mut Scratch,
        progress: &Progress,
    ) -> Option<FeatureVector> {
        let Ok(Content::Text(text)) = self.corpus.read(document) else { return None };
        FeatureVector::new(&text, by, scratch, progress).ok()
    }

    /// The similarity of `document` to each of some others, in their order; `None` if one of the two cannot be
    /// read, or has no text or no features. `job` counts the documents that were read.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn similarities(
        &self,
        document: DocId,
        others: &[DocId],
        job: &Job,
    ) -> Result<Vec<Option<Similarity>>, Cancelled> {
        job.progress.begin(others.len() as u64);
        // Weights that need the whole corpus are not known before it is read.
        let known = self.fingerprinter.is_ready().then(Scratch::default);
        let vector = |document, scratch: &mut _| {
            self.vector(document, &self.fingerprinter, scratch, &job.progress)
        };
        let Some(query) = known.and_then(|mut scratch| vector(document, &mut scratch)) else {
            job.progress.check()?;
            return Ok(vec![None; others.len()]);
        };
        let by_sets = self.settings.alike.sets();
        let begin = || (Scratch::default(), ShingleSets::new(self, &by_sets));
        let compare = |(scratch, sets): &mut (Scratch, ShingleSets<'_>), &other: &DocId| {
            job.progress.check()?;
            let found = vector(other, scratch).and_then(|vector| query.similarity(&vector));
            let shared = found.and_then(|_| sets.shared(document, other));
            job.progress.add(1);
            Ok(found.map(|found| Similarity { shared, ..found }))
        };
        let found = others.par_iter().map_init(begin, compare).collect();
        job.progress.check()?;
        found
    }

    /// The exact cosine of the features of each pair, in order; `None` if a text is not known or has no features.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn cosines(
        &self,
        pairs: &[DocumentPair],
        job: &Job,
    ) -> Result<Vec<Option<f64>>, Cancelled> {
        self.cosines_by(&self.fingerprinter, pairs, job)
    }

    /// The exact cosine of the features that a fingerprinter takes from each pair, in order; `None` if a text is not
    /// known or has no features.
    ///
    /// Works in blocks of pairs, so that at most [`MOST_AT_ONCE`] features are held, or those of one pair. A document
    /// is read once for each block that contains it.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn cosines_by(
        &self,
        by: &Fingerprinter,
        pairs: &[DocumentPair],
        job: &Job,
    ) -> Result<Vec<Option<f64>>, Cancelled> {
        // Whatever the features are, they are hardly more than words or features of the recipe.
        let n_features = |document: DocId| {
            self.record(document).map_or(0, |it| u64::from(it.n_features.max(it.n_tokens)))
        };
        let blocks: Vec<_> = blocks(pairs, n_features, MOST_AT_ONCE)
            .map(|block| (block, documents_of(block)))
            .collect();
        let n_documents: usize = blocks.iter().map(|(_, documents)| documents.len()).sum();
        job.enter(Stage::Compare, n_documents as u64);
        let vector = |scratch: &mut Scratch, &document: &DocId| {
            job.progress.check()?;
            job.progress.add(1);
            let features = self.vector(document, by, scratch, &Progress::new());
            Ok(features.map(|features| (document, features)))
        };
        let mut cosines = Vec::with_capacity(pairs.len());
        for (block, documents) in blocks {
            let read = documents.par_iter().map_init(Scratch::default, vector);
            let read = read.collect::<Result<Vec<_>, Cancelled>>()?;
            let vectors: HashMap<DocId, FeatureVector> = read.into_iter().flatten().collect();
            cosines.par_extend(
                block.par_iter().map(|pair| {
                    Some(vectors.get(&pair.a)?.similarity(vectors.get(&pair.b)?)?.cosine)
                }),
            );
        }
        Ok(cosines)
    }
}

/// Splits pairs into blocks whose documents have at most `most` features together. A document counts once for each
/// pair. A larger single pair is a block.
fn blocks(
    mut rest: &[DocumentPair],
    n_features: impl Fn(DocId) -> u64,
    most: u64,
) -> impl Iterator<Item = &[DocumentPair]> {
    std::iter::from_fn(move || {
        let mut held = 0;
        let fits = |pair: &&DocumentPair| {
            held += n_features(pair.a) + n_features(pair.b);
            held <= most
        };
        let len = rest.iter().take_while(fits).count().max(1).min(rest.len());
        let block;
        (block, rest) = rest.split_at(len);
        (!block.is_empty()).then_some(block)
    })
}

/// The documents of pairs, each once.
fn documents_of(pairs: &[DocumentPair]) -> Vec<DocId> {
    let mut documents: Vec<DocId> = pairs.iter().flat_map(|pair| [pair.a, pair.b]).collect();
    documents.sort_unstable();
    documents.dedup();
    documents
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_hold_all_pairs_in_order_and_no_more_features_than_they_may() {
        let pair = |n: u32| DocumentPair { a: DocId(n), b: DocId(n + 1), distance: 0 };
        let pairs: Vec<DocumentPair> = (0..100).map(pair).collect();
        let n_features = |document: DocId| u64::from(document.0 % 7) * 10;
        for most in [0, 50, 300, 100_000] {
            let cut: Vec<_> = blocks(&pairs, n_features, most).collect();
            assert_eq!(cut.concat(), pairs);
            for block in cut {
                let held: u64 = block.iter().map(|it| n_features(it.a) + n_features(it.b)).sum();
                assert!(block.len() == 1 || held <= most, "{held} of {most}");
            }
        }
        assert_eq!(blocks(&[], n_features, 5).count(), 0);
    }
}
