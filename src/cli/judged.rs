//! `simscope tune` with judged pairs: one row for each k with the precision that judgements show; the conclusion goes
//! to standard error.

use std::{collections::HashSet, path::Path, sync::Arc};

use anyhow::Context as _;

use super::{
    args::{JudgedArgs, TuneArgs},
    notes,
    options::CommandRun,
    tune,
    work::{finish, search, staged},
};
use crate::{
    analysis::{Analysis, AnalysisDepth, AnalysisError, Assessment, Job, Labelling, Stage, Tuning},
    corpus::{Judgement, LabelFile, default_label_file, read_truth},
    evaluate::distances::Distances,
    facts::thresholds::{JudgedRow, advice as columns_of_advice, judged},
    text::{Digest, visible},
};

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun, args: &TuneArgs) -> anyhow::Result<u8> {
    let (source, code_of_said) = LabelSource::read(run, &args.judged)?;
    let (analysis, code) = finish(run, AnalysisDepth::PairsByDistance)?;
    let labelling = source.labelling(run, &analysis)?;
    let index = analysis.index.as_deref().expect("this depth has an index");
    let distances = search(run, &analysis, true, |index, job| Ok(index.distances(&job.progress)?))?;
    let assessment = source.assess(run, &analysis, &labelling, &distances, &args.judged)?;
    if args.advice {
        let advice = if assessment.has_enough_labels() {
            assessment.advice
        } else {
            tune::advise(run, &analysis, &distances, &args.judged)?
        };
        run.write_rows(columns_of_advice(), [advice])?;
        return Ok(code.max(code_of_said));
    }
    let tuning = Tuning::new(index, analysis.near.as_deref(), Some(&distances), None);
    run.write_rows(judged(), JudgedRow::all(&assessment.advice, &tuning.rows))?;
    let about_truth = assessment.about_one_sided_truth().filter(|_| args.judged.truth.is_some());
    for sentence in assessment.conclusion().into_iter().chain(about_truth) {
        run.notes.note(&sentence);
    }
    Ok(code.max(code_of_said))
}

/// The source of judgements of pairs.
pub(super) enum LabelSource {
    Labels(LabelFile),
    Truth(Vec<Judgement>),
}

impl LabelSource {
    /// No judgements.
    pub(super) fn nothing() -> Self {
        Self::Truth(Vec::new())
    }

    /// Reads the source and reports lines that cannot be used; returns the exit code, too.
    pub(super) fn read(run: &CommandRun, args: &JudgedArgs) -> anyhow::Result<(Self, u8)> {
        if let Some(truth) = &args.truth {
            let (judgements, code) = read_judgements(run, truth)?;
            return Ok((Self::Truth(judgements), code));
        }
        if let Some(path) = args.labels.as_deref().filter(|path| !path.exists()) {
            anyhow::bail!(
                "{}: not found; leave --labels out to use cosines, or judge pairs in \
                 the explorer with --labels",
                visible(&path.to_string_lossy())
            );
        }
        let (file, code) = open_labels(run, args.labels.as_deref())?;
        Ok((Self::Labels(file), code))
    }

    /// The pairs of an analysis, ready to be judged by it.
    pub(super) fn labelling(
        &self,
        run: &CommandRun,
        analysis: &Arc<Analysis>,
    ) -> Result<Labelling, AnalysisError> {
        let names = self.names();
        staged(run, Stage::Compare, |job| Labelling::new(Arc::clone(analysis), &names, job))
    }

    /// Estimates the precision of each k from the judgements.
    pub(super) fn assess(
        &self,
        run: &CommandRun,
        analysis: &Analysis,
        labelling: &Labelling,
        distances: &Distances,
        args: &JudgedArgs,
    ) -> Result<Assessment, AnalysisError> {
        let mut judged = match self {
            Self::Labels(file) => labelling.judge_by_text(file.labels()),
            Self::Truth(judgements) => labelling.judge_by_id(judgements),
        };
        if args.complete_truth {
            judged.rest_is_no();
        }
        let (chance, aim) = (analysis.chance(Some(distances)), tune::aim(args));
        let assess = |job: &Job| Assessment::new(analysis, judged, chance, aim, job);
        staged(run, Stage::Compare, assess)
    }

    /// The documents by their texts, in which labels look for theirs.
    fn names(&self) -> HashSet<Digest> {
        match self {
            Self::Labels(file) => file.labels().iter().flat_map(|it| it.pair.digests()).collect(),
            Self::Truth(_) => HashSet::new(),
        }
    }
}

/// Opens the named file of labels, or the default one; reports its bad lines, which set the exit code.
pub(super) fn open_labels(
    run: &CommandRun,
    named: Option<&Path>,
) -> anyhow::Result<(LabelFile, u8)> {
    let path = named.map(Path::to_owned).or_else(default_label_file);
    let path = path.context("no home folder to keep labels in; name a file with --labels")?;
    run.protect(&path)?;
    let (file, problems) = LabelFile::open(&path)?;
    notes::diagnostics(&problems);
    Ok((file, u8::from(!problems.is_empty())))
}

/// Reads the judgements of a truth file and reports its bad rows, which set the exit code.
pub(super) fn read_judgements(
    run: &CommandRun,
    path: &Path,
) -> anyhow::Result<(Vec<Judgement>, u8)> {
    run.protect(path)?;
    let (judgements, problems) = read_truth(path)?;
    notes::diagnostics(&problems);
    Ok((judgements, u8::from(!problems.is_empty())))
}
