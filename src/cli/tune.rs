//! `simscope tune`: what each k would do, a row a k; what follows from it goes to standard error.

use super::{
    options::Run,
    report::{Cell, Report},
    work::{finish, search},
};
use crate::{
    analysis::{Depth, KRow, Tuning},
    evaluate::distances::{Counting, Estimate},
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
];

/// Runs the command; the exit code.
pub(super) fn run(run: &Run) -> anyhow::Result<u8> {
    let (analysis, code) = finish(run, Depth::Ladder)?;
    let distances = search(run, &analysis, true, |shelf, job| Ok(shelf.distances(&job.progress)?))?;
    let shelf = analysis.shelf.as_deref().expect("depth is beyond the shelf");
    let tuning = Tuning::new(shelf, analysis.near.as_deref(), Some(&distances));
    let mut report = Report::new(COLUMNS, run.format, &run.target);
    for row in &tuning.rows {
        report.row(&cells(row))?;
    }
    report.finish()?;
    if tuning.method == Some(Counting::Sampled) {
        let draws = counted(u64::from(distances.draws().unwrap_or(0)), "pair");
        run.notes.note(&format_args!(
            "distances beyond {} are estimated from {draws} drawn at random, with 95 % intervals",
            tuning.reach.unwrap_or(0),
        ));
    }
    for sentence in tuning.conclusion() {
        run.notes.note(&sentence);
    }
    Ok(code)
}

fn cells(row: &KRow) -> [Cell<'static>; COLUMNS.len()] {
    let of = |estimate: Option<Estimate>, number: fn(Estimate) -> u64| {
        estimate.map_or(Cell::Missing, |estimate| Cell::Number(number(estimate)))
    };
    let grouped = |number: u32| Cell::Number(u64::from(number));
    let [groups, largest, documents, dropped] = row.groups.map_or([Cell::Missing; 4], |totals| {
        [totals.groups, totals.largest, totals.documents, totals.redundant()].map(grouped)
    });
    [
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
        dropped,
        Cell::Flag(row.guaranteed),
    ]
}
