//! The recipe of a file of fingerprints: a file beside it, or the metadata of Parquet and Arrow, names the recipe.
//! A run under another recipe would misread the distances, so it is refused.

use std::path::{Path, PathBuf};

use anyhow::ensure;

use crate::{
    corpus::{self, Input, LoadOptions, recipe_inside},
    export::quoted,
    progress::Progress,
    simhash::Recipe,
    text::visible::visible,
};

/// The path of the recipe of a file of rows: `FILE.recipe`.
pub(super) fn recipe_beside(rows: &Path) -> PathBuf {
    let mut beside = rows.to_owned().into_os_string();
    beside.push(".recipe");
    beside.into()
}

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
/// If a file was made under another recipe; the message names the file and the option that gives its recipe.
pub(super) fn refuse_other_recipes(
    inputs: &[Input],
    load: &LoadOptions,
    ours: &Recipe,
) -> anyhow::Result<()> {
    for input in inputs {
        let Input::Path(path) = input else { continue };
        if !path.is_file() {
            continue;
        }
        let Some((recipe, place)) = made_under(path) else { continue };
        // Texts may be read under any recipe.
        let is_other = recipe.to_string() != ours.to_string();
        ensure!(
            !is_other || !holds_fingerprints(load, input),
            "{}: its fingerprints are of another recipe, as {place} says; give --recipe {}",
            visible(&path.to_string_lossy()),
            quoted(&recipe.to_string()),
        );
    }
    Ok(())
}

/// Whether the first document of an input is a fingerprint.
fn holds_fingerprints(load: &LoadOptions, input: &Input) -> bool {
    let (progress, mut is_fingerprint) = (Progress::new(), false);
    let load = LoadOptions { n_reference: 0, ..load.clone() };
    let _ = corpus::load(std::slice::from_ref(input), &load, &progress, &mut |batch| {
        is_fingerprint = batch.corpus.flags(batch.first).is_fingerprint_only();
        progress.cancel();
    });
    is_fingerprint
}
