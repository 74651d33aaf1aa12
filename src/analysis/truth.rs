//! What is true of a corpus: exact cosines of its texts, to hold layouts against.
//!
//! Made once for a corpus, the recipe's features and a tau, then shared as an `Arc`: every
//! [`Trial`](super::Trial) is one layout against it. Reads the corpus once more. Up to what a join takes in
//! minutes every true pair is known; beyond that pairs are weighed as they are found, and recall is an
//! estimate.
//!
//! Memory: 20 bytes for each distinct feature of each distinct text while vectors are made, then 12 for
//! those that several texts share, and 16 a true pair.

use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use rayon::prelude::*;

use super::{AnalysisError, Job, Prints, Settings, SettingsError, Stage, batch};
use crate::{
    choice::choice,
    corpus::{Content, Corpus},
    evaluate::{
        bags::{Bag, Bags},
        truth::{Join, TruePair, TruthError},
        vectors::{Texts, Vectors},
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
/// Seeds over which recall is estimated where the truth is sampled.
pub const SEEDS: u64 = 5;
/// True pairs of different texts that can be kept: at 16 bytes each, 1.6 GB while they are sorted.
pub const MOST_TRUE_PAIRS: usize = 50_000_000;
/// Meetings of the join that take a core some ten minutes, at a fifth of a microsecond each (measured on
/// abstracts: 14 million in 3 seconds): beyond that the truth is sampled.
const MOST_MEETINGS: f64 = 3e9;

choice! {
    /// How much of the truth is wanted.
    pub enum TruthChoice, "truth" {
        /// All of it where that takes minutes, else a sample.
        #[default]
        Auto = "auto",
        /// Every true pair, however long it takes.
        Exact = "exact",
        /// Only what layouts find; recall is estimated.
        Sampled = "sampled",
    }
}

/// When two texts are taken as alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likeness {
    /// The least cosine of a true pair: above 0, at most 1.
    pub tau: f64,
    /// The weights of the features that cosines are made of.
    pub weights: Weighting,
    /// How much of the truth is wanted.
    pub choice: TruthChoice,
}

impl Default for Likeness {
    fn default() -> Self {
        Self { tau: DEFAULT_TAU, weights: Weighting::TfIdf, choice: TruthChoice::Auto }
    }
}

/// The texts of a corpus with their cosines, and the pairs that are true.
#[derive(Debug)]
pub struct Truth {
    /// What makes a pair true.
    pub likeness: Likeness,
    /// How long reading and weighing took.
    pub vectors_took: Duration,
    /// How long the join took; zero where there was none.
    pub join_took: Duration,
    /// Meetings that the join was predicted to take; 0 where it was not wanted.
    pub predicted_meetings: f64,
    pub(super) texts: Distinct<u128>,
    /// The vectors that decide what is true.
    pub(super) vectors: Vectors,
    /// Those under the recipe's own weights, which decide how fingerprints differ.
    pub(super) own: Vectors,
    /// Every true pair of different texts; `None` where the truth is sampled.
    pub(super) known: Option<Vec<TruePair>>,
    /// The true pairs that any trial has found, where not all are known.
    pub(super) seen: Mutex<HashSet<(u32, u32)>>,
}

impl Truth {
    /// Reads the texts of `corpus` again and finds the true pairs.
    ///
    /// # Errors
    /// [`AnalysisError`] if told to stop, if a document cannot be read again, if none has text, or if true
    /// pairs are too many.
    ///
    /// # Panics
    /// If tau is not above 0 and at most 1.
    pub fn prepare(
        corpus: &Corpus,
        settings: &Settings,
        likeness: Likeness,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        Self::prepare_within(MOST_MEETINGS, corpus, settings, likeness, job)
    }

    /// The same; under [`TruthChoice::Auto`] exact up to so many meetings of the join.
    pub(super) fn prepare_within(
        most_meetings: f64,
        corpus: &Corpus,
        settings: &Settings,
        likeness: Likeness,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        let begun = Instant::now();
        let bags = bags(corpus, &settings.fingerprinter()?, job)?;
        AnalysisError::unless_all_was_read(corpus)?;
        if !bags.has_texts() {
            return Err(SettingsError::NoTexts.into());
        }
        job.enter(Stage::Weigh, 0);
        let weightings = [likeness.weights, settings.recipe.weights];
        let Texts { distinct, vectors: [vectors, own] } =
            Texts::new(&bags, weightings, &job.progress)?;
        drop(bags);
        let vectors_took = begun.elapsed();
        let begun = Instant::now();
        job.enter(Stage::Join, 0);
        let mut predicted_meetings = 0.0;
        let known = match likeness.choice {
            TruthChoice::Sampled => None,
            choice => {
                let join = Join::new(&vectors, likeness.tau, &job.progress)?;
                predicted_meetings = join.predicted_meetings();
                if choice == TruthChoice::Exact || predicted_meetings <= most_meetings {
                    Some(join.pairs(MOST_TRUE_PAIRS, &job.progress)?)
                } else {
                    None
                }
            }
        };
        let join_took = begun.elapsed();
        Ok(Self {
            likeness,
            vectors_took,
            join_took,
            predicted_meetings,
            texts: distinct,
            vectors,
            own,
            known,
            seen: Mutex::default(),
        })
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

    /// How many pairs are true, and when a pair is; or how recall will be known.
    pub fn describe(&self) -> String {
        let (texts, tau) = (counted(self.n_texts() as u64, "different text"), self.likeness.tau);
        let weights = self.likeness.weights;
        match (self.n_pairs(), self.n_text_pairs()) {
            (Some(pairs), Some(of_texts)) => format!(
                "{} of documents at {weights} cosine {tau} or more, {} of them with equal features; {} of {texts}",
                counted(pairs, "true pair"),
                grouped(self.copies()),
                counted(of_texts, "pair"),
            ),
            _ => format!(
                "true pairs at {weights} cosine {tau} or more among {texts} are sampled: recall is estimated \
                 over {SEEDS} seeds, or bounded"
            ),
        }
    }

    /// Documents with this text.
    pub(super) fn n_copies(&self, text: u32) -> u64 {
        self.texts.documents(text).len() as u64
    }

    /// Pairs of documents that a pair of texts stands for.
    pub(super) fn weight(&self, a: u32, b: u32) -> u64 {
        self.n_copies(a) * self.n_copies(b)
    }

    /// Notes true pairs that a trial found, and says how many pairs of texts and of documents (copies
    /// among them) are known by now.
    pub(super) fn note(&self, found: impl Iterator<Item = (u32, u32)>) -> (u64, u64) {
        // A panic while the lock is held has already ended the trial.
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.extend(found);
        let weights = seen.iter().map(|&(a, b)| self.weight(a, b));
        (seen.len() as u64, self.copies() + weights.sum::<u64>())
    }

    /// The prints of the texts in these sketches.
    ///
    /// # Errors
    /// [`Cancelled`] if told to stop.
    pub fn prints(&self, analysis: &super::Analysis, job: &Job) -> Result<Prints, Cancelled> {
        Prints::new(&self.texts, analysis, &job.progress)
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
        let stop = || job.progress.is_cancelled();
        let made: Vec<Option<Bag>> = contents
            .par_iter()
            .map_init(Scratch::default, |scratch, content| match content {
                Ok(Content::Text(text)) if !stop() => {
                    let features = fingerprinter.features_unless(text, scratch, &stop)?;
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
