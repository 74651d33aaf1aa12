//! The lab: one truth, the fingerprints of its texts, and layouts tried on them one after the other.
//!
//! The command and the screen both work here, so their rows are the same. Blocks are tried on the recipe's own
//! fingerprints, bands on wider ones where they need them: one more pass over the corpus. Making the lab ready
//! costs what [`Truth::prepare`] costs.

use std::sync::Arc;

use super::layout_pairs::{PairOutcome, TextPairFound};
use super::{
    Analysis, AnalysisDepth, AnalysisError, AnalysisInput, Job, LayoutChoice, LayoutEvaluation,
    Settings, TextFingerprints, Truth, TruthSpec, run_to,
};
use crate::{corpus::Corpus, simhash::fingerprint::MAX_WIDTH};

/// The layouts to begin with: the rows of the experiment on arXiv abstracts, and the program's own.
pub const USUAL_LAYOUTS: [LayoutChoice; 6] = [
    LayoutChoice::Bands { bands: 3, bits: 12 },
    LayoutChoice::Bands { bands: 3, bits: 18 },
    LayoutChoice::Bands { bands: 3, bits: 22 },
    LayoutChoice::Bands { bands: 4, bits: 18 },
    LayoutChoice::Bands { bands: 5, bits: 18 },
    LayoutChoice::Auto,
];

/// The bits that bands of `layouts` need at least.
pub fn bits_needed(layouts: &[LayoutChoice]) -> u32 {
    let needed = |layout: &LayoutChoice| match *layout {
        LayoutChoice::Bands { bands, bits } => bands.saturating_mul(bits),
        _ => 0,
    };
    layouts.iter().map(needed).max().unwrap_or(0)
}

/// The width on which each of `layouts` is tried under a recipe of `own` bits: blocks on the fingerprints
/// there are; bands, where one of them needs more, all on the same wider ones, but no more than there can be.
pub fn width_of(layout: LayoutChoice, layouts: &[LayoutChoice], own: u32) -> u32 {
    match layout {
        LayoutChoice::Bands { .. } => bits_needed(layouts).min(MAX_WIDTH).max(own),
        _ => own,
    }
}

/// A truth and the fingerprints to try layouts on.
#[derive(Clone, Debug)]
pub struct Lab {
    truth: Arc<Truth>,
    /// Fingerprints of the recipe first, then wider ones.
    fingerprints: Vec<Arc<TextFingerprints>>,
    corpus: Corpus,
    settings: Settings,
}

impl Lab {
    /// Reads the texts of an analysis again and finds the pairs that are true.
    ///
    /// # Errors
    /// [`AnalysisError`] as [`Truth::prepare`].
    ///
    /// # Panics
    /// If tau is not above 0 and at most 1.
    pub fn prepare(analysis: &Analysis, spec: TruthSpec, job: &Job) -> Result<Self, AnalysisError> {
        let mut truth = Truth::prepare(&analysis.corpus, &analysis.settings, spec, job)?;
        truth.draw(job)?;
        let settings = Settings { layout: LayoutChoice::Auto, ..analysis.settings.clone() };
        let (truth, corpus) = (Arc::new(truth), analysis.corpus.clone());
        let mut lab = Self { truth, fingerprints: Vec::new(), corpus, settings };
        let has_sketches = analysis.records.len() == analysis.len();
        lab.print(lab.bits(), Some(analysis).filter(|_| has_sketches), job)?;
        Ok(lab)
    }

    /// Makes fingerprints of so many bits, unless they are there; reads the corpus once.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, or if a fingerprint cannot be so wide.
    pub fn widen(&mut self, bits: u32, job: &Job) -> Result<(), AnalysisError> {
        if self.of_width(bits).is_none() {
            self.print(bits, None, job)?;
        }
        Ok(())
    }

    /// Makes the fingerprints, those of `analysis` where they are these.
    fn print(
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
            AnalysisError::unless_all_was_read(&self.corpus)?;
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

    /// Tries a layout on fingerprints of `bits` bits; by blocks those within `k` are its candidates.
    ///
    /// # Errors
    /// As [`Truth::trial`].
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
    ) -> Result<Vec<TextPairFound>, AnalysisError> {
        let fingerprints = self.of_width(bits).expect("the width was made first");
        self.truth.pairs(outcome, fingerprints, layout, k, job)
    }

    /// The true pairs that `after` finds and `before` does not, and the other way round, nearest texts
    /// first, with the distances of the recipe's fingerprints; as [`Truth::changes`].
    pub fn changes(
        &self,
        before: &LayoutEvaluation,
        after: &LayoutEvaluation,
    ) -> (Vec<TextPairFound>, Vec<TextPairFound>) {
        let (mut gained, mut lost) = self.truth.changes(before, after, &self.fingerprints[0]);
        for changes in [&mut gained, &mut lost] {
            changes.sort_by(TextPairFound::order);
        }
        (gained, lost)
    }
}
