//! A file, or a folder of files, that takes its place when it is complete. A run that fails or is stopped leaves the
//! old file unchanged and no other file beside it.
//!
//! On Linux the new file has no name before that, so it disappears however the run ends. Where the system or the file
//! system cannot create files without names, it has a temporary name, which remains if the run is killed.

use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::{fs, io};

use tempfile::{NamedTempFile, TempDir};

use super::{is_within, path_of, visible_path};
use crate::analysis::{Analysis, Job, Stage};
use crate::corpus::{Input, io_message};
use crate::id::DocId;

/// The beginning of temporary names.
const PREFIX: &str = ".simscope-";

/// A file that is being written.
pub(super) struct PendingFile {
    file: OutputKind,
    place: PathBuf,
}

enum OutputKind {
    #[cfg(target_os = "linux")]
    Nameless(File),
    Named(NamedTempFile),
}

impl PendingFile {
    /// A new file that will take this place, whose folder exists.
    ///
    /// # Errors
    /// If no file can be created in the folder.
    pub(super) fn new(place: PathBuf) -> io::Result<Self> {
        let file = OutputKind::create(folder(&place)).map_err(|error| {
            let problem = io_message(&error);
            io::Error::new(error.kind(), format!("cannot create a file in its folder: {problem}"))
        })?;
        let pending = Self { file, place };
        if let Ok(there) = pending.place.metadata() {
            // The new file gets the permissions of the file that it replaces.
            pending.as_file().set_permissions(there.permissions())?;
        }
        Ok(pending)
    }

    /// The file to write.
    pub(super) fn as_file(&self) -> &File {
        match &self.file {
            #[cfg(target_os = "linux")]
            OutputKind::Nameless(file) => file,
            OutputKind::Named(file) => file.as_file(),
        }
    }

    /// Puts the new file in its place.
    ///
    /// # Errors
    /// If this fails; then the old file stays.
    pub(super) fn take_place(self) -> io::Result<()> {
        let Self { file, place } = self;
        match file {
            #[cfg(target_os = "linux")]
            OutputKind::Nameless(file) => {
                // A file without a name cannot replace another file, so it gets a temporary name first.
                let named = tempfile::Builder::new()
                    .prefix(PREFIX)
                    .make_in(folder(&place), |name| nameless::name(&file, name))?;
                named.into_temp_path().persist(place).map_err(|error| error.error)
            }
            OutputKind::Named(file) => replace(file, &place),
        }
    }
}

impl OutputKind {
    fn create(folder: &Path) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        if let Some(file) = nameless::create(folder) {
            return Ok(Self::Nameless(file));
        }
        builder(0o666).tempfile_in(folder).map(Self::Named)
    }
}

/// Puts the file in this place.
fn replace(file: NamedTempFile, place: &Path) -> io::Result<()> {
    let failed = match file.into_temp_path().persist(place) {
        Ok(()) => return Ok(()),
        Err(failed) => failed,
    };
    // Windows replaces a file that is open, such as an index in use, only for those who ask as the standard library
    // does.
    #[cfg(windows)]
    if failed.error.kind() == io::ErrorKind::PermissionDenied {
        let new = failed.path.keep().map_err(|failed| failed.error)?;
        return std::fs::rename(&new, place).inspect_err(|_| drop(std::fs::remove_file(&new)));
    }
    Err(failed.error)
}

/// Makes temporary files or folders with the permissions of any new one: those of this mode that the umask leaves.
#[cfg_attr(not(unix), expect(unused_variables, reason = "other systems have no modes"))]
fn builder(mode: u32) -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    builder
}

fn folder(place: &Path) -> &Path {
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Files without names, which exist on Linux.
#[cfg(target_os = "linux")]
mod nameless {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd as _;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};

    /// A file without a name in this folder; `None` if the file system cannot create such files or name them
    /// later.
    pub(super) fn create(folder: &Path) -> Option<File> {
        let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
        // The permissions of any new file, limited by the umask.
        let file = open(folder, flags, Mode::from_raw_mode(0o666)).ok().map(File::from)?;
        link(&file).exists().then_some(file)
    }

    /// Gives the file a name, which must not exist.
    pub(super) fn name(file: &File, name: &Path) -> io::Result<()> {
        Ok(linkat(CWD, link(file), CWD, name, AtFlags::SYMLINK_FOLLOW)?)
    }

    fn link(file: &File) -> std::path::PathBuf {
        format!("/proc/self/fd/{}", file.as_raw_fd()).into()
    }
}

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
        let written = builder(0o777).tempdir_in(folder(place)).map_err(failed)?;
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
    let longest = folders.max_by_key(|(folder, _)| folder.as_os_str().len());
    let Some((folder, below)) = longest.filter(|(_, below)| !below.as_os_str().is_empty()) else {
        return file.file_name().map(PathBuf::from).unwrap_or_default();
    };
    match folder.file_name().filter(|_| inputs.len() > 1) {
        Some(name) => Path::new(name).join(below),
        None => below.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("rows.csv");
        std::fs::write(&place, "before").unwrap();
        let names = || {
            let names = std::fs::read_dir(folder.path()).unwrap();
            names.map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>()
        };
        let pending = PendingFile::new(place.clone()).unwrap();
        pending.as_file().write_all(b"after").unwrap();
        #[cfg(target_os = "linux")]
        if matches!(pending.file, OutputKind::Nameless(_)) {
            assert_eq!(names(), ["rows.csv"]);
        }
        drop(pending);
        assert_eq!(
            (names(), std::fs::read(&place).unwrap()),
            (vec!["rows.csv".into()], b"before".into())
        );
        let pending = PendingFile::new(place.clone()).unwrap();
        pending.as_file().write_all(b"after").unwrap();
        pending.take_place().unwrap();
        assert_eq!(
            (names(), std::fs::read(&place).unwrap()),
            (vec!["rows.csv".into()], b"after".into())
        );
    }
}
