//! `simscope labels`: prints the labels that were given by eye, one row for each; imports a truth file as labels.

use std::{collections::HashSet, path::Path};

use super::{
    args::LabelsArgs,
    judged::{open_labels, read_judgements},
    options::CommandRun,
    work::finish,
};
use crate::{
    analysis::{
        AnalysisDepth,
        labelling::{ImportedLabels, labels_of},
    },
    corpus::{LabelEntry, LabelFile},
    facts::documents::labels as columns,
    number::{counted, grouped},
    text::visible,
};

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun, given: &LabelsArgs) -> anyhow::Result<u8> {
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
