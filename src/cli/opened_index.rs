//! An index that is named instead of a corpus: its files, options and recipe replace those of the command line.

use std::{path::PathBuf, sync::Arc};

use anyhow::ensure;

use crate::{
    analysis::IndexFile,
    corpus::{Input, LoadOptions},
    text::visible,
};

/// An index that was opened, and its place.
#[derive(Clone, Debug)]
pub(super) struct OpenedIndex {
    pub(super) place: PathBuf,
    pub(super) index: Arc<IndexFile>,
}

impl OpenedIndex {
    /// Opens the index among the paths and the reference, if there is one, and replaces its path by the files it keeps.
    ///
    /// # Errors
    /// If the index cannot be used, if there are two, or if options of reading were given, too.
    pub(super) fn among(
        paths: &mut Vec<PathBuf>,
        reference: &mut Vec<PathBuf>,
        load: &mut LoadOptions,
    ) -> anyhow::Result<Option<Self>> {
        let is_one = |path: &&PathBuf| IndexFile::is_one(path);
        let mut indexes = paths.iter().chain(reference.iter()).filter(is_one);
        let Some(place) = indexes.next().cloned() else { return Ok(None) };
        let shown = visible(&place.to_string_lossy()).into_owned();
        ensure!(indexes.next().is_none(), "{shown}: give one index at a time");
        let mut index = IndexFile::open(&place)?;
        index.kept.index_place = Some(shown.clone());
        let usual = LoadOptions {
            n_reference: load.n_reference,
            fingerprint_type: load.fingerprint_type,
            ..LoadOptions::default()
        };
        ensure!(
            *load == usual,
            "{shown}: an index keeps the options of reading that it was made with; leave them out"
        );
        let files = index.inputs.iter().filter_map(|input| match input {
            Input::Path(path) => Some(path.clone()),
            _ => None,
        });
        let files: Vec<PathBuf> = files.collect();
        for list in [paths, &mut *reference] {
            if let Some(at) = list.iter().position(|path| *path == place) {
                list.splice(at..=at, files.iter().cloned());
            }
        }
        *load = LoadOptions { n_reference: reference.len(), ..index.options.clone() };
        Ok(Some(Self { place, index: Arc::new(index) }))
    }

    /// The opened index for a run with these inputs, which include those of the index.
    pub(super) fn with(mut self, inputs: &[Input], load: &LoadOptions) -> Self {
        if let Some(index) = Arc::get_mut(&mut self.index) {
            (index.inputs, index.options) = (inputs.to_vec(), load.clone());
        }
        self
    }
}
