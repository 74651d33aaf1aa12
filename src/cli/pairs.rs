//! `simscope pairs`: every near-duplicate pair, unfolded from the pairs of fingerprints as it is written.

use super::{
    options::Run,
    report::{Cell, Report},
    work::finish,
};
use crate::{analysis::Depth, number::counted};

const COLUMNS: &[&str] = &["a", "b", "distance"];

/// Runs the command; the exit code.
pub(super) fn run(run: &Run) -> anyhow::Result<u8> {
    let (analysis, code) = finish(run, Depth::Pairs)?;
    let mut report = Report::new(COLUMNS, run.format, &run.target);
    let (shelf, near) =
        analysis.shelf.as_deref().zip(analysis.near.as_deref()).expect("depth is pairs");
    for pair in shelf.document_pairs(near.pairs(run.settings.k)) {
        report.row(&[
            Cell::Text(analysis.corpus.id(pair.a)),
            Cell::Text(analysis.corpus.id(pair.b)),
            Cell::Number(u64::from(pair.distance)),
        ])?;
    }
    report.finish()?;
    let totals = analysis.totals().expect("depth is pairs");
    run.notes.note(&format_args!(
        "{} within {} of {}, {}",
        counted(totals.pairs, "pair"),
        run.settings.k,
        counted(analysis.len() as u64, "document"),
        counted(u64::from(totals.groups.groups), "group"),
    ));
    Ok(code)
}
