//! `simscope groups`: near-duplicates by group, one row for each document, or one for each group.

use anyhow::bail;

use super::{
    args::GroupsArgs,
    options::CommandRun,
    work::{finish, report_share, search, watched},
};
use crate::export::{Cell, Format};
use crate::{
    analysis::{Analysis, AnalysisDepth, Job, Stage, grouping::IgnoredPairs},
    index::{Bridge, GroupShape, Groups, Linkage},
    number::{counted, grouped},
};

const COLUMNS: &[&str] = &["group", "id", "representative", "distance"];
/// The columns of a table for people, who know a document by its title.
const COLUMNS_WITH_TITLES: &[&str] = &["group", "id", "representative", "distance", "title"];
/// Documents whose titles are read at a time.
const AT_ONCE: usize = 256;
const SUMMARY: &[&str] =
    &["group", "size", "distinct", "diameter", "weakest", "covered", "bridge", "representative"];

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun, asked: &GroupsArgs) -> anyhow::Result<u8> {
    let linkage = asked.linkage.unwrap_or_default();
    if linkage == Linkage::Complete && run.load.n_reference > 0 {
        bail!(
            "--linkage complete compares every two documents of a group, and --reference only those of different \
            sides; leave one of the two out"
        );
    }
    let (analysis, code) = finish(run, AnalysisDepth::Index)?;
    let (groups, found) = search(run, &analysis, true, |index, job| {
        index.stream_groups(&run.settings, linkage, &IgnoredPairs::new(), job)
    })?;
    if asked.summary {
        summarise(run, &analysis, &groups)?;
    } else {
        list(run, &analysis, &groups)?;
    }
    report_share(run, &analysis, found.shared);
    let how = match linkage {
        Linkage::Single => "",
        Linkage::Complete => ", every two of a group",
    };
    run.notes.note(&format_args!(
        "{} of {} in {} within {}{how}",
        grouped(groups.n_documents() as u64),
        counted(analysis.len() as u64, "document"),
        counted(groups.len() as u64, "group"),
        run.settings.k,
    ));
    run.notes.cost(&found);
    Ok(code)
}

/// One row for each document. A table for people shows titles, for which the documents are read again.
fn list(run: &CommandRun, analysis: &Analysis, groups: &Groups) -> anyhow::Result<()> {
    let has_titles = run.format == Format::Table;
    let columns = if has_titles { COLUMNS_WITH_TITLES } else { COLUMNS };
    let mut report = run.report(columns);
    let fingerprint = |document| analysis.fingerprint(document).expect("grouped, so it has one");
    for (group, documents) in groups.iter().enumerate() {
        let representative = fingerprint(documents[0]);
        for some in documents.chunks(AT_ONCE) {
            let titles =
                if has_titles { analysis.corpus.titles(some) } else { vec![None; some.len()] };
            for (&document, title) in some.iter().zip(&titles) {
                let distance = fingerprint(document).distance(representative);
                let cells = [
                    Cell::Number(group as u64),
                    Cell::Text(analysis.corpus.id(document)),
                    Cell::Flag(document == documents[0]),
                    Cell::Number(u64::from(distance)),
                    title.as_deref().map_or(Cell::Missing, Cell::Text),
                ];
                report.row(&cells[..columns.len()])?;
            }
        }
    }
    Ok(report.finish()?)
}

/// One row for each group.
fn summarise(run: &CommandRun, analysis: &Analysis, groups: &Groups) -> anyhow::Result<()> {
    let mut report = run.report(SUMMARY);
    let index = analysis.index.as_deref().expect("this depth has an index");
    let id = |entry| analysis.corpus.id(index.documents(entry)[0]);
    let mut n_unknown = 0;
    let mut row = |group: u32, shape: &GroupShape| -> anyhow::Result<()> {
        let at_least = format!(">={}", shape.farthest.distance);
        let number = |number: u32| Cell::Number(u64::from(number));
        n_unknown += u64::from(shape.bridge == Bridge::Unknown);
        Ok(report.row(&[
            number(group),
            number(shape.documents),
            Cell::Number(shape.distinct() as u64),
            if shape.farthest.is_exact {
                number(shape.farthest.distance)
            } else {
                Cell::Text(&at_least)
            },
            shape.weakest.map_or(Cell::Missing, number),
            number(shape.covered),
            match shape.bridge {
                Bridge::At { entry, .. } => Cell::Text(id(entry)),
                Bridge::None | Bridge::Unknown => Cell::Missing,
            },
            Cell::Text(id(shape.nodes[0].entry)),
        ])?)
    };
    let job = Job::to_begin(Stage::Pair);
    watched(run, &job, true, || index.each_shape(groups, run.settings.k, &job, &mut row))?;
    report.finish()?;
    if n_unknown > 0 {
        let what = counted(n_unknown, "group");
        run.notes.note(&format_args!("{what} with too many pairs to look for a bridge"));
    }
    Ok(())
}
