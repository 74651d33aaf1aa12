//! The Label view: pairs judged by eye, a batch at a time, and between batches the results of the judgements.
//!
//! ```text
//! labels (the file) + pairs of the analysis --prepare--> labelling --assess--> the k to take, and the next batch
//!                                                            ^                         |
//!                                                            '-- a label for a key <---'
//! ```
//!
//! While a batch is judged nothing on the screen shows the distance of a pair or the verdicts on similar pairs.

use std::{collections::HashSet, sync::Arc};

use crate::{
    analysis::{Labelling, labelling::PairWithTexts, query},
    app::{
        layout::{Size, SizeClass},
        page::has_boxes,
        resource::Resource,
        side_by_side::DiffRow,
    },
    corpus::{Labels, TextPair},
    evaluate::{recommend::PrecisionGoal, sample::Pick},
};

/// The precisions to choose from.
pub const TARGETS: [f64; 4] = [0.8, 0.9, 0.95, 0.99];

/// The state of the Label view.
#[derive(Debug, Default)]
pub struct LabelState {
    /// All labels; `None` until their file is read.
    pub labels: Option<Arc<Labels>>,
    /// The problem of the label file: it cannot be read, a part of it cannot be used, or a label could not
    /// be saved.
    pub problem: Option<String>,
    /// The pairs that can be judged.
    pub pairs: Option<Arc<Labelling>>,
    /// The request that prepares the pairs.
    pub labelling: Resource<query::LabellingQuery>,
    /// The estimates by the labels. While they are computed again, they lack the newest labels.
    pub assessed: Resource<query::AssessmentQuery>,
    /// The request for the next pair to judge.
    pub pair: Resource<query::PairToJudge>,
    /// The present batch.
    pub judging: Option<JudgingBatch>,
    /// The precision and confidence required of a k.
    pub aim: PrecisionGoal,
    /// The skipped pairs, which are shown again in another session.
    pub(in crate::app) skipped: HashSet<Pick>,
    /// Whether the file was asked for.
    pub(in crate::app) asked: bool,
    /// Whether the file was asked for and is not read yet.
    pub(in crate::app) is_reading: bool,
    /// Counts batches that ended and labels that were lost: after each the labels are counted again.
    pub(in crate::app) round: u64,
}

impl LabelState {
    /// Drops the present pairs and the queries about them, because they keep a whole analysis in memory.
    pub(in crate::app) fn leave_pairs(&mut self) {
        (self.pairs, self.judging) = (None, None);
        self.labelling.clear();
        self.assessed.clear();
        self.pair.clear();
    }
}

/// A batch being judged.
#[derive(Clone, Debug, Default)]
pub struct JudgingBatch {
    /// Its pairs, in the order to show them.
    pub batch: Vec<Pick>,
    /// The index of the current pair.
    pub at: usize,
    /// The answers to the pairs before: the pair of texts, if it got a label.
    pub done: Vec<Option<TextPair>>,
    /// The current pair, once it is read.
    pub shown: Option<Arc<PairWithTexts>>,
    /// Its texts, laid out.
    pub rows: Vec<DiffRow>,
    /// The first shown row.
    pub top: usize,
    /// The width of the columns for which the rows were made, in cells.
    pub(in crate::app) laid_out: Option<usize>,
}

/// Rows of the two texts of a pair, on a screen of this size.
pub fn judging_rows(size: Size) -> usize {
    // The question, and the frames or the rule.
    let others = if has_boxes(size) { 5 } else { 2 };
    size.body().saturating_sub(others)
}

/// The cells of one text, and whether the two texts are side by side.
pub fn judging_column(size: Size) -> (usize, bool) {
    let is_side_by_side = size.shape() >= SizeClass::Standard;
    let frame = if has_boxes(size) { 8 } else { 6 };
    let cells = (size.width as usize).saturating_sub(frame);
    (if is_side_by_side { cells / 2 } else { cells }, is_side_by_side)
}
