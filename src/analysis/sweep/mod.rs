//! Recipes side by side: shingles x weights x widths, each at the k that serves it best.
//!
//! ```text
//! reference    which pairs are true: one answer for all cells, so that they can be compared
//! recipe  --fingerprint the corpus--> 64 bits --cut--> 32 bits, 16 bits ..    (likewise 128 bits)
//! width   --all pairs by distance, the true ones among them--> curve --largest F1--> best k
//! ```
//!
//! A bit of a fingerprint is decided by that bit of the hashes alone, so a narrower fingerprint is the low
//! bits of a wider one of the same hash: widths up to 64 cost one fingerprinting together, and those
//! above another. So a grid costs [`SweepGrid::fingerprintings`] readings of the corpus (one more each under
//! tf-idf, as everywhere), and for each cell what counting its pairs takes: some tenths of a second for
//! fifty thousand documents. Memory: 40 bytes a document and the reference.

mod pairs;
mod reference;
mod step;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use super::{
    Analysis, AnalysisDepth, AnalysisError, AnalysisInput, Job, LayoutChoice, Settings, Stage,
    run_to,
};
use crate::{
    corpus::Corpus,
    evaluate::{confusion::Confusion, curve::Curve, recall::Recall},
    feature::{Shingling, Weighting},
    index::Distinct,
    progress::Cancelled,
    simhash::{Bits, FingerprintRecord, Recipe, StopWordChoice, fingerprint::mask},
};
pub use reference::{CountUnit, Reference};
pub use step::{SweepPart, SweepResult, SweepTask};

/// The recipes to compare: every shingling with every weighting at every width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepGrid {
    /// The kinds of features.
    pub features: Vec<Shingling>,
    /// The weightings of features.
    pub weights: Vec<Weighting>,
    /// Bits of the fingerprint, each 1 to 128.
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
            ],
            weights: vec![Weighting::Binary, Weighting::Tf, Weighting::TfIdf],
            widths: vec![32, 64, 128],
        }
    }
}

impl SweepGrid {
    /// Cells.
    pub fn len(&self) -> usize {
        self.features.len() * self.weights.len() * self.widths.len()
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of times the corpus is fingerprinted.
    pub fn fingerprintings(&self) -> usize {
        let families = usize::from(self.widths.iter().any(|&width| width <= u64::BITS))
            + usize::from(self.widths.iter().any(|&width| width > u64::BITS));
        self.features.len() * self.weights.len() * families
    }

    /// The settings of each shingling with each weighting, otherwise as `base`, in the order of cells: all
    /// weightings of the first shingling, then those of the next. Characters know no stop words.
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

/// A recipe, and how well its fingerprints find true pairs.
#[derive(Clone, Debug)]
pub struct SweptRecipe {
    /// Recipe, and the best k; where no k finds a true pair, 0.
    pub settings: Settings,
    /// Pairs of documents within that k, copies among them: what `simscope pairs` writes. `None` where so
    /// large a k would take too long to search.
    pub pairs: Option<u64>,
    /// The numbers of true and false pairs that each k finds.
    pub curve: Curve,
    /// The time it took: the fingerprinting that its width shares with others, and its own pairs.
    pub took: Duration,
}

impl SweptRecipe {
    /// The k with the largest F1; `None` where no k finds a true pair.
    pub fn k(&self) -> Option<u32> {
        self.curve.best()
    }

    /// The pairs found at the best k; where there is none, at k = 0.
    pub fn at_best(&self) -> Confusion {
        self.curve.at(self.settings.k).unwrap_or_default()
    }
}

/// Holds one recipe at each of `widths` against the reference, in their order; `settings` name all but the
/// width.
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
        let work = AnalysisInput::Refingerprint(corpus.clone());
        let analysis = run_to(AnalysisDepth::Fingerprints, work, widened, job, &mut |_| {})?;
        AnalysisError::unless_all_was_read(corpus)?;
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

/// One width, cut from wider fingerprints.
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
    let pairs = pairs::within(&documents, width, settings.k, progress)?;
    Ok(SweptRecipe { settings, pairs, curve, took: fingerprinting + begun.elapsed() })
}

/// The numbers of true and false pairs that each k finds, under the present recipe of an analysis; counted
/// outwards until `is_enough`, or as far as that is worth its cost.
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
    // Pairs that nobody judged count neither way, so they need not be found.
    let counts_all = reference.counts_all_pairs();
    let reaches = if counts_all { pairs::reaches(&distinct, width) } else { vec![width] };
    for reach in reaches {
        let pairs_at = if counts_all {
            pairs::by_distance(&distinct, width, reach, progress)?
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

/// The low `width` bits of every fingerprint that was made here: what rows carry instead of text knows
/// no recipe.
fn cut<B: Bits>(analysis: &Analysis, width: u32) -> Vec<Option<B>> {
    let mask = mask(width);
    let word = |record: FingerprintRecord| {
        let fingerprint = record.fingerprint.filter(|_| record.n_features > 0)?;
        Some(B::from_wide(fingerprint.bits() & mask))
    };
    analysis.records.iter().map(word).collect()
}

impl Reference {
    /// The recall of what was found, with its interval where it is an estimate; `None` where nothing is true.
    pub fn recall(&self, found: Confusion) -> Option<Recall> {
        self.share(found.true_positives, found.true_positives + found.false_negatives)
    }

    /// Its precision, likewise; `None` where nothing was found.
    pub fn precision(&self, found: Confusion) -> Option<Recall> {
        self.share(found.true_positives, found.true_positives + found.false_positives)
    }
}
