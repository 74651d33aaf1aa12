//! Pairs judged by eye.
//!
//! ```text
//! labels (the file) + pairs of the analysis --prepare--> labelling --draw----> a batch of pairs
//!                                                            ^      --assess--> the k to take by the labels
//!                                                            '-- a label for a key
//! ```
//!
//! A batch has pairs of one distance, which Tune shows, or of all, in an order that tells nothing about distances. While
//! one of these is judged nothing on the screen shows the distance of a pair or the verdicts on similar pairs.

use std::collections::HashSet;
use std::sync::Arc;

use crate::analysis::labelling::ScannedTexts;
use crate::analysis::{Labelling, query};
use crate::app::Resource;
use crate::app::side_by_side::ShownTexts;
use crate::corpus::{Labels, TextPair};
use crate::evaluate::recommend::PrecisionGoal;
use crate::evaluate::sample::Pick;

/// The precisions to choose from.
pub const TARGETS: [f64; 4] = [0.8, 0.9, 0.95, 0.99];

/// The parts that can stand below the histogram of Tune.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Below {
    /// The pairs that the next bit adds.
    #[default]
    NextBit,
    /// Each k, by the texts.
    EachK,
    /// Each k, by the judgements.
    Judged,
}

/// The state of the judgements.
#[derive(Debug, Default)]
pub struct LabelState {
    /// The part below the histogram.
    pub below: Below,
    /// All labels; `None` until their file is read.
    pub labels: Option<Arc<Labels>>,
    /// The problem of the label file: it cannot be read, a part of it cannot be used, or a label could not
    /// be saved.
    pub problem: Option<String>,
    /// The pairs that can be judged.
    pub pairs: Option<Arc<Labelling>>,
    /// The k for which the pairs of the next bit were searched.
    pub(in crate::app) widened: Option<u32>,
    /// The texts of the pairs before, for other pairs of the same fingerprints.
    pub(in crate::app) texts: Option<ScannedTexts>,
    /// The request that prepares the pairs.
    pub labelling: Resource<query::LabellingQuery>,
    /// The estimates by the labels. While they are computed again, they lack the newest labels.
    pub assessed: Resource<query::AssessmentQuery>,
    /// The request for the next batch.
    pub batch: Resource<query::PairsToJudge>,
    /// The request for the texts of the next pair to judge.
    pub pair: Resource<query::PairToJudge>,
    /// The present batch.
    pub judging: Option<JudgingBatch>,
    /// Whether a batch at all distances was asked for.
    pub is_blind: bool,
    /// The precision and confidence required of a k.
    pub aim: PrecisionGoal,
    /// The skipped pairs, which are shown again in another session.
    pub(in crate::app) skipped: HashSet<Pick>,
    /// Whether the file was asked for.
    pub(in crate::app) asked: bool,
    /// Whether the file was asked for and is not read yet.
    pub(in crate::app) is_reading: bool,
    /// Counts batches that ended: after each the next one is drawn.
    pub(in crate::app) round: u64,
    /// Counts labels that were given, taken back or lost: after each the labels are counted again.
    pub(in crate::app) entered: u64,
}

impl LabelState {
    /// Whether a pair to judge stands on the screen.
    pub(in crate::app) fn shows_pair(&self) -> bool {
        self.is_blind || self.below == Below::NextBit
    }

    /// Drops the present pairs and the queries about them, because they keep a whole analysis in memory.
    pub(in crate::app) fn leave_pairs(&mut self) {
        self.texts = self.pairs.take().map(|pairs| pairs.texts.clone()).or(self.texts.take());
        (self.judging, self.is_blind) = (None, false);
        self.labelling.clear();
        self.assessed.clear();
        self.batch.clear();
        self.pair.clear();
    }
}

/// A batch being judged.
#[derive(Clone, Debug, Default)]
pub struct JudgingBatch {
    /// The distance of all its pairs; `None` for pairs at all distances.
    pub distance: Option<u32>,
    /// Its pairs, in the order to show them.
    pub batch: Vec<Pick>,
    /// The index of the current pair.
    pub at: usize,
    /// The answers so far: the index of the pair, and the pair of texts, if it got a label.
    pub done: Vec<(usize, Option<TextPair>)>,
    /// The texts of the current pair, laid out.
    pub texts: ShownTexts,
}

impl JudgingBatch {
    /// Makes another pair the current one.
    pub(in crate::app) fn turn_to(&mut self, at: usize) {
        (self.at, self.texts) = (at, ShownTexts::default());
    }
}
