//! The outcome of a review as files: the dropped documents, the corpus without them, and a command to repeat
//! it. Between sessions policy and marks are kept in one file, which is replaced after each decision.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{CommandLine, Format, Output, Report, Target, is_within, path_of, visible_path};
use crate::analysis::dedup::{
    AbsentMark, Decisions, DropRule, Dropped, MinShared, ReviewSettings, policy_line,
};
use crate::analysis::grouping::GroupListing;
use crate::analysis::query::{DerivedInput, Query, StateDependency};
use crate::analysis::{Analysis, Job, Stage};
use crate::corpus::{
    CopyError, CopyFormat, Corpus, FingerprintType, Input, InputLimits, LoadOptions,
    UNKNOWN_RECIPE, io_message, recipe_beside,
};
use crate::facts::documents::{DroppedRow, dropped as columns};
use crate::id::DocId;
use crate::number::counted;

/// Writes these documents, each with whether it is dropped.
///
/// # Errors
/// If the report cannot be written.
pub(crate) fn write_dropped<'a>(
    mut report: Report<DroppedRow<'a>>,
    analysis: &'a Analysis,
    rows: impl IntoIterator<Item = (Dropped, bool)>,
) -> io::Result<()> {
    for (dropped, goes) in rows {
        let [document, kept] =
            [dropped.document, dropped.kept].map(|it| analysis.corpus.address(it));
        let has_fingerprint = analysis.fingerprint(dropped.document).is_some();
        report.row(&DroppedRow { document, kept, dropped, has_fingerprint, goes })?;
    }
    report.finish()
}

/// Copies the kept documents completely; the file takes its place when the output is finished.
///
/// # Errors
/// If a document cannot be read again, if the target cannot be written, or if the job is cancelled.
pub(crate) fn copy_kept(
    analysis: &Analysis,
    decisions: &Decisions,
    limits: InputLimits,
    path: &Path,
    target: &Target,
    job: &Job,
) -> Result<Output, String> {
    job.enter(Stage::Read, analysis.corpus.n_first() as u64);
    let is_kept = |document: DocId| decisions.is_kept(document);
    let copy = || -> Result<Output, CopyError> {
        let mut output = Output::new(target, Format::Jsonl);
        analysis.corpus.copy(&is_kept, limits, &mut output, &job.progress)?;
        output.complete()?;
        Ok(output)
    };
    copy().map_err(|error| match error {
        CopyError::Read(error) => {
            let shown = visible_path(path);
            format!("{error}; the copy {shown} would be incomplete, so nothing is written")
        }
        error => error.to_string(),
    })
}

/// Puts the copy into its place, and the recipe of copied fingerprints beside it.
///
/// # Errors
/// If one of the two cannot be written.
pub(crate) fn put_kept(copy: Output, corpus: &Corpus, target: &Target) -> io::Result<()> {
    copy.finish()?;
    match (target, corpus.recipe_of_copies()) {
        (Target::File(path), Some(line)) if path.is_file() => {
            fs::write(recipe_beside(path), format!("{line}\n"))
        }
        _ => Ok(()),
    }
}

/// The inputs of the program, which an export never overwrites, and the options for reading them.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The inputs.
    pub inputs: Vec<Input>,
    /// The options for reading them.
    pub load: LoadOptions,
}

/// A review to be written into a folder of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// The groups.
    pub listing: DerivedInput<GroupListing>,
    /// The rule that selects the documents to drop.
    pub rule: DropRule,
    /// The folder, which need not exist and must have none of these files.
    pub folder: PathBuf,
    /// The inputs of the corpus.
    pub sources: DerivedInput<Arc<Sources>>,
}

impl Query for Export {
    /// A sentence that reports what was written.
    type Answer = String;
    const NAME: &'static str = "export";
    const READS: StateDependency = StateDependency::Nothing;
    const STAGE: Option<Stage> = Some(Stage::Compare);

    fn run(self, analysis: &Analysis, job: &Job) -> Result<String, String> {
        let shown = visible_path(&self.folder);
        let problem =
            |error: io::Error| format!("{shown}: {}; nothing is written", io_message(&error));
        self.refuse_inputs(&shown)?;
        let Sources { inputs, load } = &*self.sources.0;
        let kept = kept_name(&analysis.corpus, inputs, load);
        let beside = format!("{kept}.recipe");
        let names = [
            &*kept,
            &*beside,
            "dropped.jsonl",
            "dropped.jsonl.recipe",
            "marks.jsonl",
            "command.txt",
        ];
        for name in names {
            if self.folder.join(name).symlink_metadata().is_ok() {
                return Err(format!("{shown} has a {name} already; name another folder"));
            }
        }
        let texts = analysis.compare_texts(job).map_err(|error| error.to_string())?;
        let analysis = analysis.with_equal_texts(Arc::new(texts));
        let decide = || {
            let mut found = analysis.decide(&self.listing.0.groups, &self.rule, job)?;
            analysis.compare(&mut found.dropped, job)?;
            Ok(found)
        };
        let decisions = decide().map_err(|error: crate::progress::Cancelled| error.to_string())?;
        let is_new = !self.folder.exists();
        fs::create_dir_all(&self.folder).map_err(problem)?;
        let target = |name: &str| Target::File(self.folder.join(name));
        let copy = copy_kept(
            &analysis,
            &decisions,
            load.limits,
            &self.folder.join(&kept),
            &target(&kept),
            job,
        );
        let copy = copy.inspect_err(|_| {
            if is_new {
                // Fails, and so keeps the folder, if it is not empty.
                let _ = fs::remove_dir(&self.folder);
            }
        })?;
        let write = || -> io::Result<()> {
            let (written, list) = (FingerprintType::Hex, target("dropped.jsonl"));
            let report = Report::new(columns(), Format::Jsonl, written, &list, "", "");
            write_dropped(report, &analysis, decisions.dropped.iter().map(|&one| (one, true)))?;
            if !self.rule.marks.is_empty() {
                let lines = analysis.mark_lines(&self.rule.marks);
                write_small(&self.folder.join("marks.jsonl"), &(lines.join("\n") + "\n"))?;
            }
            let recipe = analysis
                .corpus
                .recipe_to_record(&analysis.settings.recipe)
                .unwrap_or_else(|| UNKNOWN_RECIPE.to_owned());
            write_small(&self.folder.join("dropped.jsonl.recipe"), &(recipe + "\n"))?;
            write_small(&self.folder.join("command.txt"), &self.command(&analysis, &kept))?;
            put_kept(copy, &analysis.corpus, &target(&kept))
        };
        write().map_err(problem)?;
        let n_kept =
            counted((analysis.corpus.n_first() - decisions.dropped.len()) as u64, "document");
        let n_dropped = counted(decisions.dropped.len() as u64, "document");
        // Documents of several formats, or whole files, are only listed.
        let is_list = analysis.corpus.copy_format() == CopyFormat::List;
        let how = if is_list { " (by id, file and line, without texts)" } else { "" };
        Ok(format!("{shown}: {n_kept} in {kept}{how}, {n_dropped} in dropped.jsonl"))
    }
}

impl Export {
    /// Refuses a folder that is an input or is inside one, because the next run would read the new files.
    fn refuse_inputs(&self, shown: &str) -> Result<(), String> {
        if is_within(&self.folder, self.sources.0.inputs.iter().filter_map(path_of)) {
            return Err(format!("{shown} is an input or is inside one; name another folder"));
        }
        if self.folder.is_file() {
            return Err(format!("{shown} is a file; name a folder"));
        }
        Ok(())
    }

    /// The command that writes the same list and the same copy into this folder again, if it runs in the
    /// current directory of the explorer.
    fn command(&self, analysis: &Analysis, kept: &str) -> String {
        let sources = &self.sources.0;
        let mut line = CommandLine::new("dedup", &analysis.settings, &sources.load);
        if sources.load.n_reference == 0 {
            line.option("--linkage", Some(self.listing.0.linkage.to_string()));
            line.option("--keep", Some(self.rule.policy.to_string()));
        }
        line.option(
            "--min-shared",
            (self.rule.min_shared != MinShared::Usual)
                .then(|| self.rule.min_shared.share().to_string()),
        );
        let inside = |name: &str| Some(self.folder.join(name).to_string_lossy().into_owned());
        line.option("--marks", inside("marks.jsonl").filter(|_| !self.rule.marks.is_empty()));
        line.option("--dropped", inside("dropped.jsonl"));
        line.option("--kept", inside(kept));
        line.of(&sources.inputs) + "\n"
    }
}

/// The name of the copy of a corpus: its extension is that of its format, followed by that of the compression
/// if all inputs have the same one.
pub(crate) fn kept_name(corpus: &Corpus, inputs: &[Input], load: &LoadOptions) -> String {
    let ours = &inputs[..inputs.len().saturating_sub(load.n_reference)];
    let mut packings = ours.iter().map(packing);
    let first = packings.next().flatten().filter(|first| packings.all(|it| it == Some(*first)));
    let ending = corpus.copy_format().extension();
    match first {
        Some(packing) => format!("kept.{ending}.{}", packing.to_string_lossy()),
        None => format!("kept.{ending}"),
    }
}

/// The extension of an input that shows its compression.
fn packing(input: &Input) -> Option<&OsStr> {
    match input {
        Input::Path(path) => path.extension().filter(|it| *it == "gz" || *it == "zst"),
        Input::Stdin | Input::Bundled { .. } => None,
    }
}

/// Writes a file of a few lines.
fn write_small(path: &Path, text: &str) -> io::Result<()> {
    File::create_new(path)?.write_all(text.as_bytes())
}

/// Writes a review to its file. Reads the marked documents.
#[derive(Clone, Debug, PartialEq)]
pub struct KeepReview {
    /// The rule to keep.
    pub rule: DropRule,
    /// The other choices to keep.
    pub choices: ReviewSettings,
    /// Lines of the file whose documents are not in this corpus; they stay in the file.
    pub absent: Arc<Vec<AbsentMark>>,
    /// The file.
    pub place: PathBuf,
}

impl Query for KeepReview {
    type Answer = ();
    const NAME: &'static str = "keep";
    const READS: StateDependency = StateDependency::Nothing;

    fn run(self, analysis: &Analysis, _: &Job) -> Result<(), String> {
        let mut lines = vec![policy_line(&self.rule.policy, &self.choices)];
        lines.extend(analysis.mark_lines(&self.rule.marks));
        lines.extend(self.absent.iter().map(|mark| mark.line.clone()));
        let write = || -> io::Result<()> {
            self.place.parent().map_or(Ok(()), fs::create_dir_all)?;
            let text = lines.join("\n") + "\n";
            Target::File(self.place.clone()).write(Format::Jsonl, &text)
        };
        write().map_err(|error| format!("choices and marks cannot be saved: {error}"))
    }
}
