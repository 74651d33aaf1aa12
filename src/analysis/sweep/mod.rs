//! Compares recipes: shingles x weights x widths, each at its best k.
//!
//! ```text
//! reference    the true pairs: the same for all cells, so that cells can be compared
//! recipe  --fingerprint the corpus--> 64 bits --cut--> 32 bits, 16 bits ..    (likewise 128 bits)
//! width   --all pairs by distance, the true ones among them--> curve --largest F1--> best k
//! ```
//!
//! Each bit of a fingerprint depends only on that bit of the hashes, so a narrower fingerprint is the low bits of a
//! wider one with the same hash. All widths up to 64 bits take one fingerprinting, and all wider ones another. So a
//! grid takes [`SweepGrid::fingerprintings`] readings of the corpus (twice as many with tf-idf), and for each cell
//! the time to count its pairs: some tenths of a second for fifty thousand documents. Memory: 70 bytes for each
//! document, and the reference.
//!
//! One step of a sweep: find the true pairs, or evaluate one shingling and weighting at every width.

mod reference;
#[cfg(test)]
mod tests;

pub use reference::Reference;

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::run::refingerprinted;
use super::{Analysis, AnalysisError, Job, LayoutChoice, Settings, Stage};
use crate::corpus::Corpus;
use crate::evaluate::confusion::{Confusion, Curve};
use crate::evaluate::labels::Share;
use crate::feature::{Shingling, Weighting};
use crate::index::Distinct;
use crate::progress::Cancelled;
use crate::simhash::fingerprint::mask;
use crate::simhash::{Bits, FingerprintRecord, Recipe, StopWordChoice};

/// The recipes to compare: every shingling with every weighting at every width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepGrid {
    /// The kinds of features.
    pub features: Vec<Shingling>,
    /// The weightings of features.
    pub weights: Vec<Weighting>,
    /// The widths of the fingerprints in bits, each 1 to 128.
    pub widths: Vec<u32>,
}

impl Default for SweepGrid {
    fn default() -> Self {
        Self {
            features: vec![
                Shingling::Words(1),
                Shingling::Words(2),
                Shingling::Words(3),
                Shingling::Words(4),
                Shingling::Chars(5),
                Shingling::Chars(8),
            ],
            weights: vec![Weighting::Binary, Weighting::Tf, Weighting::LogTf, Weighting::TfIdf],
            widths: vec![32, 64, 128],
        }
    }
}

impl SweepGrid {
    /// The number of cells.
    pub fn n_cells(&self) -> usize {
        self.features.len() * self.weights.len() * self.widths.len()
    }

    /// The number of times the corpus is fingerprinted.
    pub fn fingerprintings(&self) -> usize {
        let families = usize::from(self.widths.iter().any(|&width| width <= u64::BITS))
            + usize::from(self.widths.iter().any(|&width| width > u64::BITS));
        self.features.len() * self.weights.len() * families
    }

    /// The settings of each shingling with each weighting, otherwise as `base`, in the order of cells: all
    /// weightings of the first shingling, then of the next. Character shingles use no stop words.
    pub fn settings(&self, base: &Settings) -> Vec<Settings> {
        let both = self
            .features
            .iter()
            .flat_map(|&features| self.weights.iter().map(move |&weights| (features, weights)));
        let settings = both.map(|(features, weights)| {
            let mut settings = Settings { k: 0, layout: LayoutChoice::Auto, ..base.clone() };
            settings.recipe = Recipe { features, weights, ..settings.recipe };
            if matches!(features, Shingling::Chars(_)) {
                settings.recipe.stop = StopWordChoice::None;
            }
            settings
        });
        settings.collect()
    }
}

/// A recipe, and the precision and recall of its fingerprints.
#[derive(Clone, Debug)]
pub struct SweptRecipe {
    /// The recipe and the best k; k = 0 if no k finds a true pair.
    pub settings: Settings,
    /// The number of pairs of documents within this k, as `simscope pairs` writes them. `None` if the search for
    /// this k would take too long.
    pub pairs: Option<u64>,
    /// The numbers of true and false pairs that each k finds.
    pub curve: Curve,
    /// The time of the fingerprinting, which several widths share, and of the search for pairs.
    pub took: Duration,
}

impl SweptRecipe {
    /// The k with the largest F1; `None` if no k finds a true pair.
    pub fn k(&self) -> Option<u32> {
        self.curve.best()
    }

    /// The pairs found at the best k, or at k = 0 if there is no best k.
    pub fn at_best(&self) -> Confusion {
        self.curve.at(self.settings.k).unwrap_or_default()
    }
}

/// Evaluates one recipe at each width. The results are in the order of `widths`; the width of `settings` is not
/// used.
///
/// # Errors
/// [`AnalysisError`] if cancelled, if a document cannot be read again, or if the settings contradict
/// themselves.
pub fn sweep(
    corpus: &Corpus,
    settings: &Settings,
    widths: &[u32],
    reference: &Reference,
    job: &Job,
) -> Result<Vec<SweptRecipe>, AnalysisError> {
    let mut swept = vec![None; widths.len()];
    for is_wide in [false, true] {
        let family = || widths.iter().copied().filter(|&width| (width > u64::BITS) == is_wide);
        let Some(widest) = family().max() else { continue };
        let begun = Instant::now();
        let mut widened = settings.clone();
        widened.recipe.bits = widest;
        let analysis = refingerprinted(corpus, widened, job)?;
        AnalysisError::require_all_read(corpus)?;
        let took = begun.elapsed();
        job.enter(Stage::Pair, 0);
        for width in family() {
            let one = if is_wide {
                cell::<u128>(&analysis, width, reference, took, job)?
            } else {
                cell::<u64>(&analysis, width, reference, took, job)?
            };
            for place in (0..widths.len()).filter(|&place| widths[place] == width) {
                swept[place] = Some(one.clone());
            }
        }
    }
    Ok(swept.into_iter().flatten().collect())
}

/// Evaluates one width, cut from wider fingerprints.
fn cell<B: Bits>(
    analysis: &Analysis,
    width: u32,
    reference: &Reference,
    fingerprinting: Duration,
    job: &Job,
) -> Result<SweptRecipe, AnalysisError> {
    let begun = Instant::now();
    let progress = &job.progress;
    let mut words: Vec<Option<B>> = cut(analysis, width);
    progress.check()?;
    let documents = Distinct::collapse(&words, progress)?;
    let curve = curve(&mut words, width, reference, &Curve::is_settled, job)?;
    let mut settings = analysis.settings.clone();
    settings.recipe.bits = width;
    settings.k = curve.best().unwrap_or(0);
    let pairs = reference::within(&documents, width, settings.k, progress)?;
    Ok(SweptRecipe { settings, pairs, curve, took: fingerprinting + begun.elapsed() })
}

/// The numbers of true and false pairs that each k finds, with the recipe of an analysis. Pairs are counted up to
/// larger and larger distances until `is_enough` holds, or until the cost is too high.
///
/// # Errors
/// [`Cancelled`] if cancelled.
pub(super) fn of_analysis(
    analysis: &Analysis,
    reference: &Reference,
    is_enough: &dyn Fn(&Curve) -> bool,
    job: &Job,
) -> Result<Curve, Cancelled> {
    let width = analysis.settings.recipe.bits;
    if width > u64::BITS {
        curve::<u128>(&mut cut(analysis, width), width, reference, is_enough, job)
    } else {
        curve::<u64>(&mut cut(analysis, width), width, reference, is_enough, job)
    }
}

fn curve<B: Bits>(
    words: &mut [Option<B>],
    width: u32,
    reference: &Reference,
    is_enough: &dyn Fn(&Curve) -> bool,
    job: &Job,
) -> Result<Curve, Cancelled> {
    let progress = &job.progress;
    reference.keep(words);
    let distinct = Distinct::collapse(words, progress)?;
    let mut curve = Curve::default();
    // If only judged pairs are known, other pairs do not count and need not be found.
    let counts_all = reference.counts_all_pairs();
    let reaches = if counts_all { reference::reaches(&distinct, width) } else { vec![width] };
    for reach in reaches {
        let pairs_at = if counts_all {
            reference::by_distance(&distinct, width, reach, progress)?
        } else {
            Vec::new()
        };
        curve = reference.curve(&distinct, width, &pairs_at, progress)?;
        if is_enough(&curve) {
            break;
        }
    }
    Ok(curve)
}

/// The low `width` bits of each computed fingerprint. Fingerprints that rows carry are left out, because their
/// recipe is unknown.
fn cut<B: Bits>(analysis: &Analysis, width: u32) -> Vec<Option<B>> {
    let mask = mask(width);
    let word = |record: FingerprintRecord| {
        let fingerprint = record.fingerprint.filter(|_| record.n_features > 0)?;
        Some(B::from_wide(fingerprint.bits() & mask))
    };
    analysis.records.iter().map(word).collect()
}

impl Reference {
    /// The recall, with its interval if it is an estimate; `None` if there are no true pairs.
    pub fn recall(&self, found: Confusion) -> Option<Share> {
        self.share(found.true_positives, found.true_positives + found.false_negatives)
    }

    /// The precision, with its interval if it is an estimate; `None` if nothing was found.
    pub fn precision(&self, found: Confusion) -> Option<Share> {
        self.share(found.true_positives, found.true_positives + found.false_positives)
    }
}

/// The message if the default truth cannot be computed; the screen offers no other truth.
const OUT_OF_REACH: &str = "this corpus has too many documents or too many true pairs to find them all; \
     `simscope sweep --tau 0.9 ..` needs fewer pairs, and `simscope sweep --truth FILE ..` uses judged pairs";

/// A step of a sweep: find the true pairs, or evaluate one shingling and weighting at every width.
#[derive(Clone, Debug)]
pub struct SweepTask {
    /// The recipe to evaluate, or the settings of the whole sweep.
    pub settings: Settings,
    /// The widths.
    pub widths: Vec<u32>,
    /// The true pairs; `None` to find them.
    pub reference: Option<Arc<Reference>>,
}

/// The result of a step.
#[derive(Clone, Debug)]
pub struct SweepPart {
    /// The true pairs.
    pub reference: Arc<Reference>,
    /// A cell for each width; none if the step found the true pairs.
    pub swept: Vec<Arc<SweptRecipe>>,
    /// The time it took.
    pub took: Duration,
}

impl SweepTask {
    /// Runs the step. Takes one or two fingerprintings, or the exact cosines of all texts.
    ///
    /// # Errors
    /// A message: it was cancelled, or the true pairs cannot be found.
    pub fn answer(self, corpus: &Corpus, job: &Job) -> Result<SweepPart, String> {
        let begun = Instant::now();
        let (reference, swept) = self.found(corpus, job).map_err(|error| match error {
            AnalysisError::TruthOutOfReach | AnalysisError::Truth(_) => OUT_OF_REACH.to_owned(),
            error => error.to_string(),
        })?;
        let swept = swept.into_iter().map(Arc::new).collect();
        Ok(SweepPart { reference, swept, took: begun.elapsed() })
    }

    fn found(
        self,
        corpus: &Corpus,
        job: &Job,
    ) -> Result<(Arc<Reference>, Vec<SweptRecipe>), AnalysisError> {
        let Some(reference) = self.reference else {
            let reference = Reference::of_corpus(corpus, &self.settings, job)?;
            return Ok((Arc::new(reference), Vec::new()));
        };
        let swept = sweep(corpus, &self.settings, &self.widths, &reference, job)?;
        Ok((reference, swept))
    }
}
