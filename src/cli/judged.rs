//! Judgements of pairs, from labels that were given by eye or from a truth file; and `simscope labels`, which prints the
//! labels, one row for each, or imports a truth file as labels.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;

use super::args::{JudgedArgs, LabelsArgs};
use super::options::CommandRun;
use super::work::{finish, staged};
use super::{notes, tune};
use crate::analysis::labelling::{ImportedLabels, labels_of};
use crate::analysis::{Analysis, AnalysisDepth, AnalysisError, Assessment, Job, Labelling, Stage};
use crate::corpus::{Judgement, LabelEntry, LabelFile, default_label_file, read_truth};
use crate::evaluate::distances::Distances;
use crate::export::visible_path;
use crate::facts::documents::labels as columns;
use crate::number::{counted, grouped};
use crate::text::{Digest, visible};

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
                visible_path(path)
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
        // The texts in which labels look for theirs.
        let names: HashSet<Digest> = match self {
            Self::Labels(file) => file.labels().iter().flat_map(|it| it.pair.digests()).collect(),
            Self::Truth(_) => HashSet::new(),
        };
        staged(run, Stage::Compare, |job| Labelling::new(Arc::clone(analysis), &names, None, job))
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

/// Prints the labels, or imports some; the exit code.
pub(super) fn labels(run: &CommandRun, given: &LabelsArgs) -> anyhow::Result<u8> {
    let (mut file, code) = open_labels(run, given.labels.as_deref())?;
    match &given.import {
        Some(truth) => Ok(code.max(add(run, &mut file, truth)?)),
        None => Ok(run.write_rows(columns(), file.labels().iter()).map(|()| code)?),
    }
}

/// Adds the judgements of a truth file as labels of the corpus's texts.
fn add(run: &CommandRun, file: &mut LabelFile, truth: &Path) -> anyhow::Result<u8> {
    let (judgements, code) = read_judgements(run, truth)?;
    let (analysis, code_of_corpus) = finish(run, AnalysisDepth::Fingerprints)?;
    let source = truth.file_name().unwrap_or(truth.as_os_str()).to_string_lossy();
    let ImportedLabels { labels, n_absent, n_unread } =
        labels_of(&analysis.corpus, &judgements, &source);
    let (mut n_new, mut n_had, mut n_other) = (0, 0, 0);
    let mut new = Vec::new();
    let mut met = HashSet::new();
    for label in labels {
        match file.labels().get(label.pair) {
            Some(had) if had.verdict == label.verdict => n_had += 1,
            Some(_) => n_other += 1,
            None if !met.insert(label.pair) => n_had += 1,
            None => {
                n_new += 1;
                new.push(LabelEntry::Added(label));
            }
        }
    }
    file.add(new)?;
    let place = visible(&file.path().to_string_lossy()).into_owned();
    let parts = [
        (n_had, "were there already"),
        (n_other, "contradict labels that were there, which stay"),
        (n_absent, "name documents that the corpus does not have, or that have no text"),
        (n_unread, "name documents that cannot be read a second time"),
    ];
    let mut text = format!("{} added to {place}", counted(n_new, "label"));
    for (n, what) in parts.into_iter().filter(|&(n, _)| n > 0) {
        text.push_str(&format!(", {} {what}", grouped(n)));
    }
    run.notes.note(&text);
    Ok(code.max(code_of_corpus))
}
