//! `simscope groups`: near-duplicates by group, one row for each document, or one for each group.

use anyhow::bail;

use super::{
    args::GroupsArgs,
    options::CommandRun,
    work::{finish, report_share, report_wordless, search, watched},
};
use crate::export::{Cell, Format};
use crate::{
    analysis::{Analysis, AnalysisDepth, Job, Stage, grouping::IgnoredPairs},
    id::DocId,
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
    let wordless = analysis.equal_without_words(&Job::new())?;
    if asked.summary {
        summarise(run, &analysis, &groups, &wordless)?;
    } else {
        list(run, &analysis, &groups, &wordless)?;
    }
    report_share(run, &analysis, found.shared);
    let how = match linkage {
        Linkage::Single => "",
        Linkage::Complete => ", every two of a group",
    };
    run.notes.note(&format_args!(
        "{} of {} in {} within {}{how}",
        grouped((groups.n_documents() + wordless.iter().map(Vec::len).sum::<usize>()) as u64),
        counted(analysis.len() as u64, "document"),
        counted((groups.len() + wordless.len()) as u64, "group"),
        run.settings.k,
    ));
    report_wordless(run, &analysis);
    run.notes.cost(&found);
    Ok(code)
}

/// One row for each document. A table for people shows titles, for which the documents are read again.
fn list(
    run: &CommandRun,
    analysis: &Analysis,
    groups: &Groups,
    wordless: &[Vec<DocId>],
) -> anyhow::Result<()> {
    let has_titles = run.format == Format::Table;
    let columns = if has_titles { COLUMNS_WITH_TITLES } else { COLUMNS };
    let mut report = run.report(columns);
    let all = groups.iter().chain(wordless.iter().map(Vec::as_slice));
    for (group, documents) in all.enumerate() {
        let representative = analysis.fingerprint(documents[0]);
        for some in documents.chunks(AT_ONCE) {
            let titles =
                if has_titles { analysis.corpus.titles(some) } else { vec![None; some.len()] };
            for (&document, title) in some.iter().zip(&titles) {
                let both = analysis.fingerprint(document).zip(representative);
                let distance = both.map(|(one, other)| u64::from(one.distance(other)));
                let cells = [
                    Cell::Number(group as u64),
                    Cell::Text(analysis.corpus.id(document)),
                    Cell::Flag(document == documents[0]),
                    distance.map_or(Cell::Missing, Cell::Number),
                    title.as_deref().map_or(Cell::Missing, Cell::Text),
                ];
                report.row(&cells[..columns.len()])?;
            }
        }
    }
    Ok(report.finish()?)
}

/// One row for each group.
fn summarise(
    run: &CommandRun,
    analysis: &Analysis,
    groups: &Groups,
    wordless: &[Vec<DocId>],
) -> anyhow::Result<()> {
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
    for (at, documents) in wordless.iter().enumerate() {
        let mut cells = [const { Cell::Missing }; SUMMARY.len()];
        cells[0] = Cell::Number((groups.len() + at) as u64);
        cells[1] = Cell::Number(documents.len() as u64);
        cells[SUMMARY.len() - 1] = Cell::Text(analysis.corpus.id(documents[0]));
        report.row(&cells)?;
    }
    report.finish()?;
    if n_unknown > 0 {
        let what = counted(n_unknown, "group");
        run.notes.note(&format_args!("{what} with too many pairs to look for a bridge"));
    }
    Ok(())
}
