//! The subject of a report. Its sections read more of the corpus: the texts of groups and of sample pairs.
//!
//! ```text
//! tuning     the distances of all pairs, a row for each k    counted, or sampled with intervals
//! judged     the judgements of people, if there are any      precision and recall with intervals
//! groups     those at k, and the documents to drop
//! samples    some pairs at each distance                     drawn with a fixed seed
//! ```
//!
//! Everything is bounded for every corpus: lists hold their first elements and the number of all. Nothing here
//! reads a clock, so the same input gives the same report. With its sections a report costs three passes over the
//! corpus, and for the groups at most as much as `groups --summary`.

use std::collections::HashSet;
use std::sync::Arc;

use super::super::args::JudgedArgs;
use super::super::judged::LabelSource;
use super::super::options::CommandRun;
use super::super::tune;
use super::super::work::{self, staged};
use crate::analysis::dedup::{Decisions, DropRule};
use crate::analysis::grouping::IgnoredPairs;
use crate::analysis::{Analysis, AnalysisError, Assessment, Job, Labelling, Stage, Tuning};
use crate::corpus::Labels;
use crate::explain::text_diff::opening;
use crate::id::DocId;
use crate::index::{DocumentPair, Groups, Linkage};

/// The most characters of an id that are shown.
const LONGEST_NAME: usize = 100;
/// The most groups that are listed.
pub(super) const MOST_GROUPS: usize = 20;

/// The subject of a report.
pub(super) struct Report<'r> {
    /// The run, with the names of its inputs.
    pub(super) run: &'r CommandRun,
    /// The options on judged pairs.
    pub(super) args: &'r JudgedArgs,
    /// The corpus, its settings and what was skipped.
    pub(super) analysis: Analysis,
    /// A row for each k.
    pub(super) tuning: Tuning,
    /// The number of pairs drawn to estimate the distances; `None` if all pairs were counted.
    pub(super) draws: Option<u32>,
    /// The precision by judged pairs; `None` without judgements.
    pub(super) judged: Option<Assessment>,
    /// The groups at the settings' k.
    pub(super) groups: Arc<Groups>,
    /// Pairs of documents within k.
    pub(super) n_pairs: u64,
    /// Documents without words whose texts are equal, which are in no group.
    pub(super) n_wordless: usize,
    /// The documents that `dedup` would drop at this k, if the first document of a group is preferred.
    pub(super) dropped: Decisions,
    /// Sample pairs; `None` if there are too many pairs to keep.
    pub(super) samples: Option<PairSamples>,
}

impl<'r> Report<'r> {
    /// Computes what a report is about, except what its sections read.
    pub(super) fn new(
        run: &'r CommandRun,
        args: &'r JudgedArgs,
        analysis: &Arc<Analysis>,
        source: &LabelSource,
    ) -> anyhow::Result<Self> {
        let distances = work::distances(run, analysis)?;
        let index = analysis.index.as_deref().expect("this depth has an index");
        let labelling =
            analysis.near.is_some().then(|| source.labelling(run, analysis)).transpose()?;
        let assess = |it| source.assess(run, analysis, it, &distances, args);
        let judged = labelling.as_ref().filter(|_| args.is_asked()).map(assess).transpose()?;
        let advice = tune::advice(run, analysis, judged.as_ref(), &distances, args)?;
        let near = analysis.near.as_deref();
        let mut tuning = Tuning::new(index, near, Some(&distances), Some(advice));
        let samples = labelling.map(|labelling| PairSamples::draw(&labelling, analysis.settings.k));
        let texts = staged(run, Stage::Pair, |job| analysis.compare_texts(job))?;
        let analysis = analysis.with_equal_texts(Arc::new(texts));
        let (groups, n_pairs) = staged(run, Stage::Pair, |job| find_groups(run, &analysis, job))?;
        let (dropped, wordless) = staged(run, Stage::Compare, |job| -> Result<_, AnalysisError> {
            let dropped = analysis.decide(&groups, &DropRule::default(), job)?;
            Ok((dropped, analysis.equal_without_words(job)?))
        })?;
        tuning.rows[run.settings.k as usize].dropped = Some(dropped.dropped.len() as u64);
        let n_wordless = wordless.iter().map(Vec::len).sum();
        Ok(Self {
            run,
            args,
            analysis,
            tuning,
            draws: distances.draws,
            judged,
            groups,
            n_pairs,
            n_wordless,
            dropped,
            samples,
        })
    }

    /// The number of the listed group that holds all of these documents, if there is one.
    pub(super) fn listed_group(&self, documents: &[DocId]) -> Option<u32> {
        let mut groups = documents.iter().map(|&document| self.groups.group_of(document));
        let first = groups.next()??;
        let is_one = groups.all(|group| group == Some(first));
        (is_one && (first as usize) < MOST_GROUPS).then_some(first)
    }

    /// A document's id, sanitised and of bounded length.
    pub(super) fn name(&self, document: DocId) -> String {
        opening(self.analysis.corpus.id(document), LONGEST_NAME)
    }
}

/// The groups, from the pairs that are kept or else from a stream of them, and the number of pairs.
fn find_groups(
    run: &CommandRun,
    analysis: &Analysis,
    job: &Job,
) -> Result<(Arc<Groups>, u64), AnalysisError> {
    if let (Some(groups), Some(totals)) = (&analysis.groups, analysis.totals()) {
        return Ok((Arc::clone(groups), totals.pairs));
    }
    let index = analysis.index.as_deref().expect("this depth has an index");
    let (groups, found) =
        index.stream_groups(&run.settings, Linkage::Single, &IgnoredPairs::new(), job)?;
    Ok((Arc::new(groups), found.pairs))
}

/// The number of distances beyond k that are shown.
const BEYOND: u32 = 2;
/// The most distances that are shown. If there are more, every second or third is shown, and so on.
const MOST_DISTANCES: usize = 8;
/// The most pairs at each distance.
const AT_EACH: usize = 2;

/// Sample pairs at each distance up to k and a little beyond. They are drawn from all kept pairs with a fixed
/// seed. Pairs of equal texts and of documents without text are left out, because there is no difference to
/// show.
pub(super) struct PairSamples {
    /// The pairs, nearest first.
    pub(super) pairs: Vec<DocumentPair>,
    /// The shown distances, each with the number of pairs of documents with different texts.
    pub(super) distances: Vec<(u32, u64)>,
}

impl PairSamples {
    fn draw(labelling: &Labelling, k: u32) -> Self {
        let farthest = (k + BEYOND).min(labelling.window());
        let step = (farthest as usize + 1).div_ceil(MOST_DISTANCES);
        // The step counts from k, so that k itself is always shown.
        let is_shown = |distance: u32| {
            distance <= farthest && (distance.abs_diff(k) as usize).is_multiple_of(step)
        };
        let shown = (0..=farthest).filter(|&distance| is_shown(distance));
        let n_different = |distance: u32| labelling.strata()[distance as usize].different();
        let distances: Vec<_> = shown.map(|distance| (distance, n_different(distance))).collect();
        let drawn = |&(distance, _): &(u32, u64)| {
            let picks = labelling.next(&Labels::default(), Some(distance), &HashSet::new());
            picks.into_iter().take(AT_EACH).map(|pick| labelling.pair(pick))
        };
        let mut pairs: Vec<DocumentPair> = distances.iter().flat_map(drawn).collect();
        pairs.sort_by_key(|pair| (pair.distance, pair.a, pair.b));
        Self { pairs, distances }
    }
}
