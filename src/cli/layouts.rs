//! `simscope tune --layouts`: the tables that could be built for k, one row for each layout.

use super::{
    options::CommandRun,
    work::{finish, search},
};
use crate::export::Cell;
use crate::{analysis::AnalysisDepth, number::counted};

const COLUMNS: &[&str] = &[
    "layout",
    "guarantee",
    "tables",
    "key_bits_min",
    "key_bits_max",
    "bytes",
    "key_matches",
    "predicted",
    "skew",
    "effective_bits",
    "fullest",
];

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun) -> anyhow::Result<u8> {
    let (analysis, code) = finish(run, AnalysisDepth::Index)?;
    let index = analysis.index.as_deref().expect("this depth has an index");
    let offers = index.offers(&run.settings);
    let mut report = run.report(COLUMNS);
    for offer in &offers {
        let load = search(run, &analysis, true, |index, job| {
            Ok(index.load(&offer.layout, &job.progress)?)
        })?;
        let (low, high) = offer.key_bits();
        report.row(&[
            Cell::Text(&offer.layout.name()),
            Cell::Number(u64::from(offer.layout.guarantee())),
            Cell::Number(offer.layout.tables().len() as u64),
            Cell::Number(u64::from(low)),
            Cell::Number(u64::from(high)),
            Cell::Number(offer.bytes),
            Cell::Number(load.candidates),
            Cell::Decimal(load.predicted),
            Cell::Decimal(load.skew()),
            load.effective_bits().map_or(Cell::Missing, Cell::Decimal),
            Cell::Number(
                load.fullest_bucket.map_or(1, |bucket| bucket.size).min(load.n_entries) as u64
            ),
        ])?;
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
