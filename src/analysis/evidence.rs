//! Evidence for the choice of k: the exact cosines of all pairs of texts, or of a sample.
//!
//! ```text
//! small enough   every true pair by an exact join, every distance counted  -> precision and recall, exact
//! larger         some hundred pairs of each distance, read again           -> precision with intervals,
//!                                                                             recall of the pairs kept
//! no text        nothing to compare                                        -> chance and groups alone
//! ```
//!
//! Only pairs of different texts count, and each text counts once: every k finds copies, and many copies would hide
//! everything else. Texts are different if their features differ. In a sample they are different if their
//! fingerprints differ or, if the fingerprints are equal, their words. The same corpus and recipe give the same
//! evidence for every caller.
//!
//! A pair is true if its texts are [alike](Alike), which the recipe does not decide. Another seed of the hash gives
//! other distances, and so another k; where that is cheap, the rows are computed for five seeds.
//!
//! With a reference, pairs of the two corpora count, and these are drawn.
//!
//! Cost: the join is tried if it takes at most a minute of one core; each further seed fingerprints the corpus once
//! more; a sample reads at most 600 documents for each distance.

use std::sync::Arc;

use super::run::refingerprinted;
use super::{Alike, Analysis, AnalysisError, Job, LayoutChoice, Reference, Settings, Truth, sweep};
use crate::evaluate::confusion::Curve;
use crate::evaluate::cosine::reaches;
use crate::evaluate::labels::Stratum;
use crate::evaluate::precision::{ThresholdRow, precision};
use crate::evaluate::sample::draw;
use crate::verdict::Verdict;

/// The most steps of the join: a minute of one core, at a fifth of a microsecond for each step.
const MOST_MEETINGS: f64 = 3e8;
/// The most features of all documents for which the join is tried. 7.5 million took 210 MB, so this takes some 600
/// MB.
pub(super) const MOST_FEATURES: u64 = 20_000_000;
/// The seeds besides the recipe's own.
const MORE_SEEDS: u64 = 4;
/// The most features, counted once for each seed, for which further seeds are tried: some ten seconds. A count and not
/// a clock, so that all machines give the same advice.
const MOST_FOR_SEEDS: u64 = 30_000_000;
/// The fewest texts of which one can say that most are made of a template.
const FEWEST_TEXTS: u64 = 10;
/// The most pairs that are drawn at each distance.
const AT_EACH: usize = 300;
/// The most pairs of fingerprints that are kept to draw from.
const MOST_PAIRS: u64 = 4_000_000;
/// Pairs are drawn up to a distance of the width divided by this.
const FARTHEST: u32 = 4;
/// If the precision is below this, no larger k is examined.
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
    /// A sample of pairs was compared.
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
    /// The definition of a true pair; not used for judgements.
    pub alike: Alike,
    /// A row for each k from 0 to the largest at which pairs are known.
    pub rows: Vec<ThresholdRow>,
    /// The same under the next seeds of the hash; empty if they were not tried.
    pub other_seeds: Vec<Vec<ThresholdRow>>,
    /// The number of texts made of a template: at least half of their shingles are in at least half of all texts.
    /// `None` if it is not known or if these are not most of the texts.
    pub n_boilerplate: Option<u64>,
}

impl Evidence {
    /// Evidence of one seed.
    pub(super) fn new(basis: Basis, alike: Alike, rows: Vec<ThresholdRow>) -> Self {
        Self { basis, alike, rows, other_seeds: Vec::new(), n_boilerplate: None }
    }
}

impl Analysis {
    /// The precision and recall of each k, measured by the texts: a pair is true if its texts are alike. `None` if there is
    /// no text.
    ///
    /// # Errors
    /// [`AnalysisError::Cancelled`] if cancelled; [`AnalysisError::TooMuchAlike`] if even the pairs within k are
    /// too many to keep.
    ///
    /// # Panics
    /// If the analysis has no fingerprints yet.
    pub fn evidence(&self, job: &Job) -> Result<Option<Evidence>, AnalysisError> {
        let n_features: u64 = self.records.iter().map(|it| u64::from(it.n_features)).sum();
        if n_features == 0 {
            return Ok(None);
        }
        let n_most = self.n_comparable_features();
        if n_most <= MOST_FEATURES
            && self.corpus.reference().is_none()
            && let Some(found) = self.exact_evidence(n_most, job)?
        {
            return Ok(Some(found));
        }
        self.sampled_evidence(SEED, job).map(Some)
    }

    /// The most features of all documents by which texts may be alike: these may be other features than the recipe's,
    /// hardly more than words.
    pub(super) fn n_comparable_features(&self) -> u64 {
        self.records.iter().map(|it| u64::from(it.n_features.max(it.n_tokens))).sum()
    }

    /// The evidence from all pairs of texts; `None` if that takes too long.
    fn exact_evidence(
        &self,
        n_features: u64,
        job: &Job,
    ) -> Result<Option<Evidence>, AnalysisError> {
        let truth = Truth::exact_within(MOST_MEETINGS, &self.corpus, &self.settings, job)?;
        let Some(truth) = truth else { return Ok(None) };
        let n_texts = truth.n_texts() as u64;
        let n_boilerplate = Some(truth.n_boilerplate() as u64)
            .filter(|&n| 2 * n > n_texts && n_texts >= FEWEST_TEXTS);
        let reference = Reference::by_cosine(truth)?;
        // Stop if no larger k can be the balanced k and the precision is too low.
        let is_enough = |curve: &Curve| {
            let farthest = curve.reach().and_then(|reach| curve.at(reach));
            let precision = farthest.and_then(|at| at.precision()).unwrap_or(0.0);
            curve.is_settled() && precision < HOPELESS
        };
        let curve = sweep::of_analysis(self, &reference, &is_enough, job)?;
        let basis = Basis::Exact { n_texts, n_true: curve.n_true };
        let Settings { alike, ref recipe, .. } = self.settings;
        let mut other_seeds = Vec::new();
        let is_few = n_features * (1 + MORE_SEEDS) <= MOST_FOR_SEEDS;
        let more = (1..=MORE_SEEDS).filter_map(|n| recipe.seed.checked_add(n));
        for seed in more.filter(|&it| is_few && it <= recipe.hash.largest_seed()) {
            let mut settings = self.settings.clone();
            settings.recipe.seed = seed;
            let other = refingerprinted(&self.corpus, settings, job)?;
            let curve = sweep::of_analysis(&other, &reference, &is_enough, job)?;
            other_seeds.push(ThresholdRow::known(&curve));
        }
        let rows = ThresholdRow::known(&curve);
        Ok(Some(Evidence { basis, alike, rows, other_seeds, n_boilerplate }))
    }

    /// The evidence from a sample of the pairs of each distance, drawn with this seed.
    ///
    /// # Errors
    /// As [`Analysis::evidence`].
    ///
    /// # Panics
    /// If the analysis has no fingerprints yet.
    pub fn sampled_evidence(&self, seed: u64, job: &Job) -> Result<Evidence, AnalysisError> {
        let alike = self.settings.alike;
        let by = alike.fingerprinter(self, job)?;
        let index = self.index.as_deref().expect("fingerprints come before evidence");
        // Up to the largest distance at which there are not too many pairs to draw from, independent of k.
        let mut settings = Settings { layout: LayoutChoice::Auto, ..self.settings.clone() };
        let drawn_from = index.under(&settings)?;
        settings.k = drawn_from.farthest(settings.recipe.bits / FARTHEST, MOST_PAIRS, job)?;
        let near = drawn_from.near(&settings, job)?;
        let equal = match &self.equal_texts {
            Some(equal) => Arc::clone(equal),
            None => Arc::new(self.compare_texts(job)?),
        };
        let mut strata = Vec::new();
        let mut n_compared = 0;
        for distance in 0..=near.reach() {
            let seed = seed ^ u64::from(distance) << 32;
            let (n_pairs, drawn) = if distance == 0 {
                equal.different(self.corpus.reference(), AT_EACH, seed)
            } else {
                let pairs = near.pairs_at(distance);
                let drawn = draw(AT_EACH, pairs.len() as u64, seed).into_iter();
                let drawn = drawn.map(|at| index.first_documents(pairs[at as usize]));
                (pairs.len() as u64, drawn.collect())
            };
            let mut stratum = Stratum::new(distance, n_pairs, 0);
            for cosine in self.cosines_by(&by, &drawn, job)?.into_iter().flatten() {
                let verdict = if reaches(cosine, alike.tau) { Verdict::Yes } else { Verdict::No };
                stratum.judge(verdict, 1);
                n_compared += 1;
            }
            strata.push(stratum);
        }
        Ok(Evidence::new(Basis::Sampled { n_compared }, alike, precision(&strata)))
    }
}
