//! Finds the files of the inputs: walks folders in a fixed order and reports the files that it skips.
//!
//! It runs in a thread beside the reader, so that the first files are read before the last ones are found. The
//! total number of bytes is reported only after all files are found, so that a progress bar never runs
//! backwards.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::{fs, io};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use walkdir::{DirEntry, WalkDir};

use crate::progress::Progress;

use super::CorpusError;
use super::diagnostic::{Diagnostic, path_text, shown};
use super::options::Input;

/// Characters of a glob that a message shows.
const LONGEST_SHOWN: usize = 100;
/// Bytes of a glob. Deeply nested braces in a longer one would overflow the stack.
const LONGEST_GLOB: usize = 4096;

/// A file or stream to read, something to count, or a problem to report.
#[derive(Debug)]
pub(super) enum FoundItem {
    /// A regular file.
    File(FoundFile),
    /// A pipe or device, named by its path.
    Pipe(PathBuf),
    /// Standard input.
    Stdin,
    /// A file that is part of the program.
    Bundled { name: &'static str, bytes: &'static [u8] },
    /// A file or folder that is skipped.
    Skipped(SkipReason, String),
    /// All later items belong to the reference.
    Reference,
    /// A path that cannot be accessed.
    Problem(Diagnostic),
    /// A path that is read, but not as may be meant.
    Remark(Diagnostic),
}

/// A regular file to read.
#[derive(Debug)]
pub(super) struct FoundFile {
    pub(super) path: PathBuf,
    /// Its path below the given PATH, or its file name if it is the given PATH.
    pub(super) name: String,
    /// Whether the user named it, so that skipping it must be reported.
    pub(super) is_given: bool,
}

/// The reason why something in a folder is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SkipReason {
    Hidden,
    Binary,
    Link,
    /// A link to a file that is read.
    LinkToRead,
    Special,
    Unmatched,
}

/// A glob for names, or for paths if it contains a slash.
pub(super) struct PathGlob {
    matcher: GlobSet,
    is_about_names: bool,
}

impl PathGlob {
    pub(super) fn new(glob: &str) -> Result<Self, CorpusError> {
        let pattern = glob.strip_prefix('/').unwrap_or(glob);
        let refused = |problem: &str| {
            let shown: String = glob.chars().take(LONGEST_SHOWN).collect();
            let remedy = "quote it as for a .gitignore, such as \"*.txt\"";
            CorpusError::at(&format!("`glob` \"{shown}\""), problem, remedy)
        };
        if pattern.len() > LONGEST_GLOB {
            return Err(refused(&format!("longer than {LONGEST_GLOB} bytes")));
        }
        let built = GlobBuilder::new(pattern).literal_separator(true).build();
        // A set of one glob returns an error for a pattern it cannot compile, such as braces 250 deep; a
        // matcher panics.
        let built = built.and_then(|glob| GlobSetBuilder::new().add(glob).build());
        let matcher = built.map_err(|error| {
            let problem = error.kind().to_string();
            // The error of a regular expression has many lines; the last one names the problem.
            let problem = problem.lines().last().unwrap_or_default().trim();
            let is_too_deep = problem.starts_with("error parsing pattern");
            refused(if is_too_deep { "braces are nested too deeply" } else { problem })
        })?;
        let is_about_names = !glob.contains('/');
        Ok(Self { matcher, is_about_names })
    }

    pub(super) fn matches(&self, below: &Path) -> bool {
        match below.file_name() {
            Some(name) if self.is_about_names => self.matcher.is_match(name),
            _ => self.matcher.is_match(below),
        }
    }
}

/// Calls `report` with everything in `inputs`, the last `n_reference` of them the reference, in order, until it returns
/// false or the job is cancelled.
pub(super) fn find(
    inputs: &[Input],
    n_reference: usize,
    follow_links: bool,
    glob: Option<&PathGlob>,
    progress: &Progress,
    report: &mut dyn FnMut(FoundItem) -> bool,
) {
    let n_first = inputs.len().saturating_sub(n_reference);
    let (first, reference) = inputs.split_at(n_first);
    let names = [Names::of(first), Names::of(reference)];
    for twice in names.iter().flat_map(|names| &names.twice) {
        report(FoundItem::Remark(twice.clone()));
    }
    let reached = |inputs: &[Input], names: &Names| {
        let may_be_twice = follow_links || !names.twice.is_empty();
        may_be_twice.then(|| reached_without_links(inputs, names, glob, progress))
    };
    let (read_as, total) = (reached(first, &names[0]), Some(0));
    let mut finder =
        Finder { follow_links, glob, progress, report, names: &names[0], read_as, total };
    let found_all = inputs.iter().enumerate().all(|(at, input)| {
        let begins = n_reference > 0 && at == n_first;
        if at == n_first {
            (finder.names, finder.read_as) = (&names[1], reached(reference, &names[1]));
        }
        (!begins || (finder.report)(FoundItem::Reference)) && finder.input(input)
    });
    if let Some(total) = finder.total.filter(|_| found_all) {
        progress.set_total(total);
    }
}

/// The real path of each file that is reached without a link, and the path by which it is read.
fn reached_without_links(
    inputs: &[Input],
    names: &Names,
    glob: Option<&PathGlob>,
    progress: &Progress,
) -> HashMap<PathBuf, PathBuf> {
    let mut reached = HashMap::new();
    let mut report = |found| {
        if let FoundItem::File(FoundFile { path, is_given, .. }) = found
            && !(is_given && path.is_symlink())
            && let Ok(real) = fs::canonicalize(&path)
        {
            reached.entry(real).or_insert(path);
        }
        true
    };
    let (follow_links, report, read_as, total) = (false, &mut report, None, None);
    let mut finder = Finder { follow_links, glob, progress, report, names, read_as, total };
    let _ended = inputs.iter().all(|input| finder.input(input));
    reached
}

/// The parts that the names of documents must tell apart among the inputs of a side.
#[derive(Default)]
struct Names {
    /// Whether files in folders are named with their folder.
    has_folders: bool,
    /// The names that several given files have, which are named as given.
    repeated: HashSet<OsString>,
    /// The paths that are given twice or lie in another, each with a message.
    twice: Vec<Diagnostic>,
}

impl Names {
    fn of(inputs: &[Input]) -> Self {
        let real = |input: &Input| match input {
            Input::Path(path) => Some((fs::canonicalize(path).ok()?, path.clone())),
            _ => None,
        };
        let paths: Vec<(PathBuf, PathBuf)> = inputs.iter().filter_map(real).collect();
        let given: HashMap<&Path, &Path> =
            paths.iter().rev().map(|(real, path)| (&**real, &**path)).collect();
        let mut names = Self::default();
        let (mut folders, mut files, mut known) = (Vec::new(), HashSet::new(), HashSet::new());
        for (real, path) in &paths {
            let outer = real.ancestors().skip(1).find_map(|outer| given.get(outer));
            let is_new = known.insert(real);
            let problem = match (is_new, outer) {
                (false, _) if given[&**real] == path => Some("given twice".to_owned()),
                (false, _) => Some(format!("given twice, also as {}", shown(given[&**real]))),
                (true, Some(outer)) => Some(format!("given twice, also in {}", shown(outer))),
                (true, None) => None,
            };
            if let Some(problem) = &problem {
                let remedy = "each of its files is read once";
                names.twice.push(Diagnostic::new(&shown(path), problem, remedy));
            }
            if real.is_dir() {
                folders.extend(is_new.then_some(real));
            } else if let Some(name) = path.file_name().filter(|_| is_new)
                && !files.insert(name)
            {
                names.repeated.insert(name.to_owned());
            }
        }
        let is_in = |name: &&OsStr| folders.iter().any(|folder| folder.join(name).is_file());
        names.has_folders = folders.len() > 1 || files.iter().any(is_in);
        names
    }
}

struct Finder<'a> {
    follow_links: bool,
    glob: Option<&'a PathGlob>,
    progress: &'a Progress,
    report: &'a mut dyn FnMut(FoundItem) -> bool,
    names: &'a Names,
    /// The real path of each file, and the path by which it is read, empty once it is; `None` where no file is reached
    /// twice.
    read_as: Option<HashMap<PathBuf, PathBuf>>,
    /// Bytes of all files found so far; `None` once there is a pipe, whose length is unknown.
    total: Option<u64>,
}

/// Each method returns whether to continue.
impl Finder<'_> {
    fn input(&mut self, input: &Input) -> bool {
        match input {
            Input::Path(path) => self.path(path),
            Input::Stdin => {
                self.total = None;
                (self.report)(FoundItem::Stdin)
            }
            Input::Bundled { name, bytes } => {
                self.total = self.total.map(|total| total + bytes.len() as u64);
                (self.report)(FoundItem::Bundled { name, bytes })
            }
        }
    }

    fn path(&mut self, path: &Path) -> bool {
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) => return self.problem(path, &error),
        };
        if metadata.is_dir() {
            return self.folder(path);
        }
        if !metadata.is_file() {
            self.total = None;
            return (self.report)(FoundItem::Pipe(path.to_owned()));
        }
        let name = path.file_name().unwrap_or(path.as_os_str());
        let is_repeated = self.names.repeated.contains(name);
        let name = path_text(if is_repeated { path } else { Path::new(name) });
        let file = FoundFile { path: path.to_owned(), name, is_given: true };
        self.file(file, 0, metadata.len())
    }

    /// Reports a file of so many bytes, `depth` names below the given folder, unless it is read by another path.
    fn file(&mut self, file: FoundFile, depth: usize, bytes: u64) -> bool {
        if let Some(read_as) = &mut self.read_as
            && let Ok(real) = fs::canonicalize(&file.path)
        {
            let path = read_as.entry(real).or_insert_with(|| file.path.clone());
            if *path != file.path {
                // A path that is given twice is told as that.
                let is_link = file.path.ancestors().take(depth).any(Path::is_symlink);
                return !is_link || self.skip(SkipReason::LinkToRead, &file.path);
            }
            path.clear();
        }
        self.total = self.total.map(|total| total + bytes);
        (self.report)(FoundItem::File(file))
    }

    fn folder(&mut self, root: &Path) -> bool {
        let walk = WalkDir::new(root).follow_links(self.follow_links).sort_by_file_name();
        let mut walk = walk.into_iter();
        while let Some(entry) = walk.next() {
            if self.progress.is_cancelled() {
                return false;
            }
            let go_on = match entry {
                Ok(entry) if entry.depth() > 0 && is_hidden(&entry) => {
                    if entry.file_type().is_dir() {
                        walk.skip_current_dir();
                    }
                    self.skip(SkipReason::Hidden, entry.path())
                }
                Ok(entry) if entry.file_type().is_dir() || is_recipe(&entry) => true,
                Ok(entry) => self.entry(root, entry),
                Err(error) => self.walk_problem(root, error),
            };
            if !go_on {
                return false;
            }
        }
        true
    }

    fn entry(&mut self, root: &Path, entry: DirEntry) -> bool {
        let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
        let kind = entry.file_type();
        if kind.is_symlink() {
            return self.skip(SkipReason::Link, entry.path());
        }
        if !kind.is_file() {
            return self.skip(SkipReason::Special, entry.path());
        }
        if self.glob.is_some_and(|glob| !glob.matches(below)) {
            return self.skip(SkipReason::Unmatched, entry.path());
        }
        let bytes = entry.metadata().map_or(0, |metadata| metadata.len());
        let named = if self.names.has_folders { entry.path() } else { below };
        let name = path_text(named);
        let name = if cfg!(windows) { name.replace('\\', "/") } else { name };
        let depth = entry.depth();
        self.file(FoundFile { path: entry.into_path(), name, is_given: false }, depth, bytes)
    }

    fn skip(&mut self, reason: SkipReason, path: &Path) -> bool {
        (self.report)(FoundItem::Skipped(reason, shown(path)))
    }

    fn walk_problem(&mut self, root: &Path, error: walkdir::Error) -> bool {
        let path = error.path().unwrap_or(root).to_owned();
        if error.loop_ancestor().is_some() {
            return (self.report)(FoundItem::Problem(Diagnostic::new(
                &shown(&path),
                "a link to a folder above it, so it is not entered",
                "",
            )));
        }
        let error = error.into_io_error().unwrap_or_else(|| io::Error::other("cannot be read"));
        self.problem(&path, &error)
    }

    fn problem(&mut self, path: &Path, error: &io::Error) -> bool {
        (self.report)(FoundItem::Problem(Diagnostic::from_io(&shown(path), error)))
    }
}

/// Whether the entry is hidden, or is a marker file that Spark or `simscope` leaves beside the files it writes.
fn is_hidden(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    name.as_encoded_bytes().starts_with(b".") || name == "_SUCCESS" || name == "_simscope.json"
}

/// Whether the entry is the recipe of a file beside it.
fn is_recipe(entry: &DirEntry) -> bool {
    let path = entry.path();
    path.extension().is_some_and(|it| it == "recipe") && path.with_extension("").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_without_a_slash_is_about_names() {
        for (glob, path, expected) in [
            ("*.txt", "a/b.txt", true),
            ("*.txt", "b.txt", true),
            ("*.txt", "b.md", false),
            ("a/*.txt", "a/b.txt", true),
            ("a/*.txt", "a/b/c.txt", false),
            ("a/**/*.txt", "a/b/c.txt", true),
            ("/*.txt", "b.txt", true),
            ("/*.txt", "a/b.txt", false),
            ("*.{txt,md}", "x/b.md", true),
        ] {
            let matches = PathGlob::new(glob).unwrap().matches(Path::new(path));
            assert_eq!(matches, expected, "{glob} {path}");
        }
    }

    #[test]
    fn a_glob_that_cannot_be_compiled_is_an_error() {
        for deep in [250, 2000, 15_000] {
            let glob = format!("{}a{}", "{".repeat(deep), "}".repeat(deep));
            let error = PathGlob::new(&glob).map(|_| ()).unwrap_err().to_string();
            assert!(error.len() < 400 && error.starts_with("`glob` \"{{{"), "{error}");
        }
    }

    #[test]
    fn a_glob_is_made_visible_in_messages() {
        let error = PathGlob::new("\u{1b}]0;x\u{7}\u{202e}{").map(|_| ()).unwrap_err().to_string();
        assert!(!error.chars().any(|c| c.is_control() || c == '\u{202e}'), "{error:?}");
    }

    #[test]
    fn a_broken_glob_is_an_error_with_a_remedy() {
        let error = PathGlob::new("a[").map(|_| ()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`glob` \"a[\": unclosed character class; missing ']'; quote it as for a .gitignore, \
             such as \"*.txt\""
        );
    }
}
