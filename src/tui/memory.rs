//! The state that is kept from one session to the next: the names of finished lessons, one on each line, and the
//! reviews of corpora.
//!
//! It is in `$XDG_STATE_HOME/simscope` or `~/.local/state/simscope`: the file `lessons`, and in the folder `reviews`
//! one file for each reviewed corpus, named by the paths of its inputs. If there is no file for the paths, the corpus
//! may have moved, so a review of the same texts is searched. A file of lessons that cannot be read counts as empty,
//! because it only holds the ticks of a list. Only ordinary files are opened, because reading a pipe could wait, and
//! reading a device might never end.

use std::collections::BTreeSet;
use std::fs;
use std::hash::Hasher as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use siphasher::sip::SipHasher13;

use crate::analysis::query::ReviewFile;
use crate::corpus::{CorpusError, Input, io_message, read_text_file, user_folder};
use crate::export::{Format, Output, Target};
use crate::text::visible;

/// A file with more bytes than this is not a list of lessons.
const LARGEST: u64 = 1 << 16;
/// The most reviews of other paths that are searched for one of the same texts, and the most bytes of each.
const MOST_REVIEWS: usize = 32;
/// The most files that are opened to find them.
const MOST_FILES: usize = 256;
const LARGEST_REVIEW: u64 = 1 << 22;

/// The folder of all state; `None` if there is no home.
fn folder() -> Option<PathBuf> {
    Some(user_folder("XDG_STATE_HOME", ".local/state")?.join("simscope"))
}

/// The path of the lessons; `None` if there is no home.
pub(super) fn place() -> Option<PathBuf> {
    Some(folder()?.join("lessons"))
}

/// Whether there is a file at `place`.
///
/// # Errors
/// If this cannot be known, or there is something other than an ordinary file.
fn is_there(place: &Path) -> io::Result<bool> {
    match fs::metadata(place) {
        Ok(there) if there.is_file() => Ok(true),
        Ok(_) => Err(io::Error::other(format!("{}: not an ordinary file", place.display()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(io::Error::other(format!("{}: {}", place.display(), io_message(&error)))),
    }
}

/// The path of the review of these inputs; `None` if one of them has no path, or there is no home.
pub(super) fn review_place(inputs: &[Input]) -> Option<PathBuf> {
    let mut hasher = SipHasher13::new_with_keys(0, 0);
    for input in inputs {
        let Input::Path(path) = input else { return None };
        let path = path.canonicalize().ok()?;
        hasher.write(path.as_os_str().as_encoded_bytes());
        hasher.write(b"\0");
    }
    Some(folder()?.join("reviews").join(format!("{:016x}.jsonl", hasher.finish())))
}

/// The review at `place`; `None` if there is none.
///
/// # Errors
/// If the file exists and cannot be read, or it is not known whether it exists.
pub(super) fn recall_review(place: &Path) -> Result<Option<ReviewFile>, String> {
    let is_there = is_there(place).map_err(|error| visible(&error.to_string()).into_owned())?;
    is_there.then(|| review(place)).transpose().map_err(|error| error.to_string())
}

/// The newest reviews beside this place, the newest first. Files that cannot be read are skipped.
pub(super) fn other_reviews(place: &Path) -> Vec<ReviewFile> {
    let files = place.parent().and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten();
    let dated = |file: fs::DirEntry| {
        let there = file.metadata().ok().filter(|it| it.is_file() && it.len() <= LARGEST_REVIEW)?;
        Some((there.modified().ok()?, file.path()))
    };
    let mut found: Vec<_> = files.filter_map(Result::ok).filter_map(dated).collect();
    found.sort_by(|a, b| b.cmp(a));
    let reviews = found.iter().take(MOST_FILES).filter_map(|(_, path)| review(path).ok());
    // A file without a mark does not name the texts of its corpus.
    reviews.filter(|it| it.text.lines().nth(1).is_some()).take(MOST_REVIEWS).collect()
}

fn review(path: &Path) -> Result<ReviewFile, CorpusError> {
    Ok(ReviewFile {
        name: visible(&path.to_string_lossy()).into_owned(),
        text: read_text_file(path)?,
    })
}

/// The names kept at `place`.
pub(super) fn recall(place: &Path) -> BTreeSet<String> {
    let is_short = || fs::metadata(place).is_ok_and(|there| there.len() <= LARGEST);
    let is_text = is_there(place).is_ok_and(|there| there && is_short());
    let text = if is_text { fs::read_to_string(place).unwrap_or_default() } else { String::new() };
    text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

/// Keeps `names` at `place`, together with the names that another session may have written.
///
/// # Errors
/// If the folder or the file cannot be written.
pub(super) fn remember(place: &Path, names: &[String]) -> io::Result<()> {
    let mut all = recall(place);
    all.extend(names.iter().cloned());
    place.parent().map_or(Ok(()), fs::create_dir_all)?;
    is_there(place)?;
    let mut output = Output::new(&Target::File(place.to_owned()), Format::Tsv);
    all.iter().try_for_each(|name| writeln!(output, "{name}"))?;
    output.finish()
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

    /// A pipe in the place of any file would be waited for.
    #[cfg(unix)]
    #[test]
    fn a_pipe_is_never_opened() {
        let folder = tempfile::tempdir().unwrap();
        let review = folder.path().join("reviews").join("it.jsonl");
        fs::create_dir_all(review.parent().unwrap()).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&review).status();
        if !made.is_ok_and(|it| it.success()) {
            eprintln!("skipped: no mkfifo on this machine");
            return;
        }
        assert!(recall_review(&review).unwrap_err().contains("not an ordinary file"));
        assert!(other_reviews(&review).is_empty());
        assert!(recall(&review).is_empty());
        remember(&review, &["ties".to_owned()]).unwrap_err();
    }
}
