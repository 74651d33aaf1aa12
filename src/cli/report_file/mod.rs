//! `simscope report`: the results on one page for another person to read, as HTML.
//!
//! ```text
//! an analysis --> Report (data) --> sections (sentences, tables) --> html      + svg, css
//! ```
//!
//! The content of a page is composed once, of the blocks of [`crate::present`]. One writer spells the blocks, and
//! escapes in one place. The same input makes the same bytes: a page has no time, no random number, and no path that
//! was not given.

mod across;
mod dropped;
mod groups;
mod pairs;
mod report;
mod sections;
mod thresholds;

use std::sync::Arc;

use anyhow::{bail, ensure};

use super::args::JudgedArgs;
use super::judged::LabelSource;
use super::notes;
use super::options::CommandRun;
use super::work::{finish, staged};
use crate::analysis::{Analysis, AnalysisDepth, AnalysisError, AnalysisInput, Stage, run_to};
use crate::export::Target;
use crate::present::html;
use crate::present::page::Page;
use report::Report;

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
    let report = Report::new(run, judged, &analysis, &source)?;
    write(&report.analysis, run, &sections::page(&report)?)?;
    Ok(code.max(code_of_said))
}

/// Writes the page, if every document could be read that it tells of.
fn write(analysis: &Analysis, run: &CommandRun, page: &Page) -> anyhow::Result<()> {
    AnalysisError::require_all_read(&analysis.corpus)?;
    Ok(run.target.write(run.format, &html::write(page))?)
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
    let (work, settings) = (AnalysisInput::Reindex(Arc::clone(indexed)), run.settings.clone());
    staged(run, Stage::Pair, |job| {
        run_to(AnalysisDepth::PairsByDistance, work, settings, job, &mut |_| {})
    })
}
