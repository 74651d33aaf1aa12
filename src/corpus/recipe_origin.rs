//! The recipe of fingerprints that a corpus carries: in `FILE.recipe` beside their file, in the metadata of Parquet
//! and Arrow, or in the note of a job on a cluster. Distances of fingerprints of another recipe mean nothing.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::Corpus;
use super::diagnostic::shown;
use super::single_file::read_text_file;

/// The note beside the folders of a job.
const JOB_NOTE: &str = "_simscope.json";

/// The first line of `FILE.recipe` where some rows have fingerprints of an unknown recipe.
pub const UNKNOWN_RECIPE: &str = "# of an unknown recipe";

/// The place of a recipe that the metadata of its own file names.
pub const ITS_METADATA: &str = "its metadata";

/// A recipe as it is written, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CarriedRecipe {
    /// The file of the fingerprints, its control characters shown as escapes.
    pub file: String,
    /// The place that names the recipe.
    pub place: String,
    /// The recipe in one line, not parsed; empty if the place cannot be read or names none.
    pub line: String,
}

/// An input whose fingerprints may have a known recipe. Without a path and a recipe inside it has an unknown one.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct RecipeOrigin {
    /// The input in messages.
    pub(super) shown: String,
    /// Its path, or that of its archive; `None` for standard input.
    pub(super) path: Option<PathBuf>,
    /// The recipe in its metadata.
    pub(super) inside: Option<String>,
}

/// The path of the recipe of a file of rows: `FILE.recipe`.
pub fn recipe_beside(rows: &Path) -> PathBuf {
    let mut beside = rows.to_owned().into_os_string();
    beside.push(".recipe");
    beside.into()
}

impl RecipeOrigin {
    /// The recipe of its fingerprints, from the nearest place that should name one; `None` if it is unknown.
    pub(super) fn find(self) -> Option<CarriedRecipe> {
        let (place, line) = self.place_and_line()?;
        let line = line.lines().next().unwrap_or_default().trim_end().to_owned();
        let is_known = !line.starts_with(UNKNOWN_RECIPE);
        is_known.then_some(CarriedRecipe { file: self.shown, place, line })
    }

    fn place_and_line(&self) -> Option<(String, String)> {
        if let Some(path) = &self.path {
            let beside = recipe_beside(path);
            if beside.is_file() {
                return Some((shown(&beside), read_text_file(&beside).unwrap_or_default()));
            }
        }
        if let Some(line) = &self.inside {
            return Some((ITS_METADATA.to_owned(), line.clone()));
        }
        let mut folders = self.path.iter().flat_map(|path| path.ancestors().skip(1).take(2));
        let note = folders.find_map(|at| Some(at.join(JOB_NOTE)).filter(|note| note.is_file()))?;
        let text = std::fs::read_to_string(&note).unwrap_or_default();
        let json = serde_json::from_str::<Value>(&text).unwrap_or_default();
        // A job over fingerprints of an unknown recipe writes a note without one.
        let is_of_none =
            |note: &Map<String, Value>| !note.is_empty() && !note.contains_key("recipe");
        if json.as_object().is_some_and(is_of_none) {
            return None;
        }
        Some((shown(&note), json["recipe"].as_str().unwrap_or_default().to_owned()))
    }
}

impl Corpus {
    /// The recipes of the fingerprints in the corpus, each once, with the first file that has it.
    pub fn carried_recipes(&self) -> &[CarriedRecipe] {
        &self.carried_recipes
    }

    /// Whether some fingerprints in the corpus are of an unknown recipe.
    pub fn has_unknown_recipe(&self) -> bool {
        self.has_unknown_recipe
    }

    /// The recipe that rows about the corpus may name, if this one was used for its texts; `None` if some
    /// fingerprints are of an unknown one.
    pub fn recipe_to_record(&self, used: &dyn Display) -> Option<String> {
        (!self.has_unknown_recipe).then(|| used.to_string())
    }

    /// Whether no fingerprint of the corpus is of a known recipe.
    pub fn is_of_unknown_recipe(&self) -> bool {
        let summary = self.summary();
        let n_given = summary.fingerprints + summary.hashed;
        self.has_unknown_recipe && self.carried_recipes.is_empty() && n_given == summary.documents
    }

    /// Notes the recipe of an input with fingerprints.
    pub(super) fn note_recipe(&mut self, origin: RecipeOrigin) {
        Arc::make_mut(&mut self.recipe_origins).push(origin.clone());
        match origin.find() {
            Some(found) => {
                if self.carried_recipes.iter().all(|known| known.line != found.line) {
                    Arc::make_mut(&mut self.carried_recipes).push(found);
                }
            }
            None => self.has_unknown_recipe = true,
        }
    }
}
