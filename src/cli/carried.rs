//! Files of fingerprints say under which recipe they were made: beside them, or in the metadata of Parquet and Arrow.
//! Under another one their distances mean something else.

use std::path::Path;

use anyhow::ensure;

use super::options::{CommandRun, recipe_beside};
use crate::{
    corpus::{Input, recipe_inside},
    export::quoted,
    progress::Progress,
    simhash::Recipe,
    text::visible::visible,
};

/// The recipe that a file of fingerprints says it was made under, and the place that says so.
pub(super) fn made_under(path: &Path) -> Option<(Recipe, String)> {
    let beside = recipe_beside(path);
    if let Ok(line) = std::fs::read_to_string(&beside) {
        let recipe = line.trim_end().parse().ok()?;
        return Some((recipe, visible(&beside.to_string_lossy()).into_owned()));
    }
    let recipe = recipe_inside(path)?.parse().ok()?;
    Some((recipe, "its metadata".to_owned()))
}

/// Refuses files of fingerprints that were made under another recipe.
///
/// # Errors
/// The file, and the option that names its recipe.
pub(super) fn refuse_other_recipes(run: &CommandRun) -> anyhow::Result<()> {
    let first = run.inputs.len() - run.load.n_reference;
    for input in &run.inputs[..first] {
        let Input::Path(path) = input else { continue };
        if !path.is_file() {
            continue;
        }
        let Some((recipe, place)) = made_under(path) else { continue };
        // Texts may be read under any recipe.
        let is_other = recipe.to_string() != run.settings.recipe.to_string();
        ensure!(
            !is_other || !holds_fingerprints(run, input),
            "{}: its fingerprints are of another recipe, as {place} says; give --recipe {}",
            visible(&path.to_string_lossy()),
            quoted(&recipe.to_string()),
        );
    }
    Ok(())
}

/// Whether the first document of an input is a fingerprint.
fn holds_fingerprints(run: &CommandRun, input: &Input) -> bool {
    let (progress, mut is_fingerprint) = (Progress::new(), false);
    let load = crate::corpus::LoadOptions { n_reference: 0, ..run.load.clone() };
    let _ = crate::corpus::load(std::slice::from_ref(input), &load, &progress, &mut |batch| {
        is_fingerprint = batch.corpus.flags(batch.first).is_fingerprint_only();
        progress.cancel();
    });
    is_fingerprint
}
