//! Evidence of which pairs are true: the exact cosines of a corpus's own texts, all of them or a sample.
//!
//! ```text
//! small enough   every true pair by an exact join, every distance counted  -> precision and recall, exact
//! larger         some hundred pairs of each distance, read again           -> precision with intervals,
//!                                                                             recall of the pairs kept
//! no text        nothing to compare                                        -> chance and groups alone
//! ```
//!
//! Pairs are those of different texts, each text once: copies are found by every k, and where there are
//! many they hide everything else. Texts are different where their features are; in a sample, where their
//! fingerprints are or, behind one fingerprint, their words. The same corpus and recipe give the same
//! evidence for every caller.
//!
//! Cost: the join is tried up to a minute of one core; a sample reads at most 600 documents a distance.

use std::sync::Arc;

use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{
    Analysis, AnalysisError, CountUnit, FingerprintIndex, Job, PairsByDistance, Reference,
    SettingsError, Truth, TruthChoice, TruthSpec, disagreement, sweep,
};
use crate::{
    evaluate::{
        cosine::reaches,
        curve::Curve,
        interval::LEVEL,
        labels::Stratum,
        precision::{ThresholdRow, precision},
        sample::some_below,
    },
    index::DocumentPair,
    verdict::Verdict,
};

/// Meetings of the join that take a core a minute, at a fifth of a microsecond each.
const MOST_MEETINGS: f64 = 3e8;
/// Features of all documents up to which the join is tried: 7.5 million took 210 MB, so some 600 MB.
const MOST_FEATURES: u64 = 20_000_000;
/// Pairs that are drawn at each distance.
const AT_EACH: usize = 300;
/// Pairs of fingerprints that are kept to draw from.
const MOST_PAIRS: u64 = 4_000_000;
/// The part of the width to which pairs are drawn at most.
const FARTHEST: u32 = 4;
/// A precision at which no k farther out is asked for.
const HOPELESS: f64 = 0.5;
/// The seed of the draws.
const SEED: u64 = 0;

/// The source of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// All texts were compared.
    Exact {
        /// Different texts.
        n_texts: u64,
        /// Their true pairs.
        n_true: u64,
    },
    /// So many pairs were drawn and compared.
    Sampled {
        /// Pairs whose cosine was computed.
        n_compared: u32,
    },
    /// People judged pairs.
    Judged {
        /// Labels that count.
        n_labels: u32,
    },
    /// There is no text, or there are too many pairs to draw from.
    Nothing,
}

/// The precision and recall of the pairs within each k, as far as they are known.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The source of the evidence.
    pub basis: Basis,
    /// The cosine from which a pair is true; of no meaning for judgements.
    pub tau: f64,
    /// A row for each k from 0 to the largest at which pairs are known.
    pub rows: Vec<ThresholdRow>,
}

/// The way in which pairs are examined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PairSource {
    /// All texts where that takes less than a minute, else a sample.
    #[default]
    Auto,
    /// A sample in any case.
    Sample {
        /// The seed of the draws.
        seed: u64,
    },
}

impl Analysis {
    /// Judges each k by the texts: a pair is true if its cosine is `tau` or more, by the recipe's own
    /// features and weights. `None` where there is no text.
    ///
    /// # Errors
    /// [`AnalysisError::Cancelled`] if cancelled; [`SettingsError::TooMuchAlike`] where even the pairs
    /// within k are too many to keep.
    ///
    /// # Panics
    /// If the analysis has no fingerprints yet, or if tau is not above 0 and at most 1.
    pub fn evidence(
        &self,
        tau: f64,
        method: PairSource,
        job: &Job,
    ) -> Result<Option<Evidence>, AnalysisError> {
        let n_features: u64 = self.records.iter().map(|it| u64::from(it.n_features)).sum();
        if n_features == 0 {
            return Ok(None);
        }
        let seed = match method {
            PairSource::Auto if n_features <= MOST_FEATURES => {
                if let Some(found) = self.all_compared(tau, job)? {
                    return Ok(Some(found));
                }
                SEED
            }
            PairSource::Auto => SEED,
            PairSource::Sample { seed } => seed,
        };
        self.some_compared(tau, seed, job).map(Some)
    }

    /// Every true pair; `None` where that takes too long.
    fn all_compared(&self, tau: f64, job: &Job) -> Result<Option<Evidence>, AnalysisError> {
        let weights = self.settings.recipe.weights;
        let spec = TruthSpec { tau, weights, choice: TruthChoice::Auto };
        let truth = Truth::prepare_within(MOST_MEETINGS, &self.corpus, &self.settings, spec, job);
        let truth = match truth {
            Ok(truth) if truth.is_exact() => truth,
            // The documents have features, so some texts were there once.
            Ok(_)
            | Err(AnalysisError::Settings(SettingsError::Truth(_) | SettingsError::NoTexts)) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let n_texts = truth.n_texts() as u64;
        let reference = Reference::by_cosine(truth, "", CountUnit::Texts)?;
        // A farther k is of no use when it cannot be balanced, and is too imprecise.
        let is_enough = |curve: &Curve| {
            let farthest = curve.reach().and_then(|reach| curve.at(reach));
            let precision = farthest.and_then(|at| at.precision()).unwrap_or(0.0);
            curve.is_settled() && precision < HOPELESS
        };
        let curve = sweep::of_analysis(self, &reference, &is_enough, job)?;
        let basis = Basis::Exact { n_texts, n_true: curve.n_true() };
        Ok(Some(Evidence { basis, tau, rows: ThresholdRow::known(&curve) }))
    }

    /// A sample of the pairs of each distance.
    fn some_compared(&self, tau: f64, seed: u64, job: &Job) -> Result<Evidence, AnalysisError> {
        let index = self.index.as_deref().expect("fingerprints come before evidence");
        let near = index.near_for_samples(self, job)?;
        let equal = match &self.equal_texts {
            Some(equal) => Arc::clone(equal),
            None => Arc::new(self.compare_texts(job)?),
        };
        let mut strata = Vec::new();
        let mut n_compared = 0;
        for distance in 0..=near.reach() {
            let rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ u64::from(distance) << 32);
            let (n_pairs, drawn) = match distance {
                0 => equal.different(AT_EACH, rng),
                _ => drawn(index, &near, distance, rng),
            };
            let mut stratum = Stratum::new(distance, n_pairs, 0);
            for (_, cosine) in disagreement::exact_cosines(self, &drawn, job)? {
                let verdict = if reaches(cosine, tau) { Verdict::Yes } else { Verdict::No };
                stratum.judge(verdict, 1);
                n_compared += 1;
            }
            strata.push(stratum);
        }
        Ok(Evidence { basis: Basis::Sampled { n_compared }, tau, rows: precision(&strata, LEVEL) })
    }
}

impl FingerprintIndex {
    /// The pairs to draw from: up to the largest distance at which they are not too many, whatever the
    /// settings' k.
    fn near_for_samples(
        &self,
        analysis: &Analysis,
        job: &Job,
    ) -> Result<PairsByDistance, AnalysisError> {
        let mut settings = analysis.settings.clone();
        settings.layout = super::LayoutChoice::Auto;
        let width = settings.recipe.bits;
        let index = self.under(&settings)?;
        settings.k = index.farthest(0, width / FARTHEST, MOST_PAIRS, job)?;
        index.near(&settings, job)
    }
}

/// The number of pairs of fingerprints at a distance above 0, and a sample of them, by their first documents.
fn drawn(
    index: &FingerprintIndex,
    near: &PairsByDistance,
    distance: u32,
    rng: Xoshiro256PlusPlus,
) -> (u64, Vec<DocumentPair>) {
    let pairs = &near.pairs(distance)[near.pairs(distance - 1).len()..];
    let first = |entry| index.documents(entry)[0];
    let drawn = some_below(pairs.len() as u64, AT_EACH, rng)
        .into_iter()
        .map(|at| pairs[at as usize])
        .map(|pair| (first(pair.a), first(pair.b)))
        .map(|(a, b)| DocumentPair { a: a.min(b), b: a.max(b), distance })
        .collect();
    (pairs.len() as u64, drawn)
}
