//! The evaluation of one layout against the true pairs: a row of the lab's table.
//!
//! Candidates are counted from bucket sizes or as pairs within k, and never listed. If all true pairs are known,
//! each of them is checked for whether the layout finds it. If the truth is sampled, the cosine of every candidate
//! is computed, about half a microsecond each, so that true and false candidates are still counted. The missed
//! pairs are then estimated from the true pairs of the drawn texts.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::fingerprint_index::each;
use super::{AnalysisError, Job, Lab, LayoutChoice, Stage, TextFingerprints, Truth};
use crate::evaluate::angle;
use crate::evaluate::confusion::Confusion;
use crate::evaluate::distances::CountMethod;
use crate::evaluate::labels::Share;
use crate::evaluate::recall;
use crate::evaluate::truth::TruePair;
use crate::index::{
    self, Layout, LayoutError, LayoutKind, Pair, Plan, count_at_distances, count_candidates,
};
use crate::number::grouped;
use crate::progress::Cancelled;
use crate::simhash::Bits;

/// The most candidates whose cosines are computed if the truth is sampled: half a microsecond each, so minutes of
/// work.
const MOST_VERIFIED: u64 = 200_000_000;
/// True pairs between two checks of the cancel flag.
const STRIDE: usize = 1 << 14;

/// The evaluation of a layout against the true pairs.
#[derive(Clone, Debug)]
pub struct LayoutEvaluation {
    /// The layout, as wide as the fingerprints.
    pub layout: Layout,
    /// Pairs of documents that it finds: by bands, pairs that share a band; by blocks, pairs within k.
    pub candidates: u64,
    /// The expected number of candidates: unrelated documents by chance, and each true pair with the
    /// probability that its cosine gives.
    pub predicted: f64,
    /// Candidates that are true, in pairs of documents.
    pub true_positives: u64,
    /// True pairs that are not candidates; `None` if the truth is sampled.
    pub false_negatives: Option<u64>,
    /// The recall among pairs of different texts, each text once, with its interval; `None` if there are no true
    /// pairs, or if too few of the drawn texts have a true pair.
    pub recall_distinct: Option<Share>,
    /// How recall was measured.
    pub method: CountMethod,
    /// Time to group fingerprints and count candidates.
    pub index_took: Duration,
    /// Time to separate true pairs from false pairs.
    pub verify_took: Duration,
}

impl LayoutEvaluation {
    /// Candidates that are not true.
    pub fn false_positives(&self) -> u64 {
        self.candidates.saturating_sub(self.true_positives)
    }

    /// The share of candidates that are true; `None` if there are no candidates.
    pub fn precision(&self) -> Option<f64> {
        self.confusion(0).precision()
    }

    /// The share of true pairs of documents that are found; `None` if there are no true pairs, or if the truth is
    /// sampled.
    pub fn recall(&self) -> Option<f64> {
        self.confusion(self.false_negatives?).recall()
    }

    /// The harmonic mean of precision and recall; `None` if recall is not known, or both are 0.
    pub fn f1(&self) -> Option<f64> {
        self.confusion(self.false_negatives?).f1()
    }

    /// Candidates divided by predicted candidates: above 1 if the corpus is skewed.
    pub fn skew(&self) -> Option<f64> {
        let is_known = self.predicted >= 1.0 || (self.candidates > 0 && self.predicted > 0.0);
        is_known.then(|| self.candidates as f64 / self.predicted)
    }

    fn confusion(&self, false_negatives: u64) -> Confusion {
        Confusion {
            true_positives: self.true_positives,
            false_positives: self.false_positives(),
            false_negatives,
        }
    }
}

impl Lab {
    /// Evaluates a layout on fingerprints of `bits` bits. The candidates of a block layout are the pairs within
    /// `k`.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, if the layout cannot be cut from the width, or if there are
    /// too many candidates to verify.
    ///
    /// # Panics
    /// If there are no fingerprints of that width.
    pub fn evaluation(
        &self,
        layout: LayoutChoice,
        bits: u32,
        k: u32,
        job: &Job,
    ) -> Result<LayoutEvaluation, AnalysisError> {
        job.enter(Stage::Try, 0);
        let fingerprints = self.of_width(bits).expect("the width was made first");
        let truth = &*self.truth;
        let layout = layout.layout(truth.n_texts(), bits, k)?;
        let begun = Instant::now();
        let candidates = fingerprints.candidates(&layout, k, job)?;
        let index_took = begun.elapsed();
        let begun = Instant::now();
        let blank = LayoutEvaluation {
            layout: layout.clone(),
            candidates,
            predicted: 0.0,
            true_positives: 0,
            false_negatives: None,
            recall_distinct: None,
            method: CountMethod::Sampled,
            index_took,
            verify_took: Duration::ZERO,
        };
        let evaluation = match &truth.known {
            Some(known) => truth.against(known, fingerprints, &layout, k, blank, job)?,
            None => truth.sampled(fingerprints, &layout, k, blank, job)?,
        };
        Ok(LayoutEvaluation { verify_took: begun.elapsed(), ..evaluation })
    }
}

impl Truth {
    /// Evaluates a layout against all true pairs.
    fn against(
        &self,
        known: &[TruePair],
        fingerprints: &TextFingerprints,
        layout: &Layout,
        k: u32,
        blank: LayoutEvaluation,
        job: &Job,
    ) -> Result<LayoutEvaluation, AnalysisError> {
        let weight = |pair: &TruePair| self.weight(pair.a, pair.b);
        let is_hit = |pair: &TruePair| fingerprints.is_candidate(pair.a, pair.b, layout, k);
        let expected = |pair: &TruePair| {
            weight(pair) as f64 * chance(layout, k, self.own.cosine(pair.a, pair.b))
        };
        let evaluated = known.par_chunks(STRIDE).map(|pairs| {
            job.progress.check()?;
            let hits: Vec<bool> = pairs.iter().map(is_hit).collect();
            Ok((hits, pairs.iter().map(expected).sum::<f64>()))
        });
        let evaluated = evaluated.collect::<Result<Vec<_>, AnalysisError>>()?;
        let (hits, chances): (Vec<Vec<bool>>, Vec<f64>) = evaluated.into_iter().unzip();
        let hits = hits.concat();
        let found = || known.iter().zip(&hits).filter(|(_, hit)| **hit).map(|(pair, _)| pair);
        let copies = self.copies();
        let all = copies + known.iter().map(weight).sum::<u64>();
        let true_positives = copies + found().map(weight).sum::<u64>();
        let n_found = found().count() as f64;
        let recall_distinct = (!known.is_empty()).then(|| n_found / known.len() as f64);
        let unrelated = self.pairs_of_documents() - all as f64;
        Ok(LayoutEvaluation {
            predicted: unrelated * chance(layout, k, 0.0)
                + copies as f64
                + chances.iter().sum::<f64>(),
            true_positives,
            false_negatives: Some(all - true_positives),
            recall_distinct: recall_distinct.map(Share::exactly),
            method: CountMethod::Exact,
            ..blank
        })
    }

    /// Evaluates a layout if only the true pairs of a sample of texts are known.
    fn sampled(
        &self,
        fingerprints: &TextFingerprints,
        layout: &Layout,
        k: u32,
        blank: LayoutEvaluation,
        job: &Job,
    ) -> Result<LayoutEvaluation, AnalysisError> {
        if blank.candidates > MOST_VERIFIED {
            let refusal = format!(
                "{layout} brings {} candidates, too many to verify each; use wider bands or a smaller `k`",
                grouped(blank.candidates)
            );
            return Err(AnalysisError::Refused(refusal));
        }
        let true_positives = self.copies() + self.found(fingerprints, layout, k, job)?;
        let recall_distinct = self.drawn.as_ref().and_then(|drawn| {
            let met = |pair: &TruePair| {
                ([pair.a, pair.b], fingerprints.is_candidate(pair.a, pair.b, layout, k))
            };
            recall::of_drawn(drawn.pairs.iter().map(met), &drawn.texts, self.n_texts())
        });
        let by_chance = self.pairs_of_documents() * chance(layout, k, 0.0);
        Ok(LayoutEvaluation {
            predicted: by_chance + true_positives as f64,
            true_positives,
            recall_distinct,
            ..blank
        })
    }

    /// The number of candidates that are true pairs of different texts, in pairs of documents.
    fn found(
        &self,
        fingerprints: &TextFingerprints,
        layout: &Layout,
        k: u32,
        job: &Job,
    ) -> Result<u64, AnalysisError> {
        let found = AtomicU64::new(0);
        let verify = |pairs: &[Pair]| {
            if job.progress.is_cancelled() {
                return ControlFlow::Break(());
            }
            let is_true = |pair: &&Pair| {
                let rounded = self.vectors.cosine(pair.a, pair.b);
                self.vectors.reached(pair.a, pair.b, rounded, self.alike.tau).is_some()
            };
            let some: u64 =
                pairs.iter().filter(is_true).map(|pair| self.weight(pair.a, pair.b)).sum();
            found.fetch_add(some, Ordering::Relaxed);
            ControlFlow::Continue(())
        };
        fingerprints.visit(layout, k, job, &verify)?;
        job.progress.check()?;
        Ok(found.into_inner())
    }

    fn pairs_of_documents(&self) -> f64 {
        let n = self.n_documents() as f64;
        n * (n - 1.0) / 2.0
    }
}

/// The chance that two texts at this cosine (under the recipe's own weights) become candidates.
fn chance(layout: &Layout, k: u32, cosine: f64) -> f64 {
    match layout.kind() {
        LayoutKind::Bands { bands, bits } => angle::candidate(bands, bits, cosine),
        _ => angle::within(cosine, k, layout.width()),
    }
}

impl TextFingerprints {
    /// Whether the layout finds this pair of texts.
    pub(super) fn is_candidate(&self, a: u32, b: u32, layout: &Layout, k: u32) -> bool {
        let xor = self.xor(a, b);
        if layout.is_bands() {
            layout.first_table_with_shared_key(xor).is_some()
        } else {
            xor.count_ones() <= k
        }
    }

    /// Calls `take` with every pair of texts that the layout finds, in portions.
    pub(super) fn visit(
        &self,
        layout: &Layout,
        k: u32,
        job: &Job,
        take: index::pair::Take<'_>,
    ) -> Result<(), AnalysisError> {
        each!(self, typed => {
            let plan = if layout.is_bands() {
                Plan::by_tables(layout, typed.width)
            } else {
                index::choose(&typed.values, typed.width, k)
            };
            Ok(index::visit_pairs(&typed.values, &plan, &job.progress, take)?)
        })
    }

    /// The number of pairs of documents that the layout finds.
    fn candidates(&self, layout: &Layout, k: u32, job: &Job) -> Result<u64, Cancelled> {
        each!(self, typed => {
            if layout.is_bands() {
                return count_candidates(&typed.distinct, layout, &job.progress);
            }
            let plan = index::choose(typed.distinct.values(), typed.width, k);
            let counts = count_at_distances(&typed.distinct, &plan, &job.progress)?;
            Ok(counts.into_iter().sum())
        })
    }

    /// The number of bits in which the fingerprints of two texts differ.
    pub(super) fn distance(&self, a: u32, b: u32) -> u32 {
        self.xor(a, b).count_ones()
    }

    fn xor(&self, a: u32, b: u32) -> u128 {
        let (a, b) = (a as usize, b as usize);
        each!(self, typed => (typed.values[a] ^ typed.values[b]).to_wide())
    }
}

/// Checks that the width can hold a layout.
///
/// # Errors
/// [`LayoutError`] if the layout does not fit the width.
pub fn check_layout(width: u32, layout: LayoutChoice, k: u32) -> Result<(), LayoutError> {
    layout.layout(0, width, k).map(drop)
}
