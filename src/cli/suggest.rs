//! Suggestions for a path that does not exist: a command, or a file beside it.

use std::path::Path;

use clap::CommandFactory as _;

use super::args::{Args, new_name, old_names};
use crate::text::visible::visible;

/// Paths offered at most.
const OFFERED: usize = 2;
/// The largest number of names that are looked at in a folder, so that a mistyped name costs little time.
const LOOKED_AT: usize = 10_000;

/// The advice for a path that was not found: `did you mean the command pairs?`, else `check the path`.
pub(super) fn remedy(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut offers = Vec::new();
    if path.parent().is_none_or(|parent| parent.as_os_str().is_empty()) {
        offers.extend(command_like(&name).map(|command| format!("the command {command}")));
    }
    let paths = paths_like(path, &name);
    offers.extend(paths.iter().map(|path| format!("the path {}", visible(path))));
    match offers.as_slice() {
        [] => "check the path".to_owned(),
        _ => format!("did you mean {}?", offers.join(" or ")),
    }
}

/// The command whose name is nearest, if one is near.
fn command_like(name: &str) -> Option<String> {
    let command = Args::command();
    let names = command.get_subcommands().map(clap::Command::get_name).chain(old_names());
    nearest(name, names).map(|near| new_name(near).unwrap_or(near).to_owned())
}

/// The name nearest to what was typed, if one is near.
pub(super) fn nearest<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let near = names.filter_map(|name| Some((distance(typed, name)?, name)));
    near.min().map(|(_, name)| name)
}

/// The paths of similar name in the same folder, the most similar first.
fn paths_like(path: &Path, name: &str) -> Vec<String> {
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let Ok(entries) = folder.unwrap_or_else(|| Path::new(".")).read_dir() else {
        return Vec::new();
    };
    let names = entries.take(LOOKED_AT).flatten().map(|entry| entry.file_name());
    let mut near: Vec<_> = names
        .filter_map(|other| {
            let other = other.to_str()?;
            let stem = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
            Some((distance(&stem(name), &stem(other))?, path.with_file_name(other)))
        })
        .collect();
    near.sort_unstable();
    near.into_iter().take(OFFERED).map(|(_, path)| path.to_string_lossy().into_owned()).collect()
}

/// Edits from what was typed to a name, if they are few, and whether the first letters differ; no edits if the name
/// goes on from it.
pub(super) fn distance(typed: &str, name: &str) -> Option<(usize, bool)> {
    let (typed, name) = (typed.to_lowercase(), name.to_lowercase());
    // One or two letters are the beginning of too many names.
    if typed.chars().count() < 3 {
        return None;
    }
    if name.starts_with(&typed) {
        return Some((0, false));
    }
    // Two letters that changed places are two edits.
    let most = ((name.chars().count() + 1) / 3).max(1);
    let edits = Some(strsim::levenshtein(&typed, &name)).filter(|&edits| edits <= most)?;
    // The first letter is seldom the wrong one.
    Some((edits, typed.chars().next() != name.chars().next()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_command_is_named_and_no_other() {
        for (typed, command) in [
            ("pars", Some("pairs")),
            ("pears", Some("pairs")),
            ("paris", Some("pairs")),
            ("groops", Some("groups")),
            ("eval", Some("tune --layouts --measure")),
            ("Tune", Some("tune")),
            ("pa", None),
            ("harbour", None),
            ("", None),
        ] {
            assert_eq!(command_like(typed).as_deref(), command, "{typed}");
        }
    }

    #[test]
    fn a_path_that_goes_on_or_differs_little_is_named() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["corpus.jsonl", "notes.txt", "other.jsonl"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let offered = |name: &str| remedy(&folder.path().join(name));
        assert!(offered("corp").ends_with("corpus.jsonl?"), "{}", offered("corp"));
        assert!(offered("copus.json").ends_with("corpus.jsonl?"), "{}", offered("copus.json"));
        assert_eq!(offered("lines.jsonl"), "check the path");
        // Commands are typed without a folder before them.
        assert_eq!(offered("pars"), "check the path");
    }
}
