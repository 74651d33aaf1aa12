//! The recipe of a file of fingerprints: a file beside it, or the metadata of Parquet and Arrow, names the recipe.
//! A run under another recipe would misread the distances, so it is refused.

use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};

use crate::{
    corpus::{self, Input, LoadOptions, read_text_file, recipe_inside},
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
///
/// # Errors
/// If what stands there is no recipe.
pub(super) fn made_under(path: &Path) -> anyhow::Result<Option<(Recipe, String)>> {
    let beside = recipe_beside(path);
    let (line, place) = if beside.is_file() {
        (Some(read_text_file(&beside)?), visible(&beside.to_string_lossy()).into_owned())
    } else {
        (recipe_inside(path), "its metadata".to_owned())
    };
    let Some(line) = line else { return Ok(None) };
    let recipe = line.trim_end().parse().map_err(|problem| {
        anyhow!("{place}: no recipe: {problem}; mend its first line, or move it away")
    })?;
    Ok(Some((recipe, place)))
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
        let made = made_under(path);
        let is_ours = |recipe: &Recipe| recipe.to_string() == ours.to_string();
        let agrees = made.as_ref().is_ok_and(|it| it.as_ref().is_none_or(|it| is_ours(&it.0)));
        // Texts may be read under any recipe.
        if agrees || !holds_fingerprints(load, input) {
            continue;
        }
        let Some((recipe, place)) = made? else { continue };
        bail!(
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
