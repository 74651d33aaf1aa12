//! `simscope fingerprint`: one row for each document, written while the corpus is read; or the document frequencies of
//! its features.
//!
//! Only under tf-idf do rows wait for the whole corpus, because the weights depend on it.

use std::io;

use anyhow::ensure;

use super::args::FingerprintArgs;
use super::options::CommandRun;
use super::work::{
    analyse, finish, has_room_for_a_bar, is_filter_without_rows, report_no_rows, report_problems,
    searched,
};
use crate::analysis::{Analysis, AnalysisDepth, AnalysisError};
use crate::corpus::{ALL_DOCUMENTS, FingerprintType};
use crate::export::{Format, Report, Target};
use crate::facts::documents::{FingerprintRow, fingerprints, frequencies};
use crate::feature::Weighting;
use crate::id::DocId;
use crate::number::counted;

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun, given: &FingerprintArgs) -> anyhow::Result<u8> {
    if given.document_frequencies {
        return document_frequencies(run);
    }
    let report = run.report(fingerprints());
    let run = run.without_search();
    let (written, bits) = (run.written, run.settings.recipe.bits);
    ensure!(
        written == FingerprintType::Hex || bits <= 64,
        "--fp-type {written} has 64 bits, and the fingerprints of this recipe have {bits}; take hex"
    );
    let (mut report, mut n_written, mut failed) = (report, 0, None);
    let (depth, has_room) = (AnalysisDepth::Fingerprints, has_room_for_a_bar(&run));
    let analysis = analyse(&run, depth, has_room, &mut |analysis, job| {
        if failed.is_none()
            && let Err(error) = write_new(&mut report, &mut n_written, analysis)
        {
            job.progress.cancel();
            failed = Some(error);
        }
    });
    if let Some(error) = failed {
        return Err(error.into());
    }
    let analysis = match analysis {
        Err(AnalysisError::Corpus(error)) if is_filter_without_rows(&run, &error) => {
            report.finish()?;
            return Ok(report_no_rows(&run, &error));
        }
        analysis => analysis?,
    };
    write_new(&mut report, &mut n_written, &analysis)?;
    report.finish()?;
    let code = report_problems(&run, &analysis);
    run.notes.note(&format_args!("{} fingerprinted", searched(&analysis)));
    Ok(code)
}

/// Writes the document frequencies of the corpus, to be frozen for others; the exit code.
fn document_frequencies(run: &CommandRun) -> anyhow::Result<u8> {
    let is_readable = matches!(run.format, Format::Tsv) || run.target == Target::Stdout;
    ensure!(is_readable, "--frequencies reads tsv only; give -o FILE.tsv, or FILE.tsv.zst");
    let mut run = run.clone();
    (run.settings.recipe.weights, run.settings.recipe.frequencies) = (Weighting::TfIdf, None);
    let (analysis, code) = finish(&run, AnalysisDepth::Fingerprints)?;
    let Some(table) = analysis.fingerprinter.frequencies() else { return Ok(code) };
    ensure!(table.n_documents() > 0, "no document has a text, so there are no features to count");
    let mut counts: Vec<(u64, u32)> = table.counts().collect();
    counts.sort_unstable();
    let rows = counts.iter().map(|&(key, count)| (format!("{key:016x}"), u64::from(count)));
    // The number of documents comes last, so that a file that was cut off is noticed.
    let last = (ALL_DOCUMENTS.to_owned(), table.n_documents());
    run.write_rows(frequencies(), rows.chain([last]))?;
    run.notes.note(&format_args!(
        "{} of {}",
        counted(counts.len() as u64, "feature"),
        searched(&analysis)
    ));
    Ok(code)
}

/// Writes the documents of a snapshot after the first `n_written`.
fn write_new(
    report: &mut Report<FingerprintRow>,
    n_written: &mut usize,
    analysis: &Analysis,
) -> io::Result<()> {
    if analysis.corpus.has_unknown_recipe() {
        report.forget_recipe();
    }
    while let Some(record) = analysis.record(DocId::from(*n_written)) {
        let document = DocId::from(*n_written);
        let id = analysis.corpus.id(document).to_owned();
        let has_text = !analysis.corpus.flags(document).is_fingerprint_only();
        report.row(&FingerprintRow { id, record, has_text })?;
        *n_written += 1;
    }
    Ok(())
}
