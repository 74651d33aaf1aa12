//! The section of a report about groups.

use super::manifest::Manifest;
use crate::{
    analysis::{
        TwinKind,
        dedup::Reason,
        report::{CorpusReport, GroupsInBrief, ListedGroup},
    },
    number::{counted, grouped},
    present::page::{PageBlock, PageLine, PageRow, PageTable},
};

/// The groups in numbers, the largest one by one.
pub(super) fn groups(groups: &GroupsInBrief) -> Vec<PageBlock<'_>> {
    if groups.n_groups == 0 {
        return vec![PageBlock::Paragraph(
            format!("No two documents are within {} bits of each other.", groups.k).into(),
        )];
    }
    let mut said = format!(
        "{} make {} of {}; {} are dropped if the first of each is kept.",
        counted(groups.pairs, "pair"),
        counted(groups.n_groups as u64, "group"),
        counted(groups.n_documents as u64, "document"),
        grouped(groups.n_redundant as u64),
    );
    said += &match (groups.n_chains, groups.is_exact) {
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
    let row = |group: &ListedGroup| {
        let shape = &group.shape;
        let at_least = if shape.farthest.is_exact { "" } else { "at least " };
        let cells = vec![
            group.number.to_string(),
            grouped(u64::from(shape.documents)),
            grouped(shape.distinct() as u64),
            format!("{at_least}{}", shape.farthest.distance),
            shape.weakest.map_or_else(|| "none".to_owned(), |weakest| weakest.to_string()),
            grouped(u64::from(shape.covered)),
            match (shape.is_chain(), group.is_dominated) {
                (true, true) => "a chain, dominated",
                (true, false) => "a chain",
                (false, true) => "dominated",
                (false, false) => "",
            }
            .to_owned(),
        ];
        PageRow { cells, is_marked: false }
    };
    let caption = match groups.listed.len() {
        n if n == groups.n_groups => "Groups, the largest first; distances in bits".to_owned(),
        n => format!(
            "The {n} largest of {} groups; distances in bits",
            grouped(groups.n_groups as u64)
        ),
    };
    let table = PageTable {
        caption,
        columns: vec![
            "group",
            "documents",
            "fingerprints",
            "diameter",
            "weakest edge",
            "within k of the first",
            "remark",
        ],
        n_words: 1,
        rows: groups.listed.iter().map(row).collect(),
    };
    let mut blocks = vec![PageBlock::Paragraph(said.into()), PageBlock::Table(table)];
    blocks.extend(groups.listed.iter().flat_map(one_group));
    blocks
}

/// The documents that `dedup` drops, in numbers, and its command.
pub(super) fn dropped<'a>(report: &'a CorpusReport, manifest: &'a Manifest) -> Vec<PageBlock<'a>> {
    let k = report.analysis.settings.k;
    let dropped = &report.dropped;
    let (n, all) = (dropped.dropped.len() as u64, report.analysis.len() as u64);
    let count = |reason| grouped(dropped.count(reason));
    let mut text = format!(
        "Within {k} bits, {} of {} go if the first ones are kept: {} have the text of the one kept for them, {} its \
         fingerprint and another text, {} are near it. Each of them has a kept document within {k} bits.",
        grouped(n),
        counted(all, "document"),
        count(Reason::EqualText),
        count(Reason::EqualFingerprint),
        count(Reason::Near),
    );
    if n == 0 {
        text = format!("Within {k} bits, none of {} goes.", counted(all, "document"));
    }
    if dropped.n_dominated > 0 {
        text += &format!(
            " {} more would go, but a single feature decides a fingerprint, and the other features differ or are not known, so look first.",
            counted(dropped.n_dominated, "document"),
        );
    }
    text += " This command writes both lists, and changes no input:";
    vec![PageBlock::Paragraph(text.into()), PageBlock::Lines(vec![manifest.dedup.clone()])]
}

fn one_group(group: &ListedGroup) -> Vec<PageBlock<'_>> {
    let n = group.n_documents();
    let title = format!("Group {}: {}", group.number, counted(n as u64, "document"));
    let mut blocks = vec![PageBlock::Heading(3, title.into())];
    if let Some(opening) = &group.opening {
        blocks.push(PageBlock::Paragraph(PageLine::default().quote(opening)));
    }
    let shape = &group.shape;
    if shape.is_chain() {
        let at_least = if shape.farthest.is_exact { "" } else { "at least " };
        let mut said = PageLine::default().strong("A chain:").text(format!(
            " two of its documents are {at_least}{} bits apart, and k is {}.",
            shape.farthest.distance, shape.k
        ));
        if let Some(bridge) = &group.bridge {
            said = said
                .text(" Without ")
                .name(bridge)
                .text(" and all that have its fingerprint it falls apart.");
        }
        blocks.push(PageBlock::Paragraph(said));
    }
    if group.is_dominated {
        let said = PageLine::default().strong("Dominated:").text(
            " one feature outweighs all others in a document here, so documents of other features can be near it. \
             Look before you drop.",
        );
        blocks.push(PageBlock::Paragraph(said));
    }
    let mut members: Vec<PageLine> = group
        .members
        .iter()
        .enumerate()
        .map(|(at, member)| {
            let mut line = PageLine::default().name(&member.name);
            if let Some(title) = &member.title {
                line = line.text(" ").quote(title);
            }
            match (at, member.distance) {
                (0, _) => line.text(", kept as the first"),
                (_, 0) => line.text(match member.twin {
                    Some(TwinKind::Text) => ", equal text",
                    Some(TwinKind::OtherText) => ", equal fingerprint, another text",
                    Some(TwinKind::Unknown) | None => ", equal fingerprint",
                }),
                (_, distance) => {
                    line.text(format!(", {} off", counted(u64::from(distance), "bit")))
                }
            }
        })
        .collect();
    if n > members.len() {
        members.push(format!("and {} more", grouped((n - members.len()) as u64)).into());
    }
    blocks.push(PageBlock::List(members));
    blocks
}
