//! Exact cosines of pairs of documents, and whether the distance of a pair agrees with its cosine.

use std::collections::HashMap;

use rayon::prelude::*;

use super::{Disagreement, DisagreementKind, MOST_LOOKED_AT};
use crate::{
    analysis::{Analysis, Job, Stage, explained_pair::FeatureVector},
    evaluate::{angle, interval},
    id::DocId,
    index::DocumentPair,
    progress::{Cancelled, Progress},
    simhash::{Fingerprinter, Scratch},
};

/// The most features of documents held at once: 16 bytes each.
const MOST_AT_ONCE: u64 = 4_000_000;

/// The step that picks at most [`MOST_LOOKED_AT`] of `n` items, evenly spread.
pub(super) fn stride(n: usize) -> usize {
    n.div_ceil(MOST_LOOKED_AT).max(1)
}

/// Reads the documents of the pairs and compares them: the pairs whose distance and cosine disagree, the least likely
/// first, and the number of compared pairs, of which both documents have features.
pub(super) fn compare(
    analysis: &Analysis,
    kind: DisagreementKind,
    pairs: &[DocumentPair],
    job: &Job,
) -> Result<(Vec<Disagreement>, usize), Cancelled> {
    let cosines = analysis.cosines(pairs, job)?;
    let n = cosines.iter().flatten().count();
    let width = analysis.settings.recipe.bits;
    let judge = |(&pair, cosine): (&DocumentPair, Option<f64>)| judge(kind, pair, cosine?, width);
    Ok((least_likely_first(pairs.iter().zip(cosines).filter_map(judge).collect()), n))
}

impl Analysis {
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
            let progress = Progress::new();
            let features = FeatureVector::read(&self.corpus, document, by, scratch, &progress);
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

/// The pair, if its cosine lies outside the interval that its distance of `width` bits gives, on the side
/// of its kind.
pub(super) fn judge(
    kind: DisagreementKind,
    pair: DocumentPair,
    cosine: f64,
    width: u32,
) -> Option<Disagreement> {
    let interval = interval::cosine(pair.distance, width);
    let chance = match kind {
        DisagreementKind::Near if cosine < interval.0 => {
            angle::within(cosine, pair.distance, width)
        }
        DisagreementKind::Far if cosine > interval.1 && pair.distance > 0 => {
            1.0 - angle::within(cosine, pair.distance - 1, width)
        }
        _ => return None,
    };
    let expected = angle::expected_distance(cosine, width);
    Some(Disagreement { kind, pair, cosine, interval, expected, chance })
}

/// By chance, then in corpus order.
pub(super) fn least_likely_first(mut found: Vec<Disagreement>) -> Vec<Disagreement> {
    let order = |it: &Disagreement| (it.pair.a, it.pair.b);
    found.sort_by(|x, y| x.chance.total_cmp(&y.chance).then(order(x).cmp(&order(y))));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_looked_at_is_spread_evenly() {
        let some = (0..50_000).step_by(stride(50_000)).count();
        assert!(some <= MOST_LOOKED_AT && some > MOST_LOOKED_AT / 2);
        assert_eq!([0, 7, MOST_LOOKED_AT, MOST_LOOKED_AT + 1].map(stride), [1, 1, 1, 2]);
    }

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
