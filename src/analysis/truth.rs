//! The true pairs of a corpus, by the exact cosines of its texts: layouts are measured against them.
//!
//! Made once for a corpus, the recipe's features and a tau, then shared as an `Arc`: every
//! [`LayoutEvaluation`](super::LayoutEvaluation) is one layout against it. Reads the corpus once more. Up
//! to what a join takes in minutes every true pair is known; beyond that those of some texts drawn at
//! random, and recall is estimated from them.
//!
//! Memory: 20 bytes for each distinct feature of each distinct text while vectors are made, then 12 for
//! those that several texts share, and 16 a true pair.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::{AnalysisError, Job, Settings, SettingsError, Stage, TextFingerprints, batch};
use crate::{
    choice::choice,
    corpus::{Content, Corpus},
    evaluate::{
        bags::{Bag, Bags},
        recall::FEWEST,
        sample,
        truth::{Join, TruePair, TruthError},
        vectors::{TextVectors, Vectors},
    },
    feature::Weighting,
    id::DocId,
    index::Distinct,
    number::{counted, grouped},
    progress::Cancelled,
    simhash::{Fingerprinter, Scratch},
};

/// The cosine from which a pair is true unless another is asked for.
pub const DEFAULT_TAU: f64 = 0.8;
/// Texts that are drawn where the truth is sampled; fewer where their join would take longer than an exact
/// one may.
pub const SAMPLE: usize = 10_000;
/// The draw is the same for the same corpus.
const SEED: u64 = 0x74_7275_7468;
/// True pairs of different texts that can be kept: at 16 bytes each, 1.6 GB while they are sorted.
pub const MOST_TRUE_PAIRS: usize = 50_000_000;
/// Meetings of the join that take a core some ten minutes, at a fifth of a microsecond each (measured on
/// abstracts: 14 million in 3 seconds): beyond that the truth is sampled.
const MOST_MEETINGS: f64 = 3e9;

choice! {
    /// The requested extent of the truth: all true pairs, or a sample.
    pub enum TruthChoice, "truth" {
        /// All of it where that takes minutes, else a sample.
        #[default]
        Auto = "auto",
        /// Every true pair, however long it takes.
        Exact = "exact",
        /// The true pairs of 10,000 texts drawn at random; recall is estimated.
        Sampled = "sampled",
    }
}

/// The cosine from which two texts count as similar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TruthSpec {
    /// The least cosine of a true pair: above 0, at most 1.
    pub tau: f64,
    /// The weights of the features that cosines are made of.
    pub weights: Weighting,
    /// The requested extent of the truth: all true pairs, or a sample.
    pub choice: TruthChoice,
}

impl Default for TruthSpec {
    fn default() -> Self {
        Self { tau: DEFAULT_TAU, weights: Weighting::TfIdf, choice: TruthChoice::Auto }
    }
}

/// The texts of a corpus with their cosines, and the pairs that are true.
#[derive(Debug)]
pub struct Truth {
    /// The cosine that makes a pair true.
    pub spec: TruthSpec,
    /// The time that reading and weighing took.
    pub vectors_took: Duration,
    /// The time that the join took; zero where there was none.
    pub join_took: Duration,
    /// Meetings that the join was predicted to take; 0 where it was not wanted.
    pub predicted_meetings: f64,
    pub(super) texts: Distinct<u128>,
    /// The vectors that decide what is true.
    pub(super) vectors: Vectors,
    /// The vectors under the recipe's own weights, which decide how fingerprints differ.
    pub(super) own: Vectors,
    /// Every true pair of different texts; `None` where the truth is sampled.
    pub(super) known: Option<Vec<TruePair>>,
    /// The texts drawn and their true pairs, once [`Truth::draw`] has found them.
    pub(super) drawn: Option<TextSample>,
}

/// Texts drawn at random.
#[derive(Debug)]
pub(super) struct TextSample {
    /// The texts, ascending.
    pub(super) texts: Vec<u32>,
    /// Every true pair of different texts with at least one of them.
    pub(super) pairs: Vec<TruePair>,
}

impl Truth {
    /// Reads the texts of `corpus` again and finds the true pairs.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, if a document cannot be read again, if none has text, or if true
    /// pairs are too many.
    ///
    /// # Panics
    /// If tau is not above 0 and at most 1.
    pub fn prepare(
        corpus: &Corpus,
        settings: &Settings,
        spec: TruthSpec,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        Self::prepare_within(MOST_MEETINGS, corpus, settings, spec, job)
    }

    /// The same; under [`TruthChoice::Auto`] exact up to so many meetings of the join.
    pub(super) fn prepare_within(
        most_meetings: f64,
        corpus: &Corpus,
        settings: &Settings,
        spec: TruthSpec,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        let begun = Instant::now();
        let bags = bags(corpus, &settings.fingerprinter()?, job)?;
        AnalysisError::unless_all_was_read(corpus)?;
        if !bags.has_texts() {
            return Err(SettingsError::NoTexts.into());
        }
        job.enter(Stage::Weigh, 0);
        let weightings = [spec.weights, settings.recipe.weights];
        let TextVectors { distinct, vectors: [vectors, own] } =
            TextVectors::new(&bags, weightings, &job.progress)?;
        drop(bags);
        let vectors_took = begun.elapsed();
        let begun = Instant::now();
        job.enter(Stage::Join, 0);
        let mut predicted_meetings = 0.0;
        let known = match spec.choice {
            TruthChoice::Sampled if distinct.len() > SAMPLE => None,
            choice => {
                let join = Join::new(&vectors, spec.tau, &job.progress)?;
                predicted_meetings = join.predicted_meetings();
                if choice != TruthChoice::Auto || predicted_meetings <= most_meetings {
                    Some(join.pairs(MOST_TRUE_PAIRS, &job.progress)?)
                } else {
                    None
                }
            }
        };
        let join_took = begun.elapsed();
        Ok(Self {
            spec,
            vectors_took,
            join_took,
            predicted_meetings,
            texts: distinct,
            vectors,
            own,
            known,
            drawn: None,
        })
    }

    /// Draws texts and finds their true pairs, if the truth is sampled.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, or if true pairs are too many.
    pub fn draw(&mut self, job: &Job) -> Result<(), AnalysisError> {
        if self.is_exact() {
            return Ok(());
        }
        job.enter(Stage::Join, 0);
        let begun = Instant::now();
        let join = Join::new(&self.vectors, self.spec.tau, &job.progress)?;
        self.predicted_meetings = join.predicted_meetings();
        let affordable = self.n_texts() as f64 * MOST_MEETINGS / (2.0 * self.predicted_meetings);
        let n = SAMPLE.min(affordable as usize).min(self.n_texts());
        let texts = sample::draw(n, self.n_texts(), SEED);
        let pairs = join.pairs_of(&texts, MOST_TRUE_PAIRS, &job.progress)?;
        self.drawn = Some(TextSample { texts, pairs });
        self.join_took += begun.elapsed();
        Ok(())
    }

    /// Whether every true pair is known.
    pub fn is_exact(&self) -> bool {
        self.known.is_some()
    }

    /// Number of distinct texts that have features.
    pub fn n_texts(&self) -> usize {
        self.texts.len()
    }

    /// Number of documents that have features.
    pub fn n_documents(&self) -> usize {
        self.texts.n_fingerprinted()
    }

    /// The documents of a text, ascending.
    pub fn documents(&self, text: u32) -> &[DocId] {
        self.texts.documents(text)
    }

    /// Pairs of documents with the same features, which every layout finds.
    pub fn copies(&self) -> u64 {
        (0..self.texts.len() as u32).map(|text| self.n_copies(text)).map(|n| n * (n - 1) / 2).sum()
    }

    /// True pairs of documents, copies among them; `None` where the truth is sampled.
    pub fn n_pairs(&self) -> Option<u64> {
        let known = self.known.as_ref()?;
        Some(self.copies() + known.iter().map(|pair| self.weight(pair.a, pair.b)).sum::<u64>())
    }

    /// True pairs of different texts, each once; `None` where the truth is sampled.
    pub fn n_text_pairs(&self) -> Option<u64> {
        Some(self.known.as_ref()?.len() as u64)
    }

    /// A description: the number of true pairs and the condition for one, or the method by which recall
    /// will be known.
    pub fn describe(&self) -> String {
        let texts = format!("{} texts with different features", grouped(self.n_texts() as u64));
        let tau = self.spec.tau;
        let weights = self.spec.weights;
        if let (Some(pairs), Some(of_texts)) = (self.n_pairs(), self.n_text_pairs()) {
            return format!(
                "{} of documents at {weights} cosine {tau} or more, {} of them with equal features; {} of {texts}",
                counted(pairs, "true pair"),
                grouped(self.copies()),
                counted(of_texts, "pair"),
            );
        }
        let Some(drawn) = &self.drawn else {
            return format!("true pairs of {texts} are not known");
        };
        let (n, with) = (drawn.texts.len() as u64, drawn.with_a_pair());
        let told = if with < FEWEST {
            format!("; recall_distinct is unknown, since it takes {FEWEST} texts with a true pair")
        } else {
            "; recall_distinct is estimated from these".to_owned()
        };
        format!(
            "{} of {texts} drawn at random: {} of them at {weights} cosine {tau} or more with any text, in {}{told}",
            grouped(n),
            grouped(with as u64),
            counted(drawn.pairs.len() as u64, "true pair"),
        )
    }

    /// Documents with this text.
    pub(super) fn n_copies(&self, text: u32) -> u64 {
        self.texts.documents(text).len() as u64
    }

    /// Pairs of documents that a pair of texts represents.
    pub(super) fn weight(&self, a: u32, b: u32) -> u64 {
        self.n_copies(a) * self.n_copies(b)
    }

    /// The fingerprints of the texts in these records.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn fingerprints(
        &self,
        analysis: &super::Analysis,
        job: &Job,
    ) -> Result<TextFingerprints, Cancelled> {
        TextFingerprints::new(&self.texts, analysis, &job.progress)
    }
}

impl TextSample {
    /// The number of texts that have a true pair.
    fn with_a_pair(&self) -> usize {
        let ends = self.pairs.iter().flat_map(|pair| [pair.a, pair.b]);
        let mut with: Vec<u32> =
            ends.filter(|text| self.texts.binary_search(text).is_ok()).collect();
        with.sort_unstable();
        with.dedup();
        with.len()
    }
}

impl From<TruthError> for AnalysisError {
    fn from(error: TruthError) -> Self {
        match error {
            TruthError::Cancelled(cancelled) => cancelled.into(),
            TruthError::TooManyPairs { .. } => SettingsError::Truth(error).into(),
        }
    }
}

/// The bags of all documents, in their order; empty-handed ones that cannot be read or have no text.
fn bags(corpus: &Corpus, fingerprinter: &Fingerprinter, job: &Job) -> Result<Bags, Cancelled> {
    job.enter(Stage::Count, corpus.len() as u64);
    let mut bags = Bags::new();
    batch::reread(corpus, 0, job, &mut |_, contents| {
        let made: Vec<Option<Bag>> = contents
            .par_iter()
            .map_init(Scratch::default, |scratch, content| match content {
                Ok(Content::Text(text)) if !job.progress.is_cancelled() => {
                    let features = fingerprinter.try_features(text, scratch, &job.progress).ok()?;
                    Some(Bag::new(features.counted()))
                }
                _ => None,
            })
            .collect();
        for bag in &made {
            bags.push(bag.as_ref());
        }
    })?;
    Ok(bags)
}
