//! The lab: the true pairs of a corpus and the fingerprints of its texts, on which layouts are evaluated.
//!
//! The command and the screen both use the lab, so their rows are equal. Block layouts are evaluated on the
//! recipe's own fingerprints. Bands may need wider fingerprints, which take one more pass over the corpus.
//! Preparing the lab costs as much as [`Truth::prepare`].

use std::sync::Arc;

use super::layout_pairs::{EvaluatedPair, PairOutcome};
use super::{
    Alike, Analysis, AnalysisDepth, AnalysisError, AnalysisInput, Job, LayoutChoice,
    LayoutEvaluation, Settings, TextFingerprints, Truth, TruthChoice, run_to,
};
use crate::{corpus::Corpus, simhash::fingerprint::MAX_WIDTH};

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
    truth: Arc<Truth>,
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
        let (truth, corpus) = (Arc::new(truth), analysis.corpus.clone());
        let mut lab = Self { truth, fingerprints: Vec::new(), corpus, settings };
        let has_fingerprints = analysis.records.len() == analysis.len();
        lab.add_fingerprints(lab.bits(), Some(analysis).filter(|_| has_fingerprints), job)?;
        Ok(lab)
    }

    /// Adds fingerprints of `bits` bits, unless the lab has them. Reads the corpus once.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, or if `bits` is not a valid width.
    pub fn widen(&mut self, bits: u32, job: &Job) -> Result<(), AnalysisError> {
        if self.of_width(bits).is_none() {
            self.add_fingerprints(bits, None, job)?;
        }
        Ok(())
    }

    /// Adds fingerprints of `bits` bits. Uses those of `analysis` if its recipe is the same.
    fn add_fingerprints(
        &mut self,
        bits: u32,
        analysis: Option<&Analysis>,
        job: &Job,
    ) -> Result<(), AnalysisError> {
        let mut settings = self.settings.clone();
        settings.recipe.bits = bits;
        let known = analysis.filter(|known| known.settings.recipe == settings.recipe);
        let fingerprints = if let Some(known) = known {
            self.truth.fingerprints(known, job)?
        } else {
            // Only the width and k matter to a record, and k may not exceed the width.
            settings.k = settings.k.min(bits);
            let work = AnalysisInput::Refingerprint(self.corpus.clone());
            let other = run_to(AnalysisDepth::Fingerprints, work, settings, job, &mut |_| {})?;
            AnalysisError::require_all_read(&self.corpus)?;
            self.truth.fingerprints(&other, job)?
        };
        self.fingerprints.push(Arc::new(fingerprints));
        Ok(())
    }

    fn of_width(&self, bits: u32) -> Option<&Arc<TextFingerprints>> {
        self.fingerprints.iter().find(|fingerprints| fingerprints.width() == bits)
    }

    /// The true pairs.
    pub fn truth(&self) -> &Truth {
        &self.truth
    }

    /// Bits of the recipe's fingerprints.
    pub fn bits(&self) -> u32 {
        self.settings.recipe.bits
    }

    /// Evaluates a layout on fingerprints of `bits` bits. The candidates of a block layout are the pairs within
    /// `k`.
    ///
    /// # Errors
    /// As [`Truth::evaluation`].
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
        let fingerprints = self.of_width(bits).expect("the width was made first");
        self.truth.evaluation(fingerprints, layout, k, job)
    }

    /// The pairs of texts for which a layout has this outcome; as [`Truth::pairs`].
    ///
    /// # Errors
    /// As [`Truth::pairs`].
    ///
    /// # Panics
    /// If there are no fingerprints of that width.
    pub fn pairs(
        &self,
        outcome: PairOutcome,
        layout: LayoutChoice,
        bits: u32,
        k: u32,
        job: &Job,
    ) -> Result<Vec<EvaluatedPair>, AnalysisError> {
        let fingerprints = self.of_width(bits).expect("the width was made first");
        self.truth.pairs(outcome, fingerprints, layout, k, job)
    }

    /// The true pairs that `after` finds and `before` does not, and the reverse, highest cosine first, with the
    /// distances of the recipe's fingerprints; see [`Truth::changes`].
    pub fn changes(
        &self,
        before: &LayoutEvaluation,
        after: &LayoutEvaluation,
    ) -> (Vec<EvaluatedPair>, Vec<EvaluatedPair>) {
        let (mut gained, mut lost) = self.truth.changes(before, after, &self.fingerprints[0]);
        for changes in [&mut gained, &mut lost] {
            changes.sort_by(EvaluatedPair::order);
        }
        (gained, lost)
    }
}
