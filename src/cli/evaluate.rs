//! `simscope evaluate`: layouts against exact cosines, one row a layout.

use std::{
    io::{self, IsTerminal, Write as _},
    time::Duration,
};

use anyhow::bail;

use super::{
    args::TruthArgs,
    options::Run,
    work::{finish, watched},
};
use crate::export::{Cell, Format, Output, PageFormat, Report};
use crate::{
    analysis::{
        AnalysisError, Depth, Job, Lab, LayoutChoice, Likeness, Stage, Trial, Truth, TruthChoice,
        check_layout,
        lab::{USUAL_LAYOUTS, bits_needed, width_of},
    },
    evaluate::recall::Recall,
    number::counted,
    present::{self, html, lines, markdown},
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
    "recall_distinct_low",
    "recall_distinct_high",
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
    announce_truth(run, likeness.choice, analysis.len());
    let job = Job::to_begin(Stage::Count);
    let mut lab = watched(run, &job, true, || Lab::prepare(&analysis, likeness, &job))?;
    tell_truth(run, lab.truth());
    let mut report = run.page.is_none().then(|| Report::new(COLUMNS, run.format, &run.target));
    let mut trials = Vec::new();
    for (at, &layout) in layouts.iter().enumerate() {
        let bits = width(run, layout, &layouts);
        if !lab.truth().is_exact() {
            announce_trial(run, layout, at, layouts.len());
        }
        let job = Job::to_begin(Stage::Fingerprint);
        watched(run, &job, true, || lab.widen(bits, &job))?;
        let job = Job::to_begin(Stage::Try);
        let trial = watched(run, &job, true, || lab.trial(layout, bits, run.settings.k, &job))?;
        if let Some(report) = &mut report {
            row(report, &trial)?;
        }
        trials.push(trial);
    }
    let trials: Vec<&Trial> = trials.iter().collect();
    if let Some(format) = run.page {
        write_page(run, format, &lab.truth().describe(), &trials)?;
    }
    if let Some(report) = report {
        finish_rows(run, report, &trials)?;
    }
    Ok(code)
}

/// The rows and figures as one page for readers.
fn write_page(run: &Run, format: PageFormat, truth: &str, trials: &[&Trial]) -> io::Result<()> {
    let page = present::lab::page(&run.title(), truth, trials);
    let text = match format {
        PageFormat::Html => html::write(&page),
        PageFormat::Markdown => markdown::write(&page),
    };
    let mut output = Output::new(&run.target, run.format);
    output.write_all(text.as_bytes())?;
    output.finish()
}

/// Ends the rows; below a table stand the figures for people.
fn finish_rows(run: &Run, report: Report, trials: &[&Trial]) -> io::Result<()> {
    if run.format != Format::Table {
        return report.finish();
    }
    let figures = lines::text(&present::lab::sections(trials), run.ascii);
    report.finish_above(&format!("\n{figures}"))
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

/// Says what begins now, since it can take minutes.
fn announce_truth(run: &Run, choice: TruthChoice, n_documents: usize) {
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

/// The same for a layout that is tried where the truth is sampled.
fn announce_trial(run: &Run, layout: LayoutChoice, at: usize, of: usize) {
    let name = match layout {
        LayoutChoice::Bands { bands, bits } => format!("{bands}x{bits}"),
        _ => format!("blocks at k = {}", run.settings.k),
    };
    run.notes.note(&format_args!(
        "tries {name} ({} of {of}): computes the cosine of each of its candidates, which can take minutes",
        at + 1,
    ));
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
        of(trial.recall_distinct, |recall| recall.low),
        of(trial.recall_distinct, |recall| recall.high),
    ])
}
