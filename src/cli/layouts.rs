//! `simscope tune --layouts`: the tables that could be built for k, one row for each layout, as predicted; with
//! `--measure` layouts against exact cosines.

use std::io::{self, IsTerminal};
use std::sync::Arc;

use anyhow::bail;

use super::options::CommandRun;
use super::work::{finish, search, staged};
use crate::analysis::lab::{USUAL_LAYOUTS, bits_needed, width_of};
use crate::analysis::{
    Analysis, AnalysisDepth, AnalysisError, EvaluatedPair, Job, Lab, LayoutChoice, PairOutcome,
    Stage, Truth, TruthChoice, check_layout,
};
use crate::export::Report;
use crate::facts::layouts::{
    LayoutRow, evaluations as evaluation_columns, layouts as layout_columns,
};
use crate::facts::pairs::{PairRow, evaluated_pairs};
use crate::id::DocId;
use crate::number::counted;

/// Predicts the cost of the layouts for k; the exit code.
pub(super) fn predict(run: &CommandRun) -> anyhow::Result<u8> {
    let (analysis, code) = finish(run, AnalysisDepth::Index)?;
    let index = analysis.index.as_deref().expect("this depth has an index");
    let offers = index.offers(&run.settings);
    let n = index.n_distinct() as u64;
    let mut report = run.report(layout_columns());
    for offer in &offers {
        let load = search(run, &analysis, true, |index, job| {
            Ok(index.load(&offer.layout, &job.progress)?)
        })?;
        report.row(&LayoutRow { offer, load: Some(load), n })?;
    }
    report.finish()?;
    run.notes.note(&format_args!(
        "{} for k = {} over {}",
        counted(offers.len() as u64, "layout"),
        run.settings.k,
        counted(index.n_distinct() as u64, "distinct fingerprint"),
    ));
    Ok(code)
}

/// Measures the layouts of a command line, whose true pairs are found as `choice` says; the exit code.
pub(super) fn measure(
    run: &CommandRun,
    choice: TruthChoice,
    outcome: Option<PairOutcome>,
) -> anyhow::Result<u8> {
    let layouts = layouts(run)?;
    let mut plain = run.clone();
    plain.settings.layout = LayoutChoice::Auto;
    let run = &plain;
    let (analysis, code) = finish(run, AnalysisDepth::Fingerprints)?;
    announce_truth(run, choice, analysis.len());
    let prepare = |job: &Job| Lab::prepare(&analysis, run.settings.alike, choice, job);
    let mut lab = staged(run, Stage::Count, prepare)?;
    report_truth(run, &lab.truth);
    let mut pairs = outcome.map(|_| run.report(evaluated_pairs()));
    let mut report = pairs.is_none().then(|| run.report(evaluation_columns()));
    for (at, &layout) in layouts.iter().enumerate() {
        let bits = width(run, layout, &layouts);
        if !lab.truth.is_exact() {
            announce_trial(run, layout, at, layouts.len());
        }
        staged(run, Stage::Fingerprint, |job| lab.widen(bits, job))?;
        let k = run.settings.k;
        if let (Some(outcome), Some(report)) = (outcome, &mut pairs) {
            let pairs = staged(run, Stage::Try, |job| lab.pairs(outcome, layout, bits, k, job))?;
            let name = layout.layout(lab.truth.n_texts(), bits, k)?.name();
            pair_rows(report, &name.into(), outcome, &pairs, (&analysis, &lab.truth))?;
            continue;
        }
        if let Some(report) = &mut report {
            report.row(&staged(run, Stage::Try, |job| lab.evaluation(layout, bits, k, job))?)?;
        }
    }
    report.map_or(Ok(()), Report::finish)?;
    pairs.map_or(Ok(()), Report::finish)?;
    Ok(code)
}

/// The rows of the pairs of one layout: every two documents of the texts, copies first among true ones.
fn pair_rows<'a>(
    report: &mut Report<PairRow<'a>>,
    layout: &Arc<str>,
    outcome: PairOutcome,
    pairs: &[EvaluatedPair],
    (analysis, truth): (&'a Analysis, &Truth),
) -> io::Result<()> {
    let mut row = |a: DocId, b: DocId, distance: u32, cosine: f64| {
        let [a, b] = [a.min(b), a.max(b)].map(|document| analysis.corpus.id(document));
        let (layout, cosine) = (Some(Arc::clone(layout)), Some(cosine));
        report.row(&PairRow { layout, a, b, distance, cosine, ..PairRow::default() })
    };
    if outcome == PairOutcome::True {
        for text in 0..truth.n_texts() as u32 {
            let documents = truth.documents(text);
            for (at, &a) in documents.iter().enumerate() {
                documents[at + 1..].iter().try_for_each(|&b| row(a, b, 0, 1.0))?;
            }
        }
    }
    for pair in pairs {
        let [left, right] = pair.texts.map(|text| truth.documents(text));
        for &a in left {
            right.iter().try_for_each(|&b| row(a, b, pair.distance, pair.cosine))?;
        }
    }
    Ok(())
}

/// The layouts to try. The fingerprints have enough bits for each.
fn layouts(run: &CommandRun) -> anyhow::Result<Vec<LayoutChoice>> {
    let layouts = match run.layouts.as_slice() {
        [] => USUAL_LAYOUTS.to_vec(),
        asked => asked.to_vec(),
    };
    let (own, needed) = (run.settings.recipe.bits, bits_needed(&layouts));
    if run.has_width && run.layouts.is_empty() && needed > own {
        bail!(
            "the usual layouts need {needed} bits and fingerprints have {own}; use --bits {needed}, or \
             name layouts with --bands and --blocks"
        );
    }
    for &layout in &layouts {
        check_layout(width(run, layout, &layouts), layout, run.settings.k)
            .map_err(AnalysisError::from)?;
    }
    if !run.has_width && needed > own {
        run.notes.note(&format_args!(
            "bands are tried on fingerprints of {needed} bits, since one layout needs them; --bits chooses another width"
        ));
    }
    Ok(layouts)
}

/// The width of the fingerprints that a layout is tried on: the width that was asked for, or else the one it needs.
fn width(run: &CommandRun, layout: LayoutChoice, layouts: &[LayoutChoice]) -> u32 {
    let own = run.settings.recipe.bits;
    if run.has_width { own } else { width_of(layout, layouts, own) }
}

/// Names the next stage, since it can take minutes.
fn announce_truth(run: &CommandRun, choice: TruthChoice, n_documents: usize) {
    let n = counted(n_documents as u64, "document");
    let how = match choice {
        TruthChoice::Auto => {
            "and compares them to find every true pair; where that would take longer than some ten minutes, \
             only the true pairs of some texts drawn at random are found"
        }
        TruthChoice::Exact => "and compares them to find every true pair, however long that takes",
        TruthChoice::Sampled => {
            "and finds the true pairs of some texts drawn at random; recall is estimated from these"
        }
    };
    run.notes.note(&format_args!("reads the texts of {n} again {how}"));
}

/// Announces a layout that is tried where the truth is sampled.
fn announce_trial(run: &CommandRun, layout: LayoutChoice, at: usize, of: usize) {
    let name = match layout {
        LayoutChoice::Bands { bands, bits } => format!("{bands}x{bits}"),
        _ => format!("blocks at k = {}", run.settings.k),
    };
    run.notes.note(&format_args!(
        "tries {name} ({} of {of}): computes the cosine of each of its candidates, which can take minutes",
        at + 1,
    ));
}

fn report_truth(run: &CommandRun, truth: &Truth) {
    run.notes.note(&truth.describe());
    if io::stderr().is_terminal() {
        run.notes.line(&format_args!(
            "truth: {:.3} s for vectors, {:.3} s for cosines",
            truth.vectors_took.as_secs_f64(),
            truth.join_took.as_secs_f64(),
        ));
    }
}
