//! Labels counted, the next batch of pairs to judge, and one pair of it.

use std::{collections::HashSet, sync::Arc};

use super::{Assessment, Labelling};
use crate::{
    analysis::{Advice, Analysis, AnalysisError, Job, comparison::Comparison},
    corpus::Labels,
    evaluate::{
        null::Chance,
        recommend::{LookSchedule, PrecisionGoal},
        sample::{Pick, Sampler},
    },
    id::DocId,
    text::{Digest, digest},
};

/// Pairs of a batch, those shown again not counted.
pub const BATCH: u32 = 20;
/// Bytes of a text that are compared and shown: more than a person reads before judging, and compared in a
/// fraction of a second even where two have nothing in common.
pub const MOST_BYTES: usize = 32 * 1024;
/// The seed of the draw. The pairs drawn follow from the corpus, the recipe, the labels and this.
const SEED: u64 = 0;

/// The labels counted, and the pairs to judge next.
#[derive(Clone, Debug)]
pub struct AssessedLabels {
    /// The counts of yes, no and unsure for each k.
    pub assessment: Assessment,
    /// The recommended k by the labels.
    pub advice: Arc<Advice>,
    /// The sentences that the view shows about it.
    pub conclusion: Vec<String>,
    /// The next pairs to judge, in the order to show them.
    pub batch: Vec<Pick>,
}

impl AssessedLabels {
    /// Weighs `labels` and draws the next batch: what follows in the order of the seed, but for pairs that
    /// have a label and those to leave out. Takes some tenths of a second.
    ///
    /// # Errors
    /// [`AnalysisError`] where groups cannot be made.
    pub(crate) fn new(
        labelling: &Labelling,
        labels: &Labels,
        aim: PrecisionGoal,
        chance: Chance,
        left_out: &HashSet<Pick>,
    ) -> Result<Self, AnalysisError> {
        let judged = labelling.judge_by_text(labels);
        let mut sampler = Sampler::new(labelling.strata(), SEED);
        let mut batch = labelling.batch(&judged, &mut sampler, BATCH + left_out.len() as u32);
        batch.retain(|pick| !left_out.contains(&Pick { is_repeat: false, ..*pick }));
        batch.truncate(BATCH as usize + 1);
        let analysis = labelling.analysis();
        let looks = LookSchedule::default();
        let assessment = Assessment::new(analysis, judged, chance, aim, looks, &Job::new())?;
        let conclusion = assessment.conclusion();
        let advice = Arc::new(assessment.advice.clone());
        Ok(Self { assessment, advice, conclusion, batch })
    }
}

/// A pair to judge, with its texts: left and right in the order of their digests, which reveals nothing.
#[derive(Clone, Debug)]
pub struct PairTexts {
    /// Its place in the batch.
    pub at: usize,
    /// Its documents, left and right.
    pub documents: [DocId; 2],
    /// The names of their texts.
    pub names: [Digest; 2],
    /// The texts compared.
    pub comparison: Comparison,
}

impl PairTexts {
    /// Reads the pair of a pick and compares its texts.
    ///
    /// # Errors
    /// The reason why one of them cannot be read.
    pub(crate) fn new(
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
