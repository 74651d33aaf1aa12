//! The files that a run reads, by name and size.

use std::path::Path;

use super::options::CommandRun;
use crate::{
    corpus::Input,
    number::counted,
    simhash::{FrequencyChoice, StopWordChoice},
    text::visible,
};

/// The inputs of a run and the files of its recipe by name, each with a description of its size.
pub(super) fn files_read(run: &CommandRun) -> Vec<(String, String)> {
    let mut read: Vec<(String, String)> = run.inputs.iter().map(input).collect();
    if let StopWordChoice::File(stop) = &run.settings.recipe.stop {
        read.push(file(Path::new(stop.path()), "stop words, "));
    }
    if let FrequencyChoice::File(frequencies) = &run.settings.recipe.frequencies {
        read.push(file(Path::new(frequencies.path()), "document frequencies, "));
    }
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
    (visible(&path.to_string_lossy()).into_owned(), format!("{what}{size}"))
}
