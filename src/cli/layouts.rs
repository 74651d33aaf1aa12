//! `simscope tune --layouts`: the tables that could be built for k, one row for each layout.

use super::{
    options::CommandRun,
    work::{finish, search},
};
use crate::{
    analysis::AnalysisDepth,
    facts::layouts::{LayoutRow, layouts},
    number::counted,
};

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun) -> anyhow::Result<u8> {
    let (analysis, code) = finish(run, AnalysisDepth::Index)?;
    let index = analysis.index.as_deref().expect("this depth has an index");
    let offers = index.offers(&run.settings);
    let mut report = run.report(layouts());
    let n = index.n_distinct() as u64;
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
