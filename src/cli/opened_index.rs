//! The index that a command uses: the one that is named instead of a corpus, or that lies beside it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{anyhow, ensure};

use super::notes::Notes;
use crate::corpus::{KeptCorpus, LoadOptions};
use crate::export::visible_path;
use crate::simhash::Recipe;

/// An index that was opened, and its place.
#[derive(Clone, Debug)]
pub(super) struct OpenedIndex {
    pub(super) place: PathBuf,
    pub(super) index: Arc<KeptCorpus>,
    /// Whether it was named.
    pub(super) is_named: bool,
}

impl OpenedIndex {
    /// Opens the index among the paths and the reference, and replaces its path by the files it is of; else the one
    /// that lies beside the only path of a side, if it was made with the same options.
    ///
    /// # Errors
    /// If the named index cannot be used, if there are two, or if options of reading were given, too.
    pub(super) fn find(
        paths: &mut Vec<PathBuf>,
        reference: &mut Vec<PathBuf>,
        load: &mut LoadOptions,
        notes: &Notes,
    ) -> anyhow::Result<Option<Self>> {
        let is_one = |path: &&PathBuf| KeptCorpus::is_one(path);
        let mut indexes = paths.iter().chain(reference.iter()).filter(is_one);
        let Some(place) = indexes.next().cloned() else {
            return Ok(
                Self::beside(reference, load, notes).or_else(|| Self::beside(paths, load, notes))
            );
        };
        let shown = visible_path(&place);
        ensure!(indexes.next().is_none(), "{shown}: give one index at a time");
        let index = KeptCorpus::open(&place, None)?;
        let LoadOptions { n_reference, fp_type, .. } = *load;
        let usual = LoadOptions { fp_type, n_reference, ..LoadOptions::default() };
        ensure!(
            *load == usual,
            "{shown}: an index keeps the options of reading that it was made with; leave them out"
        );
        for list in [paths, &mut *reference] {
            if let Some(at) = list.iter().position(|path| *path == place) {
                list.splice(at..=at, index.of.paths.iter().cloned());
            }
        }
        *load = LoadOptions { n_reference: reference.len(), ..index.of.options.clone() };
        Ok(Some(Self { place, index: Arc::new(index), is_named: true }))
    }

    fn beside(side: &[PathBuf], load: &LoadOptions, notes: &Notes) -> Option<Self> {
        let [path] = side else { return None };
        let place = place_beside(path).filter(|place| KeptCorpus::is_one(place))?;
        let index = KeptCorpus::open(&place, Some(path))
            .map_err(|problem| notes.note(&format_args!("{problem}; it is not used")))
            .ok()?;
        let options = LoadOptions { n_reference: 0, ..load.clone() };
        let is_of_it = std::path::absolute(path).is_ok_and(|path| *index.of.paths == [path]);
        (is_of_it && index.of.options == options).then(|| Self {
            place,
            index: Arc::new(index),
            is_named: false,
        })
    }

    /// The recipe with which it is used.
    pub(super) fn recipe(&self) -> anyhow::Result<Recipe> {
        let damaged = || {
            anyhow!(
                "{}: the index is damaged (its recipe); make it again from its corpus",
                self.index.place
            )
        };
        self.index.of.recipe_to_use().ok_or_else(damaged)
    }
}

/// The place of the index of a folder or file, beside it; `None` for a path without a name, such as `..`.
pub(super) fn place_beside(path: &Path) -> Option<PathBuf> {
    Some(path.with_file_name(format!("{}.idx", path.file_name()?.to_str()?)))
}
