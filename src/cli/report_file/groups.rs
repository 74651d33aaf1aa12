//! The section of a report about groups: their numbers, and the largest with their members.

use std::borrow::Cow;

use super::dropped::{away, exact_cosine, titled};
use super::pairs;
use super::report::{MOST_GROUPS, Report};
use crate::analysis::dedup::{Dropped, Reason};
use crate::analysis::{AnalysisError, Job};
use crate::corpus::Content;
use crate::explain::text_diff::opening;
use crate::facts::figures::share_of;
use crate::facts::groups::{GroupRow, groups as facts};
use crate::id::DocId;
use crate::index::GroupShape;
use crate::number::{counted, grouped};
use crate::present::page::{PageBlock, PageLine, PageTable};

/// The most documents of a group that are listed.
const MOST_MEMBERS: usize = 12;
/// The most characters of a representative's text.
const OPENING: usize = 160;
/// The columns of the table of groups.
const SHOWN: &[&str] = &["group", "size", "distinct", "diameter", "weakest", "covered"];

/// The groups: their numbers, and each of the largest. Reads again those listed documents that are dropped.
pub(super) fn groups(report: &Report, job: &Job) -> Result<Vec<PageBlock>, AnalysisError> {
    let (groups, k) = (&report.groups, report.analysis.settings.k);
    if groups.is_empty() {
        let none = format!("No two documents are within {k} bits of each other.");
        return Ok(vec![PageBlock::Paragraph(none.into())]);
    }
    let index = report.analysis.index.as_deref().expect("fingerprints come before groups");
    let mut shapes = Vec::new();
    for documents in groups.iter().take(MOST_GROUPS) {
        job.progress.check()?;
        shapes.push(index.shape(documents, k));
    }
    let mut words = format!(
        "{} make {} of {}.",
        counted(report.n_pairs, "pair"),
        counted(groups.len() as u64, "group"),
        counted(groups.n_documents() as u64, "document"),
    );
    match shapes.iter().filter(|shape| shape.is_chain()).count() {
        0 => words += " No group below is a chain.",
        n => {
            words += &format!(
                " {n} of the {} below {}: near neighbours lead from one end to the other, but the ends are farther \
                apart than k, so look before you drop.",
                shapes.len(),
                if n == 1 { "is a chain" } else { "are chains" },
            );
        }
    }
    let mut blocks = vec![PageBlock::Paragraph(words.into()), table(report, &shapes)];
    for group in 0..shapes.len() as u32 {
        blocks.extend(one_group(report, group, job)?);
    }
    Ok(blocks)
}

/// The listed groups in a table.
fn table(report: &Report, shapes: &[GroupShape]) -> PageBlock {
    let caption = match shapes.len() {
        n if n == report.groups.len() => "Groups, the largest first; distances in bits".to_owned(),
        n => format!(
            "The {n} largest of {} groups; distances in bits",
            grouped(report.groups.len() as u64)
        ),
    };
    let rows = shapes.iter().enumerate().map(|(group, shape)| GroupRow {
        group,
        documents: report.groups.documents(group as u32),
        shape: Some(Cow::Borrowed(shape)),
        analysis: &report.analysis,
    });
    let remark = |shape: &GroupShape| if shape.is_chain() { "a chain" } else { "" }.to_owned();
    let remarks = shapes.iter().map(remark);
    let mut table = PageTable::of(caption, &facts(), SHOWN, rows).with_words("remark", remarks);
    for (group, row) in table.rows.iter_mut().enumerate() {
        row.anchor = Some(title(report, group as u32).anchor());
    }
    PageBlock::Table(table)
}

/// The heading of a group.
fn title(report: &Report, group: u32) -> PageLine {
    let n = report.groups.documents(group).len();
    format!("Group {group}: {}", counted(n as u64, "document")).into()
}

/// A link to the group that these documents are in, if it is listed.
pub(super) fn link(report: &Report, documents: &[DocId]) -> Option<PageLine> {
    let group = report.listed_group(documents)?;
    Some(PageLine::default().link(format!("group {group}"), title(report, group).anchor()))
}

/// A group with its first documents, starting with the representative.
fn one_group(report: &Report, group: u32, job: &Job) -> Result<Vec<PageBlock>, AnalysisError> {
    let (analysis, documents) = (&report.analysis, report.groups.documents(group));
    let mut blocks = vec![PageBlock::Heading(title(report, group))];
    let text = analysis.corpus.read(documents[0]);
    if let Some(text) = text.as_ref().ok().and_then(Content::text) {
        let opening = PageLine::default().quote(opening(text, OPENING));
        blocks.push(PageBlock::Paragraph(opening));
    }
    let listed = &documents[..documents.len().min(MOST_MEMBERS)];
    let dropped = listed.iter().filter_map(|&document| report.dropped.of(document));
    let mut dropped: Vec<Dropped> = dropped.copied().collect();
    analysis.compare(&mut dropped, job)?;
    let titles = analysis.corpus.named_titles(listed);
    let members = listed.iter().zip(titles).map(|(&document, title)| {
        let line = titled(PageLine::default(), &report.name(document), title.as_deref());
        fate(report, line, [documents[0], document], &dropped)
    });
    blocks.push(PageBlock::list(members.collect(), documents.len() as u64));
    blocks.extend(pairs::links(report, group).map(PageBlock::Paragraph));
    Ok(blocks)
}

/// The line of a document of a group, with the decision on it; `dropped` are the dropped documents, compared.
fn fate(
    report: &Report,
    line: PageLine,
    [first, document]: [DocId; 2],
    dropped: &[Dropped],
) -> PageLine {
    let is = |one: &&Dropped| one.document == document;
    if let Some(one) = dropped.iter().find(is) {
        let how = match one.reason {
            Reason::EqualText => "equal text".to_owned(),
            Reason::EqualFingerprint => "equal fingerprint, another text".to_owned(),
            Reason::Near => format!("{} apart", away(one.distance)),
        };
        let cosine = exact_cosine(one.cosine.filter(|_| one.reason != Reason::EqualText));
        let line = line.text(", dropped for ").name(report.name(one.kept));
        return line.text(format!(": {how}{cosine}"));
    }
    if let Some(one) = report.dropped.spared.iter().find(is) {
        let shared = one.shared.map_or("an unknown share".to_owned(), share_of);
        let line = line.text(format!(", spared: near, with {shared} of its text in "));
        return line.name(report.name(one.kept));
    }
    let fingerprint =
        |document| report.analysis.fingerprint(document).expect("grouped, so it has a fingerprint");
    match report.dropped.n_dropped_for(document) {
        0 => match fingerprint(document).distance(fingerprint(first)) {
            0 => line.text(", kept"),
            distance => line.text(format!(", kept: {} from the first", away(distance))),
        },
        n => line.text(format!(", kept; {} dropped for it", grouped(n))),
    }
}
