//! Sample pairs at each distance up to k and a little beyond, with a comparison of their texts.
//!
//! They are drawn from all kept pairs by [`Sampler`] with a fixed seed. Pairs of equal texts and of documents
//! without text are left out, because there is no difference to show.

use rayon::prelude::*;

use super::name;
use crate::{
    analysis::{Analysis, AnalysisError, Job, Labelling},
    corpus::Content,
    evaluate::sample::{FIRST, Pick, Sampler},
    explain::{Excerpt, Overlap, aligned_feature::align, seeds::SeedSpread},
    id::DocId,
    index::DocumentPair,
};

/// The number of distances beyond k that are shown.
const BEYOND: u32 = 2;
/// The most distances that are shown. If there are more, every second or third is shown, and so on.
const MOST_DISTANCES: usize = 8;
/// The most pairs at each distance.
const AT_EACH: usize = 2;
/// The exact cosine of longer texts, in bytes, is not computed.
const MOST_WEIGHED: usize = 1 << 20;
/// The number of hash functions with which each pair is compared.
const SEEDS: u64 = 200;
/// The seed of the draws: a corpus shows the same pairs every time.
const SEED: u64 = 0;

/// Sample pairs with their texts compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairSamples {
    /// The pairs, nearest first.
    pub pairs: Vec<PairSample>,
    /// The shown distances, each with the number of pairs of documents with different texts.
    pub distances: Vec<(u32, u64)>,
}

/// One pair.
#[derive(Clone, Debug, PartialEq)]
pub struct PairSample {
    /// The documents.
    pub documents: [DocId; 2],
    /// The shown ids of the documents.
    pub names: [String; 2],
    /// Differing bits.
    pub distance: u32,
    /// The exact cosine of the features; `None` if a text is too long.
    pub cosine: Option<f64>,
    /// The distances under other hash functions; `None` if a text is too long.
    pub by_seed: Option<SeedSpread>,
    /// The comparison of the texts.
    pub excerpt: Excerpt,
}

impl PairSamples {
    /// Draws pairs and compares their texts.
    ///
    /// # Errors
    /// [`AnalysisError::Cancelled`] if cancelled.
    pub fn draw(labelling: &Labelling, job: &Job) -> Result<Self, AnalysisError> {
        let analysis = labelling.analysis();
        let k = analysis.settings.k;
        let farthest = (k + BEYOND).min(labelling.window());
        let step = (farthest as usize + 1).div_ceil(MOST_DISTANCES);
        // The step counts from k, so that k itself is always shown.
        let is_shown = |distance: u32| {
            distance <= farthest && (distance.abs_diff(k) as usize).is_multiple_of(step)
        };
        let strata = labelling.strata();
        let pairs_at = |distance| {
            let ours = strata.iter().filter(|stratum| stratum.distance == distance);
            ours.map(|stratum| stratum.pairs - stratum.verified).sum()
        };
        let shown = (0..=farthest).filter(|&distance| is_shown(distance));
        let distances = shown.map(|distance| (distance, pairs_at(distance))).collect();

        // Without judgements a batch holds some pairs of every stratum.
        let nothing = labelling.judge_by_id(&[]);
        let mut sampler = Sampler::new(strata, SEED);
        let picks = labelling.batch(&nothing, &mut sampler, FIRST * strata.len() as u32);
        let mut drawn: Vec<DocumentPair> = Vec::new();
        for pick in picks.into_iter().filter(|pick: &Pick| !pick.is_repeat) {
            let pair = labelling.pair(pick);
            let n_drawn = drawn.iter().filter(|it| it.distance == pair.distance).count();
            if is_shown(pair.distance) && n_drawn < AT_EACH {
                drawn.push(pair);
            }
        }
        drawn.sort_by_key(|pair| (pair.distance, pair.a, pair.b));
        job.progress.check()?;
        let compare = |pair: &DocumentPair| PairSample::new(analysis, *pair);
        Ok(Self { pairs: drawn.par_iter().filter_map(compare).collect(), distances })
    }
}

impl PairSample {
    /// Compares a pair; `None` if a text can no longer be read.
    fn new(analysis: &Analysis, pair: DocumentPair) -> Option<Self> {
        let [one, other] = [pair.a, pair.b].map(|document| match analysis.corpus.read(document) {
            Ok(Content::Text(text)) => Some(text),
            _ => None,
        });
        let (one, other) = one.zip(other)?;
        let can_be_weighed = one.len().max(other.len()) <= MOST_WEIGHED;
        let weighed = can_be_weighed.then(|| {
            let [a, b] = [&one, &other].map(|text| analysis.fingerprinter.feature_votes(text));
            let cosine = Overlap::new(&align(&a, &b)).cosine;
            (cosine, SeedSpread::new(&a, &b, &analysis.settings.recipe, SEEDS))
        });
        let documents = [pair.a, pair.b];
        Some(Self {
            documents,
            names: documents.map(|document| name(&analysis.corpus, document)),
            distance: pair.distance,
            cosine: weighed.and_then(|weighed| weighed.0),
            by_seed: weighed.map(|weighed| weighed.1),
            excerpt: Excerpt::new(&one, &other),
        })
    }
}
