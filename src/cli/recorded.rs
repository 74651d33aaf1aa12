//! How rows were made: in `FILE.recipe` beside a file of rows, and in the metadata of Parquet and Arrow.
//!
//! The first line of `FILE.recipe` is the recipe, or says that fingerprints are of an unknown one. The others begin
//! with `#`: the program, the command, what was read, what was said. Metadata is written before the rows, so it lacks
//! what was said and the exit status.

use std::ffi::OsString;

use anyhow::Context as _;

use super::{files_read::files_read, options::CommandRun};
use crate::{
    corpus::{Corpus, UNKNOWN_RECIPE, recipe_beside},
    export::{Target, quoted},
    number::counted,
    text::visible,
};

/// Characters of a line: a command may name thousands of files.
const LONGEST: usize = 2000;
/// Inputs that are listed.
const MOST_INPUTS: usize = 20;

/// Writes the file beside the rows of a run that ended with this code.
///
/// # Errors
/// If it cannot be written.
pub(super) fn write(run: &CommandRun, code: u8) -> anyhow::Result<()> {
    write_below(run, code, &run.settings.recipe.to_string())
}

/// [`write()`] for rows that are fingerprints, of which some may be of an unknown recipe.
///
/// # Errors
/// If it cannot be written.
pub(super) fn write_of_fingerprints(run: &CommandRun, code: u8) -> anyhow::Result<()> {
    if run.corpus.get().is_some_and(Corpus::has_unknown_recipe) {
        return write_below(run, code, UNKNOWN_RECIPE);
    }
    write(run, code)
}

fn write_below(run: &CommandRun, code: u8, first: &str) -> anyhow::Result<()> {
    let Target::File(path) = &run.target else { return Ok(()) };
    if path.metadata().is_ok_and(|file| !file.is_file()) {
        return Ok(());
    }
    let beside = recipe_beside(path);
    let shown = visible(&beside.to_string_lossy()).into_owned();
    let mut text = format!("{first}\n");
    let ending = run.notes.written().into_iter().chain([format!("exit status: {code}")]);
    for line in lines(run, std::env::args_os()).into_iter().chain(ending) {
        text += &format!("# {}\n", clipped(&line));
    }
    std::fs::write(&beside, text).with_context(|| format!("{shown}: cannot be written"))
}

/// The lines that are known before the first row.
pub(super) fn manifest(run: &CommandRun) -> String {
    let lines = lines(run, std::env::args_os());
    lines.iter().map(|line| clipped(line) + "\n").collect()
}

fn lines(run: &CommandRun, args: impl Iterator<Item = OsString>) -> Vec<String> {
    let words = args.skip(1).map(|word| quoted(&word.to_string_lossy()));
    let command: Vec<String> = ["simscope".to_owned()].into_iter().chain(words).collect();
    let mut lines = vec![
        format!("simscope {}", env!("CARGO_PKG_VERSION")),
        format!("command: {}", command.join(" ")),
        format!("k: {}", run.settings.k),
    ];
    let read = files_read(run);
    let listed = read.iter().take(MOST_INPUTS);
    lines.extend(listed.map(|(name, size)| format!("input: {name}, {size}")));
    if let Some(rest) = read.len().checked_sub(MOST_INPUTS).filter(|rest| *rest > 0) {
        lines.push(format!("input: {}", counted(rest as u64, "further one")));
    }
    lines
}

/// A line without control characters; a line that is too long is cut, and says so.
fn clipped(line: &str) -> String {
    let line = visible(line);
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} .. (cut)", &line[..end]),
        None => line.into_owned(),
    }
}
