//! `simscope tune --layouts`: the tables that could be built for k, one row for each layout, as predicted; with
//! `--measure` layouts against exact cosines.

use std::io::{self, IsTerminal};

use anyhow::bail;

use super::options::CommandRun;
use super::work::{finish, search, staged};
use crate::analysis::lab::{USUAL_LAYOUTS, bits_needed, width_of};
use crate::analysis::{
    AnalysisDepth, AnalysisError, Job, Lab, LayoutChoice, Stage, Truth, TruthChoice, check_layout,
};
use crate::facts::layouts::{
    LayoutRow, evaluations as evaluation_columns, layouts as layout_columns,
};
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
pub(super) fn measure(run: &CommandRun, choice: TruthChoice) -> anyhow::Result<u8> {
    let layouts = layouts(run)?;
    let mut plain = run.clone();
    plain.settings.layout = LayoutChoice::Auto;
    let run = &plain;
    let (analysis, code) = finish(run, AnalysisDepth::Fingerprints)?;
    announce_truth(run, choice, analysis.len());
    let prepare = |job: &Job| Lab::prepare(&analysis, run.settings.alike, choice, job);
    let mut lab = staged(run, Stage::Count, prepare)?;
    report_truth(run, &lab.truth);
    let mut report = run.report(evaluation_columns());
    for (at, &layout) in layouts.iter().enumerate() {
        let bits = width(run, layout, &layouts);
        if !lab.truth.is_exact() {
            announce_trial(run, layout, at, layouts.len());
        }
        staged(run, Stage::Fingerprint, |job| lab.widen(bits, job))?;
        let k = run.settings.k;
        report.row(&staged(run, Stage::Try, |job| lab.evaluation(layout, bits, k, job))?)?;
    }
    report.finish()?;
    Ok(code)
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
