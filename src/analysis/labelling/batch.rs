//! The assessment of labels, the next batch of pairs to judge, and one pair of it.

use std::{collections::HashSet, sync::Arc};

use super::{Assessment, Labelling};
use crate::{
    analysis::{Advice, Analysis, AnalysisError, Job, explained_pair::Comparison},
    corpus::Labels,
    evaluate::{
        distances::Chance,
        recommend::PrecisionGoal,
        sample::{Pick, Sampler},
    },
    id::DocId,
    text::{Digest, digest},
};

/// The new pairs of a batch; a pair that is shown again comes on top.
pub const BATCH: u32 = 20;
/// The most bytes of a text that are compared and shown. It is more than a person reads, and two such texts are
/// compared in a fraction of a second even if they have nothing in common.
pub const MOST_BYTES: usize = 32 * 1024;
/// The seed of the draw. Corpus, recipe, labels and seed determine the pairs.
const SEED: u64 = 0;

/// The assessment of all labels, and the next pairs to judge.
#[derive(Clone, Debug)]
pub struct AssessedLabels {
    /// The assessment.
    pub assessment: Assessment,
    /// The recommended k by the labels.
    pub advice: Arc<Advice>,
    /// The conclusion of the assessment, in sentences.
    pub conclusion: Vec<String>,
    /// The next pairs to judge, in the order to show them.
    pub batch: Vec<Pick>,
}

impl AssessedLabels {
    /// Assesses `labels` and draws the next batch in the random order of the seed. Pairs with a label and the pairs
    /// in `left_out` are skipped. Takes some tenths of a second.
    ///
    /// # Errors
    /// [`AnalysisError`] if groups cannot be formed.
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
        let assessment = Assessment::new(analysis, judged, chance, aim, &Job::new())?;
        let conclusion = assessment.conclusion();
        let advice = Arc::new(assessment.advice.clone());
        Ok(Self { assessment, advice, conclusion, batch })
    }
}

/// A pair to judge, with its texts. They are ordered by digest, so that left and right show nothing about the pair.
#[derive(Clone, Debug)]
pub struct PairWithTexts {
    /// Its position in the batch.
    pub at: usize,
    /// Its documents, left and right.
    pub documents: [DocId; 2],
    /// The digests of their texts.
    pub names: [Digest; 2],
    /// The comparison of the texts.
    pub comparison: Comparison,
}

impl PairWithTexts {
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
