//! `simscope evaluate`: layouts against exact cosines, one row a layout.

use std::{
    io::{self, IsTerminal},
    time::Duration,
};

use anyhow::bail;

use super::{
    args::TruthArgs,
    notes,
    options::Run,
    report::{Cell, Report},
    work::{finish, watched},
};
use crate::{
    analysis::{
        AnalysisError, Depth, Job, Lab, LayoutChoice, Likeness, Stage, Trial, Truth, check_layout,
        lab::{SEEDS, USUAL_LAYOUTS, bits_needed, width_of},
    },
    evaluate::recall::{FEWEST, HEAVIEST, Recall, RecallMethod},
};

const COLUMNS: &[&str] = &[
    "layout",
    "bits",
    "candidates",
    "predicted",
    "tp",
    "fp",
    "fn",
    "precision",
    "recall",
    "f1",
    "recall_method",
    "seconds",
    "recall_low",
    "recall_high",
    "recall_distinct",
    "skew",
    "index_seconds",
    "verify_seconds",
];

/// Runs the command; the exit code.
pub(super) fn run(run: &Run, args: &TruthArgs) -> anyhow::Result<u8> {
    let layouts = layouts(run)?;
    let mut plain = run.clone();
    plain.settings.layout = LayoutChoice::Auto;
    let run = &plain;
    let (analysis, code) = finish(run, Depth::Sketches)?;
    let usual = Likeness::default();
    let likeness = Likeness {
        tau: args.tau.unwrap_or(usual.tau),
        weights: args.truth_weights.unwrap_or(usual.weights),
        choice: args.truth.unwrap_or(usual.choice),
    };
    let job = Job::to_begin(Stage::Count);
    let mut lab = watched(run, &job, true, || Lab::prepare(&analysis, likeness, &job))?;
    tell_truth(run, lab.truth());
    let mut report = Report::new(COLUMNS, run.format, &run.target);
    for &layout in &layouts {
        let bits = width(run, layout, &layouts);
        let job = Job::to_begin(Stage::Fingerprint);
        watched(run, &job, true, || lab.widen(bits, &job))?;
        let job = Job::to_begin(Stage::Try);
        let trial = watched(run, &job, true, || lab.trial(layout, bits, run.settings.k, &job))?;
        tell_trial(run, &trial);
        row(&mut report, &trial)?;
    }
    report.finish()?;
    Ok(code)
}

/// The layouts to try, each of which the fingerprints can hold.
fn layouts(run: &Run) -> anyhow::Result<Vec<LayoutChoice>> {
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
            "bands are tried on fingerprints of {needed} bits, since one needs as many; --bits chooses another width for all"
        ));
    }
    Ok(layouts)
}

/// The width a layout is tried on: the one that was asked for, if one was.
fn width(run: &Run, layout: LayoutChoice, layouts: &[LayoutChoice]) -> u32 {
    let own = run.settings.recipe.bits;
    if run.has_width { own } else { width_of(layout, layouts, own) }
}

fn tell_truth(run: &Run, truth: &Truth) {
    run.notes.note(&truth.describe());
    if io::stderr().is_terminal() {
        run.notes.line(&format_args!(
            "truth: {:.3} s for vectors, {:.3} s for cosines",
            truth.vectors_took.as_secs_f64(),
            truth.join_took.as_secs_f64(),
        ));
    }
}

fn tell_trial(run: &Run, trial: &Trial) {
    let Some((effective, heaviest)) = trial.sample else { return };
    if let Some((low, high)) = trial.spread {
        run.notes.note(&format_args!(
            "{}: recall {low:.3} to {high:.3} by {SEEDS} seeds one by one; smallest effective sample {effective:.0}",
            trial.layout
        ));
    } else {
        run.notes.note(&format_args!(
            "{}: the smallest effective sample of {SEEDS} seeds, {effective:.0}, is below {FEWEST:.0}, so recall is only an upper bound",
            trial.layout
        ));
    }
    if trial.is_top_heavy() && trial.method == RecallMethod::HorvitzThompson {
        notes::warning(&format_args!(
            "{}: {:.0} % of the recall estimate rests on one cluster of texts, more than {:.0} %",
            trial.layout,
            100.0 * heaviest,
            100.0 * HEAVIEST,
        ));
    }
}

fn row(report: &mut Report, trial: &Trial) -> io::Result<()> {
    let ratio = |value: Option<f64>| value.map_or(Cell::Missing, |value| Cell::Fixed(value, 4));
    let of = |recall: Option<Recall>, part: fn(Recall) -> f64| ratio(recall.map(part));
    let seconds = |took: Duration| Cell::Fixed(took.as_secs_f64(), 3);
    report.row(&[
        Cell::Text(&trial.layout),
        Cell::Number(trial.bits.into()),
        Cell::Number(trial.candidates),
        Cell::Fixed(trial.predicted, 0),
        Cell::Number(trial.true_positives),
        Cell::Number(trial.false_positives()),
        trial.false_negatives.map_or(Cell::Missing, Cell::Number),
        ratio(trial.precision()),
        of(trial.recall, |recall| recall.recall),
        ratio(trial.f1()),
        Cell::Text(trial.method.name()),
        seconds(trial.index_took + trial.verify_took),
        of(trial.recall, |recall| recall.low),
        of(trial.recall, |recall| recall.high),
        of(trial.recall_distinct, |recall| recall.recall),
        ratio(trial.skew()),
        seconds(trial.index_took),
        seconds(trial.verify_took),
    ])
}
