//! The section of a report about the documents that `dedup` drops: how many, by which rule, and the command.

use super::super::options::CommandRun;
use crate::analysis::Analysis;
use crate::analysis::dedup::{Decisions, Reason};
use crate::corpus::CopyFormat;
use crate::explain::figures::similarity;
use crate::export::CommandLine;
use crate::export::dedup::kept_name;
use crate::number::{counted, grouped};
use crate::present::page::{PageBlock, PageLine, Section};

/// The title of the section; other sections link to it.
pub(super) const TITLE: &str = "Documents to drop";

/// The number of dropped documents, the command that drops them, and the number of documents that need a look before.
pub(super) fn section(run: &CommandRun, analysis: &Analysis, decisions: &Decisions) -> Section {
    let mut section = Section::new(TITLE);
    section.say(in_numbers(analysis, decisions));
    if decisions.dropped.is_empty() && decisions.spared.is_empty() {
        return section;
    }
    let kept = kept_name(&analysis.corpus, &run.inputs, &run.load);
    let mut command = CommandLine::new("dedup", &run.settings, &run.load);
    command.option("--dropped", Some("dropped.jsonl".to_owned()));
    command.option("--kept", Some(kept.clone()));
    section.say(the_lists(analysis, kept));
    section.blocks.push(PageBlock::Lines(vec![command.of(&run.inputs)]));
    if !decisions.spared.is_empty() {
        let n = grouped(decisions.spared.len() as u64);
        section.blocks.push(PageBlock::Paragraph(PageLine::default().strong(format!("{n} more")).text(
            " are near a kept one and spared: it has less than half of their text. --doubtful FILE writes them to a list.",
        )));
    }
    section
}

fn in_numbers(analysis: &Analysis, decisions: &Decisions) -> PageLine {
    let (k, has_reference) = (analysis.settings.k, analysis.corpus.reference().is_some());
    let all = counted(analysis.corpus.n_first() as u64, "document");
    let n = decisions.dropped.len() as u64;
    if n == 0 {
        return format!("Within {k} bits, none of {all} is dropped.").into();
    }
    let count = |reason| grouped(decisions.count(reason));
    let line = PageLine::default()
        .text(format!("Within {k} bits, "))
        .strong(format!("{} of {all}", grouped(n)))
        .text(if n == 1 { " is dropped: " } else { " are dropped: " })
        .text(format!(
            "{} have the text of the one kept for them, {} its fingerprint and another text, {} are near it. ",
            count(Reason::EqualText),
            count(Reason::EqualFingerprint),
            count(Reason::Near),
        ));
    let line = match decisions.unchecked.len() as u64 {
        0 => line,
        n => line.text(format!(
            "{} of them were not checked against a text, because none is known. ",
            grouped(n)
        )),
    };
    if has_reference {
        line.text("Each is dropped for the nearest document of the reference, which stays whole.")
    } else {
        line.text(format!(
            "Each of them has a kept document within {k} bits, or is a text without words that equals a kept one. The policy is first: of several near-duplicates \
             the first in the order of the corpus is kept."
        ))
    }
}

/// The lists that the command writes.
fn the_lists(analysis: &Analysis, kept: String) -> PageLine {
    let what = match analysis.corpus.copy_format() {
        CopyFormat::List => " names the kept documents",
        _ => " is the corpus without them",
    };
    PageLine::from("The command below changes no input and writes two files: ")
        .name("dropped.jsonl")
        .text(" has a row for each dropped document and the one that is kept for it; ")
        .name(kept)
        .text(what)
        .text(".")
}

/// A document by name and title.
pub(super) fn titled(line: PageLine, name: &str, title: Option<&str>) -> PageLine {
    let line = line.name(name);
    match title {
        Some(title) => line.text(" ").quote(title),
        None => line,
    }
}

/// A distance in words.
pub(super) fn away(distance: u32) -> String {
    counted(u64::from(distance), "bit")
}

/// The exact cosine behind a comma; nothing where it is not known.
pub(super) fn exact_cosine(cosine: Option<f64>) -> String {
    cosine.map_or_else(String::new, |cosine| format!(", exact cosine {}", similarity(cosine)))
}
