//! How rows were made: in `FILE.recipe` beside a file of rows, and in the metadata of Parquet and Arrow.
//!
//! The first line of `FILE.recipe` is the recipe, or says that fingerprints are of an unknown one. The others begin
//! with `#`: the program, the command, what was read, what was said. Metadata is written before the rows, so it lacks
//! what was said and the exit status.

use std::fs::Metadata;
use std::path::Path;
use std::time::UNIX_EPOCH;

use anyhow::Context as _;

use super::options::CommandRun;
use super::recipe_args::files_of;
use crate::corpus::{Input, UNKNOWN_RECIPE, recipe_beside};
use crate::export::{Target, quoted, visible_path};
use crate::number::counted;
use crate::text::visible;

/// Characters of a line: a command may name thousands of files.
const LONGEST: usize = 2000;
/// Inputs that are listed.
const MOST_INPUTS: usize = 20;

/// Writes the file beside the rows of a run that ended with this code.
///
/// # Errors
/// If it cannot be written.
pub(super) fn write(run: &CommandRun, code: u8) -> anyhow::Result<()> {
    let Target::File(path) = &run.target else { return Ok(()) };
    if path.metadata().is_ok_and(|file| !file.is_file()) {
        return Ok(());
    }
    let beside = recipe_beside(path);
    let shown = visible_path(&beside);
    let recipe = run.recipe_to_record();
    let mut text = format!("{}\n", recipe.as_deref().unwrap_or(UNKNOWN_RECIPE));
    let ending = run.notes.written().into_iter().chain([format!("exit status: {code}")]);
    for line in lines(run).into_iter().chain(ending) {
        text += &format!("# {}\n", clipped(&line));
    }
    std::fs::write(&beside, text).with_context(|| format!("{shown}: cannot be written"))
}

/// The lines that are known before the first row.
pub(super) fn manifest(run: &CommandRun) -> String {
    lines(run).iter().map(|line| clipped(line) + "\n").collect()
}

fn lines(run: &CommandRun) -> Vec<String> {
    let words = std::env::args_os().skip(1).map(|word| quoted(&word.to_string_lossy()));
    let command: Vec<String> = ["simscope".to_owned()].into_iter().chain(words).collect();
    let mut lines = vec![
        format!("simscope {}", env!("CARGO_PKG_VERSION")),
        format!("command: {}", command.join(" ")),
        format!("k: {}", run.settings.k),
    ];
    let read = files_read(run);
    let times = run.inputs.iter().map(time).chain(std::iter::repeat(String::new()));
    let listed = read.iter().zip(times).take(MOST_INPUTS);
    lines.extend(listed.map(|((name, size), time)| format!("input: {name}, {size}{time}")));
    if let Some(rest) = read.len().checked_sub(MOST_INPUTS).filter(|rest| *rest > 0) {
        lines.push(format!("input: {}", counted(rest as u64, "further one")));
    }
    lines
}

/// The inputs of a run and the files of its recipe by name, each with a description of its size.
pub(super) fn files_read(run: &CommandRun) -> Vec<(String, String)> {
    let mut read: Vec<(String, String)> = run.inputs.iter().map(input).collect();
    read.extend(files_of(&run.settings.recipe).map(|(path, what)| file(path, what)));
    read
}

fn input(input: &Input) -> (String, String) {
    match input {
        Input::Path(path) => file(path, ""),
        Input::Stdin => ("standard input".to_owned(), "a stream".to_owned()),
        Input::Bundled { name, bytes } => {
            ((*name).to_owned(), format!("{}, in the program", counted(bytes.len() as u64, "byte")))
        }
    }
}

/// A file by name, with its size; `what` describes it.
pub(super) fn file(path: &Path, what: &str) -> (String, String) {
    let size = match path.metadata() {
        Ok(metadata) if metadata.is_file() => counted(metadata.len(), "byte"),
        Ok(metadata) if metadata.is_dir() => "a folder".to_owned(),
        _ => "a stream".to_owned(),
    };
    (visible_path(path), format!("{what}{size}"))
}

/// When a file was changed, so that a later look at it shows whether it still is what was read.
fn time(input: &Input) -> String {
    let Input::Path(path) = input else { return String::new() };
    let file = path.metadata().ok().filter(Metadata::is_file);
    let since = file.and_then(|file| file.modified().ok()?.duration_since(UNIX_EPOCH).ok());
    since.map_or_else(String::new, |since| format!(", changed @{}", since.as_secs()))
}

/// A line without control characters; a line that is too long is cut, and says so.
fn clipped(line: &str) -> String {
    let line = visible(line);
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} .. (cut)", &line[..end]),
        None => line.into_owned(),
    }
}
