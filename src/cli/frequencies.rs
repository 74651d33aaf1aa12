//! `simscope frequencies`: the document frequencies of a corpus, to be frozen for others.

use anyhow::ensure;

use super::{
    options::CommandRun,
    work::{finish, searched},
};
use crate::{
    analysis::AnalysisDepth,
    corpus::ALL_DOCUMENTS,
    export::{Format, Target},
    facts::documents::frequencies,
    feature::Weighting,
    number::counted,
    simhash::FrequencyChoice,
};

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun) -> anyhow::Result<u8> {
    let is_readable = matches!(run.format, Format::Tsv) || run.target == Target::Stdout;
    ensure!(is_readable, "--frequencies reads tsv only; give -o FILE.tsv, or FILE.tsv.zst");
    let mut run = run.clone();
    (run.settings.recipe.weights, run.settings.recipe.frequencies) =
        (Weighting::TfIdf, FrequencyChoice::Corpus);
    let (analysis, code) = finish(&run, AnalysisDepth::Fingerprints)?;
    let mut report = run.report(frequencies());
    let Some(table) = analysis.fingerprinter.frequencies() else { return Ok(code) };
    ensure!(table.n_documents() > 0, "no document has a text, so there are no features to count");
    let mut counts: Vec<(u64, u32)> = table.counts().collect();
    counts.sort_unstable();
    for (key, count) in &counts {
        report.row(&(format!("{key:016x}"), u64::from(*count)))?;
    }
    // The number of documents comes last, so that a file that was cut off is noticed.
    report.row(&(ALL_DOCUMENTS.to_owned(), table.n_documents()))?;
    report.finish()?;
    run.notes.note(&format_args!(
        "{} of {}",
        counted(counts.len() as u64, "feature"),
        searched(&analysis)
    ));
    Ok(code)
}
