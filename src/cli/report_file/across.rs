//! The report of a corpus against its reference: the share of documents near to the reference, their distances, and
//! examples.

use anyhow::bail;

use super::super::args::JudgedArgs;
use super::super::options::CommandRun;
use super::super::work::{finish, staged};
use super::{dropped, sections, write};
use crate::analysis::dedup::{DropRule, Dropped, Reason};
use crate::analysis::{Analysis, AnalysisDepth, AnalysisError, Job, Stage};
use crate::number::{counted, grouped};
use crate::present::page::{Page, PageBlock, PageLine, PageRow, PageTable, Section};

/// Examples of a distance.
const MOST_EXAMPLES: usize = 5;

/// Writes the report; the exit code.
pub(super) fn run(run: &CommandRun, judged: &JudgedArgs) -> anyhow::Result<u8> {
    let (analysis, code) = finish(run, AnalysisDepth::Index)?;
    let find = |job: &Job| -> Result<_, AnalysisError> {
        let analysis = analysis.with_equal_texts(analysis.compare_texts(job)?.into());
        let decisions = analysis.decide_across(&DropRule::default(), job)?;
        let mut near = [&decisions.dropped[..], &decisions.spared].concat();
        near.sort_by_key(|one| one.document);
        let mut examples = examples(&near, run.settings.k);
        analysis.compare(&mut examples, job)?;
        Ok((decisions, near, examples))
    };
    let (decisions, near, examples) = staged(run, Stage::Compare, find)?;
    let page = Page {
        title: PageLine::from("Near-duplicates of ").name(run.title()),
        lead: vec![lead(&analysis, &near)],
        sections: vec![
            Section {
                title: "How near they are".into(),
                blocks: vec![distances(&near, run.settings.k)],
            },
            dropped::section(run, &analysis, &decisions),
            Section { title: "Examples".into(), blocks: vec![list(&analysis, &examples)] },
            read(run, judged, &analysis),
        ],
    };
    write(&analysis, run, &page)?;
    Ok(code)
}

/// Refuses options for the choice of k inside one corpus.
pub(super) fn refuse(judged: &JudgedArgs) -> anyhow::Result<()> {
    let JudgedArgs { target, by_chance, .. } = judged;
    if judged.is_asked() || target.is_some() || by_chance.is_some() {
        bail!(
            "options about judged pairs and the choice of k are for one corpus; leave them out, or leave --reference out"
        );
    }
    Ok(())
}

/// The result in one or two sentences.
fn lead(analysis: &Analysis, near: &[Dropped]) -> PageLine {
    let share = analysis.share(near.len() as u64);
    let count = |reason| grouped(near.iter().filter(|one| one.reason == reason).count() as u64);
    PageLine::default().strong(share).text(format!(
        ": {} have an equal text there, {} an equal fingerprint of another text, {} a near one.",
        count(Reason::EqualText),
        count(Reason::EqualFingerprint),
        count(Reason::Near),
    ))
}

/// The documents by the distance to the nearest of the reference.
fn distances(near: &[Dropped], k: u32) -> PageBlock {
    let row = |distance: u32| {
        let here = near.iter().filter(|one| one.distance == distance).count();
        PageRow { cells: vec![distance.to_string(), grouped(here as u64)], ..PageRow::default() }
    };
    PageBlock::Table(PageTable {
        caption: "Documents by the distance to the nearest document of the reference".to_owned(),
        columns: vec!["distance", "documents"],
        n_words: 0,
        rows: (0..=k).map(row).collect(),
    })
}

/// The first few documents at each distance; at 0 documents with equal texts are left out, since they show nothing.
fn examples(near: &[Dropped], k: u32) -> Vec<Dropped> {
    let at = |distance: u32| {
        let here =
            move |one: &&Dropped| one.distance == distance && one.reason != Reason::EqualText;
        near.iter().filter(here).take(MOST_EXAMPLES).copied()
    };
    (0..=k).flat_map(at).collect()
}

fn list(analysis: &Analysis, examples: &[Dropped]) -> PageBlock {
    if examples.is_empty() {
        return PageBlock::Paragraph(
            "Every document that is near the reference has an equal text there.".into(),
        );
    }
    let line = |one: &Dropped| {
        let [document, kept] = [one.document, one.kept].map(|it| analysis.corpus.place(it));
        let cosine = dropped::exact_cosine(one.cosine);
        PageLine::default()
            .name(analysis.corpus.id(one.document))
            .text(" (")
            .name(document)
            .text(") and ")
            .name(analysis.corpus.id(one.kept))
            .text(" (")
            .name(kept)
            .text(format!("): distance {}{cosine}", one.distance))
    };
    PageBlock::List(examples.iter().map(line).collect())
}

fn read(run: &CommandRun, judged: &JudgedArgs, analysis: &Analysis) -> Section {
    let mut section = Section::new("The input, and how to make this report again");
    let n_first = analysis.corpus.n_first();
    section.fact("Documents", counted(n_first as u64, "document"));
    section.fact("Reference", counted((analysis.len() - n_first) as u64, "document"));
    section.fact("Recipe", sections::recipe(analysis));
    let n_problems = sections::n_problems(analysis);
    if n_problems > 0 {
        section.fact("Problems", format!("{} came up while reading", grouped(n_problems)));
    }
    sections::tell_origin(run, judged, &mut section);
    section
}
