//! `simscope sweep`: recipes side by side, one row for each at its best k; a note names the best of all.

use std::io;

use anyhow::bail;

use super::{
    args::{SearchArgs, SweepArgs},
    judged::read_judgements,
    options::CommandRun,
    work::{finish, watched},
};
use crate::export::{Cell, Report};
use crate::{
    analysis::{
        Analysis, AnalysisDepth, CountUnit, Job, Reference, Stage, SweepGrid, SweptRecipe,
        sweep::sweep,
    },
    evaluate::recall::{Recall, RecallMethod},
    number::counted,
};

const COLUMNS: &[&str] = &[
    "recipe",
    "k",
    "pairs",
    "precision",
    "recall",
    "f1",
    "recall_method",
    "seconds",
    "tp",
    "fp",
    "fn",
    "precision_low",
    "precision_high",
    "recall_low",
    "recall_high",
    "settled",
];

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun, args: &SweepArgs) -> anyhow::Result<u8> {
    let grid = grid(run);
    let recipes = grid.settings(&run.settings);
    for settings in &recipes {
        settings.check()?;
    }
    let (judgements, code_of_judgements) = match &args.truth {
        Some(path) => {
            read_judgements(run, path).map(|(judgements, code)| (Some(judgements), code))?
        }
        None => (None, 0),
    };
    let (analysis, code) = finish(run, AnalysisDepth::Fingerprints)?;
    let reference = match judgements {
        Some(judgements) => {
            Reference::by_judgement(&analysis.corpus, &judgements, args.complete_truth)?
        }
        None => by_cosine(run, args, &analysis)?,
    };
    run.notes.note(&format_args!("true pairs: {}", reference.title()));
    if reference.method() == RecallMethod::Judged {
        run.notes.note(
            &"pairs without a judgement are not counted, so a k can bring many of them unnoticed; \
            if the file names every near-duplicate, give --complete-truth",
        );
        run.notes.note(
            &"the k of each row, and the best row, are chosen by the judgements that also measure them, \
            so the intervals are too narrow; judge other pairs to measure the chosen recipe",
        );
    }
    run.notes.note(&format_args!(
        "{} of {} take {}",
        counted(grid.len() as u64, "row"),
        counted(analysis.len() as u64, "document"),
        counted(grid.fingerprintings() as u64, "fingerprinting"),
    ));
    let mut report = run.report(COLUMNS);
    let mut best: Option<SweptRecipe> = None;
    for settings in &recipes {
        let job = Job::to_begin(Stage::Fingerprint);
        let swept = watched(run, &job, true, || {
            sweep(&analysis.corpus, settings, &grid.widths, &reference, &job)
        })?;
        for one in swept {
            row(&mut report, &one, &reference)?;
            if best.as_ref().is_none_or(|best| best.at_best().f1() < one.at_best().f1()) {
                best = Some(one);
            }
        }
    }
    report.finish()?;
    if let Some(best) = best {
        report_best(run, &best, &reference);
    }
    Ok(code.max(code_of_judgements))
}

/// Refuses options whose value a sweep chooses.
pub(super) fn refuse(search: &SearchArgs) -> anyhow::Result<()> {
    if search.distance.is_some() {
        bail!("sweep looks for the best k of each recipe; leave -k out");
    }
    if !search.blocks.is_empty() || !search.bands.is_empty() {
        bail!(
            "sweep compares recipes, whatever the tables; leave --blocks and --bands out, or use tune --layouts --measure"
        );
    }
    Ok(())
}

fn grid(run: &CommandRun) -> SweepGrid {
    // Each recipe once, in the order of the options.
    fn or<T: Clone + PartialEq>(asked: &[T], usual: Vec<T>) -> Vec<T> {
        let mut once: Vec<T> = Vec::new();
        for one in asked {
            if !once.contains(one) {
                once.push(one.clone());
            }
        }
        if once.is_empty() { usual } else { once }
    }
    let usual = SweepGrid::default();
    SweepGrid {
        features: or(&run.asked.features, usual.features),
        weights: or(&run.asked.weights, usual.weights),
        widths: or(&run.asked.widths, usual.widths),
    }
}

fn by_cosine(run: &CommandRun, args: &SweepArgs, analysis: &Analysis) -> anyhow::Result<Reference> {
    let job = Job::to_begin(Stage::Count);
    let counts = if args.copies { CountUnit::Documents } else { CountUnit::Texts };
    let (corpus, settings) = (&analysis.corpus, &run.settings);
    Ok(watched(run, &job, true, || Reference::of_corpus(corpus, settings, counts, &job))?)
}

fn row(report: &mut Report, swept: &SweptRecipe, reference: &Reference) -> io::Result<()> {
    let ratio = |value: Option<f64>| value.map_or(Cell::Missing, |value| Cell::Fixed(value, 4));
    let of = |share: Option<Recall>, part: fn(Recall) -> f64| ratio(share.map(part));
    let found = swept.at_best();
    let (precision, recall) = (reference.precision(found), reference.recall(found));
    report.row(&[
        Cell::Text(&swept.settings.recipe.short()),
        swept.k().map_or(Cell::Missing, |k| Cell::Number(k.into())),
        swept.pairs.map_or(Cell::Missing, Cell::Number),
        of(precision, |share| share.recall),
        of(recall, |share| share.recall),
        ratio(found.f1()),
        Cell::Text(reference.method().name()),
        Cell::Fixed(swept.took.as_secs_f64(), 3),
        Cell::Number(found.true_positives),
        Cell::Number(found.false_positives),
        Cell::Number(found.false_negatives),
        of(precision, |share| share.low),
        of(precision, |share| share.high),
        of(recall, |share| share.low),
        of(recall, |share| share.high),
        Cell::Flag(swept.curve.is_settled()),
    ])
}

/// The best row in words, and how to use it.
fn report_best(run: &CommandRun, best: &SweptRecipe, reference: &Reference) {
    let (Some(k), Some(f1)) = (best.k(), best.at_best().f1()) else {
        run.notes.note(&"no recipe finds a true pair at any k");
        return;
    };
    run.notes.note(&format_args!(
        "the largest F1, {f1:.4} with {} recall, has --recipe {:?} -k {k}",
        reference.method(),
        best.settings.recipe.short(),
    ));
}
