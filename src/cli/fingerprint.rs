//! `simscope fingerprint`: one row for each document, written while the corpus is read; or the document frequencies of
//! its features.
//!
//! Only under tf-idf do rows wait for the whole corpus, because the weights depend on it.

use std::io::{self, IsTerminal};

use anyhow::ensure;

use super::{
    args::FingerprintArgs,
    options::CommandRun,
    work::{analyse, finish, is_filter_without_rows, report_no_rows, report_problems, searched},
};
use crate::export::{Cell, Format, Report, Target};
use crate::{
    analysis::{Analysis, AnalysisDepth, AnalysisError, LayoutChoice},
    corpus::{ALL_DOCUMENTS, FingerprintType},
    feature::Weighting,
    id::DocId,
    number::counted,
    simhash::{Fingerprint, FrequencyChoice},
};

const COLUMNS: &[&str] = &["id", "fingerprint", "features"];

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun, given: &FingerprintArgs) -> anyhow::Result<u8> {
    if given.document_frequencies {
        return document_frequencies(run);
    }
    let report = run.report(COLUMNS);
    // This searches nothing, so no search option can be wrong.
    let mut run = run.clone();
    (run.settings.k, run.settings.layout) = (0, LayoutChoice::Auto);
    let (written, bits) = (run.written, run.settings.recipe.bits);
    ensure!(
        written == FingerprintType::Hex || bits <= 64,
        "--fp-type {written} has 64 bits, and the fingerprints of this recipe have {bits}; take hex"
    );
    let mut writer = Writer { report, written, n_written: 0 };
    let mut failed = None;
    // Rows and a bar on one terminal would run into each other.
    let shows_progress = run.target != Target::Stdout || !io::stdout().is_terminal();
    let analysis =
        analyse(&run, AnalysisDepth::Fingerprints, shows_progress, &mut |analysis, job| {
            if failed.is_none()
                && let Err(error) = writer.write_new(analysis)
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
            writer.report.finish()?;
            return Ok(report_no_rows(&run, &error));
        }
        analysis => analysis?,
    };
    writer.write_new(&analysis)?;
    writer.report.finish()?;
    let code = report_problems(&run, &analysis);
    run.notes.note(&format_args!("{} fingerprinted", searched(&analysis)));
    Ok(code)
}

/// Writes the document frequencies of the corpus, to be frozen for others; the exit code.
fn document_frequencies(run: &CommandRun) -> anyhow::Result<u8> {
    let is_readable = matches!(run.format, Format::Tsv) || run.target == Target::Stdout;
    ensure!(is_readable, "--frequencies reads tsv only; give -o FILE.tsv, or FILE.tsv.zst");
    let mut run = run.clone();
    (run.settings.recipe.weights, run.settings.recipe.frequencies) =
        (Weighting::TfIdf, FrequencyChoice::Corpus);
    let (analysis, code) = finish(&run, AnalysisDepth::Fingerprints)?;
    let mut report = run.report(&["feature", "documents"]);
    let Some(table) = analysis.fingerprinter.frequencies() else { return Ok(code) };
    ensure!(table.n_documents() > 0, "no document has a text, so there are no features to count");
    let mut counts: Vec<(u64, u32)> = table.counts().collect();
    counts.sort_unstable();
    for (key, count) in &counts {
        let feature = format!("{key:016x}");
        report.row(&[Cell::Text(&feature), Cell::Number(u64::from(*count))])?;
    }
    // The number of documents comes last, so that a file that was cut off is noticed.
    report.row(&[Cell::Text(ALL_DOCUMENTS), Cell::Number(table.n_documents())])?;
    report.finish()?;
    run.notes.note(&format_args!(
        "{} of {}",
        counted(counts.len() as u64, "feature"),
        searched(&analysis)
    ));
    Ok(code)
}

struct Writer {
    report: Report,
    /// How fingerprints are written.
    written: FingerprintType,
    /// Documents written so far.
    n_written: usize,
}

impl Writer {
    /// Writes the documents that are new in this snapshot.
    fn write_new(&mut self, analysis: &Analysis) -> io::Result<()> {
        if analysis.corpus.has_unknown_recipe() {
            self.report.forget_recipe();
        }
        while let Some(record) = analysis.record(DocId::from(self.n_written)) {
            let document = DocId::from(self.n_written);
            let hex = record.fingerprint.map(|fingerprint| fingerprint.to_string());
            let bits = record.fingerprint.map(Fingerprint::bits);
            let fingerprint = match self.written {
                FingerprintType::Hex => hex.as_deref().map_or(Cell::Missing, Cell::Text),
                FingerprintType::Uint64 => Cell::Unsigned(bits.map(|bits| bits as u64)),
                FingerprintType::Int64 => Cell::Signed(bits.map(|bits| bits as i64)),
            };
            let features = if analysis.corpus.flags(document).is_fingerprint_only() {
                Cell::Missing
            } else {
                Cell::Number(u64::from(record.n_features))
            };
            self.report.row(&[Cell::Text(analysis.corpus.id(document)), fingerprint, features])?;
            self.n_written += 1;
        }
        Ok(())
    }
}
