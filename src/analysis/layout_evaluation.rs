//! One layout against the truth: a row of the lab's table.
//!
//! Candidates are counted from bucket sizes and from pairs within k, never listed; with every true pair
//! known each is asked whether the layout brings it together. Where the truth is sampled, candidates are
//! gone through and their cosines computed, about half a microsecond each, so that true and false ones are
//! still counted; what the layout misses is estimated from the true pairs of the texts drawn.

use std::{
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use rayon::prelude::*;

use super::{
    AnalysisError, Job, LayoutChoice, SettingsError, Stage, TextFingerprints, Truth,
    layout_pairs::TextPairFound, text_fingerprints::TypedFingerprints,
};
use crate::{
    evaluate::{
        angle, bands,
        confusion::Confusion,
        null,
        recall::{Recall, RecallMethod, SampledPair},
        truth::TruePair,
    },
    index::{self, Layout, LayoutError, LayoutKind, Pair, Plan, count_candidates, count_within},
    number::grouped,
    simhash::Bits,
};

/// Candidates whose cosines are computed where the truth is sampled: half a microsecond each, so minutes of
/// work.
pub const MOST_VERIFIED: u64 = 200_000_000;
/// True pairs between two looks at the cancel flag.
const STRIDE: usize = 1 << 14;

/// A layout and what it was found to be worth.
#[derive(Clone, Debug)]
pub struct LayoutEvaluation {
    /// Its name: `3x18`, or `6c3k3` for blocks, key blocks, k.
    pub layout: String,
    /// Whether the layout is of blocks or of bands.
    pub kind: LayoutKind,
    /// Bits of the fingerprints.
    pub bits: u32,
    /// Pairs of documents it brings together: by bands those that share one, by blocks those within k.
    pub candidates: u64,
    /// The expected number of candidates: unrelated documents by chance, and each true pair with the
    /// probability that its cosine gives.
    pub predicted: f64,
    /// Candidates that are true, in pairs of documents.
    pub true_positives: u64,
    /// True pairs that are not candidates; `None` where the truth is sampled.
    pub false_negatives: Option<u64>,
    /// The share of true pairs of documents found; `None` where nothing is true, or where the truth is
    /// sampled.
    pub recall: Option<Recall>,
    /// The same among pairs of different texts, each text once, with its interval; `None` where nothing is
    /// true, or where too few of the texts drawn have a true pair.
    pub recall_distinct: Option<Recall>,
    /// The method by which recall is known.
    pub method: RecallMethod,
    /// Time to group fingerprints and count candidates.
    pub index_took: Duration,
    /// Time spent on telling true pairs from false ones.
    pub verify_took: Duration,
    /// One flag for each known true pair: whether the layout finds it.
    hits: Arc<Vec<bool>>,
}

impl LayoutEvaluation {
    /// Candidates that are not true.
    pub fn false_positives(&self) -> u64 {
        self.candidates.saturating_sub(self.true_positives)
    }

    /// The share of candidates that are true; `None` where there are none.
    pub fn precision(&self) -> Option<f64> {
        self.confusion(0).precision()
    }

    /// The harmonic mean of precision and recall; `None` where recall is not known, or both are 0.
    pub fn f1(&self) -> Option<f64> {
        match self.method {
            RecallMethod::Exact => self.confusion(self.false_negatives?).f1(),
            RecallMethod::Sampled | RecallMethod::Judged => None,
        }
    }

    /// Candidates divided by predicted candidates: above 1 where the corpus is skewed.
    pub fn skew(&self) -> Option<f64> {
        (self.predicted > 0.0).then(|| self.candidates as f64 / self.predicted)
    }

    fn confusion(&self, false_negatives: u64) -> Confusion {
        Confusion {
            true_positives: self.true_positives,
            false_positives: self.false_positives(),
            false_negatives,
        }
    }
}

impl Truth {
    /// Tries a layout on `fingerprints`. Where the truth is sampled, [`Truth::draw`] comes first.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, if the layout cannot be cut from the width, or if there are
    /// too many candidates to verify.
    pub fn evaluation(
        &self,
        fingerprints: &TextFingerprints,
        layout: LayoutChoice,
        k: u32,
        job: &Job,
    ) -> Result<LayoutEvaluation, AnalysisError> {
        job.enter(Stage::Try, 0);
        let layout = layout.layout(self.n_texts(), fingerprints.width(), k)?;
        let begun = Instant::now();
        let candidates = match fingerprints {
            TextFingerprints::Narrow(printed) => printed.candidates(&layout, k, job)?,
            TextFingerprints::Wide(printed) => printed.candidates(&layout, k, job)?,
        };
        let index_took = begun.elapsed();
        let begun = Instant::now();
        let evaluation = match &self.known {
            Some(known) => self.against(known, fingerprints, &layout, k, job)?,
            None => self.sampled(fingerprints, &layout, k, candidates, job)?,
        };
        Ok(LayoutEvaluation { candidates, index_took, verify_took: begun.elapsed(), ..evaluation })
    }

    /// The true pairs that `after` finds and `before` does not, and the other way round; both against
    /// this truth. Empty where the truth is sampled. Distances are those in `fingerprints`.
    pub fn changes(
        &self,
        before: &LayoutEvaluation,
        after: &LayoutEvaluation,
        fingerprints: &TextFingerprints,
    ) -> (Vec<TextPairFound>, Vec<TextPairFound>) {
        let (mut gained, mut lost) = (Vec::new(), Vec::new());
        let flags = before.hits.iter().zip(after.hits.iter());
        for (pair, (&had, &has)) in self.known.iter().flatten().zip(flags) {
            if had == has {
                continue;
            }
            let change = self.found_pair(pair.a, pair.b, pair.cosine, fingerprints);
            if has { gained.push(change) } else { lost.push(change) }
        }
        (gained, lost)
    }

    /// A trial against every true pair.
    fn against(
        &self,
        known: &[TruePair],
        fingerprints: &TextFingerprints,
        layout: &Layout,
        k: u32,
        job: &Job,
    ) -> Result<LayoutEvaluation, AnalysisError> {
        let mut hits = vec![false; known.len()];
        let strides = hits.par_chunks_mut(STRIDE).zip(known.par_chunks(STRIDE));
        strides.try_for_each(|(hits, pairs)| {
            for (hit, pair) in hits.iter_mut().zip(pairs) {
                *hit = fingerprints.is_candidate(pair.a, pair.b, layout, k);
            }
            job.progress.check()
        })?;
        let chances: Vec<f64> = known
            .par_chunks(STRIDE)
            .map(|pairs| {
                job.progress.check()?;
                let expected = |pair: &TruePair| {
                    let chance = chance(layout, k, self.own.cosine(pair.a, pair.b));
                    self.weight(pair.a, pair.b) as f64 * chance
                };
                Ok(pairs.iter().map(expected).sum::<f64>())
            })
            .collect::<Result<_, AnalysisError>>()?;
        let weight = |pair: &TruePair| self.weight(pair.a, pair.b);
        let found = || known.iter().zip(&hits).filter(|(_, hit)| **hit).map(|(pair, _)| pair);
        let copies = self.copies();
        let all = copies + known.iter().map(weight).sum::<u64>();
        let true_positives = copies + found().map(weight).sum::<u64>();
        let exactly = |found: u64, all: u64| {
            (all > 0).then(|| found as f64 / all as f64).map(Recall::exactly)
        };
        let unrelated = self.pairs_of_documents() - all as f64;
        Ok(LayoutEvaluation {
            layout: layout.name(),
            kind: layout.kind(),
            bits: layout.width(),
            candidates: 0,
            predicted: unrelated * by_chance(layout, k)
                + copies as f64
                + chances.iter().sum::<f64>(),
            true_positives,
            false_negatives: Some(all - true_positives),
            recall: exactly(true_positives, all),
            recall_distinct: exactly(found().count() as u64, known.len() as u64),
            method: RecallMethod::Exact,
            index_took: Duration::ZERO,
            verify_took: Duration::ZERO,
            hits: Arc::new(hits),
        })
    }

    /// A trial where the true pairs of some texts are known, and of the others those found.
    fn sampled(
        &self,
        fingerprints: &TextFingerprints,
        layout: &Layout,
        k: u32,
        candidates: u64,
        job: &Job,
    ) -> Result<LayoutEvaluation, AnalysisError> {
        if candidates > MOST_VERIFIED {
            let (layout, candidates) = (layout.name(), grouped(candidates));
            return Err(SettingsError::TooManyCandidates { layout, candidates }.into());
        }
        let true_positives = self.copies() + self.found(fingerprints, layout, k, job)?;
        let recall_distinct = self.drawn.as_ref().and_then(|drawn| {
            let met = |pair: &TruePair| {
                let is_found = fingerprints.is_candidate(pair.a, pair.b, layout, k);
                SampledPair { a: pair.a, b: pair.b, is_found }
            };
            let met: Vec<SampledPair> = drawn.pairs.iter().map(met).collect();
            Recall::of_drawn(&met, &drawn.texts, self.n_texts())
        });
        let by_chance = self.pairs_of_documents() * by_chance(layout, k);
        Ok(LayoutEvaluation {
            layout: layout.name(),
            kind: layout.kind(),
            bits: layout.width(),
            candidates: 0,
            predicted: by_chance + true_positives as f64,
            true_positives,
            false_negatives: None,
            recall: None,
            recall_distinct,
            method: RecallMethod::Sampled,
            index_took: Duration::ZERO,
            verify_took: Duration::ZERO,
            hits: Arc::default(),
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
                self.vectors.reached(pair.a, pair.b, rounded, self.spec.tau).is_some()
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
        LayoutKind::Bands { bands, bits } => bands::candidate(bands, bits, cosine),
        _ => angle::within(cosine, k, layout.width()),
    }
}

/// The same for two that have nothing to do with each other.
fn by_chance(layout: &Layout, k: u32) -> f64 {
    match layout.kind() {
        LayoutKind::Bands { bands, bits } => bands::expected_candidates(2, bands, bits),
        _ => null::expected_pairs(2, k, layout.width()),
    }
}

impl TextFingerprints {
    /// Whether the layout brings two texts together.
    pub(super) fn is_candidate(&self, a: u32, b: u32, layout: &Layout, k: u32) -> bool {
        let xor = self.xor(a, b);
        if layout.is_bands() {
            layout.first_table_hit(xor).is_some()
        } else {
            xor.count_ones() <= k
        }
    }

    /// Passes every pair of texts that the layout brings together to `take`.
    pub(super) fn visit(
        &self,
        layout: &Layout,
        k: u32,
        job: &Job,
        take: index::pair::Take<'_>,
    ) -> Result<(), AnalysisError> {
        match self {
            Self::Narrow(printed) => printed.visit(layout, k, job, take),
            Self::Wide(printed) => printed.visit(layout, k, job, take),
        }
    }

    /// Bits in which two texts differ.
    pub(super) fn distance(&self, a: u32, b: u32) -> u32 {
        self.xor(a, b).count_ones()
    }

    fn xor(&self, a: u32, b: u32) -> u128 {
        let (a, b) = (a as usize, b as usize);
        match self {
            Self::Narrow(printed) => (printed.values[a] ^ printed.values[b]).into(),
            Self::Wide(printed) => printed.values[a] ^ printed.values[b],
        }
    }
}

impl<B: Bits> TypedFingerprints<B> {
    /// Pairs of documents that the layout brings together.
    fn candidates(&self, layout: &Layout, k: u32, job: &Job) -> Result<u64, AnalysisError> {
        if layout.is_bands() {
            return Ok(count_candidates(&self.distinct, layout, &job.progress)?);
        }
        let plan = index::choose(self.distinct.values(), self.width, k);
        Ok(count_within(&self.distinct, &plan, &job.progress)?)
    }

    /// Passes every pair of texts that the layout brings together to `take`.
    fn visit(
        &self,
        layout: &Layout,
        k: u32,
        job: &Job,
        take: index::pair::Take<'_>,
    ) -> Result<(), AnalysisError> {
        let plan = if layout.is_bands() {
            Plan::by_tables(layout, self.width)
        } else {
            index::choose(&self.values, self.width, k)
        };
        Ok(index::visit_pairs(&self.values, &plan, &job.progress, take)?)
    }
}

/// Refuses a layout that the width cannot hold.
///
/// # Errors
/// [`LayoutError`] as the layout has it.
pub fn check_layout(width: u32, layout: LayoutChoice, k: u32) -> Result<(), LayoutError> {
    layout.layout(0, width, k).map(drop)
}
