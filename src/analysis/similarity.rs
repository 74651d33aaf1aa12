//! The similarity of documents by their features: the exact cosine, which a distance only estimates, and the
//! Jaccard index.
//!
//! The texts are read again by their addresses. Costs as much as fingerprinting each document once more, and 16
//! bytes for each feature in memory.

use rayon::prelude::*;

use super::{Analysis, Job, triage::weights};
use crate::{
    corpus::{Content, Corpus},
    evaluate::cosine::cosine,
    feature::{DocumentFrequencies, FixedWeight},
    id::DocId,
    progress::{Cancelled, Progress},
    simhash::{Fingerprinter, Scratch},
};

/// The similarity of two documents by their features.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similarity {
    /// The exact cosine, 0 to 1; exactly 1 if the features are equal.
    pub cosine: f64,
    /// The Jaccard index, 0 to 1: the number of shared features divided by the number of all features, without
    /// weights.
    pub jaccard: f64,
    /// Whether both have the same features with the same weights.
    pub has_equal_features: bool,
}

/// The weighted features of a document, sorted by key.
#[derive(PartialEq)]
pub(super) struct FeatureVector(Vec<(u64, FixedWeight)>);

impl FeatureVector {
    /// Reads a document again and weighs its features; `None` if it has no text, cannot be read, or the job is
    /// cancelled.
    pub(super) fn read(
        corpus: &Corpus,
        document: DocId,
        fingerprinter: &Fingerprinter,
        scratch: &mut Scratch,
        progress: &Progress,
    ) -> Option<Self> {
        let Ok(Content::Text(text)) = corpus.read(document) else { return None };
        let features = fingerprinter.try_features(&text, scratch, progress).ok()?;
        let empty = DocumentFrequencies::default();
        let frequencies = fingerprinter.frequencies().unwrap_or(&empty);
        let mut found = weights(&features, fingerprinter.recipe().weights, frequencies);
        found.sort_unstable_by_key(|(key, _)| *key);
        Some(Self(found))
    }

    /// The similarity; `None` if one of the two has no features.
    pub(super) fn similarity(&self, other: &Self) -> Option<Similarity> {
        let square = |features: &[(u64, FixedWeight)]| -> i128 {
            features.iter().map(|(_, weight)| i128::from(weight.0).pow(2)).sum()
        };
        let (a, b) = (&self.0, &other.0);
        let (mut i, mut j, mut product, mut n_shared) = (0, 0, 0_i128, 0_usize);
        while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
            if x.0 == y.0 {
                product += i128::from(x.1.0) * i128::from(y.1.0);
                n_shared += 1;
            }
            i += usize::from(x.0 <= y.0);
            j += usize::from(y.0 <= x.0);
        }
        Some(Similarity {
            cosine: cosine(product, [square(a), square(b)])?,
            jaccard: n_shared as f64 / (a.len() + b.len() - n_shared) as f64,
            has_equal_features: a == b,
        })
    }
}

impl Analysis {
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
        let query = known.and_then(|mut scratch| {
            FeatureVector::read(
                &self.corpus,
                document,
                &self.fingerprinter,
                &mut scratch,
                &job.progress,
            )
        });
        let Some(query) = query else {
            job.progress.check()?;
            return Ok(vec![None; others.len()]);
        };
        let compare = |scratch: &mut Scratch, &other: &DocId| {
            job.progress.check()?;
            let (corpus, by) = (&self.corpus, &self.fingerprinter);
            let other = FeatureVector::read(corpus, other, by, scratch, &job.progress);
            job.progress.add(1);
            Ok(other.and_then(|other| query.similarity(&other)))
        };
        let found = others.par_iter().map_init(Scratch::default, compare).collect();
        job.progress.check()?;
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosines_are_those_by_hand() {
        let features = |entries: &[(u64, f64)]| {
            let weigh = |&(key, weight)| (key, FixedWeight::from_f64(weight));
            FeatureVector(entries.iter().map(weigh).collect())
        };
        let a = features(&[(1, 2.0), (2, 1.0), (9, 1.0)]);
        let b = features(&[(1, 1.0), (3, 1.0), (9, 2.0)]);
        let found = a.similarity(&b).unwrap();
        assert!((found.cosine - 4.0 / 6.0).abs() < 1e-12);
        assert_eq!((found.jaccard, found.has_equal_features), (0.5, false));
        let itself = a.similarity(&a).unwrap();
        assert_eq!((itself.cosine, itself.jaccard, itself.has_equal_features), (1.0, 1.0, true));
        // The same direction, other weights.
        let twice = features(&[(1, 4.0), (2, 2.0), (9, 2.0)]);
        let found = a.similarity(&twice).unwrap();
        assert_eq!((found.cosine, found.has_equal_features), (1.0, false));
        assert_eq!(a.similarity(&features(&[])), None);
    }
}
