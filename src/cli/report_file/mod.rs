//! `simscope report`: the results on one page for another person to read, as HTML.
//!
//! ```text
//! an analysis --> CorpusReport (data) --> sections (sentences, tables) --> html      + svg, css
//!                 Manifest ---------------^
//! ```
//!
//! The content of a page is composed once, of the blocks of [`crate::present`]. One writer spells the blocks, and
//! escapes in one place. The same input makes the same bytes: a page has no time, no random number, and no path that
//! was not given.

mod across;
mod dropped;
mod groups;
mod manifest;
mod pairs;
mod sections;
mod thresholds;

use std::{io::Write as _, sync::Arc};

use anyhow::{bail, ensure};

use super::{
    args::JudgedArgs,
    judged::LabelSource,
    notes,
    options::CommandRun,
    tune,
    work::{finish, search, watched},
};
use crate::export::{Output, Target};
use crate::{
    analysis::{
        Analysis, AnalysisDepth, AnalysisError, AnalysisInput, Job, Stage, Tuning,
        dedup::DropRule,
        grouping::IgnoredPairs,
        report::{CorpusReport, GroupsInBrief, MisleadingDocuments, PairSamples},
        run_to,
    },
    index::{Groups, Linkage},
    present::{html, page::Page},
};
use manifest::Manifest;

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun, judged: &JudgedArgs) -> anyhow::Result<u8> {
    require_page(run)?;
    if run.load.n_reference > 0 {
        across::refuse(judged)?;
        return across::run(run, judged);
    }
    let (source, code_of_said) = if judged.is_asked() {
        LabelSource::read(run, judged)?
    } else {
        (LabelSource::nothing(), 0)
    };
    // If there are too many pairs to keep, they can still be streamed into groups without reading the corpus again.
    let (indexed, code) = finish(run, AnalysisDepth::Index)?;
    let analysis = match pairs_by_distance(run, &indexed) {
        Ok(analysis) => analysis,
        Err(error @ AnalysisError::TooMuchAlike { .. }) if !judged.is_asked() => {
            notes::warning(&format_args!(
                "{error}; the report leaves out the parts that need pairs"
            ));
            indexed
        }
        Err(error) => return Err(error.into()),
    };
    let report = examine(run, &analysis, &source, judged)?;
    let manifest = Manifest::new(run, judged, &analysis.corpus);
    write(run, &sections::page(&report, &manifest))?;
    Ok(code.max(code_of_said))
}

fn write(run: &CommandRun, page: &Page<'_>) -> anyhow::Result<()> {
    let mut output = Output::new(&run.target, run.format);
    output.write_all(html::write(page).as_bytes())?;
    Ok(output.finish()?)
}

/// Refuses a target that is no page: neither the option nor the ending of the file asks for one.
fn require_page(run: &CommandRun) -> anyhow::Result<()> {
    if run.is_page() {
        return Ok(());
    }
    let Target::File(path) = &run.target else {
        bail!("a report needs a file or a format: give -o FILE.html, or -f html to print it");
    };
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    ensure!(
        matches!(ending.as_deref(), Some("html" | "htm")),
        "-o: a report is HTML, which prints, and the file's ending is not .html; give -f html for another ending"
    );
    Ok(())
}

/// The analysis with its pairs, as far beyond k as they can be kept.
fn pairs_by_distance(
    run: &CommandRun,
    indexed: &Arc<Analysis>,
) -> Result<Arc<Analysis>, AnalysisError> {
    let job = Job::to_begin(Stage::Pair);
    let (work, settings) = (AnalysisInput::Reindex(Arc::clone(indexed)), run.settings.clone());
    watched(run, &job, true, || {
        run_to(AnalysisDepth::PairsByDistance, work, settings, &job, &mut |_| {})
    })
}

/// Computes the content of a report.
fn examine(
    run: &CommandRun,
    analysis: &Arc<Analysis>,
    source: &LabelSource,
    args: &JudgedArgs,
) -> anyhow::Result<CorpusReport> {
    let distances = search(run, analysis, true, |index, job| Ok(index.distances(&job.progress)?))?;
    let index = analysis.index.as_deref().expect("this depth has an index");
    let labelling = analysis.near.is_some().then(|| source.labelling(run, analysis)).transpose()?;
    let judged = match labelling.as_ref().filter(|_| args.is_asked()) {
        Some(labelling) => Some(source.assess(run, analysis, labelling, &distances, args)?),
        None => None,
    };
    let advice = match judged.as_ref().filter(|judged| judged.has_enough_labels()) {
        Some(judged) => Arc::clone(&judged.advice),
        None => Arc::new(tune::advise(run, analysis, &distances, args)?),
    };
    let near = analysis.near.as_deref();
    let mut tuning = Tuning::new(index, near, Some(&distances), Some(advice));
    let job = Job::to_begin(Stage::Compare);
    let samples = labelling
        .as_ref()
        .map(|labelling| watched(run, &job, true, || PairSamples::draw(labelling, &job)));
    let job = Job::to_begin(Stage::Pair);
    let texts = watched(run, &job, true, || analysis.compare_texts(&job))?;
    let compared = analysis.with_equal_texts(Arc::new(texts));
    let (groups, n_pairs) = watched(run, &job, true, || find_groups(run, &compared, &job))?;
    let job = Job::to_begin(Stage::Compare);
    let decide = || -> Result<_, AnalysisError> {
        let dropped = compared.decide(&groups, &DropRule::default(), &job)?;
        let brief = GroupsInBrief::new(&compared, &groups, n_pairs, &dropped, &job)?;
        Ok((dropped, brief))
    };
    let (dropped, brief) = watched(run, &job, true, decide)?;
    let has_reference = analysis.corpus.reference().is_some();
    let known = (!has_reference).then_some(dropped.dropped.len() as u64);
    tuning.rows[analysis.settings.k as usize].dropped = known;
    let job = Job::to_begin(Stage::Count);
    let misleading = watched(run, &job, true, || MisleadingDocuments::find(analysis, &job))?;
    AnalysisError::require_all_read(&analysis.corpus)?;
    Ok(CorpusReport {
        analysis: Arc::clone(analysis),
        judged,
        draws: distances.draws,
        tuning,
        groups,
        brief,
        dropped,
        samples: samples.transpose()?,
        misleading,
    })
}

/// The groups, from the pairs that are kept or else from a stream of them, and the number of pairs.
fn find_groups(
    run: &CommandRun,
    analysis: &Analysis,
    job: &Job,
) -> Result<(Arc<Groups>, u64), AnalysisError> {
    if let (Some(groups), Some(totals)) = (&analysis.groups, analysis.totals()) {
        return Ok((Arc::clone(groups), totals.pairs));
    }
    let index = analysis.index.as_deref().expect("this depth has an index");
    let (groups, found) =
        index.stream_groups(&run.settings, Linkage::Single, &IgnoredPairs::new(), job)?;
    Ok((Arc::new(groups), found.pairs))
}
