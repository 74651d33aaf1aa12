//! The Label view: pairs judged by eye, a batch at a time, and between batches what the judgements say.
//!
//! ```text
//! labels (the file) + pairs of the analysis --prepare--> labelling --assess--> what k, and the next batch
//!                                                            ^                         |
//!                                                            '---- a label a key <-----'
//! ```
//!
//! While a batch is judged nothing on the screen tells the distance of a pair or what was said of others
//! like it.

use std::{collections::HashSet, sync::Arc};

use crate::{
    analysis::{Advice, Analysis, AnalysisError, Assessment, Job, Labelling},
    app::{
        comparison::Comparison,
        layout::{Shape, Size},
        query,
        resource::Resource,
        side_by_side::DiffRow,
    },
    corpus::{Labels, TextPair},
    evaluate::{
        null::Chance,
        recommend::{Aim, Looks},
        sample::{Pick, Sampler},
    },
    id::DocId,
    text::{Digest, digest},
};

/// Pairs of a batch, those shown again not counted.
pub const BATCH: u32 = 20;
/// The precisions that can be asked for.
pub const TARGETS: [f64; 4] = [0.8, 0.9, 0.95, 0.99];
/// Bytes of a text that are compared and shown: more than anybody reads before saying yes or no, and compared in
/// a fraction of a second even where two have nothing in common.
pub const MOST_BYTES: usize = 32 * 1024;
/// Which pairs are drawn follows from the corpus, the recipe, the labels and this.
const SEED: u64 = 0;

/// What the Label view remembers.
#[derive(Debug, Default)]
pub struct LabelState {
    /// All labels there are; `None` until their file is read.
    pub labels: Option<Arc<Labels>>,
    /// Why the file cannot be read, or what of it cannot be used, or why it took no label.
    pub problem: Option<String>,
    /// The pairs, ready to be judged.
    pub pairs: Option<Arc<Labelling>>,
    /// The pairs being made ready.
    pub labelling: Resource<query::Labelling>,
    /// What the labels say; of fewer labels than there are while it is being made anew.
    pub assessed: Resource<query::Assessment>,
    /// The next pair to judge, on its way.
    pub pair: Resource<query::PairToJudge>,
    /// The batch under way.
    pub judging: Option<Judging>,
    /// What is asked of a k.
    pub aim: Aim,
    /// Pairs that were skipped: they come again in another session.
    pub(in crate::app) skipped: HashSet<Pick>,
    /// Whether the file was asked for.
    pub(in crate::app) asked: bool,
    /// Counts batches that ended and labels that were lost: after each the labels are counted anew.
    pub(in crate::app) round: u64,
}

/// What the labels say, and what to judge next.
#[derive(Clone, Debug)]
pub struct Assessed {
    /// What they say of each k.
    pub assessment: Assessment,
    /// Which k to take by them.
    pub advice: Arc<Advice>,
    /// What of it is worth a sentence.
    pub conclusion: Vec<String>,
    /// The next pairs to judge, in the order to show them.
    pub batch: Vec<Pick>,
}

impl Assessed {
    /// Weighs `labels` and draws the next batch: what follows in the order of the seed, but for pairs that
    /// have a label and those to leave out. Takes some tenths of a second.
    ///
    /// # Errors
    /// [`AnalysisError`] where groups cannot be made.
    pub(in crate::app) fn new(
        labelling: &Labelling,
        labels: &Labels,
        aim: Aim,
        chance: Chance,
        left_out: &HashSet<Pick>,
    ) -> Result<Self, AnalysisError> {
        let judged = labelling.judge_by_text(labels);
        let mut sampler = Sampler::new(labelling.strata(), SEED);
        let mut batch = labelling.batch(&judged, &mut sampler, BATCH + left_out.len() as u32);
        batch.retain(|pick| !left_out.contains(&Pick { is_repeat: false, ..*pick }));
        batch.truncate(BATCH as usize + 1);
        let analysis = labelling.analysis();
        let looks = Looks::default();
        let assessment = Assessment::new(analysis, judged, chance, aim, looks, &Job::new())?;
        let conclusion = assessment.conclusion();
        let advice = Arc::new(assessment.advice.clone());
        Ok(Self { assessment, advice, conclusion, batch })
    }
}

/// A batch being judged.
#[derive(Clone, Debug, Default)]
pub struct Judging {
    /// Its pairs, in the order to show them.
    pub batch: Vec<Pick>,
    /// The pair that is up.
    pub at: usize,
    /// What was said of those before: the pair, where anything was said.
    pub done: Vec<Option<TextPair>>,
    /// The pair that is up, once it was read.
    pub shown: Option<Arc<Shown>>,
    /// Its texts, laid out.
    pub rows: Vec<DiffRow>,
    /// The first row that shows.
    pub top: usize,
    /// What the rows were made from: the cells of a column.
    pub(in crate::app) laid_out: Option<usize>,
}

/// A pair to judge, read: left and right in the order of its names, which tells nothing.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Its place in the batch.
    pub at: usize,
    /// Its documents, left and right.
    pub documents: [DocId; 2],
    /// The names of their texts.
    pub names: [Digest; 2],
    /// The texts compared.
    pub comparison: Comparison,
}

impl Shown {
    /// Reads the pair of a pick and compares its texts.
    ///
    /// # Errors
    /// Why one of them cannot be read.
    pub(in crate::app) fn new(
        analysis: &Analysis,
        labelling: &Labelling,
        at: usize,
        pick: Pick,
    ) -> Result<Self, String> {
        let pair = labelling.pair(pick);
        let read = |document| {
            let content = analysis.corpus.read(document).map_err(|error| error.to_string())?;
            let text = content.text().ok_or("a fingerprint without its text cannot be judged")?;
            let shown = &text[..text.floor_char_boundary(MOST_BYTES)];
            let is_cut = shown.len() < text.len();
            Ok::<_, String>((digest(text), document, shown.to_owned(), is_cut))
        };
        let mut texts = [read(pair.a)?, read(pair.b)?];
        texts.sort_by_key(|(name, ..)| *name);
        let [(left_name, left, a, a_cut), (right_name, right, b, b_cut)] = texts;
        let mut comparison = Comparison::new((left, Some(&a)), (right, Some(&b)), None);
        comparison.clipped |= a_cut || b_cut;
        Ok(Self { at, documents: [left, right], names: [left_name, right_name], comparison })
    }
}

/// Rows of the two texts of a pair, on a screen of this size.
pub fn judging_rows(size: Size) -> usize {
    let frame = if size.shape() == Shape::Wide { 4 } else { 2 };
    size.body().saturating_sub(frame)
}

/// Cells of one text, and whether the other stands beside it.
pub fn judging_column(size: Size) -> (usize, bool) {
    let is_side_by_side = size.shape() >= Shape::Standard;
    let frame = if size.shape() == Shape::Wide { 8 } else { 6 };
    let cells = (size.width as usize).saturating_sub(frame);
    (if is_side_by_side { cells / 2 } else { cells }, is_side_by_side)
}
