//! `simscope pairs`: every near-duplicate pair, written as it is found and never kept.

use std::{
    io::{self, IsTerminal},
    ops::ControlFlow,
};

use super::{
    options::Run,
    work::{finish, search, searched},
};
use crate::export::{Cell, Report, Target};
use crate::{analysis::Depth, index::DocumentPair, number::counted};

const COLUMNS: &[&str] = &["a", "b", "distance"];

/// Runs the command; the exit code.
pub(super) fn run(run: &Run) -> anyhow::Result<u8> {
    let (analysis, code) = finish(run, Depth::Shelf)?;
    let mut report = Report::new(COLUMNS, run.format, &run.target);
    let mut row = |pair: DocumentPair| {
        report.row(&[
            Cell::Text(analysis.corpus.id(pair.a)),
            Cell::Text(analysis.corpus.id(pair.b)),
            Cell::Number(u64::from(pair.distance)),
        ])
    };
    // Rows and a bar on one terminal would run into each other.
    let shows_progress = run.target != Target::Stdout || !io::stdout().is_terminal();
    let mut failed = None;
    let found = search(run, &analysis, shows_progress, |shelf, job| {
        shelf.stream_pairs(&run.settings, job, &mut |mut pairs| match Iterator::try_for_each(
            &mut pairs, &mut row,
        ) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        })
    })?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    report.finish()?;
    run.notes.note(&format_args!(
        "{} within {} among {}, {}",
        counted(found.pairs, "pair"),
        run.settings.k,
        searched(&analysis),
        counted(found.groups as u64, "group"),
    ));
    run.notes.cost(&found);
    Ok(code)
}
