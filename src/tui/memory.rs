//! The state kept from one session to the next: the names of lessons that are done, one a line.
//!
//! It lies in `$XDG_STATE_HOME/simscope/lessons` or `~/.local/state/simscope/lessons`. Losing it loses ten
//! ticks in a list, so what cannot be read counts as nothing; a pipe would be waited for and a device read
//! for ever, so only an ordinary file is opened.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use crate::corpus::user_folder;

/// A file with more bytes than this is not a list of lessons.
const LARGEST: u64 = 1 << 16;

/// The path of the file; `None` where there is no home.
pub(super) fn place() -> Option<PathBuf> {
    let state = user_folder("XDG_STATE_HOME", ".local/state")?;
    Some(state.join("simscope").join("lessons"))
}

/// The names kept at `place`.
pub(super) fn recall(place: &Path) -> BTreeSet<String> {
    let is_file = fs::metadata(place).is_ok_and(|there| there.is_file() && there.len() <= LARGEST);
    let text = if is_file { fs::read_to_string(place).unwrap_or_default() } else { String::new() };
    text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

/// Keeps `names` at `place`, beside those another session may have put there.
///
/// # Errors
/// If the folder or the file cannot be written.
pub(super) fn remember(place: &Path, names: &[String]) -> io::Result<()> {
    let folder = place.parent().ok_or(io::ErrorKind::NotFound)?;
    if fs::symlink_metadata(place).is_ok_and(|there| !there.is_file()) {
        return Err(io::Error::other("no ordinary file is there"));
    }
    fs::create_dir_all(folder)?;
    let mut all = recall(place);
    all.extend(names.iter().cloned());
    let text: String = all.into_iter().map(|name| name + "\n").collect();
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    io::Write::write_all(&mut file, text.as_bytes())?;
    file.persist(place)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_sessions_did_is_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("new").join("lessons");
        assert!(recall(&place).is_empty());
        remember(&place, &["ties".to_owned()]).unwrap();
        remember(&place, &["angle".to_owned()]).unwrap();
        assert!(recall(&place).into_iter().eq(["angle", "ties"]));
    }
}
