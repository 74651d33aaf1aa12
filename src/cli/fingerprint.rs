//! `simscope fingerprint`: one row for each document, written while the corpus is read.
//!
//! Only under tf-idf do rows wait for the whole corpus, because the weights depend on it.

use std::io::{self, IsTerminal};

use anyhow::ensure;

use super::{
    options::CommandRun,
    work::{analyse, is_filter_without_rows, report_no_rows, report_problems, searched},
};
use crate::{
    analysis::{Analysis, AnalysisDepth, AnalysisError, LayoutChoice},
    corpus::FingerprintType,
    export::{Report, Target},
    facts::documents::{FingerprintRow, fingerprints},
    id::DocId,
};

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun) -> anyhow::Result<u8> {
    let report = run.report(fingerprints());
    // This searches nothing, so no search option can be wrong.
    let mut run = run.clone();
    (run.settings.k, run.settings.layout) = (0, LayoutChoice::Auto);
    let (written, bits) = (run.written, run.settings.recipe.bits);
    ensure!(
        written == FingerprintType::Hex || bits <= 64,
        "--fp-type {written} has 64 bits, and the fingerprints of this recipe have {bits}; take hex"
    );
    let (mut report, mut n_written, mut failed) = (report, 0, None);
    // Rows and a bar on one terminal would run into each other.
    let shows_progress = run.target != Target::Stdout || !io::stdout().is_terminal();
    let analysis =
        analyse(&run, AnalysisDepth::Fingerprints, shows_progress, &mut |analysis, job| {
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
