//! The lab: the true pairs of a corpus and the fingerprints of its texts, on which layouts are evaluated.
//!
//! The command and the screen both use the lab, so their rows are equal. Block layouts are evaluated on the
//! recipe's own fingerprints. Bands may need wider fingerprints, which take one more pass over the corpus.
//! Preparing the lab costs as much as [`Truth::prepare`].
//!
//! The evaluation of one layout for the screen, and the pairs of texts behind the counts of a layout. For true and false pairs the exact
//! cosine of every pair that the layout finds is computed, about half a microsecond each. Missed pairs are taken from
//! the true pairs, all of which must be known.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::fingerprint_index::each;
use super::run::refingerprinted;
use super::{
    Alike, Analysis, AnalysisError, Job, LayoutChoice, LayoutEvaluation, Settings, Stage, Truth,
    TruthChoice, check_layout,
};
use crate::choice::choice;
use crate::corpus::Corpus;
use crate::id::DocId;
use crate::index::{Distinct, Pair};
use crate::number::grouped;
use crate::progress::{Cancelled, Progress};
use crate::simhash::Bits;
use crate::simhash::fingerprint::MAX_WIDTH;

/// The layouts that are evaluated by default: those of the experiment on arXiv abstracts, and the automatic layout.
pub const USUAL_LAYOUTS: [LayoutChoice; 6] = [
    LayoutChoice::Bands { bands: 3, bits: 12 },
    LayoutChoice::Bands { bands: 3, bits: 18 },
    LayoutChoice::Bands { bands: 3, bits: 22 },
    LayoutChoice::Bands { bands: 4, bits: 18 },
    LayoutChoice::Bands { bands: 5, bits: 18 },
    LayoutChoice::Auto,
];

/// The number of bits that the widest bands of `layouts` need.
pub fn bits_needed(layouts: &[LayoutChoice]) -> u32 {
    let needed = |layout: &LayoutChoice| match *layout {
        LayoutChoice::Bands { bands, bits } => bands.saturating_mul(bits),
        _ => 0,
    };
    layouts.iter().map(needed).max().unwrap_or(0)
}

/// The width of the fingerprints on which `layout` is evaluated, if the recipe has `own` bits. Blocks use the
/// recipe's width. Bands use the width that the widest of `layouts` needs, at least `own` and at most
/// [`MAX_WIDTH`].
pub fn width_of(layout: LayoutChoice, layouts: &[LayoutChoice], own: u32) -> u32 {
    match layout {
        LayoutChoice::Bands { .. } => bits_needed(layouts).min(MAX_WIDTH).max(own),
        _ => own,
    }
}

/// The true pairs of a corpus and the fingerprints of its texts. Layouts are evaluated on them.
#[derive(Clone, Debug)]
pub struct Lab {
    /// The true pairs.
    pub truth: Arc<Truth>,
    /// Fingerprints of the recipe first, then wider ones.
    fingerprints: Vec<Arc<TextFingerprints>>,
    corpus: Corpus,
    settings: Settings,
}

impl Lab {
    /// Reads the texts of an analysis again and finds the true pairs.
    ///
    /// # Errors
    /// [`AnalysisError`] as [`Truth::prepare`].
    ///
    /// # Panics
    /// If tau is not above 0 and at most 1.
    pub fn prepare(
        analysis: &Analysis,
        alike: Alike,
        choice: TruthChoice,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        let settings = Settings { layout: LayoutChoice::Auto, alike, ..analysis.settings.clone() };
        let mut truth = Truth::prepare(&analysis.corpus, &settings, choice, job)?;
        truth.draw(job)?;
        let mut fingerprints = Vec::new();
        if analysis.records.len() == analysis.len() {
            let own = TextFingerprints::new(&truth.texts, analysis, &job.progress)?;
            fingerprints.push(Arc::new(own));
        }
        let (truth, corpus) = (Arc::new(truth), analysis.corpus.clone());
        let mut lab = Self { truth, fingerprints, corpus, settings };
        lab.widen(lab.bits(), job)?;
        Ok(lab)
    }

    /// Adds fingerprints of `bits` bits, unless the lab has them. Reads the corpus once.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, or if `bits` is not a valid width.
    pub fn widen(&mut self, bits: u32, job: &Job) -> Result<(), AnalysisError> {
        if self.of_width(bits).is_some() {
            return Ok(());
        }
        let mut settings = self.settings.clone();
        settings.recipe.bits = bits;
        // Only the width and k matter to a record, and k may not exceed the width.
        settings.k = settings.k.min(bits);
        let wide = refingerprinted(&self.corpus, settings, job)?;
        AnalysisError::require_all_read(&self.corpus)?;
        let fingerprints = TextFingerprints::new(&self.truth.texts, &wide, &job.progress)?;
        self.fingerprints.push(Arc::new(fingerprints));
        Ok(())
    }

    pub(super) fn of_width(&self, bits: u32) -> Option<&Arc<TextFingerprints>> {
        self.fingerprints.iter().find(|fingerprints| fingerprints.width() == bits)
    }

    /// Bits of the recipe's fingerprints.
    pub fn bits(&self) -> u32 {
        self.settings.recipe.bits
    }
}

/// The evaluation of a layout, with the k and the choice that were asked for.
#[derive(Clone, Debug)]
pub struct LabRow {
    /// The evaluation.
    pub evaluation: Arc<LayoutEvaluation>,
    /// The k.
    pub k: u32,
    /// The choice of the user.
    pub choice: LayoutChoice,
}

/// The result of the evaluation of a layout.
#[derive(Clone, Debug)]
pub struct EvaluationResult {
    /// The lab, which the next evaluation can use again; `None` if it could not be prepared.
    pub lab: Option<Arc<Lab>>,
    /// The row; `None` if it was cancelled; or the reason why there is no row.
    pub row: Result<Option<LabRow>, String>,
    /// The time it took.
    pub took: Duration,
}

impl EvaluationResult {
    /// Evaluates `layout`, one of `wanted`, in the given lab or a new one. A new lab takes seconds to minutes.
    pub(crate) fn new(
        analysis: &Analysis,
        lab: Option<Arc<Lab>>,
        tau: f64,
        layout: LayoutChoice,
        wanted: &[LayoutChoice],
        job: &Job,
    ) -> Self {
        let begun = Instant::now();
        let alike = Alike { tau, ..analysis.settings.alike };
        let prepare = || Lab::prepare(analysis, alike, TruthChoice::Auto, job).map(Arc::new);
        let mut lab = match lab.map_or_else(prepare, Ok) {
            Ok(lab) => lab,
            Err(error) => {
                return Self { lab: None, row: message_of(error, None), took: begun.elapsed() };
            }
        };
        let mut attempt = || {
            let bits = width_of(layout, wanted, lab.bits());
            let k = analysis.settings.k;
            check_layout(bits, layout, k)?;
            Arc::make_mut(&mut lab).widen(bits, job)?;
            let evaluation = Arc::new(lab.evaluation(layout, bits, k, job)?);
            Ok::<_, AnalysisError>(LabRow { evaluation, k, choice: layout })
        };
        let row = attempt().map(Some).or_else(|error| message_of(error, Some(layout)));
        Self { lab: Some(lab), row, took: begun.elapsed() }
    }
}

/// Turns an error into a message about a layout; `None` if it was cancelled.
fn message_of(
    error: AnalysisError,
    layout: Option<LayoutChoice>,
) -> Result<Option<LabRow>, String> {
    match (error, layout) {
        (AnalysisError::Cancelled(_), _) => Ok(None),
        (error, Some(LayoutChoice::Bands { bands, bits })) => {
            Err(format!("{bands}x{bits}: {error}"))
        }
        (error, _) => Err(error.to_string()),
    }
}

/// The most pairs of texts that are listed: 32 bytes each.
const MOST_PAIRS: usize = 10_000_000;

choice! {
    /// The outcome of a layout for a pair of documents.
    pub enum PairOutcome, "outcome of pairs" {
        /// A true pair that the layout does not find.
        #[default]
        Missed = "missed",
        /// A pair that the layout finds and that is not true.
        False = "false",
        /// A true pair that the layout finds.
        True = "true",
    }
}

/// Two texts with different features, by their first documents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvaluatedPair {
    /// The texts, by their numbers in the truth.
    pub texts: [u32; 2],
    /// The first document of each text.
    pub documents: [DocId; 2],
    /// Their exact cosine.
    pub cosine: f64,
    /// Bits in which their fingerprints differ.
    pub distance: u32,
}

impl Lab {
    /// The pairs of texts for which a layout has this outcome, the highest cosine first. Documents with equal
    /// features are not listed: see [`Truth::copies`].
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, if the layout cannot be cut from the width, if missed pairs are asked
    /// for and the truth is sampled, or if there are more than ten million pairs.
    ///
    /// # Panics
    /// If there are no fingerprints of `bits` bits.
    pub fn pairs(
        &self,
        outcome: PairOutcome,
        layout: LayoutChoice,
        bits: u32,
        k: u32,
        job: &Job,
    ) -> Result<Vec<EvaluatedPair>, AnalysisError> {
        job.enter(Stage::Try, 0);
        let fingerprints = self.of_width(bits).expect("the width was made first");
        let truth = &*self.truth;
        let layout = layout.layout(truth.n_texts(), bits, k)?;
        let mut found = if outcome == PairOutcome::Missed {
            let sampled = "the truth is sampled: not every true pair is known, so the missed ones cannot be listed; \
                           use `truth` exact";
            let refusal = || AnalysisError::Refused(sampled.to_owned());
            let known = truth.known.as_ref().ok_or_else(refusal)?;
            let is_missed = |a, b| !fingerprints.is_candidate(a, b, &layout, k);
            known
                .iter()
                .filter(|pair| is_missed(pair.a, pair.b))
                .map(|pair| truth.found_pair(pair.a, pair.b, pair.cosine, fingerprints))
                .collect()
        } else {
            let found = Mutex::new(Vec::new());
            let take = |pairs: &[Pair]| {
                let of_outcome = |pair: &Pair| {
                    let cosine = truth.vectors.cosine(pair.a, pair.b);
                    let reached = truth.vectors.reached(pair.a, pair.b, cosine, truth.alike.tau);
                    (reached.is_some() == (outcome == PairOutcome::True)).then(|| {
                        truth.found_pair(pair.a, pair.b, reached.unwrap_or(cosine), fingerprints)
                    })
                };
                let some: Vec<EvaluatedPair> = pairs.iter().filter_map(of_outcome).collect();
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                found.extend(some);
                if found.len() > MOST_PAIRS || job.progress.is_cancelled() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            fingerprints.visit(&layout, k, job, &take)?;
            job.progress.check()?;
            found.into_inner().unwrap_or_else(PoisonError::into_inner)
        };
        if found.len() > MOST_PAIRS {
            let most = grouped(MOST_PAIRS as u64);
            return Err(AnalysisError::Refused(format!(
                "{layout} has more than {most} of these pairs; use wider bands or a smaller `k`"
            )));
        }
        found.sort_unstable_by(|a, b| {
            b.cosine.total_cmp(&a.cosine).then(a.documents.cmp(&b.documents))
        });
        Ok(found)
    }
}

impl Truth {
    /// A pair of texts with the distance of their fingerprints.
    fn found_pair(
        &self,
        a: u32,
        b: u32,
        cosine: f64,
        fingerprints: &TextFingerprints,
    ) -> EvaluatedPair {
        let documents = [a, b].map(|text| self.documents(text)[0]);
        EvaluatedPair { texts: [a, b], documents, cosine, distance: fingerprints.distance(a, b) }
    }
}

/// The fingerprints of distinct texts, for either word size.
#[derive(Debug)]
pub enum TextFingerprints {
    /// Up to 64 bits.
    Narrow(TypedFingerprints<u64>),
    /// Up to 128 bits.
    Wide(TypedFingerprints<u128>),
}

/// Fingerprints of one word size.
#[derive(Debug)]
pub struct TypedFingerprints<B> {
    /// The documents with text, by fingerprint.
    pub(super) distinct: Distinct<B>,
    /// The fingerprint of each text.
    pub(super) values: Vec<B>,
    pub(super) width: u32,
}

impl TextFingerprints {
    pub(super) fn new(
        texts: &Distinct<u128>,
        analysis: &Analysis,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        Ok(if analysis.settings.recipe.bits <= u64::BITS {
            Self::Narrow(TypedFingerprints::new(texts, analysis, progress)?)
        } else {
            Self::Wide(TypedFingerprints::new(texts, analysis, progress)?)
        })
    }

    /// The width of the fingerprints.
    pub fn width(&self) -> u32 {
        each!(self, typed => typed.width)
    }
}

impl<B: Bits> TypedFingerprints<B> {
    fn new(
        texts: &Distinct<u128>,
        analysis: &Analysis,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let value = |document| analysis.fingerprint(document).map(|it| B::from_wide(it.bits()));
        let mut fingerprints = vec![None; texts.n_documents()];
        let mut values = Vec::with_capacity(texts.len());
        for text in 0..texts.len() as u32 {
            if text.is_multiple_of(1 << 14) {
                progress.check()?;
            }
            let documents = texts.documents(text);
            // Equal features give equal fingerprints, but a document may have been unreadable for a moment.
            let fingerprint = documents.iter().find_map(|&document| value(document));
            let fingerprint = fingerprint.unwrap_or(B::from_wide(0));
            for document in documents {
                fingerprints[document.index()] = Some(fingerprint);
            }
            values.push(fingerprint);
        }
        let distinct = Distinct::collapse(&fingerprints, progress)?;
        Ok(Self { distinct, values, width: analysis.settings.recipe.bits })
    }
}
