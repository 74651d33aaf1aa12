//! `simscope groups`: near-duplicates by group, one row for each document, or one for each group.

use std::borrow::Cow;
use std::collections::HashSet;

use anyhow::{bail, ensure};

use super::args::GroupsArgs;
use super::options::CommandRun;
use super::similarity;
use super::work::{finish, report_share, report_wordless, search, staged};
use crate::analysis::{Analysis, AnalysisDepth, FolderShares, Job, Stage, folder_shares};
use crate::export::Format;
use crate::facts::groups::{GroupRow, MemberRow, folders, groups as columns, members};
use crate::id::DocId;
use crate::index::{Bridge, GroupShape, Groups, Linkage};
use crate::number::{counted, grouped};

/// Documents whose titles are read at a time.
const AT_ONCE: usize = 256;
/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun, asked: &GroupsArgs) -> anyhow::Result<u8> {
    let linkage = asked.linkage.unwrap_or_default();
    if linkage == Linkage::Complete && run.load.n_reference > 0 {
        bail!(
            "--linkage complete compares every two documents of a group, and --reference only those of different \
            sides; leave one of the two out"
        );
    }
    ensure!(
        run.similarity.is_none() || !asked.summary,
        "--summary measures groups by their distances; give -k in place of --similarity"
    );
    let (analysis, code) = finish(run, AnalysisDepth::Index)?;
    let ignored = staged(run, Stage::Compare, |job| analysis.dissimilar_pairs(job))?;
    let (groups, found) = search(run, &analysis, true, |index, job| {
        index.stream_groups(&run.settings, linkage, &ignored, job)
    })?;
    let wordless = analysis.equal_without_words(&Job::new())?;
    // The groups whose documents of one fingerprint are similar, too, if a similarity is asked for.
    let split = analysis.similar_texts.as_ref().map(|similar| {
        let lists: Vec<&[DocId]> = groups.iter().collect();
        staged(run, Stage::Compare, |job| analysis.without_unlike_copies(&lists, similar, job))
    });
    let split = split.transpose()?;
    let lists: Vec<&[DocId]> = match &split {
        Some(split) => split.iter().chain(&wordless).map(Vec::as_slice).collect(),
        None => groups.iter().chain(wordless.iter().map(Vec::as_slice)).collect(),
    };
    if asked.summary {
        summarise(run, &analysis, &groups, &wordless)?;
    } else if asked.by_folder {
        by_folder(run, &folder_shares(&analysis.corpus, &lists)?)?;
    } else {
        let alone = if asked.all { alone(&analysis, &lists) } else { Vec::new() };
        list(run, &analysis, lists.iter().copied().chain(alone.chunks(1)))?;
    }
    report_share(run, &analysis, found.shared);
    let how = match linkage {
        Linkage::Single => "",
        Linkage::Complete => ", every two of a group",
    };
    run.notes.note(&format_args!(
        "{} of {} in {} within {}{how}",
        grouped(lists.iter().map(|documents| documents.len() as u64).sum()),
        counted(analysis.len() as u64, "document"),
        counted(lists.len() as u64, "group"),
        run.settings.k,
    ));
    report_wordless(run, &analysis);
    run.notes.cost(&found);
    similarity::note_cost(run, &found);
    Ok(code)
}

/// The documents that are in no group.
fn alone(analysis: &Analysis, groups: &[&[DocId]]) -> Vec<DocId> {
    let grouped: HashSet<DocId> = groups.iter().copied().flatten().copied().collect();
    (0..analysis.len()).map(DocId::from).filter(|document| !grouped.contains(document)).collect()
}

/// One row for each document. A table for people shows titles, for which the documents are read again.
fn list<'a>(
    run: &CommandRun,
    analysis: &Analysis,
    groups: impl Iterator<Item = &'a [DocId]>,
) -> anyhow::Result<()> {
    let has_titles = run.format == Format::Table;
    let mut report = run.report(members(has_titles));
    for (group, documents) in groups.enumerate() {
        let representative = analysis.fingerprint(documents[0]);
        for some in documents.chunks(AT_ONCE) {
            let titles =
                if has_titles { analysis.corpus.titles(some) } else { vec![None; some.len()] };
            for (&document, title) in some.iter().zip(titles) {
                let both = analysis.fingerprint(document).zip(representative);
                report.row(&MemberRow {
                    group,
                    id: analysis.corpus.id(document),
                    is_representative: document == documents[0],
                    distance: both.map(|(one, other)| one.distance(other)),
                    title,
                })?;
            }
        }
    }
    Ok(report.finish()?)
}

/// One row for every two folders that share a group.
fn by_folder(run: &CommandRun, shares: &FolderShares) -> anyhow::Result<()> {
    let mut report = run.report(folders());
    shares.rows.iter().try_for_each(|row| report.row(&(shares, row)))?;
    report.finish()?;
    let contained: HashSet<u32> = shares
        .rows
        .iter()
        .filter(|row| row.near == shares.sizes[row.folder as usize])
        .map(|row| row.folder)
        .collect();
    run.notes.note(&format_args!(
        "{} of {} contained in another one, so that each of its documents shares a group with one of the other",
        grouped(contained.len() as u64),
        counted(shares.names.len() as u64, "folder"),
    ));
    Ok(())
}

/// One row for each group.
fn summarise(
    run: &CommandRun,
    analysis: &Analysis,
    groups: &Groups,
    wordless: &[Vec<DocId>],
) -> anyhow::Result<()> {
    let mut report = run.report(columns());
    let index = analysis.index.as_deref().expect("this depth has an index");
    let mut n_unknown = 0;
    let mut row = |group: u32, shape: GroupShape| -> anyhow::Result<()> {
        n_unknown += u64::from(shape.bridge == Bridge::Unknown);
        let documents = groups.documents(group);
        let (group, shape) = (group as usize, Some(Cow::Owned(shape)));
        Ok(report.row(&GroupRow { group, documents, shape, analysis })?)
    };
    staged(run, Stage::Pair, |job| index.each_shape(groups, run.settings.k, job, &mut row))?;
    for (at, documents) in wordless.iter().enumerate() {
        report.row(&GroupRow { group: groups.len() + at, documents, shape: None, analysis })?;
    }
    report.finish()?;
    if n_unknown > 0 {
        let what = counted(n_unknown, "group");
        run.notes.note(&format_args!("{what} with too many pairs to look for a bridge"));
    }
    Ok(())
}
