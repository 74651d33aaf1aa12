//! Runs an analysis for a command, shows its progress and reports its problems.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::notes;
use super::opened_index::OpenedIndex;
use super::options::CommandRun;
use crate::analysis::settings::{MOST_ACCIDENTAL_PAIRS, MOST_STREAMED_PAIRS};
use crate::analysis::{
    Analysis, AnalysisDepth, AnalysisError, AnalysisInput, FingerprintIndex, Job, LayoutChoice,
    Stage, run_to,
};
use crate::corpus::{Corpus, CorpusError, Input, in_kinds};
use crate::evaluate::distances::Distances;
use crate::export::Target;
use crate::id::DocId;
use crate::number::{counted, grouped};
use crate::simhash::Fingerprint;
use crate::text::visible;

/// Fields that a note names.
const MOST_FIELDS: usize = 20;
/// The time between two pictures of a progress bar.
const EVERY: Duration = Duration::from_millis(100);

/// Receives each snapshot of a growing analysis, and the job, to stop it.
pub(super) type SnapshotSink<'a> = dyn FnMut(&Analysis, &Job) + Send + 'a;

/// Analyses the run's corpus as far as `depth`; snapshots go to `sink` on the way.
///
/// # Errors
/// [`AnalysisError`] if there is nothing to read, the settings clash, or `sink` stopped the job.
pub(super) fn analyse(
    run: &CommandRun,
    depth: AnalysisDepth,
    shows_progress: bool,
    sink: &mut SnapshotSink<'_>,
) -> Result<Arc<Analysis>, AnalysisError> {
    run.settings.check()?;
    // The reading for the choice of k announced this already.
    if run.read.is_none() {
        announce(run, depth);
    }
    let index = run.opened.as_ref().map(|opened| Arc::clone(&opened.index));
    let work = AnalysisInput::Load(run.inputs.clone(), run.load.clone(), index);
    let settings = run.settings.clone();
    let analysis = watched(run, Stage::Read, shows_progress, |job| {
        let mut publish = |analysis: Arc<Analysis>| sink(&analysis, job);
        if let Some(read) = &run.read {
            let work = AnalysisInput::Reindex(Arc::clone(read));
            return run_to(depth, work, settings, job, &mut publish);
        }
        let Some(filter) = &run.filter else {
            return run_to(depth, work, settings, job, &mut publish);
        };
        let all = run_to(AnalysisDepth::Fingerprints, work, settings.clone(), job, &mut |_| {})?;
        let passing = all.of_those_that_pass(filter, job);
        note_filter(run, &all, passing.as_deref().map_or(0, Analysis::len));
        run_to(depth, AnalysisInput::Reindex(passing?), settings, job, &mut publish)
    })?;
    // A command reads one corpus.
    let _ = run.corpus.set(analysis.corpus.clone());
    Ok(analysis)
}

/// Reports the number of documents that pass the filter; if it is 0, the names of the fields.
fn note_filter(run: &CommandRun, all: &Analysis, n_passing: usize) {
    run.notes.note(&format_args!(
        "{} of {} pass --where",
        grouped(n_passing as u64),
        counted(all.len() as u64, "document"),
    ));
    if n_passing == 0
        && let Some(Ok(fields)) = all.corpus.fields(0..1).pop()
        && !fields.is_empty()
    {
        let names: Vec<_> =
            fields.iter().map(|(name, _)| visible(name)).take(MOST_FIELDS).collect();
        run.notes.note(&format_args!("the first document has the fields {}", names.join(", ")));
    }
}

/// Searches the distinct fingerprints of an analysis; warns if most pairs are expected by chance.
///
/// # Errors
/// The [`AnalysisError`] of `search`.
pub(super) fn search<T>(
    run: &CommandRun,
    analysis: &Analysis,
    shows_progress: bool,
    search: impl FnOnce(&FingerprintIndex, &Job) -> Result<T, AnalysisError>,
) -> Result<T, AnalysisError> {
    let index = analysis.index.as_deref().expect("this depth has an index");
    run.settings.check_pairs(index.n_distinct(), MOST_STREAMED_PAIRS)?;
    let accidental = run.settings.accidental_pairs(index.n_distinct());
    if accidental > MOST_ACCIDENTAL_PAIRS {
        notes::warning(&format_args!(
            "at distance {} about {} pairs are expected by chance alone; use a smaller -k or more --bits",
            run.settings.k,
            grouped(accidental as u64),
        ));
    }
    watched(run, Stage::Pair, shows_progress, |job| search(index, job))
}

/// Counts the pairs of documents at each distance.
///
/// # Errors
/// As [`search`].
pub(super) fn distances(run: &CommandRun, analysis: &Analysis) -> Result<Distances, AnalysisError> {
    search(run, analysis, true, |index, job| Ok(index.distances(&job.progress)?))
}

/// Does a job that begins with this stage, with a progress bar if stderr is a terminal.
pub(super) fn staged<T>(run: &CommandRun, stage: Stage, work: impl FnOnce(&Job) -> T) -> T {
    watched(run, stage, true, work)
}

/// Whether a bar may be shown while rows are written: on one terminal they would run into each other.
pub(super) fn has_room_for_a_bar(run: &CommandRun) -> bool {
    run.target != Target::Stdout || !io::stdout().is_terminal()
}

/// Does a job that begins with this stage; `shows_progress` asks for a progress bar if stderr is a terminal.
pub(super) fn watched<T>(
    run: &CommandRun,
    stage: Stage,
    shows_progress: bool,
    work: impl FnOnce(&Job) -> T,
) -> T {
    let job = &Job::to_begin(stage);
    let wants_bar = shows_progress && !run.notes.quiet && io::stderr().is_terminal();
    thread::scope(|scope| {
        let (running, ended) = bounded(0);
        if wants_bar {
            scope.spawn(move || show(job, &ended));
        }
        let result = work(job);
        drop(running);
        result
    })
}

/// Draws on standard error the job's stage and progress until the other end of `ended` is dropped.
fn show(job: &Job, ended: &Receiver<()>) {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
        let (done, total) = job.progress.get();
        bar.set_style(style(job.stage(), total));
        bar.set_message(job.stage().name());
        bar.set_length(total);
        bar.set_position(done.min(total.max(done)));
        bar.tick();
    }
    bar.finish_and_clear();
}

/// Bytes are shown as bytes; a total that is not known makes no bar.
fn style(stage: Stage, total: u64) -> ProgressStyle {
    let template = match (stage, total) {
        (Stage::Read, 0) => "{msg} {bytes}",
        (Stage::Read, _) => "{msg} [{bar:30}] {bytes} of {total_bytes}",
        (_, 0) => "{msg} {human_pos}",
        _ => "{msg} [{bar:30}] {human_pos} of {human_len}",
    };
    let style = ProgressStyle::with_template(template);
    style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> ")
}

/// Analyses to `depth`, then reports what was skipped. Returns the exit code so far, too.
pub(super) fn finish(
    run: &CommandRun,
    depth: AnalysisDepth,
) -> Result<(Arc<Analysis>, u8), AnalysisError> {
    let analysis = analyse(run, depth, true, &mut |_, _| {})?;
    AnalysisError::require_fingerprints_on_both_sides(&analysis)?;
    let code = report_problems(run, &analysis);
    Ok((analysis, code))
}

/// True for a filter (standard input to Parquet or Arrow) whose input has columns, but no documents, as a part of a job
/// on a cluster may have.
pub(super) fn is_filter_without_rows(run: &CommandRun, error: &CorpusError) -> bool {
    let is_of_row =
        |place: &str| place.rsplit_once(':').is_some_and(|(_, n)| n.parse::<u64>().is_ok());
    let is_read = match error {
        CorpusError::Empty { summary, .. } => summary.columnar > 0,
        CorpusError::NothingLoaded { diagnostics, .. } => {
            diagnostics.iter().all(|diagnostic| is_of_row(&diagnostic.place))
        }
        _ => false,
    };
    is_read && run.inputs == [Input::Stdin] && run.format.is_columnar()
}

/// Reports that such a run has no rows; 1 if some were left out, else 0.
pub(super) fn report_no_rows(run: &CommandRun, error: &CorpusError) -> u8 {
    run.notes.note(&"no row of standard input is a document");
    let CorpusError::NothingLoaded { diagnostics, .. } = error else { return 0 };
    notes::diagnostics(diagnostics);
    1
}

/// The documents of a corpus in words: all of them, or those with a fingerprint of all, as "5 of 6 documents".
/// A document without features, or one that could not be read, has no fingerprint and is in no search.
pub(super) fn searched(analysis: &Analysis) -> String {
    let (n, all) = (analysis.records.fingerprints().flatten().count(), analysis.len());
    let some = if n < all { format!("{} of ", grouped(n as u64)) } else { String::new() };
    some + &counted(all as u64, "document")
}

/// Reports the documents that are compared with no other, because they have no features: no words, most often.
pub(super) fn report_wordless(run: &CommandRun, analysis: &Analysis) {
    let is_wordless = |at: &usize| analysis.is_wordless(DocId::from(*at));
    let n = (0..analysis.len()).filter(is_wordless).count() as u64;
    if n > 0 {
        let have = if n == 1 { "has" } else { "have" };
        run.notes.note(&format_args!(
            "{} {have} no features and so no fingerprint: only equal texts are found among them",
            counted(n, "document"),
        ));
    }
}

/// Reports the share of a corpus that is near its reference, if there is one.
pub(super) fn report_share(run: &CommandRun, analysis: &Analysis, n_shared: Option<u64>) {
    if let Some(n_shared) = n_shared {
        run.notes.note(&analysis.share(n_shared));
    }
}

/// Reports inputs that could not be read or were skipped; 1 if some input was skipped, else 0.
pub(super) fn report_problems(run: &CommandRun, analysis: &Analysis) -> u8 {
    let code = u8::from(analysis.diagnostics().next().is_some());
    if run.lists_skipped {
        analysis.diagnostics().for_each(notes::line);
    } else {
        notes::diagnostics(analysis.diagnostics());
    }
    // All of it was read, so these skip nothing.
    for remark in &in_kinds(analysis.corpus.remarks()) {
        notes::warning(remark);
    }
    let summary = analysis.corpus.summary();
    if summary.fingerprints > 0 {
        let carried = counted(summary.fingerprints, "row");
        run.notes.note(&format_args!(
            "given fingerprints of {carried} without text: the recipe does not change them"
        ));
        let bits = run.settings.recipe.bits;
        let all = analysis.records.fingerprints().flatten().fold(0, |all, it| all | it.bits());
        let (used, has_enough) = (u128::BITS - all.leading_zeros(), summary.fingerprints >= 4);
        let is_whole = summary.fingerprints == summary.documents;
        if has_enough && is_whole && (1..=bits / 2).contains(&used) && !run.has_width {
            notes::warning(&format_args!(
                "no fingerprint needs more than {used} of {bits} bits; name their width with --bits"
            ));
        }
        let is_decimal =
            |it: Fingerprint| format!("{:x}", it.bits()).bytes().all(|it| it.is_ascii_digit());
        if has_enough && used > 16 && analysis.records.fingerprints().flatten().all(is_decimal) {
            notes::warning(
                &"no fingerprint has a digit from a to f; if they are decimal numbers, give --fp-type uint64",
            );
        }
    }
    if summary.hashed > 0 {
        let hashed = counted(summary.hashed, "row");
        run.notes.note(&format_args!(
            "{hashed} with hashes and no text: only bits and tie of the recipe apply to them"
        ));
    }
    if let Some(note) = summary.note() {
        let way = if run.lists_skipped { "" } else { "; --list-skipped names them" };
        run.notes.note(&format_args!("{note}{way}"));
    }
    let skipped = analysis.corpus.skipped().iter().filter(|_| run.lists_skipped);
    skipped.for_each(notes::line);
    code
}

/// Reports documents that could not be read a second time, after all work is done; 1 if there are any, else 0.
pub(super) fn report_unread(run: &CommandRun) -> u8 {
    let unread = run.corpus.get().map_or_else(Vec::new, Corpus::unread);
    notes::diagnostics(&unread);
    u8::from(!unread.is_empty())
}

/// Names the corpus and the recipe, and warns if the layout does not guarantee k.
fn announce(run: &CommandRun, depth: AnalysisDepth) {
    if run.is_sample() {
        run.notes.note(&"no PATH given, so this is the bundled sample corpus");
    }
    run.notes.line(&format_args!("recipe: {}", run.settings.recipe));
    if let Some(OpenedIndex { index, .. }) = &run.opened {
        let (place, sides) = (&index.place, run.sides());
        if !index.of.is_of(&run.settings.recipe) {
            run.notes.note(&format_args!(
                "{place} is an index of another recipe, so all files are read"
            ));
        } else if index.inputs == sides.0 || index.inputs == sides.1 {
            run.notes.line(&format_args!("index: {place}"));
        } else {
            run.notes.note(&format_args!(
                "{place} is not used beside other paths, so all files are read"
            ));
        }
    }
    if let LayoutChoice::Bands { bands, bits } = run.settings.layout
        && depth != AnalysisDepth::Fingerprints
        && run.settings.k >= bands
    {
        run.notes.note(&format_args!(
            "{bands}x{bits} guarantees distance {} (bands - 1), less than {}, so pairs may be missed",
            bands - 1,
            run.settings.k,
        ));
    }
}
