//! The file of labels: read once, then only appended to.
//!
//! Each label is on disk before the next one is accepted: its line is written in one piece, under a lock, and
//! synced. Earlier lines are never rewritten, so no error and no second simscope can lose them. If the disk is
//! full, an incomplete line is removed. If a crash cuts a line short, only that line is lost: the next label
//! begins on a new line.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, thread};

use super::diagnostic::{CorpusError, DIAGNOSTICS_KEPT, Diagnostic, shown};
use super::labels::{LabelEntry, Labels};

/// How long to wait for the lock of another program; simscope holds it for milliseconds.
const PATIENCE: Duration = Duration::from_secs(2);
/// The time between two attempts to lock.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// A file of labels, and its labels.
#[derive(Debug)]
pub struct LabelFile {
    path: PathBuf,
    labels: Labels,
    /// Whether the last attempt waited for the lock in vain; the next one then does not wait.
    is_locked: bool,
}

/// The folder that a variable of the XDG base directory specification names; by default the folder `usual`
/// below the user's home. `None` if there is no home. The specification ignores a relative path in the
/// variable.
pub fn user_folder(variable: &str, usual: &str) -> Option<PathBuf> {
    let named = env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    named.or_else(|| env::home_dir().map(|home| home.join(usual)))
}

/// The default path of the label file: `$XDG_DATA_HOME/simscope/labels.jsonl`, by default below
/// `~/.local/share`. `None` if there is no home.
pub fn default_label_file() -> Option<PathBuf> {
    let data = user_folder("XDG_DATA_HOME", ".local/share")?;
    Some(data.join("simscope").join("labels.jsonl"))
}

impl LabelFile {
    /// Reads the labels of a file, which need not exist yet. Returns a message for each line that is not a
    /// label.
    ///
    /// # Errors
    /// [`CorpusError::File`] if it cannot be read, or has lines but no label, so that it must be another kind
    /// of file.
    pub fn open(path: &Path) -> Result<(Self, Vec<Diagnostic>), CorpusError> {
        // Reading a pipe would block, and reading a device would never end.
        let is_file = |kind: fs::Metadata| if kind.is_file() { Ok(()) } else { Err(not_a_file()) };
        let bytes = match fs::metadata(path).and_then(is_file).and_then(|()| fs::read(path)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(CorpusError::of_file(path, &error)),
        };
        let place = shown(path);
        let (mut labels, mut diagnostics, mut n_good) = (Labels::default(), Vec::new(), 0);
        for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
            if line.trim_ascii().is_empty() {
                continue;
            }
            let problem = match LabelEntry::parse(line) {
                Ok(entry) => {
                    n_good += 1;
                    if labels.enter(entry) {
                        continue;
                    }
                    "takes back a label that does not exist".to_owned()
                }
                Err(problem) => problem,
            };
            if diagnostics.len() < DIAGNOSTICS_KEPT {
                let remedy = "the line is ignored; correct or delete it";
                diagnostics.push(Diagnostic::new(&format!("{place}:{number}"), &problem, remedy));
            }
        }
        if n_good == 0 && !diagnostics.is_empty() {
            let problem = "has lines, but no label";
            let remedy = "name a file of labels, or one that does not exist yet, with `labels`";
            return Err(CorpusError::at(&place, problem, remedy));
        }
        Ok((Self { path: path.to_owned(), labels, is_locked: false }, diagnostics))
    }

    /// The labels in the file.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends entries to the file and, once they are on disk, adds them to the labels.
    ///
    /// # Errors
    /// [`CorpusError::File`] if they cannot be written, or if another program keeps the file locked for two
    /// seconds. Then none of them is added.
    pub fn add(
        &mut self,
        entries: impl IntoIterator<Item = LabelEntry>,
    ) -> Result<(), CorpusError> {
        let entries: Vec<LabelEntry> = entries.into_iter().collect();
        if entries.is_empty() {
            return Ok(());
        }
        let lines: String = entries.iter().map(|entry| entry.line() + "\n").collect();
        let patience = if self.is_locked { Duration::ZERO } else { PATIENCE };
        let appended = append(&self.path, lines.as_bytes(), patience);
        self.is_locked =
            appended.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock);
        appended.map_err(|error| CorpusError::of_file(&self.path, &error))?;
        for entry in entries {
            self.labels.enter(entry);
        }
        Ok(())
    }
}

/// Writes lines at the end of a file and waits until they are on disk.
fn append(path: &Path, lines: &[u8], patience: Duration) -> io::Result<()> {
    // The default folder is created; a folder that the user named is not.
    if default_label_file().is_some_and(|usual| usual == path) {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
    }
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    lock(&file, patience)?;
    let length = file.metadata()?.len();
    let before: &[u8] = if is_at_line_start(&mut file)? { b"" } else { b"\n" };
    let bytes = [before, lines].concat();
    file.write_all(&bytes).and_then(|()| file.sync_data()).inspect_err(|_| {
        // Removes an incomplete line. If that fails, the line is reported when the file is read.
        let _ = file.set_len(length);
    })
}

/// Waits for the lock of a file. On a file system without locks, appending in one piece must suffice.
fn lock(file: &File, patience: Duration) -> io::Result<()> {
    let deadline = Instant::now() + patience;
    while let Err(fs::TryLockError::WouldBlock) = file.try_lock() {
        if Instant::now() >= deadline {
            let problem = "another program keeps it locked; end that program, or name another file";
            return Err(io::Error::new(io::ErrorKind::WouldBlock, problem));
        }
        thread::sleep(LOOK_EVERY);
    }
    Ok(())
}

fn is_at_line_start(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

fn not_a_file() -> io::Error {
    io::Error::other("not a regular file, so it cannot hold labels")
}
