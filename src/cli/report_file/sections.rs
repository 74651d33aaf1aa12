//! The page of a report, and the sections without a file of their own: the inputs, the warnings, the terms.

use std::path::Path;

use super::super::args::JudgedArgs;
use super::super::options::CommandRun;
use super::super::recorded::{file, files_read};
use super::super::work::staged;
use super::report::Report;
use super::{dropped, groups, pairs, thresholds};
use crate::analysis::{Analysis, AnalysisError, Job, Stage};
use crate::cli::with_flags;
use crate::explain::text_diff::opening;
use crate::explain::triage::Flag;
use crate::export::CommandLine;
use crate::number::{counted, grouped};
use crate::present::page::{Page, PageBlock, PageLine, Section};

/// The terms that readers meet, each with its meaning.
const TERMS: &str = include_str!("../../../assets/report-terms.txt");
/// Characters of the corpus's name at the top.
const LONGEST_TITLE: usize = 80;
/// The largest number of listed problems.
const MOST_PROBLEMS: usize = 10;

/// The page about a corpus.
pub(super) fn page(report: &Report) -> Result<Page, AnalysisError> {
    let Report { run, analysis, .. } = report;
    let section = |title: &str, blocks| Section { title: title.into(), blocks };
    let mut sections = vec![
        section("How far apart the pairs are", thresholds::distances(report)),
        section("The choice of k", thresholds::choice(report)),
    ];
    let judged = report.judged.iter().map(|judged| thresholds::judged(judged, analysis.settings.k));
    sections.extend(judged.map(|blocks| section("How people judged pairs", blocks)));
    let groups = staged(run, Stage::Compare, |job| groups::groups(report, job))?;
    let pairs = staged(run, Stage::Compare, |_| pairs::side_by_side(report));
    let misleading = staged(run, Stage::Count, |job| misleading(report, job))?;
    sections.extend([
        dropped::section(run, analysis, &report.dropped),
        section("Groups of near-duplicates", groups),
        section("Pairs side by side", pairs),
        section("Documents that mislead", misleading),
        read(report),
        section("The terms", words()),
    ]);
    let title = PageLine::from("Near-duplicates in ");
    Ok(Page {
        title: if run.is_sample() {
            title.text("the sample corpus")
        } else {
            title.name(opening(&run.title(), LONGEST_TITLE))
        },
        lead: lead(report),
        sections,
    })
}

/// The result in a few sentences.
fn lead(report: &Report) -> Vec<PageLine> {
    let (analysis, groups) = (&report.analysis, &report.groups);
    let (k, width) = (analysis.settings.k, analysis.settings.recipe.bits);
    let n = analysis.len();
    let n_dropped = report.dropped.dropped.len() as u64;
    let found = PageLine::default()
        .text("Of ")
        .strong(counted(n as u64, "document"))
        .text(", ")
        .strong(grouped(groups.n_documents() as u64))
        .text(format!(
            " are in {} of near-duplicates at k = {k}: fingerprints of {width} bits that differ in at most {k}. ",
            counted(groups.len() as u64, "group"),
        ))
        .text(match report.n_wordless as u64 {
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
    let skipped = n_problems(analysis);
    if skipped > 0 {
        lead.push(PageLine::default().strong(format!(
            "{} came up while reading; what was skipped is not in these figures.",
            counted(skipped, "problem"),
        )));
    }
    lead
}

pub(super) fn n_problems(analysis: &Analysis) -> u64 {
    analysis.diagnostics().count() as u64 + analysis.corpus.summary().unlisted
}

fn read(report: &Report) -> Section {
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
    tell_origin(report.run, report.args, &mut section);
    section.blocks.extend(problems(analysis));
    section
}

/// Tells the inputs with their sizes, and the command that makes the same report again.
pub(super) fn tell_origin(run: &CommandRun, judged: &JudgedArgs, section: &mut Section) {
    let mut inputs = files_read(run);
    inputs.extend(judged.truth.as_deref().map(|path| file(path, "judgements, ")));
    inputs.extend(judged.labels.as_deref().map(|path| file(path, "labels, ")));
    let input =
        |(name, size): (String, String)| PageLine::default().name(name).text(format!(", {size}"));
    let mut command = CommandLine::new("report", &run.settings, &run.load);
    let path = |path: &Path| path.to_string_lossy().into_owned();
    command.option("--labels", judged.labels.as_deref().map(path));
    command.option("--truth", judged.truth.as_deref().map(path));
    command.option("--target", judged.target.map(|target| target.to_string()));
    command.option("--by-chance", judged.by_chance.map(|share| share.to_string()));
    command.flag("--complete-truth", judged.complete_truth);
    section.say("The inputs:");
    section.blocks.push(PageBlock::List(inputs.into_iter().map(input).collect()));
    section.say("This command makes the same report; -o FILE.html names the file:");
    section.blocks.push(PageBlock::Lines(vec![command.of(&run.inputs)]));
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

fn problems(analysis: &Analysis) -> Vec<PageBlock> {
    let n = n_problems(analysis);
    if n == 0 {
        return vec![PageBlock::Paragraph("No input was skipped.".into())];
    }
    let listed = analysis.diagnostics().take(MOST_PROBLEMS);
    let line = |it: &_| PageLine::default().name(with_flags(&ToString::to_string(it)));
    let what = format!("{} came up while reading:", counted(n, "problem"));
    vec![
        PageBlock::Paragraph(PageLine::default().strong(what)),
        PageBlock::list(listed.map(line).collect(), n),
    ]
}

/// The number of documents whose distances may mislead, by reason. Passes over the corpus twice.
fn misleading(report: &Report, job: &Job) -> Result<Vec<PageBlock>, AnalysisError> {
    let flags = report.analysis.flag(job)?;
    if flags.n_flagged == 0 {
        let none = match report.analysis.corpus.summary().fingerprints {
            0 => "None was found.".to_owned(),
            n => {
                format!("None was found. {} without text were not checked.", counted(n, "document"))
            }
        };
        return Ok(vec![PageBlock::Paragraph(none.into())]);
    }
    let summary = format!(
        "{} with distances that can mislead, or without distances; take care with groups that contain them. \
        simscope check names them.",
        counted(flags.n_flagged, "document"),
    );
    let line = |flag: &Flag| {
        let n = format!("{} {flag}", grouped(flags.count(*flag)));
        PageLine::default().strong(n).text(format!(": {}", flag.meaning()))
    };
    let met = Flag::ALL.iter().filter(|flag| flags.count(**flag) > 0);
    Ok(vec![PageBlock::Paragraph(summary.into()), PageBlock::List(met.map(line).collect())])
}

fn words() -> Vec<PageBlock> {
    let terms = TERMS.lines().filter_map(|line| line.split_once(": "));
    vec![PageBlock::Facts(terms.map(|(term, meaning)| (term.to_owned(), meaning.into())).collect())]
}
