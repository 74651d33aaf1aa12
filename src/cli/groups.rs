//! `simscope groups`: documents connected by near-duplicate pairs, one row a document.

use super::{
    options::Run,
    report::{Cell, Report},
    work::{finish, search},
};
use crate::{
    analysis::Depth,
    number::{counted, grouped},
};

const COLUMNS: &[&str] = &["group", "id", "representative", "distance"];

/// Runs the command; the exit code.
pub(super) fn run(run: &Run) -> anyhow::Result<u8> {
    let (analysis, code) = finish(run, Depth::Shelf)?;
    let (groups, found) =
        search(run, &analysis, true, |shelf, job| shelf.stream_groups(&run.settings, job))?;
    let mut report = Report::new(COLUMNS, run.format, &run.target);
    let fingerprint = |document| analysis.fingerprint(document).expect("grouped, so it has one");
    for (group, documents) in groups.iter().enumerate() {
        let representative = fingerprint(documents[0]);
        for &document in documents {
            let distance = fingerprint(document).distance(representative);
            report.row(&[
                Cell::Number(group as u64),
                Cell::Text(analysis.corpus.id(document)),
                Cell::Flag(document == documents[0]),
                Cell::Number(u64::from(distance)),
            ])?;
        }
    }
    report.finish()?;
    run.notes.note(&format_args!(
        "{} of {} in {} within {}",
        grouped(groups.n_documents() as u64),
        counted(analysis.len() as u64, "document"),
        counted(groups.len() as u64, "group"),
        run.settings.k,
    ));
    run.notes.cost(&found);
    Ok(code)
}
