//! The section of a report about groups.

use std::borrow::Cow;

use super::{
    dropped::{away, share_of_text, titled},
    pairs,
};
use crate::{
    analysis::{
        dedup::Reason,
        report::{CorpusReport, GroupMember, ListedGroup, MemberDecision},
    },
    explain::figures::similarity,
    facts::groups::{GroupRow, groups as facts},
    id::DocId,
    number::{counted, grouped},
    present::page::{PageBlock, PageLine, PageTable},
};

/// The columns of the table of groups.
const SHOWN: &[&str] = &["group", "size", "distinct", "diameter", "weakest", "covered"];

/// The groups: their numbers, and each of the largest.
pub(super) fn groups<'a>(report: &'a CorpusReport) -> Vec<PageBlock<'a>> {
    let groups = &report.brief;
    if groups.n_groups == 0 {
        return vec![PageBlock::Paragraph(
            format!("No two documents are within {} bits of each other.", groups.k).into(),
        )];
    }
    let mut words = format!(
        "{} make {} of {}.",
        counted(groups.pairs, "pair"),
        counted(groups.n_groups as u64, "group"),
        counted(groups.n_documents as u64, "document"),
    );
    words += &match (groups.n_chains, groups.is_exact) {
        (0, true) => " Every two documents of a group are within k.".to_owned(),
        (0, false) => " As far as known every two documents of a group are within k.".to_owned(),
        (n, is_exact) => format!(
            " {}{}: near neighbours lead from one end to the other, but the ends are farther apart than k, so look before you drop.",
            if is_exact { "" } else { "At least " },
            if n == 1 {
                "1 is a chain".to_owned()
            } else {
                format!("{} are chains", grouped(n as u64))
            },
        ),
    };
    let caption = match groups.listed.len() {
        n if n == groups.n_groups => "Groups, the largest first; distances in bits".to_owned(),
        n => format!(
            "The {n} largest of {} groups; distances in bits",
            grouped(groups.n_groups as u64)
        ),
    };
    let row = |it: &'a ListedGroup| GroupRow {
        group: it.number as usize,
        documents: report.groups.documents(it.number),
        shape: Some(Cow::Borrowed(&it.shape)),
        analysis: &report.analysis,
    };
    let remark = |it: &ListedGroup| match (it.shape.is_chain(), it.has_spared) {
        (true, true) => "a chain, spared".to_owned(),
        (true, false) => "a chain".to_owned(),
        (false, true) => "spared".to_owned(),
        (false, false) => String::new(),
    };
    let rows = groups.listed.iter().map(row);
    let mut table = PageTable::of(caption, &facts(), SHOWN, rows)
        .with_words("remark", groups.listed.iter().map(remark));
    for (row, group) in table.rows.iter_mut().zip(&groups.listed) {
        row.anchor = Some(title(group).anchor());
    }
    let mut blocks = vec![PageBlock::Paragraph(words.into()), PageBlock::Table(table)];
    blocks.extend(groups.listed.iter().flat_map(|group| one_group(report, group)));
    blocks
}

/// The heading of a group.
fn title(group: &ListedGroup) -> PageLine {
    format!("Group {}: {}", group.number, counted(group.n_documents() as u64, "document")).into()
}

/// A link to the group that these documents are in, if it is listed.
pub(super) fn link(report: &CorpusReport, documents: &[DocId]) -> Option<PageLine> {
    let number = report.listed_group(documents)?;
    let group = &report.brief.listed[number as usize];
    Some(PageLine::default().link(format!("group {number}"), title(group).anchor()))
}

fn one_group<'a>(report: &'a CorpusReport, group: &'a ListedGroup) -> Vec<PageBlock<'a>> {
    let n = group.n_documents();
    let mut blocks = vec![PageBlock::Heading(3, title(group))];
    if let Some(opening) = &group.opening {
        blocks.push(PageBlock::Paragraph(PageLine::default().quote(opening)));
    }
    let shape = &group.shape;
    if shape.is_chain() {
        let at_least = if shape.farthest.is_exact { "" } else { "at least " };
        let mut words = PageLine::default().strong("A chain:").text(format!(
            " two of its documents are {at_least}{} bits apart, and k is {}.",
            shape.farthest.distance, shape.k
        ));
        if let Some(bridge) = &group.bridge {
            words = words
                .text(" Without ")
                .name(bridge)
                .text(" and all that have its fingerprint it falls apart.");
        }
        blocks.push(PageBlock::Paragraph(words));
    }
    if group.has_spared {
        let words = PageLine::default()
            .strong("Spared:")
            .text(" a document here is near a kept one that has too little of its text. It stays.");
        blocks.push(PageBlock::Paragraph(words));
    }
    let members = group.members.iter().map(member).collect();
    blocks.push(PageBlock::list(members, n as u64));
    blocks.extend(pairs::links(report, group.number).map(PageBlock::Paragraph));
    blocks
}

/// A document with its title, and whether it is dropped.
fn member(member: &GroupMember) -> PageLine {
    let line = titled(PageLine::default(), &member.name, member.title.as_deref());
    match &member.fate {
        MemberDecision::Kept(0) if member.distance == 0 => line.text(", kept"),
        MemberDecision::Kept(0) => {
            line.text(format!(", kept: {} from the first", away(member.distance)))
        }
        MemberDecision::Kept(n) => line.text(format!(", kept; {} dropped for it", grouped(*n))),
        MemberDecision::Spared(kept, shared) => {
            let shared = shared.map_or("an unknown share".to_owned(), share_of_text);
            line.text(format!(", spared: near, with {shared} of its text in ")).name(kept)
        }
        MemberDecision::Dropped(kept, one) => {
            let how = match one.reason {
                Reason::EqualText => "equal text".to_owned(),
                Reason::EqualFingerprint => "equal fingerprint, another text".to_owned(),
                Reason::Near => format!("{} apart", away(one.distance)),
            };
            let cosine = one.cosine.filter(|_| one.reason != Reason::EqualText);
            let cosine = cosine.map_or_else(String::new, |cosine| {
                format!(", exact cosine {}", similarity(cosine))
            });
            line.text(", dropped for ").name(kept).text(format!(": {how}{cosine}"))
        }
    }
}
