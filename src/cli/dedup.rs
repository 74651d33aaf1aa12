//! `simscope dedup`: decides which near-duplicates to drop, and writes the corpus without them.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context as _, bail, ensure};

use super::args::DedupArgs;
use super::options::CommandRun;
use super::similarity;
use super::work::{finish, report_share, report_wordless, search, staged};
use crate::analysis::dedup::{
    Decisions, DropRule, Dropped, EarlierReview, Mark, MinShared, Reason,
};
use crate::analysis::{Analysis, AnalysisDepth, AnalysisError, FingerprintIndex, Job, Stage};
use crate::corpus::{CopyFormat, Corpus, read_text_file};
use crate::export::dedup::{copy_kept, put_kept, write_dropped};
use crate::export::{KeptFolder, Target, real, visible_path};
use crate::facts::documents::{doubtful as doubtful_columns, dropped as columns};
use crate::id::DocId;
use crate::index::Linkage;
use crate::number::{counted, grouped, percent};
use crate::text::visible::visible;

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun, asked: &DedupArgs) -> anyhow::Result<u8> {
    let has_reference = run.load.n_reference > 0;
    ensure!(
        run.similarity.is_none() || !has_reference,
        "--similarity judges pairs within one corpus here; with --reference give -k"
    );
    if has_reference && !asked.also_within {
        refuse_choices(asked)?;
    }
    let linkage = asked.linkage.unwrap_or_default();
    let kept = KeptPlace::of(run, asked)?;
    let doubtful =
        asked.doubtful.as_deref().map(|path| run.second_target("--doubtful", path)).transpose()?;
    let file = match &kept {
        Some(KeptPlace::File(target, path)) => Some((target, *path)),
        _ => None,
    };
    refuse_one_file(file.map(|it| it.0), doubtful.as_ref())?;
    let is_policy_open = asked.keep.is_none() && (!has_reference || asked.also_within);
    let mut rule = DropRule {
        policy: asked.keep.clone().unwrap_or_default(),
        min_shared: asked.min_shared.map_or(MinShared::Usual, MinShared::Given),
        ..DropRule::default()
    };
    let (analysis, code) = finish(run, AnalysisDepth::Index)?;
    if let Some((target, path)) = file {
        check_copy(run, path, target, &analysis.corpus)?;
    }
    if let Some(path) = &asked.marks {
        let earlier = marks(&analysis, path)?;
        rule.marks = earlier.marks;
        if let Some(policy) = earlier.policy.filter(|_| is_policy_open) {
            rule.policy = policy;
        }
    }
    let texts = staged(run, Stage::Compare, |job| analysis.compare_texts(job))?;
    let analysis = analysis.with_equal_texts(texts.into());
    let mut ignored = analysis.ignored_pairs(&rule.marks.not_duplicates);
    ignored.extend(staged(run, Stage::Compare, |job| analysis.dissimilar_pairs(job))?);
    let find = |index: &FingerprintIndex, job: &Job| {
        index.stream_groups(&run.settings, linkage, &ignored, job)
    };
    let found = (!has_reference).then(|| search(run, &analysis, true, find)).transpose()?;
    let (groups, found) = found.unzip();
    let decisions = staged(run, Stage::Compare, |job| -> Result<_, AnalysisError> {
        let mut decisions = match &groups {
            Some(groups) => analysis.decide(groups, &rule, job)?,
            None => analysis.decide_across(&rule, job)?,
        };
        analysis.compare(&mut decisions.dropped, job)?;
        if asked.also_within {
            decisions = analysis.decide_also_within(decisions, &rule, linkage, job)?;
        }
        Ok(decisions)
    })?;
    // The copy is put into place last: if anything fails before, there is no list without a copy.
    let put = kept.as_ref().map(|kept| kept.copy(run, &analysis, &decisions)).transpose()?;
    let dropped = decisions.dropped.iter().map(|&one| (one, true));
    if let Some(target) = &doubtful {
        let has_check = rule.min_shared.share() > 0.0;
        let unchecked: HashSet<_> = decisions.unchecked.iter().map(|it| it.document).collect();
        let goes = |(one, _): &(Dropped, _)| has_check && unchecked.contains(&one.document);
        let spared = decisions.spared.iter().map(|&one| (one, false));
        let rows = spared.chain(dropped.clone().filter(goes));
        write_dropped(run.report_to(doubtful_columns(), target), &analysis, rows)?;
    }
    write_dropped(run.report(columns()), &analysis, dropped)?;
    put.map_or(Ok(()), |put| put())?;
    report_share(run, &analysis, decisions.shared);
    report_wordless(run, &analysis);
    note(run, &analysis, &decisions, &rule, (linkage, asked.also_within));
    if let Some(found) = &found {
        similarity::note_cost(run, found);
    }
    if let Some((_, path)) = file {
        note_copy(run, path, &analysis.corpus);
    }
    Ok(code)
}

/// Puts the corpus without the dropped documents into its place.
type PutInPlace<'c> = Box<dyn FnOnce() -> anyhow::Result<()> + 'c>;

/// Where the corpus without the dropped documents goes.
enum KeptPlace<'a> {
    /// Into this file.
    File(Target, &'a Path),
    /// Into this new folder, as hard links or not.
    Folder(&'a Path, bool),
}

impl<'a> KeptPlace<'a> {
    fn of(run: &CommandRun, asked: &'a DedupArgs) -> anyhow::Result<Option<Self>> {
        let Some(path) = asked.kept.as_deref() else { return Ok(None) };
        let is_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/");
        ensure!(
            is_folder || !asked.link,
            "--link: is for a folder; give --kept a name that ends in /"
        );
        if is_folder {
            KeptFolder::check(path, &run.inputs).map_err(anyhow::Error::msg)?;
            return Ok(Some(Self::Folder(path, asked.link)));
        }
        Ok(Some(Self::File(run.second_target("--kept", path)?, path)))
    }

    /// Copies the kept documents, and returns what puts the copy into its place.
    fn copy<'c>(
        &'c self,
        run: &CommandRun,
        analysis: &'c Analysis,
        decisions: &Decisions,
    ) -> anyhow::Result<PutInPlace<'c>> {
        let (limits, inputs) = (run.load.limits, &run.inputs);
        staged(run, Stage::Read, |job| -> anyhow::Result<PutInPlace<'c>> {
            match *self {
                Self::File(ref target, path) => {
                    let copy = copy_kept(analysis, decisions, limits, path, target, job);
                    let copy = copy.map_err(anyhow::Error::msg)?;
                    Ok(Box::new(move || Ok(put_kept(copy, &analysis.corpus, target)?)))
                }
                Self::Folder(path, links) => {
                    let is_kept = |document: DocId| decisions.is_kept(document);
                    let folder = KeptFolder::write(analysis, &is_kept, inputs, (path, links), job);
                    let folder = folder.map_err(anyhow::Error::msg)?;
                    let shown = visible_path(path);
                    Ok(Box::new(move || folder.put().with_context(|| format!("--kept {shown}"))))
                }
            }
        })
    }
}

/// Refuses one file for the kept documents and the doubtful ones.
fn refuse_one_file(kept: Option<&Target>, doubtful: Option<&Target>) -> anyhow::Result<()> {
    if let (Some(Target::File(kept)), Some(Target::File(doubtful))) = (kept, doubtful) {
        ensure!(
            real(kept) != real(doubtful),
            "--kept and --doubtful name one file; give --doubtful another"
        );
    }
    Ok(())
}

/// Refuses a name for the kept documents that promises another format, or a copy whose recipe has no place.
fn check_copy(
    run: &CommandRun,
    path: &Path,
    target: &Target,
    corpus: &Corpus,
) -> anyhow::Result<()> {
    check_ending(path, &corpus.copy_format())?;
    match target {
        Target::File(place) if corpus.recipe_of_copies().is_some() => {
            run.require_place_of_recipe("--kept", place)
        }
        _ => Ok(()),
    }
}

/// Reports what the copy lacks, or that it is a list.
fn note_copy(run: &CommandRun, path: &Path, corpus: &Corpus) {
    if corpus.copy_format() == CopyFormat::List {
        run.notes.note(&format_args!(
            "{} lists the kept documents by id, file and line: a document is a whole file, member or record, or the inputs differ in format",
            visible_path(path),
        ));
    }
}

/// Refuses a name for the kept documents whose ending promises another format than they are copied in.
fn check_ending(path: &Path, format: &CopyFormat) -> anyhow::Result<()> {
    const KNOWN: [&str; 8] = ["jsonl", "ndjson", "csv", "tsv", "tab", "txt", "parquet", "arrow"];
    let ours = format.extension();
    let shown = visible_path(path);
    let name = shown.to_ascii_lowercase();
    let plain = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end));
    let promised = plain.unwrap_or(&name).rsplit_once('.').map_or("", |(_, ending)| ending);
    let promised = match promised {
        "ndjson" => "jsonl",
        "tab" => "tsv",
        "arrows" => "arrow",
        other => other,
    };
    let is_packed_parquet = ours == "parquet" && plain.is_some();
    let how = if *format == CopyFormat::List {
        "listed as jsonl, because a document is a whole file, member or record, or the inputs differ in format"
            .to_owned()
    } else {
        format!("written as {ours}, the format of the inputs")
    };
    ensure!(
        !is_packed_parquet && (promised == ours || !KNOWN.contains(&promised)),
        "{shown}: the kept documents are {how}; give --kept a name that ends in .{ours}"
    );
    Ok(())
}

/// Refuses options that choose among near-duplicates: with a reference, the document of the reference always stays.
fn refuse_choices(asked: &DedupArgs) -> anyhow::Result<()> {
    let given = [(asked.keep.is_some(), "--keep"), (asked.linkage.is_some(), "--linkage")];
    if let Some((_, option)) = given.into_iter().find(|(is_given, _)| *is_given) {
        bail!(
            "{option} chooses among documents of one corpus, and --reference keeps all of its documents; give \
            --also-within, or leave one of the two out"
        );
    }
    Ok(())
}

/// The marks in a file, as the explorer writes them; a mark of a document that is not here is an error.
fn marks(analysis: &Analysis, path: &Path) -> anyhow::Result<EarlierReview> {
    let text = read_text_file(path).context("--marks")?;
    let shown = visible_path(path);
    let review = analysis.earlier_review(&text, &Job::new());
    let review = review.map_err(|error| anyhow::anyhow!("{shown}:{error}"))?;
    match review.absent.first() {
        Some(mark) => bail!("{shown}:{}: {}", mark.number, mark.problem),
        None => Ok(review),
    }
}

/// Reports what was decided, and which documents stay although a near document is kept.
fn note(
    run: &CommandRun,
    analysis: &Analysis,
    decisions: &Decisions,
    rule: &DropRule,
    (linkage, also_within): (Linkage, bool),
) {
    let n = analysis.corpus.n_first() as u64;
    let n_dropped = decisions.dropped.len() as u64;
    let count = |reason| grouped(decisions.count(reason));
    run.notes.note(&format_args!(
        "{} of {} dropped ({}): {} have the text of the one kept for them, {} its fingerprint, {} are near \
         it; {} kept",
        grouped(n_dropped),
        counted(n, "document"),
        percent(n_dropped, n),
        count(Reason::EqualText),
        count(Reason::EqualFingerprint),
        count(Reason::Near),
        grouped(n - n_dropped),
    ));
    let k = run.settings.k;
    let policy = rule.policy.to_string();
    if run.load.n_reference > 0 && !also_within {
        run.notes.note(&format_args!(
            "each is dropped for the nearest document of the reference within {k}; near-duplicates inside the corpus \
            stay (--also-within drops them, too)"
        ));
    } else if also_within {
        let for_reference =
            decisions.dropped.iter().filter(|it| analysis.corpus.is_reference(it.kept));
        run.notes.note(&format_args!(
            "{} for the nearest document of the reference within {k}, the others within {k} by {linkage} linkage; of \
            several the policy keeps: {}",
            grouped(for_reference.count() as u64),
            visible(&policy),
        ));
    } else {
        run.notes.note(&format_args!(
            "within {k} by {linkage} linkage; of several the policy keeps: {}",
            visible(&policy),
        ));
    }
    for idle in &decisions.idle {
        run.notes.note(&format_args!(
            "{} decided nothing: no document in a group has it",
            visible(idle)
        ));
    }
    if linkage == Linkage::Complete {
        run.notes.note(
            &"documents of two groups can still be near each other; with --linkage single they are in one group",
        );
    }
    if !decisions.spared.is_empty() {
        run.notes.note(&format_args!(
            "{} spared: near a kept one that has less than {} of their text, or of unknown text; --doubtful FILE lists \
             them",
            counted(decisions.spared.len() as u64, "document"),
            rule.min_shared.share(),
        ));
    }
    if !decisions.unchecked.is_empty() && rule.min_shared.share() > 0.0 {
        run.notes.note(&format_args!(
            "{} dropped by fingerprints alone, not checked: a text is not known; --doubtful FILE lists them, and \
             --min-shared 0.5 spares them",
            counted(decisions.unchecked.len() as u64, "document"),
        ));
    }
    let is_kept =
        |(document, mark): &(&DocId, &Mark)| **mark == Mark::Drop && decisions.is_kept(**document);
    let n_marked = rule.marks.documents.iter().filter(is_kept).count();
    if n_marked > 0 {
        run.notes.note(&format_args!(
            "{} marked to be dropped but kept: there is no kept document within {k} that may replace it",
            counted(n_marked as u64, "document"),
        ));
    }
}
