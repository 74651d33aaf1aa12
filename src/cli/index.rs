//! `simscope index`: keeps a corpus and its fingerprints in a file.

use std::{io::Write as _, path::Path, sync::Arc};

use anyhow::{Context as _, bail, ensure};

use super::{
    options::CommandRun,
    work::{report_problems, watch},
};
use crate::{
    analysis::{AnalysisDepth, AnalysisInput, IndexFile, Job, run_to},
    corpus::Input,
    export::{Output, Target},
    number::{counted, grouped},
    text::visible,
};

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun) -> anyhow::Result<u8> {
    let recipe = &run.settings.recipe;
    ensure!(
        !recipe.counts_frequencies(),
        "an index needs weights that no new document changes; freeze the frequencies first: \
         simscope fingerprint --document-frequencies PATH -o FREQUENCIES.tsv, then --frequencies FREQUENCIES.tsv"
    );
    let place = match (&run.target, &run.opened) {
        (Target::File(place), _) => place.clone(),
        (Target::Stdout, Some(opened)) => opened.place.clone(),
        (Target::Stdout, None) => bail!("an index is written to a file; give -o FILE.idx"),
    };
    let inputs = absolute(&run.inputs)?;
    let index = previous(run, &inputs, &place)?;
    update(run, index, &place)
}

/// The inputs as paths from the root, which can be found again from any folder.
fn absolute(inputs: &[Input]) -> anyhow::Result<Vec<Input>> {
    let absolute = |input: &Input| {
        let Input::Path(path) = input else {
            bail!("an index needs files that can be read again; name a folder or file as PATH");
        };
        let shown = visible(&path.to_string_lossy()).into_owned();
        let path = std::path::absolute(path)?;
        let metadata = path.metadata().map_err(|_| anyhow::anyhow!("{shown}: not found"))?;
        ensure!(
            metadata.is_file() || metadata.is_dir(),
            "{shown}: a pipe, which cannot be read again; write it to a file first"
        );
        ensure!(
            path.to_str().is_some(),
            "{shown}: this name is not UTF-8, which an index needs; rename it"
        );
        Ok(Input::Path(path))
    };
    inputs.iter().map(absolute).collect()
}

/// The index at `place`, if it has the same inputs, options and recipe; else an empty one.
fn previous(run: &CommandRun, inputs: &[Input], place: &Path) -> anyhow::Result<Arc<IndexFile>> {
    let recipe = &run.settings.recipe;
    let fresh = || IndexFile::new(inputs.to_vec(), run.load.clone(), recipe.clone());
    if let Some(opened) = run.opened.as_ref().filter(|opened| opened.index.is_of(recipe)) {
        return Ok(Arc::new(IndexFile::open(&opened.place)?));
    }
    if !place.exists() {
        return Ok(Arc::new(fresh()));
    }
    let shown = visible(&place.to_string_lossy()).into_owned();
    let is_index = IndexFile::begins_as_one(place);
    ensure!(is_index, "{shown}: exists and is not an index; give -o another name");
    let is_the_same = |there: &IndexFile| {
        there.inputs == inputs && there.options == run.load && there.is_of(recipe)
    };
    match IndexFile::open(place) {
        Ok(there) if is_the_same(&there) => Ok(Arc::new(there)),
        Ok(_) => {
            run.notes.note(&format_args!(
                "{shown}: was made of another corpus or with another recipe, so it is written anew"
            ));
            Ok(Arc::new(fresh()))
        }
        Err(problem) => {
            run.notes.note(&format_args!("{problem}; it is written anew"));
            Ok(Arc::new(fresh()))
        }
    }
}

/// Reads what is new, and writes the index in place of the one there was.
fn update(run: &CommandRun, index: Arc<IndexFile>, place: &Path) -> anyhow::Result<u8> {
    let job = Job::new();
    let (inputs, options) = (index.inputs.clone(), index.options.clone());
    let analysis = watch(run, &job, || {
        let (work, settings) = (AnalysisInput::Index(index), run.settings.clone());
        run_to(AnalysisDepth::Fingerprints, work, settings, &job, &mut |_| {})
    })?;
    let mut out = Output::new(&Target::File(place.to_owned()), run.format);
    let shown = visible(&place.to_string_lossy()).into_owned();
    let n_kept = IndexFile::write(&inputs, &options, &analysis, &mut out).context(shown.clone())?;
    out.flush()?;
    let code = report_problems(run, &analysis);
    let changes = analysis.corpus.changes_since_kept();
    let unkept = analysis.len() as u64 - n_kept;
    // Not every system replaces a file that is open.
    drop(analysis);
    out.finish()?;
    let gone = match changes.gone {
        0 => String::new(),
        n => format!(", {} gone", grouped(n as u64)),
    };
    run.notes.note(&format_args!(
        "{shown}: {}; {} read, {} unchanged{gone}",
        counted(n_kept, "document"),
        counted(changes.read as u64, "file"),
        grouped(changes.taken as u64),
    ));
    if unkept > 0 {
        run.notes.note(&format_args!(
            "{} in files that cannot be kept: they are read each time",
            counted(unkept, "document"),
        ));
    }
    Ok(code)
}
