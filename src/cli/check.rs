//! `simscope check`: documents whose distances may mislead, and pairs whose fingerprints and texts disagree.

use super::args::CheckArgs;
use super::options::CommandRun;
use super::work::{finish, has_room_for_a_bar, watched};
use crate::analysis::disagreement::Disagreement;
use crate::analysis::{Analysis, AnalysisDepth, Job, Stage};
use crate::explain::triage::Flag;
use crate::facts::documents::findings;
use crate::facts::pairs;
use crate::number::{counted, grouped};

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun, ask: &CheckArgs) -> anyhow::Result<u8> {
    if ask.disagreements {
        return disagreements(run, ask.top);
    }
    let run = run.without_search();
    let (analysis, code) = finish(&run, AnalysisDepth::Fingerprints)?;
    flags(&run, &analysis)?;
    Ok(code)
}

/// One row for each finding.
fn flags(run: &CommandRun, analysis: &Analysis) -> anyhow::Result<()> {
    let mut report = run.report(findings());
    let mut counts = vec![0_u64; Flag::ALL.len()];
    let (mut n_flagged, mut failed) = (0_u64, None);
    let judged = watched(run, Stage::Count, has_room_for_a_bar(run), |job| {
        analysis.triage(job, &mut |document, findings| {
            n_flagged += 1;
            for finding in findings {
                counts[finding.flag as usize] += 1;
                if let Err(error) = report.row(&(analysis.corpus.id(document), finding)) {
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
    // The number of documents that could not be read again comes last.
    let n_unread = analysis.corpus.n_unread();
    let unread = match n_unread {
        0 => String::new(),
        n => format!(", {} more could not be read again, so they were not checked", grouped(n)),
    };
    let absent = match analysis.corpus.summary().fingerprints {
        0 => String::new(),
        n => format!(
            "; {} without text, checked for a missing fingerprint only",
            counted(n, "document")
        ),
    };
    run.notes.note(&format_args!(
        "{} of {} flagged{absent}{unread}{}{}",
        grouped(n_flagged),
        counted(analysis.len() as u64 - n_unread, "document"),
        if kinds.is_empty() { "" } else { ": " },
        kinds.join(", "),
    ));
    Ok(())
}

/// One row for each pair whose fingerprints and texts disagree.
fn disagreements(run: &CommandRun, most: usize) -> anyhow::Result<u8> {
    let (analysis, code) = finish(run, AnalysisDepth::Pairs)?;
    let has_room = has_room_for_a_bar(run);
    let find = |job: &Job| analysis.disagreements(job);
    let disagreements = watched(run, Stage::Fingerprint, has_room, find)?;
    let mut n_met = [0; 2];
    let listed = disagreements.found.iter().filter(|it| {
        n_met[it.kind as usize] += 1;
        n_met[it.kind as usize] <= most
    });
    let ids = |it: &Disagreement| [it.pair.a, it.pair.b].map(|at| analysis.corpus.id(at));
    run.write_rows(pairs::disagreements(), listed.map(|it| (it, ids(it))))?;
    let [near, far, luck] = disagreements.notes(run.settings.k);
    run.notes.note(&format_args!("{near}; at most {most} of a kind are listed"));
    run.notes.note(&far);
    run.notes.note(&luck);
    Ok(code)
}
