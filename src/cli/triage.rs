//! `simscope triage`: documents that will mislead, the health of the corpus, and pairs whose fingerprints
//! and texts disagree.

use super::{
    args::TriageArgs,
    options::Run,
    report::{
        Cell, Format, Output, Report,
        health::{self, Opened},
    },
    work::{finish, watch},
};
use crate::{
    analysis::{Analysis, Depth, Job, LayoutChoice, Stage, health::CorpusHealth},
    corpus::Corpus,
    explain::triage::{Flag, Limits},
    id::DocId,
    number::{counted, grouped},
    progress::Progress,
};

const COLUMNS: &[&str] = &["id", "flag", "value", "sentence"];
const HEALTH: &[&str] = &["measure", "at", "value", "note"];
const PAIRS: &[&str] =
    &["kind", "a", "b", "distance", "cosine", "low", "high", "expected", "chance"];

/// Runs the command; the exit code.
pub(super) fn run(run: &Run, ask: &TriageArgs) -> anyhow::Result<u8> {
    if ask.disagreements {
        return disagreements(run, ask.top);
    }
    // No search, so no search option can be wrong.
    let mut run = run.clone();
    (run.settings.k, run.settings.layout) = (0, LayoutChoice::Auto);
    let (analysis, code) = finish(&run, Depth::Sketches)?;
    if ask.health {
        health(&run, &analysis, ask.top)?;
    } else {
        flags(&run, &analysis, ask)?;
    }
    Ok(code)
}

/// A row a finding.
fn flags(run: &Run, analysis: &Analysis, ask: &TriageArgs) -> anyhow::Result<()> {
    let usual = Limits::default();
    let limits = Limits {
        short: ask.short.unwrap_or(usual.short),
        share: ask.share.unwrap_or(usual.share),
        common: ask.common.unwrap_or(usual.common),
    };
    let mut report = Report::new(COLUMNS, run.format, &run.target);
    let mut counts = vec![0_u64; Flag::ALL.len()];
    let (mut n_flagged, mut failed) = (0_u64, None);
    let job = Job::to_begin(Stage::Count);
    let judged = watch(run, &job, || {
        analysis.triage(&limits, &job, &mut |document, findings| {
            n_flagged += 1;
            for finding in findings {
                counts[finding.flag as usize] += 1;
                let row = report.row(&[
                    Cell::Text(analysis.corpus.id(document)),
                    Cell::Text(finding.flag.name()),
                    Cell::Decimal(finding.value),
                    Cell::Text(&finding.sentence),
                ]);
                if let Err(error) = row {
                    job.progress.cancel();
                    failed.get_or_insert(error);
                }
            }
        })
    });
    if let Some(error) = failed {
        return Err(error.into());
    }
    judged?;
    report.finish()?;
    let kinds: Vec<String> = Flag::ALL
        .iter()
        .zip(&counts)
        .filter(|(_, count)| **count > 0)
        .map(|(flag, count)| format!("{} {flag}", grouped(*count)))
        .collect();
    // What cannot be read again is named in the end.
    let n_unread = analysis.corpus.n_unread();
    let unread = match n_unread {
        0 => String::new(),
        n => format!(", {} more not read again and not judged", grouped(n)),
    };
    run.notes.note(&format_args!(
        "{} of {} flagged{unread}{}{}",
        grouped(n_flagged),
        counted(analysis.len() as u64 - n_unread, "document"),
        if kinds.is_empty() { "" } else { ": " },
        kinds.join(", "),
    ));
    Ok(())
}

/// The corpus's bits as a whole.
fn health(run: &Run, analysis: &Analysis, most: usize) -> anyhow::Result<()> {
    let CorpusHealth { health, features, spikes, n_spikes } =
        analysis.corpus_health(most, &Progress::new())?;
    let opened = Opened {
        features,
        spikes,
        n_spikes,
        health,
        first_ids: &|documents| first_ids(&analysis.corpus, documents),
    };
    if run.format == Format::Table {
        let mut output = Output::new(&run.target, run.format);
        health::write_text(&opened, run.ascii, most, &mut output)?;
        return Ok(output.finish()?);
    }
    let mut report = Report::new(HEALTH, run.format, &run.target);
    for row in health::rows(&opened) {
        report.row(&[
            Cell::Text(row.measure),
            Cell::Text(&row.at),
            Cell::Decimal(row.value),
            row.note.as_deref().map_or(Cell::Missing, Cell::Text),
        ])?;
    }
    Ok(report.finish()?)
}

/// The first ids of a list of documents.
fn first_ids(corpus: &Corpus, documents: &[DocId]) -> Vec<String> {
    documents.iter().take(3).map(|&document| corpus.id(document).to_owned()).collect()
}

/// A row a pair that disagrees.
fn disagreements(run: &Run, most: usize) -> anyhow::Result<u8> {
    let (analysis, code) = finish(run, Depth::Pairs)?;
    let job = Job::to_begin(Stage::Fingerprint);
    let disagreements = watch(run, &job, || analysis.disagreements(&job))?;
    let mut report = Report::new(PAIRS, run.format, &run.target);
    let mut n_written = [0; 2];
    for it in &disagreements.found {
        n_written[it.kind as usize] += 1;
        if n_written[it.kind as usize] > most {
            continue;
        }
        report.row(&[
            Cell::Text(it.kind.name()),
            Cell::Text(analysis.corpus.id(it.pair.a)),
            Cell::Text(analysis.corpus.id(it.pair.b)),
            Cell::Number(u64::from(it.pair.distance)),
            Cell::Decimal(it.cosine),
            Cell::Decimal(it.interval.0),
            Cell::Decimal(it.interval.1),
            Cell::Decimal(it.expected),
            Cell::Decimal(it.chance),
        ])?;
    }
    report.finish()?;
    let [near, far] = disagreements.notes(run.settings.k);
    run.notes.note(&format_args!("{near}; at most {most} of a kind are listed"));
    run.notes.note(&far);
    Ok(code)
}
