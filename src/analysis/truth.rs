//! The true pairs of a corpus: texts that are alike by their exact cosines. Recipes and layouts are judged by them.
//!
//! A truth is made once for a corpus and a definition of [alike](Alike), then shared as an `Arc`. Every
//! [`LayoutEvaluation`](super::LayoutEvaluation) compares one layout with it. Reads the corpus once more. If the
//! join takes minutes at most, all true pairs are found. Otherwise only the true pairs of a random sample of texts
//! are found, and recall is estimated from them.
//!
//! Memory: 20 bytes for each distinct feature of each distinct text while vectors are made, then 12 for each that
//! several texts share, and 16 for each true pair.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::{Alike, AnalysisError, Job, Settings, Stage, batch};
use crate::choice::choice;
use crate::corpus::{Content, Corpus};
use crate::evaluate::cosine::{Bag, Bags};
use crate::evaluate::recall::FEWEST;
use crate::evaluate::sample;
use crate::evaluate::truth::{Join, TruePair, TruthError};
use crate::evaluate::vectors::{TextVectors, Vectors};
use crate::id::DocId;
use crate::index::Distinct;
use crate::number::{counted, grouped};
use crate::progress::Cancelled;
use crate::simhash::{Fingerprinter, Recipe, Scratch};

/// The number of texts that are drawn if the truth is sampled; fewer if their join would take longer than the limit
/// of an exact join.
pub const SAMPLE: usize = 10_000;
/// The seed of the draw, so that the same corpus gives the same draw.
const SEED: u64 = 0x74_7275_7468;
/// The most true pairs of different texts that are kept: at 16 bytes each, 1.6 GB while they are sorted.
const MOST_TRUE_PAIRS: usize = 50_000_000;
/// The most steps of an exact join: some ten minutes of one core, at a fifth of a microsecond for each step
/// (measured on abstracts: 14 million in 3 seconds). If the join would take more, the truth is sampled.
pub(super) const MOST_MEETINGS: f64 = 3e9;

choice! {
    /// The requested extent of the truth: all true pairs, or a sample.
    pub enum TruthChoice, "truth" {
        /// All true pairs if that takes minutes at most, a sample otherwise.
        #[default]
        Auto = "auto",
        /// Every true pair, however long it takes.
        Exact = "exact",
        /// The true pairs of 10,000 texts drawn at random; recall is estimated.
        Sampled = "sampled",
    }
}

/// The texts of a corpus with their feature vectors, and the true pairs.
#[derive(Debug)]
pub struct Truth {
    /// The definition of a true pair: its texts are alike.
    pub alike: Alike,
    /// The definition in words.
    pub(super) definition: String,
    /// The time to read the texts and make the vectors.
    pub vectors_took: Duration,
    /// The time of the join; zero if there was no join.
    pub join_took: Duration,
    /// The predicted number of steps of the join; 0 if there was no join.
    pub predicted_meetings: f64,
    pub(super) texts: Distinct<u128>,
    /// The vectors that decide which pairs are true.
    pub(super) vectors: Vectors,
    /// The vectors under the recipe's own weights, which decide the distances of fingerprints.
    pub(super) own: Vectors,
    /// Every true pair of different texts; `None` if the truth is sampled.
    pub(super) known: Option<Vec<TruePair>>,
    /// The drawn texts and their true pairs; `None` before [`Truth::draw`].
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
        choice: TruthChoice,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        Self::prepare_within(MOST_MEETINGS, corpus, settings, choice, job)
    }

    /// The truth with all true pairs; `None` if their join takes more than `most_meetings` steps, if they are too many
    /// to keep, or if there are no texts.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, or if a document cannot be read again.
    pub(super) fn exact_within(
        most_meetings: f64,
        corpus: &Corpus,
        settings: &Settings,
        job: &Job,
    ) -> Result<Option<Self>, AnalysisError> {
        match Self::prepare_within(most_meetings, corpus, settings, TruthChoice::Auto, job) {
            Ok(truth) => Ok(Some(truth).filter(Self::is_exact)),
            Err(AnalysisError::Truth(_) | AnalysisError::NoTexts) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// As [`Truth::prepare`], but with this limit: [`TruthChoice::Auto`] is exact up to `most_meetings` steps of
    /// the join.
    fn prepare_within(
        most_meetings: f64,
        corpus: &Corpus,
        settings: &Settings,
        choice: TruthChoice,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        let begun = Instant::now();
        let (alike, recipe) = (settings.alike, &settings.recipe);
        let judge = alike.recipe(recipe);
        let weightings = [judge.weights, recipe.weights];
        let same_features = Recipe { seed: recipe.seed, bits: recipe.bits, ..judge.clone() }
            .of_features()
            == recipe.of_features();
        let mut fingerprinters = vec![Fingerprinter::before_frequencies(recipe)?];
        if !same_features {
            fingerprinters.push(Fingerprinter::before_frequencies(&judge)?);
        }
        let bags = bags(corpus, &fingerprinters, job)?;
        AnalysisError::require_all_read(corpus)?;
        if !bags[0].has_texts() {
            return Err(AnalysisError::NoTexts);
        }
        job.enter(Stage::Weigh, 0);
        let TextVectors { distinct, vectors: [mut vectors, own] } =
            TextVectors::new(&bags[0], weightings, &job.progress)?;
        if let [_, bags] = &bags[..] {
            [vectors] = TextVectors::new(bags, [judge.weights], &job.progress)?.vectors;
        }
        drop(bags);
        let vectors_took = begun.elapsed();
        let begun = Instant::now();
        job.enter(Stage::Join, 0);
        let mut predicted_meetings = 0.0;
        let known = match choice {
            TruthChoice::Sampled if distinct.len() > SAMPLE => None,
            choice => {
                let join = Join::new(&vectors, alike.tau, &job.progress)?;
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
            alike,
            definition: alike.describe(recipe),
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
        let join = Join::new(&self.vectors, self.alike.tau, &job.progress)?;
        self.predicted_meetings = join.predicted_meetings();
        let affordable = self.n_texts() as f64 * MOST_MEETINGS / (2.0 * self.predicted_meetings);
        let n = SAMPLE.min(affordable as usize).min(self.n_texts());
        let drawn = sample::draw(n, self.n_texts() as u64, SEED);
        let texts: Vec<u32> = drawn.into_iter().map(|text| text as u32).collect();
        let pairs = join.pairs_of(&texts, MOST_TRUE_PAIRS, &job.progress)?;
        self.drawn = Some(TextSample { texts, pairs });
        self.join_took += begun.elapsed();
        Ok(())
    }

    /// Whether every true pair is known.
    pub fn is_exact(&self) -> bool {
        self.known.is_some()
    }

    /// The number of distinct texts with features. Texts with equal features count once: those of the recipe, and those
    /// by which texts are alike.
    pub fn n_texts(&self) -> usize {
        self.texts.len()
    }

    /// The number of documents with features.
    pub fn n_documents(&self) -> usize {
        self.texts.n_fingerprinted()
    }

    /// The documents of a text, ascending.
    pub fn documents(&self, text: u32) -> &[DocId] {
        self.texts.documents(text)
    }

    /// The number of pairs of documents with equal features, which every layout finds.
    pub fn copies(&self) -> u64 {
        (0..self.texts.len() as u32).map(|text| self.n_copies(text)).map(|n| n * (n - 1) / 2).sum()
    }

    /// The number of true pairs of documents, including pairs with equal features; `None` if the truth is sampled.
    pub fn n_pairs(&self) -> Option<u64> {
        let known = self.known.as_ref()?;
        Some(self.copies() + known.iter().map(|pair| self.weight(pair.a, pair.b)).sum::<u64>())
    }

    /// The number of true pairs of different texts; `None` if the truth is sampled.
    pub fn n_text_pairs(&self) -> Option<u64> {
        Some(self.known.as_ref()?.len() as u64)
    }

    /// The number of texts made of a template: at least half of their features are in at least half of all texts.
    pub fn n_boilerplate(&self) -> usize {
        (0..self.n_texts() as u32).filter(|&text| self.vectors.is_mostly_common(text)).count()
    }

    /// A sentence for the user: the number of true pairs and the condition for a true pair, or how recall is
    /// estimated.
    pub fn describe(&self) -> String {
        let texts = format!("{} texts with different features", grouped(self.n_texts() as u64));
        let definition = &self.definition;
        if let (Some(pairs), Some(of_texts)) = (self.n_pairs(), self.n_text_pairs()) {
            return format!(
                "{} of documents that are alike ({definition}), {} of them with equal features; {} of {texts}",
                counted(pairs, "true pair"),
                grouped(self.copies()),
                counted(of_texts, "pair"),
            );
        }
        let Some(drawn) = &self.drawn else {
            return format!("true pairs of {texts} are not known");
        };
        let (n, with) = (drawn.texts.len() as u64, drawn.with_a_pair());
        let recall = if with < FEWEST {
            format!(
                "; recall_distinct is unknown, because it needs {FEWEST} texts with a true pair"
            )
        } else {
            "; recall_distinct is estimated from these".to_owned()
        };
        format!(
            "{} of {texts} drawn at random: {} of them are alike ({definition}) with any text, in {}{recall}",
            grouped(n),
            grouped(with as u64),
            counted(drawn.pairs.len() as u64, "true pair"),
        )
    }

    /// The number of documents with this text.
    pub(super) fn n_copies(&self, text: u32) -> u64 {
        self.texts.documents(text).len() as u64
    }

    /// The number of pairs of documents that a pair of texts represents.
    pub(super) fn weight(&self, a: u32, b: u32) -> u64 {
        self.n_copies(a) * self.n_copies(b)
    }
}

impl TextSample {
    /// The number of drawn texts with a true pair.
    fn with_a_pair(&self) -> usize {
        let ends = self.pairs.iter().flat_map(|pair| [pair.a, pair.b]);
        let with = ends.filter(|text| self.texts.binary_search(text).is_ok());
        with.collect::<BTreeSet<u32>>().len()
    }
}

impl From<TruthError> for AnalysisError {
    fn from(error: TruthError) -> Self {
        match error {
            TruthError::Cancelled(cancelled) => cancelled.into(),
            TruthError::TooManyPairs { .. } => Self::Truth(error),
        }
    }
}

/// The bags (features with counts) of all documents, in order, by each of the fingerprinters; `None` for a document that
/// cannot be read or has no text. Texts with equal bags by all of them are one row; a text without features by the first
/// has none.
fn bags(corpus: &Corpus, by: &[Fingerprinter], job: &Job) -> Result<Vec<Bags>, Cancelled> {
    job.enter(Stage::Count, corpus.len() as u64);
    let mut bags: Vec<Bags> = by.iter().map(|_| Bags::new()).collect();
    batch::reread(corpus, 0, job, &mut |_, contents| {
        let made: Vec<Option<Vec<Bag>>> = contents
            .par_iter()
            .map_init(Scratch::default, |scratch, content| match content {
                Ok(Content::Text(text)) if !job.progress.is_cancelled() => {
                    let bag = |by: &Fingerprinter| {
                        let features = by.try_features(text, scratch, &job.progress).ok()?;
                        Some(Bag::new(features.counted()))
                    };
                    by.iter().map(bag).collect()
                }
                _ => None,
            })
            .collect();
        for made in &made {
            let identity = made.as_deref().and_then(Bag::identity);
            for (at, bags) in bags.iter_mut().enumerate() {
                bags.push_as(made.as_ref().map(|made| &made[at]), identity);
            }
        }
    })?;
    Ok(bags)
}
