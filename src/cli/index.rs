//! `simscope index`: keeps a corpus and its fingerprints in a file.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, anyhow, bail, ensure};

use super::opened_index::place_beside;
use super::options::CommandRun;
use super::work::{has_room_for_a_bar, report_problems, watched};
use crate::analysis::{AnalysisDepth, AnalysisInput, Stage, run_to};
use crate::corpus::{Input, KeptCorpus, KeptInputs, walk_digest};
use crate::export::{Output, Target, visible_path};
use crate::number::counted;

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun) -> anyhow::Result<u8> {
    let recipe = &run.settings.recipe;
    ensure!(
        !recipe.counts_frequencies(),
        "an index needs weights that no new document changes; freeze the frequencies first: \
         simscope fingerprint --document-frequencies PATH -o FREQUENCIES.tsv, then --frequencies FREQUENCIES.tsv"
    );
    let paths = absolute(&run.inputs)?;
    let place = match (&run.target, &run.opened, &run.inputs[..]) {
        (Target::File(place), ..) => Some(place.clone()),
        (Target::Stdout, Some(opened), _) => Some(opened.place.clone()),
        (Target::Stdout, None, [Input::Path(path)]) => place_beside(path),
        (Target::Stdout, None, _) => None,
    };
    let Some(place) = place else { bail!("an index is written to a file; give -o FILE.idx") };
    let shown = visible_path(&place);
    let is_free = !place.exists() || KeptCorpus::is_one(&place);
    ensure!(is_free, "{shown}: exists and is not an index; give -o another name");
    let options = run.load.clone();
    let inputs = paths.iter().cloned().map(Input::Path).collect();
    let has_room = has_room_for_a_bar(run);
    let (analysis, of, is_current) = watched(run, Stage::Read, has_room, |job| {
        let found = walk_digest(&paths, &options, &job.progress)?;
        let is_current = |there: &KeptCorpus| {
            (&there.of.paths, &there.of.options, there.of.found) == (&paths, &options, found)
                && there.of.recipe.as_ref() == Some(&recipe.to_string())
        };
        let there = KeptCorpus::open(&place, None).ok().filter(is_current);
        let is_current = there.is_some();
        let work = AnalysisInput::Load(inputs, options.clone(), there.map(Arc::new));
        let depth = AnalysisDepth::Fingerprints;
        let analysis = run_to(depth, work, run.settings.clone(), job, &mut |_| {})?;
        let (recipe, bits, problems) = (None, recipe.bits, Vec::new());
        let of = KeptInputs { paths, options, recipe, bits, found, problems };
        Ok::<_, anyhow::Error>((analysis, of, is_current))
    })?;
    // The problem that an index cannot be written for is among these.
    let code = report_problems(run, &analysis);
    if !is_current {
        let mut out = Output::new(&Target::File(place), run.format);
        analysis.keep(of, &mut out).context(shown.clone())?;
        out.flush()?;
        out.finish()?;
    }
    let unchanged = if is_current { "; nothing has changed" } else { "" };
    let documents = counted(analysis.len() as u64, "document");
    run.notes.note(&format_args!("{shown}: {documents}{unchanged}"));
    Ok(code)
}

/// The inputs as paths from the root, which can be found again from any folder.
fn absolute(inputs: &[Input]) -> anyhow::Result<Vec<PathBuf>> {
    let absolute = |input: &Input| {
        let Input::Path(path) = input else {
            bail!("an index needs files that can be read again; name a folder or file as PATH");
        };
        let shown = visible_path(path);
        let path: PathBuf = std::path::absolute(path)?.components().collect();
        let metadata = path.metadata().map_err(|_| anyhow!("{shown}: not found"))?;
        ensure!(
            metadata.is_file() || metadata.is_dir(),
            "{shown}: a pipe, which cannot be read again; write it to a file first"
        );
        Ok(path)
    };
    inputs.iter().map(absolute).collect()
}
