//! Exact cosines of some pairs of documents, and whether a distance agrees with one.

use std::collections::HashMap;

use rayon::prelude::*;

use super::{Disagreement, Kind, MOST_LOOKED_AT};
use crate::{
    analysis::{Analysis, Job, Stage, triage::weights},
    corpus::Content,
    evaluate::{angle, interval},
    feature::{DocumentFrequencies, FixedWeight},
    id::DocId,
    index::DocumentPair,
    progress::Cancelled,
    simhash::Scratch,
};

/// At most [`MOST_LOOKED_AT`] of the pairs, evenly spread.
pub(super) fn spread(pairs: &[DocumentPair]) -> Vec<DocumentPair> {
    pairs.iter().copied().step_by(pairs.len().div_ceil(MOST_LOOKED_AT).max(1)).collect()
}

/// The weighted features of the documents to compare, sorted by key.
pub(super) struct Cosines {
    vectors: HashMap<DocId, Vec<(u64, FixedWeight)>>,
    width: u32,
}

impl Cosines {
    pub(super) fn new(
        analysis: &Analysis,
        pairs: &[DocumentPair],
        job: &Job,
    ) -> Result<Self, Cancelled> {
        let mut documents: Vec<DocId> = pairs.iter().flat_map(|pair| [pair.a, pair.b]).collect();
        documents.sort_unstable();
        documents.dedup();
        job.enter(Stage::Compare, documents.len() as u64);
        let recipe = &analysis.settings.recipe;
        let empty = DocumentFrequencies::default();
        let frequencies = analysis.fingerprinter.frequencies().unwrap_or(&empty);
        let vector = |scratch: &mut Scratch, &document: &DocId| {
            job.progress.check()?;
            job.progress.add(1);
            let Ok(Content::Text(text)) = analysis.corpus.read(document) else { return Ok(None) };
            let features = analysis.fingerprinter.features_unless(&text, scratch, &|| false);
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
    pub(super) fn judge(&self, kind: Kind, pairs: &[DocumentPair]) -> Vec<Disagreement> {
        let judge = |&pair: &DocumentPair| {
            let cosine = cosine(self.vectors.get(&pair.a)?, self.vectors.get(&pair.b)?)?;
            judge(kind, pair, cosine, self.width)
        };
        least_likely_first(pairs.par_iter().filter_map(judge).collect())
    }
}

/// The pair, if its cosine lies outside what its distance of `width` bits says, on the side of its kind.
pub(super) fn judge(
    kind: Kind,
    pair: DocumentPair,
    cosine: f64,
    width: u32,
) -> Option<Disagreement> {
    let interval = interval::cosine(pair.distance, width);
    let chance = match kind {
        Kind::Near if cosine < interval.0 => angle::within(cosine, pair.distance, width),
        Kind::Far if cosine > interval.1 && pair.distance > 0 => {
            1.0 - angle::within(cosine, pair.distance - 1, width)
        }
        _ => return None,
    };
    let expected = angle::expected_distance(cosine, width);
    Some(Disagreement { kind, pair, cosine, interval, expected, chance })
}

/// By chance, then as the corpus stands.
pub(super) fn least_likely_first(mut found: Vec<Disagreement>) -> Vec<Disagreement> {
    let order = |it: &Disagreement| (it.pair.a, it.pair.b);
    found.sort_by(|x, y| x.chance.total_cmp(&y.chance).then(order(x).cmp(&order(y))));
    found
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
