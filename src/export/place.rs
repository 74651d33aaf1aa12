//! Where a file may be written: over nothing that is read, into no input folder, and through no link that leads nowhere.

use std::path::{Path, PathBuf};

use crate::corpus::Input;

/// Why `written` is no place for a file, beside these that are read; `None` if it is one. A pipe or device holds nothing,
/// so it may be both.
pub(crate) fn misplaced<'a>(
    written: &Path,
    mut read: impl Iterator<Item = &'a Path>,
) -> Option<&'static str> {
    let exists = written.exists();
    if exists && !written.is_file() {
        return None;
    }
    if written.is_symlink() && !exists {
        return Some("a link that leads nowhere");
    }
    let place = real(written);
    let is_read = |read: &Path| read.canonicalize().is_ok_and(|read| place.starts_with(read));
    read.any(is_read).then_some(if exists {
        "is an input of this run"
    } else {
        "is in an input folder, so the next run would read it"
    })
}

/// The path of an input; that of standard input, because `< FILE` may name the same file.
pub(crate) fn path_of(input: &Input) -> Option<&Path> {
    match input {
        Input::Path(path) => Some(path),
        Input::Stdin => Some(Path::new("/dev/stdin")),
        Input::Bundled { .. } => None,
    }
}

/// The path without links, of which any part may be still to be made.
pub(crate) fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let found = path.ancestors().find_map(|part| {
        let rest = path.strip_prefix(part).ok()?;
        let part = part.canonicalize().ok()?;
        // A slash behind a file would make another path of it.
        Some(if rest.as_os_str().is_empty() { part } else { part.join(rest) })
    });
    found.unwrap_or(path)
}
