//! `simscope dedup`: which near-duplicates to drop, and the corpus without them.

use std::path::Path;

use anyhow::Context as _;

use super::{
    args::DedupArgs,
    options::Run,
    work::{finish, search, watched},
};
use crate::{
    analysis::{
        Analysis, AnalysisError, Depth, Job, Stage,
        dedup::{Decisions, DropRule, Marks, Reason},
    },
    corpus::{CopyFormat, read_text_file},
    export::dedup::{copy_kept, write_dropped},
    index::Linkage,
    number::{counted, grouped},
    text::visible::visible,
};

/// Runs the command; the exit code.
pub(super) fn run(run: &Run, asked: DedupArgs) -> anyhow::Result<u8> {
    let linkage = asked.linkage.unwrap_or(Linkage::Complete);
    let kept = match &asked.kept {
        Some(path) => Some((run.second_target("--kept", path)?, path)),
        None => None,
    };
    let mut rule = DropRule {
        policy: asked.keep.unwrap_or_default(),
        min_cosine: asked.min_cosine,
        drops_dominated: asked.drop_dominated,
        ..DropRule::default()
    };
    let (analysis, code) = finish(run, Depth::Shelf)?;
    if let Some(path) = &asked.marks {
        rule.marks = marks(&analysis, path)?;
    }
    let (groups, _) = search(run, &analysis, true, |shelf, job| {
        shelf.stream_groups(&run.settings, linkage, job)
    })?;
    let job = Job::to_begin(Stage::Compare);
    let decide = || -> Result<_, AnalysisError> {
        let analysis = analysis.with_equal_texts(analysis.compare_texts(&job)?.into());
        let mut decisions = analysis.decide(&groups, &rule, &job)?;
        analysis.compare_dropped(&mut decisions, &job)?;
        Ok(decisions)
    };
    let decisions = watched(run, &job, true, decide)?;
    // The copy takes its place last: where anything fails, there is no list without it.
    let mut copied = None;
    if let Some((target, path)) = &kept {
        let job = Job::to_begin(Stage::Read);
        let copy = || copy_kept(&analysis, &decisions, path, target, &job);
        copied = Some(watched(run, &job, true, copy).map_err(anyhow::Error::msg)?);
    }
    write_dropped(&analysis, &decisions, run.format, &run.target)?;
    if let Some(output) = copied {
        output.finish()?;
    }
    note(run, &analysis, &decisions, &rule, linkage);
    if let Some(path) = asked.kept.filter(|_| analysis.corpus.copy_format() == CopyFormat::List) {
        run.notes.note(&format_args!(
            "{} lists the kept documents by id, file and line: a document is a file, or the inputs differ in format",
            visible(&path.to_string_lossy()),
        ));
    }
    Ok(code)
}

/// The marks in a file, as the explorer writes them.
fn marks(analysis: &Analysis, path: &Path) -> anyhow::Result<Marks> {
    let text = read_text_file(path).context("--marks")?;
    let shown = visible(&path.to_string_lossy()).into_owned();
    analysis.marks(&text).map_err(|(line, problem)| anyhow::anyhow!("{shown}:{line}: {problem}"))
}

/// Says what was decided, and which documents stay though something near is kept.
fn note(run: &Run, analysis: &Analysis, decisions: &Decisions, rule: &DropRule, linkage: Linkage) {
    let (n_dropped, n) = (decisions.dropped.len() as u64, analysis.len() as u64);
    let percent = n_dropped as f64 * 100.0 / n.max(1) as f64;
    let count = |reason| grouped(decisions.count(reason));
    run.notes.note(&format_args!(
        "{} of {} dropped ({percent:.1} %): {} equal text, {} equal fingerprint, {} near; {} kept",
        grouped(n_dropped),
        counted(n, "document"),
        count(Reason::EqualText),
        count(Reason::EqualFingerprint),
        count(Reason::Near),
        grouped(n - n_dropped),
    ));
    run.notes.note(&format_args!(
        "within {} by {linkage} linkage; of several the policy keeps: {}",
        run.settings.k,
        visible(&rule.policy.to_string()),
    ));
    if decisions.n_dominated > 0 {
        run.notes.note(&format_args!(
            "{} more kept: a single feature decides the fingerprint and the texts differ; look at them, or \
             drop them with --drop-dominated",
            counted(decisions.n_dominated, "document"),
        ));
    }
    if let Some(least) = rule.min_cosine.filter(|_| decisions.n_unlike > 0) {
        run.notes.note(&format_args!(
            "{} more kept: the exact cosine with the nearest kept one is below {least}, or not known",
            counted(decisions.n_unlike, "document"),
        ));
    }
}
