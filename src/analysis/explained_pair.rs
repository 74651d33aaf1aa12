//! The explanation of a pair of documents by its fingerprints and tables, and by its texts if both are known.
//!
//! Two documents read again and compared word by word.
//!
//! The distances between a document and edited versions of it.
//!
//! The similarity of documents by their features: the exact cosine, which a distance only estimates, and the
//! Jaccard index.
//!
//! The texts are read again by their addresses. Costs as much as fingerprinting each document once more, and 16
//! bytes for each feature in memory.

use std::time::Instant;

use rayon::prelude::*;

use super::{Analysis, Job, alike::ShingleSets, inspection::clip};
use crate::{
    corpus::{Content, Corpus, ReadError},
    evaluate::cosine::cosine,
    explain::{
        self, PairExplanation, PerturbationPlan, PerturbationRow, TextDiff, TextsExplanation,
    },
    feature::FixedWeight,
    id::DocId,
    index::Layout,
    progress::{Cancelled, Progress},
    simhash::{FeatureVotes, Fingerprint, Fingerprinter, Recipe, Scratch},
};

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

/// The lengths in words of the beginnings of a text in which one word is changed.
const LENGTHS: [usize; 3] = [20, 80, 240];
/// Shares of all words that are changed.
const SHARES: [f64; 2] = [0.05, 0.10];
/// The number of trials for each length or share. Each trial uses its own hash function.
pub const TRIALS: u32 = 200;

/// The seed of the trials.
const SEED: u64 = 0;

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
    /// Edits the text of a document many times and measures the distances. Costs some thousand
    /// fingerprints.
    ///
    /// # Errors
    /// A message: why it cannot be read, or that the job was cancelled.
    pub fn new(analysis: &Analysis, document: DocId, job: &Job) -> Result<Self, String> {
        let content = analysis.corpus.read(document).map_err(|error| error.to_string())?;
        let Some(text) = content.text() else {
            return Ok(Self { document, wear: None, bytes: (0, 0) });
        };
        let used = &text[..text.floor_char_boundary(MOST_BYTES)];
        let plan = PerturbationPlan { lengths: &LENGTHS, shares: &SHARES, n_trials: TRIALS };
        let wear = explain::perturb(used, &analysis.fingerprinter, plan, SEED, &job.progress)
            .map_err(|cancelled| cancelled.to_string())?;
        Ok(Self { document, wear, bytes: (used.len(), text.len()) })
    }
}

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
    /// The share of the text of the other document that the first one has, 0 to 1; `None` if a text has no words.
    pub shared: Option<f64>,
}

/// The weighted features of a document, sorted by key.
#[derive(PartialEq)]
pub(super) struct FeatureVector(pub(super) Vec<(u64, FixedWeight)>);

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
        Self::of(&text, fingerprinter, scratch, progress)
    }

    /// Weighs the features of a text; `None` if the job is cancelled.
    pub(super) fn of(
        text: &str,
        fingerprinter: &Fingerprinter,
        scratch: &mut Scratch,
        progress: &Progress,
    ) -> Option<Self> {
        let features = fingerprinter.try_features(text, scratch, progress).ok()?;
        let weighed = |(key, count)| (key, fingerprinter.weigh(key, count));
        let mut found: Vec<_> = features.counted().map(weighed).collect();
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
            shared: None,
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
        let (corpus, by, progress) = (&self.corpus, &self.fingerprinter, &job.progress);
        let vector = |document, scratch: &mut _| {
            FeatureVector::read(corpus, document, by, scratch, progress)
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
