//! The files of a folder without those that are dropped, as a folder: where each document is a file.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use tempfile::TempDir;

use super::{is_within, path_of, visible_path};
use crate::analysis::{Analysis, Job, Stage};
use crate::corpus::Input;
use crate::id::DocId;

/// A folder that is written beside its place, and not there yet.
pub(crate) struct KeptFolder {
    written: TempDir,
    place: PathBuf,
}

impl KeptFolder {
    /// Refuses a place that is taken, or that would be read as a part of an input.
    ///
    /// # Errors
    /// The reason, as a message for the user.
    pub(crate) fn check(place: &Path, inputs: &[Input]) -> Result<(), String> {
        let shown = visible_path(place);
        if place.symlink_metadata().is_ok() {
            return Err(format!("--kept {shown}: is there already; name a new folder"));
        }
        if is_within(place, inputs.iter().filter_map(path_of)) {
            return Err(format!("--kept {shown}: is inside an input; name another folder"));
        }
        Ok(())
    }

    /// Copies or links the file of each document that is kept, below its path in its input.
    ///
    /// # Errors
    /// If a document is no file of its own, has changed, or cannot be copied, or if the job is cancelled.
    pub(crate) fn write(
        analysis: &Analysis,
        is_kept: &dyn Fn(DocId) -> bool,
        inputs: &[Input],
        (place, links): (&Path, bool),
        job: &Job,
    ) -> Result<Self, String> {
        let corpus = &analysis.corpus;
        let shown = visible_path(place);
        let failed = |error: io::Error| format!("{shown}: {error}; nothing is written");
        job.enter(Stage::Read, corpus.n_first() as u64);
        // Beside its place, so that a link and the last step stay in one file system.
        let parent = place.parent().filter(|it| !it.as_os_str().is_empty());
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            // As a new folder has it: what the user's mask leaves.
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        let written = builder.tempdir_in(parent.unwrap_or(Path::new("."))).map_err(failed)?;
        let mut taken = HashSet::new();
        for document in (0..corpus.n_first()).map(DocId::from) {
            job.progress.check().map_err(|error| error.to_string())?;
            job.progress.add(1);
            let file = corpus.own_file(document)?;
            let below = below(&file, inputs);
            if !taken.insert(below.clone()) {
                let name = visible_path(&below);
                return Err(format!("{name} is in two inputs; give each a run of its own"));
            }
            if !is_kept(document) {
                continue;
            }
            let copy = written.path().join(&below);
            let put = || -> io::Result<()> {
                fs::create_dir_all(copy.parent().unwrap_or(written.path()))?;
                if links { fs::hard_link(&file, &copy) } else { fs::copy(&file, &copy).map(drop) }
            };
            put()
                .map_err(|error| format!("{}: {error}; nothing is written", visible_path(&file)))?;
        }
        Ok(Self { written, place: place.to_owned() })
    }

    /// Puts the folder into its place.
    ///
    /// # Errors
    /// If it cannot be moved there.
    pub(crate) fn put(self) -> io::Result<()> {
        let written = self.written.keep();
        fs::rename(&written, &self.place).inspect_err(|_| {
            let _ = fs::remove_dir_all(&written);
        })
    }
}

/// The path of a file below the folder that was named; with the folder's name if there are several.
fn below(file: &Path, inputs: &[Input]) -> PathBuf {
    let folders = inputs.iter().filter_map(|input| match input {
        Input::Path(path) => Some((path, file.strip_prefix(path).ok()?)),
        Input::Stdin | Input::Bundled { .. } => None,
    });
    let Some((folder, below)) = folders.max_by_key(|(folder, _)| folder.as_os_str().len()) else {
        return file.file_name().map(PathBuf::from).unwrap_or_default();
    };
    if below.as_os_str().is_empty() {
        return file.file_name().map(PathBuf::from).unwrap_or_default();
    }
    match folder.file_name().filter(|_| inputs.len() > 1) {
        Some(name) => Path::new(name).join(below),
        None => below.to_owned(),
    }
}
