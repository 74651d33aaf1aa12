//! The recipe of fingerprints that a corpus carries: in `FILE.recipe` beside their file, in the metadata of Parquet
//! and Arrow, or in the note of a job on a cluster. Distances of fingerprints of another recipe mean nothing.

use std::path::{Path, PathBuf};

use super::diagnostic::{CorpusError, shown};
use super::single_file::read_text_file;

/// The note beside the folders of a job.
const JOB_NOTE: &str = "_simscope.json";

/// The first line of `FILE.recipe` where some rows have fingerprints of an unknown recipe.
pub const UNKNOWN_RECIPE: &str = "# of an unknown recipe";

/// A recipe as it is written, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CarriedRecipe {
    /// The file of the fingerprints, its control characters shown as escapes.
    pub file: String,
    /// The place that names the recipe.
    pub place: String,
    /// The recipe in one line, not parsed.
    pub line: String,
}

/// An input whose fingerprints may have a known recipe. Without a path and a recipe inside it has an unknown one.
#[derive(Clone, Debug)]
pub(super) struct RecipeOrigin {
    /// The input in messages.
    pub(super) shown: String,
    /// Its path, if it has one.
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

/// The recipe that a file of fingerprints was made under, as something beside it says, or its metadata (`inside`);
/// `None` if nothing says it.
///
/// # Errors
/// [`CorpusError::File`] if the file beside it cannot be read.
pub fn recipe_of_file(
    path: &Path,
    inside: Option<String>,
) -> Result<Option<CarriedRecipe>, CorpusError> {
    RecipeOrigin { shown: shown(path), path: Some(path.to_owned()), inside }.find()
}

impl RecipeOrigin {
    /// The recipe of its fingerprints, from the nearest place that names one.
    pub(super) fn find(self) -> Result<Option<CarriedRecipe>, CorpusError> {
        let found = |place: &str, line: String| {
            let line = line.trim_end().to_owned();
            Ok(Some(CarriedRecipe { file: self.shown.clone(), place: place.to_owned(), line }))
        };
        if let Some(path) = &self.path {
            let beside = recipe_beside(path);
            if beside.is_file() {
                let line = read_text_file(&beside)?;
                let is_known = !line.starts_with(UNKNOWN_RECIPE);
                return if is_known { found(&shown(&beside), line) } else { Ok(None) };
            }
        }
        if let Some(line) = self.inside.clone() {
            return found("its metadata", line);
        }
        for folder in self.path.iter().flat_map(|path| path.ancestors().skip(1).take(2)) {
            let note = folder.join(JOB_NOTE);
            let text = std::fs::read_to_string(&note).ok();
            let note_of = |text: String| serde_json::from_str::<serde_json::Value>(&text).ok();
            if let Some(line) = text.and_then(note_of).as_ref().and_then(|it| it["recipe"].as_str())
            {
                return found(&shown(&note), line.to_owned());
            }
        }
        Ok(None)
    }
}
