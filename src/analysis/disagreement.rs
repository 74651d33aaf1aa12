//! Pairs whose fingerprints and texts disagree: near with a low cosine, far with a high one.
//!
//! The near ones are looked for among the pairs within k. Far ones cannot be found by the fingerprint
//! that misses them: a second one, of the same recipe under another seed, brings together what it finds
//! within k, and what of it is farther than k under the first is looked at. Both share every blind spot
//! of the features themselves. Of each kind at most [`MOST_LOOKED_AT`] pairs are compared, evenly spread,
//! and the answer says of how many. A pair disagrees where its exact cosine lies outside the 95 %
//! interval of its distance; of many pairs one in twenty does so by luck, which is why the chance stands
//! beside each, the least likely first.

use std::collections::HashMap;

use rayon::prelude::*;

use super::{Analysis, AnalysisError, Depth, Job, Stage, Work, mill::run_to, triage::weights};
use crate::{
    choice::choice,
    corpus::Content,
    evaluate::{angle, interval},
    feature::{DocumentFrequencies, FixedWeight},
    id::DocId,
    index::DocumentPair,
    progress::Cancelled,
    simhash::Scratch,
};

/// Pairs of a kind whose texts are compared.
pub const MOST_LOOKED_AT: usize = 20_000;

choice! {
    /// How fingerprints and texts disagree.
    pub enum Kind, "kind" {
        /// The fingerprints are nearer than the texts.
        #[default]
        Near = "near",
        /// The texts are nearer than the fingerprints.
        Far = "far",
    }
}

/// A pair that disagrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disagreement {
    /// How.
    pub kind: Kind,
    /// The pair and its distance.
    pub pair: DocumentPair,
    /// The exact cosine of its features.
    pub cosine: f64,
    /// What the distance says of the cosine, at 95 %.
    pub interval: (f64, f64),
    /// The distance that the cosine makes likely.
    pub expected: f64,
    /// The chance of a distance as small (near), or as large (far), at this cosine.
    pub chance: f64,
}

/// The pairs that disagree, and among how many they were looked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Disagreements {
    /// Near ones, then far ones, each the least likely first.
    pub found: Vec<Disagreement>,
    /// Pairs within k there are: distinct fingerprints, and copies by their first document.
    pub n_near: usize,
    /// How many of them were compared.
    pub n_near_compared: usize,
    /// Pairs within k under the second seed and farther under the first.
    pub n_far: usize,
    /// How many of them were compared.
    pub n_far_compared: usize,
    /// The second seed.
    pub seed: u64,
}

impl Analysis {
    /// Looks for pairs that disagree; the analysis must have its pairs ([`Depth::Pairs`]).
    ///
    /// # Errors
    /// [`AnalysisError`] if told to stop, or if the second fingerprint cannot be made.
    ///
    /// # Panics
    /// If there are no pairs yet.
    pub fn disagreements(&self, job: &Job) -> Result<Disagreements, AnalysisError> {
        let near = self.representative_pairs();
        let mut settings = self.settings.clone();
        settings.recipe.seed = settings.recipe.seed.wrapping_add(1);
        let seed = settings.recipe.seed;
        let work = Work::Refingerprint(self.corpus.clone());
        let second = run_to(Depth::Pairs, work, settings, job, &mut |_| {})?;
        // A document that carries a fingerprint carries the same one under every seed.
        let far = second.representative_pairs().into_iter().filter_map(|pair| {
            let distance = self.fingerprint(pair.a)?.distance(self.fingerprint(pair.b)?);
            (distance > self.settings.k).then_some(DocumentPair { distance, ..pair })
        });
        let far: Vec<DocumentPair> = far.collect();
        let (some_near, some_far) = (spread(&near), spread(&far));
        let cosines = Cosines::new(self, &second, some_near.iter().chain(&some_far), job)?;
        let mut found = cosines.judge(Kind::Near, &some_near);
        found.extend(cosines.judge(Kind::Far, &some_far));
        Ok(Disagreements {
            found,
            n_near: near.len(),
            n_near_compared: some_near.len(),
            n_far: far.len(),
            n_far_compared: some_far.len(),
            seed,
        })
    }

    /// The pairs within k by the first document of each fingerprint, and each copy with its first.
    fn representative_pairs(&self) -> Vec<DocumentPair> {
        let near = self.near.as_ref().expect("depth is pairs");
        let shelf = self.shelf.as_ref().expect("depth is pairs");
        let copies = (0..shelf.n_distinct() as u32).flat_map(|entry| {
            let documents = shelf.documents(entry);
            documents[1..].iter().map(|&b| DocumentPair { a: documents[0], b, distance: 0 })
        });
        let pairs = near.pairs(self.settings.k).iter().map(|pair| {
            let [a, b] = [pair.a, pair.b].map(|entry| shelf.documents(entry)[0]);
            DocumentPair { a, b, distance: pair.distance }
        });
        copies.chain(pairs).collect()
    }
}

/// At most [`MOST_LOOKED_AT`] of the pairs, evenly spread.
fn spread(pairs: &[DocumentPair]) -> Vec<DocumentPair> {
    pairs.iter().copied().step_by(pairs.len().div_ceil(MOST_LOOKED_AT).max(1)).collect()
}

/// The weighted features of the documents to compare, sorted by key.
struct Cosines {
    vectors: HashMap<DocId, Vec<(u64, FixedWeight)>>,
    width: u32,
}

impl Cosines {
    fn new<'a>(
        analysis: &Analysis,
        second: &Analysis,
        pairs: impl Iterator<Item = &'a DocumentPair>,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        let mut documents: Vec<DocId> = pairs.flat_map(|pair| [pair.a, pair.b]).collect();
        documents.sort_unstable();
        documents.dedup();
        job.enter(Stage::Count, documents.len() as u64);
        let recipe = &analysis.settings.recipe;
        let empty = DocumentFrequencies::default();
        // Keys are the second seed's, as are the frequencies there; weights come out the same.
        let frequencies = second.fingerprinter.frequencies().unwrap_or(&empty);
        let vector = |scratch: &mut Scratch, &document: &DocId| {
            job.progress.check()?;
            job.progress.add(1);
            let Ok(Content::Text(text)) = analysis.corpus.read(document) else { return Ok(None) };
            let features = second.fingerprinter.features_unless(&text, scratch, &|| false);
            Ok(features.map(|features| {
                let mut vector = weights(&features, recipe.weights, frequencies);
                vector.sort_unstable_by_key(|(key, _)| *key);
                (document, vector)
            }))
        };
        let vectors: Result<Vec<_>, Cancelled> =
            documents.par_iter().map_init(Scratch::default, vector).collect();
        Ok(Self { vectors: vectors?.into_iter().flatten().collect(), width: recipe.bits })
    }

    /// The pairs whose cosine lies outside what their distance says, the least likely first.
    fn judge(&self, kind: Kind, pairs: &[DocumentPair]) -> Vec<Disagreement> {
        let judge = |&pair: &DocumentPair| {
            let cosine = cosine(self.vectors.get(&pair.a)?, self.vectors.get(&pair.b)?)?;
            let interval = interval::cosine(pair.distance, self.width);
            let chance = match kind {
                Kind::Near if cosine < interval.0 => {
                    angle::within(cosine, pair.distance, self.width)
                }
                Kind::Far if cosine > interval.1 && pair.distance > 0 => {
                    1.0 - angle::within(cosine, pair.distance - 1, self.width)
                }
                _ => return None,
            };
            let expected = angle::expected_distance(cosine, self.width);
            Some(Disagreement { kind, pair, cosine, interval, expected, chance })
        };
        let mut found: Vec<Disagreement> = pairs.par_iter().filter_map(judge).collect();
        found.sort_by(|x, y| x.chance.total_cmp(&y.chance).then(x.pair.a.cmp(&y.pair.a)));
        found
    }
}

/// The cosine of two vectors sorted by key; `None` where one is empty.
fn cosine(a: &[(u64, FixedWeight)], b: &[(u64, FixedWeight)]) -> Option<f64> {
    let square = |vector: &[(u64, FixedWeight)]| -> i128 {
        vector.iter().map(|(_, weight)| i128::from(weight.0).pow(2)).sum()
    };
    let norms = (square(a) as f64 * square(b) as f64).sqrt();
    let (mut i, mut j, mut dot) = (0, 0, 0_i128);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        if x.0 == y.0 {
            dot += i128::from(x.1.0) * i128::from(y.1.0);
        }
        i += usize::from(x.0 <= y.0);
        j += usize::from(y.0 <= x.0);
    }
    (norms > 0.0).then(|| (dot as f64 / norms).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosines_are_those_by_hand() {
        let vector = |entries: &[(u64, f64)]| -> Vec<(u64, FixedWeight)> {
            entries.iter().map(|&(key, weight)| (key, FixedWeight::from_f64(weight))).collect()
        };
        let (a, b) =
            (vector(&[(1, 2.0), (2, 1.0), (9, 1.0)]), vector(&[(1, 1.0), (3, 1.0), (9, 2.0)]));
        assert!((cosine(&a, &b).unwrap() - 4.0 / 6.0).abs() < 1e-12);
        assert_eq!((cosine(&a, &a), cosine(&a, &[])), (Some(1.0), None));
    }

    #[test]
    fn pairs_are_spread_evenly() {
        let pair = |n: u32| DocumentPair { a: DocId(n), b: DocId(n + 1), distance: 0 };
        let pairs: Vec<DocumentPair> = (0..50_000).map(pair).collect();
        let some = spread(&pairs);
        assert!(some.len() <= MOST_LOOKED_AT && some.len() > MOST_LOOKED_AT / 2);
        assert_eq!(spread(&pairs[..7]), pairs[..7]);
    }
}
