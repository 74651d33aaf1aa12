//! The lab: one truth, the fingerprints of its texts, and layouts tried on them one after the other.
//!
//! The command and the screen both work here, so their rows are the same. Making it ready costs what
//! [`Truth::prepare`] costs and, where fingerprints are too narrow for a layout, one more pass over the
//! corpus; where the truth is sampled, one more pass for each further seed.

use std::sync::Arc;

use super::{
    Analysis, AnalysisError, Change, Depth, Job, LayoutChoice, Likeness, Prints, Settings, Trial,
    Truth, Work, run_to,
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
/// The least width that is chosen unless one is asked for.
const USUAL_WIDTH: u32 = 64;
/// Seeds that confirm an estimate.
pub use super::truth::SEEDS;

/// The bits that bands of `layouts` need at least.
pub fn bits_needed(layouts: &[LayoutChoice]) -> u32 {
    let needed = |layout: &LayoutChoice| match *layout {
        LayoutChoice::Bands { bands, bits } => bands.saturating_mul(bits),
        _ => 0,
    };
    layouts.iter().map(needed).max().unwrap_or(0)
}

/// The width to try `layouts` on where none is asked for: what they need, the usual one at least, and no
/// more than there can be.
pub fn usual_width(layouts: &[LayoutChoice]) -> u32 {
    bits_needed(layouts).clamp(USUAL_WIDTH, MAX_WIDTH)
}

/// A truth and the fingerprints to try layouts on.
#[derive(Debug)]
pub struct Lab {
    truth: Arc<Truth>,
    /// Of all but the first, only the seed differs; they serve where the truth is sampled.
    prints: Vec<Prints>,
    corpus: Corpus,
    settings: Settings,
}

impl Lab {
    /// Reads the texts of an analysis again, finds the pairs that are true, and makes fingerprints of at
    /// least `bits` bits.
    ///
    /// # Errors
    /// [`AnalysisError`] as [`Truth::prepare`], and if the recipe cannot be so wide.
    ///
    /// # Panics
    /// If tau is not above 0 and at most 1.
    pub fn prepare(
        analysis: &Analysis,
        bits: u32,
        likeness: Likeness,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        let truth = Truth::prepare(&analysis.corpus, &analysis.settings, likeness, job)?;
        let settings = analysis.settings.clone();
        let lab = Self {
            truth: Arc::new(truth),
            prints: Vec::new(),
            corpus: analysis.corpus.clone(),
            settings,
        };
        let has_sketches = analysis.sketches.len() == analysis.len();
        lab.printed(bits, Some(analysis).filter(|_| has_sketches), job)
    }

    /// The same truth with fingerprints of at least `bits` bits; reads the corpus once a seed.
    ///
    /// # Errors
    /// [`AnalysisError`] if told to stop, or if the recipe cannot be so wide.
    pub fn widened(&self, bits: u32, job: &Job) -> Result<Self, AnalysisError> {
        let lab = Self {
            truth: Arc::clone(&self.truth),
            prints: Vec::new(),
            corpus: self.corpus.clone(),
            settings: self.settings.clone(),
        };
        lab.printed(bits, None, job)
    }

    /// Makes the fingerprints, those of `analysis` where they are wide enough.
    fn printed(
        mut self,
        bits: u32,
        analysis: Option<&Analysis>,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        self.settings.recipe.bits = self.settings.recipe.bits.max(bits);
        self.settings.layout = LayoutChoice::Auto;
        let n_seeds = if self.truth.is_exact() { 1 } else { SEEDS };
        for more in 0..n_seeds {
            let mut settings = self.settings.clone();
            settings.recipe.seed = settings.recipe.seed.wrapping_add(more);
            let known = analysis.filter(|known| known.settings.recipe == settings.recipe);
            let prints = if let Some(known) = known {
                self.truth.prints(known, job)?
            } else {
                let work = Work::Refingerprint(self.corpus.clone());
                let other = run_to(Depth::Sketches, work, settings, job, &mut |_| {})?;
                self.truth.prints(&other, job)?
            };
            self.prints.push(prints);
        }
        Ok(self)
    }

    /// What is true.
    pub fn truth(&self) -> &Truth {
        &self.truth
    }

    /// Bits of the fingerprints.
    pub fn bits(&self) -> u32 {
        self.settings.recipe.bits
    }

    /// Tries a layout; by blocks those within `k` are its candidates.
    ///
    /// # Errors
    /// As [`Truth::trial`].
    pub fn trial(&self, layout: LayoutChoice, k: u32, job: &Job) -> Result<Trial, AnalysisError> {
        self.truth.trial(&self.prints, layout, k, job)
    }

    /// The true pairs that `after` finds and `before` does not, and the other way round, nearest texts
    /// first; as [`Truth::changes`].
    pub fn changes(&self, before: &Trial, after: &Trial) -> (Vec<Change>, Vec<Change>) {
        let (mut gained, mut lost) = self.truth.changes(before, after, &self.prints[0]);
        for changes in [&mut gained, &mut lost] {
            changes.sort_by(|one, other| {
                other.cosine.total_cmp(&one.cosine).then((one.a, one.b).cmp(&(other.a, other.b)))
            });
        }
        (gained, lost)
    }
}
