//! The page of a report, and the sections without a file of their own: the inputs, the warnings, the terms.

use super::{dropped, groups, manifest::Manifest, pairs, thresholds};
use crate::{
    analysis::{
        Analysis,
        report::{CorpusReport, FlaggedDocument},
    },
    cli::with_flags,
    explain::{text_diff::opening, triage::Flag},
    number::{counted, grouped},
    present::page::{Page, PageBlock, PageLine, Section},
};

/// Characters of the corpus's name at the top.
const LONGEST_TITLE: usize = 80;
/// The largest number of listed problems.
const MOST_PROBLEMS: usize = 10;

/// The page about a corpus.
pub(super) fn page<'a>(report: &'a CorpusReport, manifest: &'a Manifest) -> Page<'a> {
    let mut sections = vec![
        Section {
            title: "How far apart the pairs are".into(),
            blocks: thresholds::distances(report),
        },
        Section { title: "The choice of k".into(), blocks: thresholds::choice(report) },
    ];
    if let Some(judged) = &report.judged {
        let blocks = thresholds::judged(judged, report.analysis.settings.k);
        sections.push(Section { title: "How people judged pairs".into(), blocks });
    }
    sections.extend([
        dropped::section(&report.analysis, &report.dropped, manifest),
        Section { title: "Groups of near-duplicates".into(), blocks: groups::groups(report) },
        Section { title: "Pairs side by side".into(), blocks: pairs::side_by_side(report) },
        Section { title: "Documents that mislead".into(), blocks: misleading(report) },
        read(report, manifest),
        Section { title: "The terms".into(), blocks: words() },
    ]);
    let title = PageLine::from("Near-duplicates in ");
    Page {
        title: if manifest.is_sample {
            title.text("the sample corpus")
        } else {
            title.name(opening(&manifest.title, LONGEST_TITLE))
        },
        lead: lead(report),
        sections,
        foot: format!("Made by simscope {}.", env!("CARGO_PKG_VERSION")).into(),
    }
}

/// The result in a few sentences.
fn lead(report: &CorpusReport) -> Vec<PageLine> {
    let (analysis, groups) = (&report.analysis, &report.brief);
    let (k, width) = (analysis.settings.k, analysis.settings.recipe.bits);
    let n = analysis.len();
    let n_dropped = report.dropped.dropped.len() as u64;
    let found = PageLine::default()
        .text("Of ")
        .strong(counted(n as u64, "document"))
        .text(", ")
        .strong(grouped(groups.n_documents as u64))
        .text(format!(
            " are in {} of near-duplicates at k = {k}: fingerprints of {width} bits that differ in at most {k}. ",
            counted(groups.n_groups as u64, "group"),
        ))
        .text(match groups.n_wordless as u64 {
            0 => String::new(),
            n => format!("{} without words have the text of another one. ", counted(n, "document")),
        })
        .text("If the first of several is kept, ")
        .strong(counted(n_dropped, "document"))
        .text(if n_dropped == 1 { " is" } else { " are" })
        .text(" dropped: ")
        .link(dropped::TITLE, PageLine::from(dropped::TITLE).anchor())
        .text(".");
    let mut lead: Vec<PageLine> =
        thresholds::verdict(report).map(PageLine::from).into_iter().collect();
    lead.push(found);
    let skipped = n_problems(report);
    if skipped > 0 {
        lead.push(PageLine::default().strong(format!(
            "{} came up while reading; what was skipped is not in these figures.",
            counted(skipped, "problem"),
        )));
    }
    lead
}

fn n_problems(report: &CorpusReport) -> u64 {
    let analysis = &report.analysis;
    analysis.diagnostics().count() as u64 + analysis.corpus.summary().unlisted
}

fn read<'a>(report: &'a CorpusReport, manifest: &'a Manifest) -> Section<'a> {
    let mut section = Section::new("The input, and how to make this report again");
    let analysis = &report.analysis;
    let summary = analysis.corpus.summary();
    let index = analysis.index.as_deref().expect("a report has fingerprints");
    let layout = index.layout();
    section.fact(
        "Documents",
        format!(
            "{} of {} in {}",
            grouped(summary.documents),
            counted(summary.text_bytes, "byte"),
            counted(summary.files, "file"),
        ),
    );
    let fingerprinted = index.n_fingerprinted() as u64;
    section.fact(
        "Fingerprints",
        format!(
            "{} of {}, {} of them different; {}",
            grouped(fingerprinted),
            counted(summary.documents, "document"),
            grouped(index.n_distinct() as u64),
            match summary.documents - fingerprinted {
                0 => "every document has one".to_owned(),
                1 => "1 document has no features, so no fingerprint".to_owned(),
                n => format!("{} documents have no features, so no fingerprint", grouped(n)),
            },
        ),
    );
    let marks = [
        (summary.fingerprints, "carry a fingerprint and no text, so the recipe does not change it"),
        (
            summary.hashed,
            "carry hashes and no text: of the recipe only bits and tie count for them",
        ),
        (summary.lossy, "hold bytes that are not valid in their encoding"),
    ];
    for (n, what) in marks.into_iter().filter(|mark| mark.0 > 0) {
        section.fact("Marked", format!("{} {what}", counted(n, "document")));
    }
    if let Some(note) = summary.note() {
        section.fact("Skipped", note);
    }
    for remark in analysis.corpus.remarks().iter().take(MOST_PROBLEMS) {
        section.fact("Note", PageLine::default().name(remark.to_string()));
    }
    section.fact("Recipe", recipe(analysis));
    let (n_tables, kind, sure) = (layout.tables().len(), layout.describe(), layout.guarantee());
    section.fact("Tables", format!("{n_tables} ({kind}); they find every pair with d <= {sure}"));
    section.fact("Program", format!("simscope {}", env!("CARGO_PKG_VERSION")));
    manifest.tell(&mut section);
    section.blocks.extend(problems(report));
    section
}

/// The recipe, as far as it is known.
pub(super) fn recipe(analysis: &Analysis) -> PageLine {
    let recipe = analysis.settings.recipe.to_string();
    if analysis.corpus.is_of_unknown_recipe() {
        return "unknown, because the fingerprints came without it".into();
    }
    let unknown = if analysis.corpus.has_unknown_recipe() {
        "; that of given fingerprints is unknown"
    } else {
        ""
    };
    PageLine::default().name(recipe).text(unknown)
}

fn problems(report: &CorpusReport) -> Vec<PageBlock<'_>> {
    let n = n_problems(report);
    if n == 0 {
        return vec![PageBlock::Paragraph("No input was skipped.".into())];
    }
    let listed = report.analysis.diagnostics().take(MOST_PROBLEMS);
    let line = |it: &_| PageLine::default().name(with_flags(&ToString::to_string(it)));
    let what = format!("{} came up while reading:", counted(n, "problem"));
    vec![
        PageBlock::Paragraph(PageLine::default().strong(what)),
        PageBlock::list(listed.map(line).collect(), n),
    ]
}

fn misleading(report: &CorpusReport) -> Vec<PageBlock<'_>> {
    let misleading = &report.misleading;
    if misleading.n_documents == 0 {
        let none = match misleading.n_absent {
            0 => "None was found.".to_owned(),
            n => {
                format!("None was found. {} without text were not checked.", counted(n, "document"))
            }
        };
        return vec![PageBlock::Paragraph(none.into())];
    }
    let summary = format!(
        "{} with distances that can mislead, or without distances; take care with groups that contain them.",
        counted(misleading.n_documents, "document"),
    );
    let mut blocks = vec![PageBlock::Paragraph(summary.into())];
    for flagged in &misleading.flags {
        let line = PageLine::default()
            .strong(format!("{} {}", grouped(flagged.n_documents), flagged.flag))
            .text(format!(": {}", meaning(flagged.flag)));
        blocks.push(PageBlock::Paragraph(line));
        let example = |one: &FlaggedDocument| {
            let line = PageLine::default().name(&one.name).text(format!(": {}", one.sentence));
            match groups::link(report, &[one.document]) {
                Some(group) => PageLine([line.text(", in ").0, group.0].concat()),
                None => line,
            }
        };
        let list = flagged.first.iter().map(example).collect();
        blocks.push(PageBlock::list(list, flagged.n_documents));
    }
    blocks.push(PageBlock::Paragraph("simscope check lists them all.".into()));
    blocks
}

fn meaning(flag: Flag) -> &'static str {
    match flag {
        Flag::Empty => "no features, so no fingerprint and no neighbour.",
        Flag::Short => "so few features that one changed word moves many bits.",
        Flag::Tied => "an eighth of the bits or more are ties, decided by the tie rule.",
        Flag::Dominated => {
            "one feature has more than half of the squared weight: most bits of the fingerprint, or all, are those of its hash."
        }
        Flag::Boilerplate => "most of the weight is in features that many documents have.",
    }
}

fn words() -> Vec<PageBlock<'static>> {
    let table: [(&str, &str); 11] = [
        (
            "Fingerprint",
            "a number made of the features of a text, such that similar texts get similar bits (SimHash)",
        ),
        (
            "Equal text",
            "the same text in the recipe's normal form and letter case, with any run of white space taken as one space",
        ),
        ("Distance", "the number of bits in which two fingerprints differ"),
        ("k", "the largest distance that counts as near"),
        (
            "Cosine",
            "the similarity of two texts by their features, 0 to 1; a distance only estimates it, so it is computed from the texts",
        ),
        (
            "Precise k",
            "the largest k at which pairs of different texts are surely true often enough, and few are explained by chance",
        ),
        (
            "Balanced k",
            "the k with the largest F1, the harmonic mean of precision (the share of found pairs that are true) and recall (the share of true pairs that are found)",
        ),
        (
            "By chance",
            "pairs to expect if all documents were unrelated; where possible, fitted to the distances of unrelated pairs of this corpus",
        ),
        (
            "Group",
            "documents connected by pairs within k; a chain, if its ends are farther apart than k",
        ),
        ("Diameter", "the largest distance between two documents of a group"),
        ("Weakest edge", "the smallest k that keeps a group whole"),
    ];
    vec![PageBlock::Facts(table.map(|(word, meaning)| (word.to_owned(), meaning.into())).into())]
}
