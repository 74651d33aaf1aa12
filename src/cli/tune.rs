//! `simscope tune`: what each k does, one row for each k, and which k to take.

use std::sync::Arc;

use super::{
    args::{JudgedArgs, TuneArgs},
    options::CommandRun,
    work::{finish, search, watched},
};
use crate::export::Cell;
use crate::{
    analysis::{Advice, Analysis, AnalysisDepth, Basis, Job, KRow, Stage, Tuning},
    evaluate::{
        distances::{CountMethod, Distances, Estimate},
        precision::ThresholdRow,
        recommend::PrecisionGoal,
    },
    number::counted,
};

const COLUMNS: &[&str] = &[
    "k",
    "at_k",
    "at_k_low",
    "at_k_high",
    "at_k_by_chance",
    "pairs",
    "pairs_low",
    "pairs_high",
    "pairs_by_chance",
    "method",
    "groups",
    "largest",
    "documents",
    "dropped",
    "guaranteed",
    "text_pairs",
    "precision",
    "precision_low",
    "precision_high",
    "recall",
    "recall_low",
    "recall_high",
    "recall_method",
    "dropped_most",
];

const ADVICE: &[&str] = &[
    "precise_k",
    "balanced_k",
    "tau",
    "target",
    "basis",
    "sentence",
    "k_low",
    "k_high",
    "drops_at_k",
    "largest_at_k",
    "alike_at_k",
];

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun, args: &TuneArgs) -> anyhow::Result<u8> {
    let (analysis, code) = finish(run, AnalysisDepth::PairsByDistance)?;
    let distances = search(run, &analysis, true, |index, job| Ok(index.distances(&job.progress)?))?;
    let advice = advise(run, &analysis, &distances, &args.judged)?;
    if args.advice {
        write_advice(run, &advice)?;
        return Ok(code);
    }
    let index = analysis.index.as_deref().expect("this depth has an index");
    let (near, k) = (analysis.near.as_deref(), run.settings.k);
    let job = Job::to_begin(Stage::Compare);
    let known = watched(run, &job, true, || analysis.drops_at(k, &job))?;
    let mut tuning = Tuning::new(index, near, Some(&distances), Some(Arc::new(advice)));
    tuning.rows[k as usize].dropped = known;
    let mut report = run.report(COLUMNS);
    for row in &tuning.rows {
        report.row(&cells(row, &tuning))?;
    }
    report.finish()?;
    if tuning.method == Some(CountMethod::Sampled) {
        let draws = counted(u64::from(distances.draws().unwrap_or(0)), "pair");
        run.notes.note(&format_args!(
            "distances beyond {} are estimated from {draws} drawn at random, with 95 % intervals",
            tuning.reach.unwrap_or(0),
        ));
    }
    for sentence in tuning.conclusion(run.settings.k) {
        run.notes.note(&sentence);
    }
    Ok(code)
}

/// Recommends a k by cosines.
pub(super) fn advise(
    run: &CommandRun,
    analysis: &Analysis,
    distances: &Distances,
    args: &JudgedArgs,
) -> anyhow::Result<Advice> {
    let job = Job::to_begin(Stage::Compare);
    Ok(watched(run, &job, true, || analysis.advise(distances, aim(args), &job))?)
}

/// The precision and confidence required of a k.
pub(super) fn aim(args: &JudgedArgs) -> PrecisionGoal {
    let usual = PrecisionGoal::default();
    PrecisionGoal {
        precision: args.target.unwrap_or(usual.precision),
        by_chance: args.by_chance.unwrap_or(usual.by_chance),
    }
}

/// Writes the advice as one row.
pub(super) fn write_advice(run: &CommandRun, advice: &Advice) -> anyhow::Result<()> {
    let number = |k: Option<u32>| k.map_or(Cell::Missing, |k| Cell::Number(u64::from(k)));
    let (basis, tau) = match advice.evidence.basis {
        Basis::Exact { .. } => ("exact", Some(advice.evidence.alike.tau)),
        Basis::Sampled { .. } => ("sampled", Some(advice.evidence.alike.tau)),
        Basis::Judged { .. } => ("judged", None),
        Basis::Nothing => ("none", None),
    };
    let sentence = advice.sentences().join("; ");
    let precise = advice.recommendation.precise;
    let (low, high) = advice.k_range().unzip();
    let at_k = precise.and_then(|k| advice.groups_at(k));
    let count = |count: Option<u64>| count.map_or(Cell::Missing, Cell::Number);
    let row = precise.and_then(|k| advice.evidence.rows.get(k as usize));
    let mut report = run.report(ADVICE);
    report.row(&[
        number(advice.recommendation.precise),
        number(advice.recommendation.balanced),
        tau.map_or(Cell::Missing, Cell::Decimal),
        Cell::Decimal(advice.aim.precision),
        Cell::Text(basis),
        Cell::Text(&sentence),
        number(low),
        number(high),
        count(at_k.map(|it| it.dropped)),
        count(at_k.map(|it| u64::from(it.groups.largest))),
        row.and_then(|row| row.cumulative.value).map_or(Cell::Missing, Cell::Decimal),
    ])?;
    Ok(report.finish()?)
}

fn cells(row: &KRow, tuning: &Tuning) -> Vec<Cell<'static>> {
    let of = |estimate: Option<Estimate>, number: fn(Estimate) -> u64| {
        estimate.map_or(Cell::Missing, |estimate| Cell::Number(number(estimate)))
    };
    let grouped = |number: u32| Cell::Number(u64::from(number));
    let [groups, largest, documents, most] = row.groups.map_or([Cell::Missing; 4], |totals| {
        [totals.groups, totals.largest, totals.documents, totals.redundant()].map(grouped)
    });
    let mut cells = vec![
        Cell::Number(u64::from(row.k)),
        of(row.at_k, |at| at.pairs),
        of(row.at_k, |at| at.low),
        of(row.at_k, |at| at.high),
        Cell::Decimal(row.at_k_by_chance),
        of(row.pairs, |within| within.pairs),
        of(row.pairs, |within| within.low),
        of(row.pairs, |within| within.high),
        Cell::Decimal(row.pairs_by_chance),
        row.at_k.map_or(Cell::Missing, |at| Cell::Text(at.method.name())),
        groups,
        largest,
        documents,
        row.dropped.map_or(Cell::Missing, Cell::Number),
        Cell::Flag(row.guaranteed),
    ];
    cells.extend(of_texts(tuning, row.k));
    cells.push(most);
    cells
}

/// The cells about pairs of different texts within k.
fn of_texts(tuning: &Tuning, k: u32) -> [Cell<'static>; 8] {
    let known = tuning.advice.as_ref().zip(tuning.threshold_row(k));
    let Some((advice, threshold)) = known else { return [Cell::Missing; 8] };
    let ThresholdRow { different, cumulative, window_recall, .. } = *threshold;
    let value = |value: Option<f64>| value.map_or(Cell::Missing, Cell::Decimal);
    let method = match advice.evidence.basis {
        Basis::Exact { .. } => "exact",
        Basis::Sampled { .. } => "of the pairs kept",
        Basis::Judged { .. } => "judged",
        Basis::Nothing => "",
    };
    // Without pairs there is no precision, and none of the true pairs is found.
    let precision = |share: f64| if different > 0 { Cell::Decimal(share) } else { Cell::Missing };
    let has_recall = window_recall.value.is_some();
    let recall = |share: f64| if has_recall { Cell::Decimal(share) } else { Cell::Missing };
    [
        Cell::Number(different),
        value(cumulative.value.filter(|_| different > 0)),
        precision(cumulative.low),
        precision(cumulative.high),
        value(window_recall.value),
        recall(window_recall.low),
        recall(window_recall.high),
        if has_recall { Cell::Text(method) } else { Cell::Missing },
    ]
}
