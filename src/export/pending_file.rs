//! A file that takes its place when it is complete. A run that fails or is stopped leaves the old file
//! unchanged and no other file beside it.
//!
//! On Linux the new file has no name before that, so it disappears however the run ends. Where the system or
//! the file system cannot create files without names, it has a temporary name, which remains if the run is
//! killed.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::corpus::io_message;

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
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // The permissions of any new file, limited by the umask.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        builder.tempfile_in(folder).map(Self::Named)
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
