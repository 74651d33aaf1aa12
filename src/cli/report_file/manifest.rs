//! What it takes to make a report again: the program, the command, and what was read, with its size.

use std::path::Path;

use super::super::{args::JudgedArgs, options::Run};
use crate::{
    analysis::LayoutChoice,
    corpus::{Input, InputFormat, LoadOptions},
    evaluate::recommend::Looks,
    number::counted,
    simhash::StopWordChoice,
    text::visible,
};

/// What it takes to make a report again.
#[derive(Clone, Debug)]
pub(super) struct Manifest {
    /// The corpus by name.
    pub(super) title: String,
    /// Whether the corpus is the bundled one.
    pub(super) is_sample: bool,
    /// The command, all that decides a report spelled out; where it goes is not part of it.
    pub(super) command: String,
    /// What was read, by name, and what is known of its size.
    pub(super) inputs: Vec<(String, String)>,
}

impl Manifest {
    /// Of this run. Looks at the sizes of files.
    pub(super) fn new(run: &Run, judged: &JudgedArgs) -> Self {
        let mut inputs: Vec<(String, String)> = run.inputs.iter().map(input).collect();
        if let StopWordChoice::File(stop) = &run.settings.recipe.stop {
            inputs.push(file(Path::new(stop.path()), "stop words, "));
        }
        inputs.extend(judged.truth.as_deref().map(|path| file(path, "judgements, ")));
        inputs.extend(judged.labels.as_deref().map(|path| file(path, "labels, ")));
        Self {
            title: run.title(),
            is_sample: run.is_sample(),
            command: command(run, judged),
            inputs,
        }
    }
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

fn file(path: &Path, what: &str) -> (String, String) {
    let size = match path.metadata() {
        Ok(metadata) if metadata.is_file() => counted(metadata.len(), "byte"),
        Ok(metadata) if metadata.is_dir() => "a folder".to_owned(),
        _ => "a stream".to_owned(),
    };
    (visible(&path.to_string_lossy()).into_owned(), format!("{what}{size}"))
}

/// The command line that makes the same report, but for its file.
fn command(run: &Run, judged: &JudgedArgs) -> String {
    let mut words = vec!["simscope".to_owned(), "report".to_owned()];
    let mut option = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            words.extend([name.to_owned(), value]);
        }
    };
    let settings = &run.settings;
    option("--recipe", Some(settings.recipe.to_string()));
    option("-k", Some(settings.k.to_string()));
    match settings.layout {
        LayoutChoice::Auto => {}
        LayoutChoice::Blocks(blocks) => option("--blocks", Some(blocks.to_string())),
        LayoutChoice::TwoLevel { outer, inner } => {
            option("--blocks", Some(format!("{outer}/{inner}")));
        }
        LayoutChoice::Bands { bands, bits } => option("--bands", Some(format!("{bands}x{bits}"))),
    }
    let LoadOptions { format, text_field, id_field, fingerprint_field, glob, follow_links, limits } =
        &run.load;
    let usual = LoadOptions::default();
    option("--input-format", (*format != InputFormat::Auto).then(|| format.to_string()));
    option("--text-field", (*text_field != usual.text_field).then(|| text_field.clone()));
    option("--id-field", id_field.clone());
    option("--fingerprint-field", fingerprint_field.clone());
    option("--glob", glob.clone());
    let bytes = |own: u64, usual: u64| (own != usual).then(|| own.to_string());
    option("--max-document", bytes(limits.document, usual.limits.document));
    option("--max-expansion", bytes(limits.expansion, usual.limits.expansion));
    option("--max-spool", bytes(limits.spool, usual.limits.spool));
    let path = |path: &Path| path.to_string_lossy().into_owned();
    option("--labels", judged.labels.as_deref().map(path));
    option("--truth", judged.truth.as_deref().map(path));
    option("--target", judged.target.map(|target| target.to_string()));
    option("--by-chance", judged.by_chance.map(|share| share.to_string()));
    option("--tau", judged.tau.map(|tau| tau.to_string()));
    option("--looks", judged.looks.map(|looks| looks_option(looks.0)));
    let flags = [(*follow_links, "--follow-links"), (judged.complete_truth, "--complete-truth")];
    words.extend(flags.into_iter().filter(|flag| flag.0).map(|flag| flag.1.to_owned()));
    let is_option = |path: &Path| path.to_string_lossy().starts_with('-');
    let paths: Vec<String> = run
        .inputs
        .iter()
        .filter_map(|input| match input {
            Input::Path(path) if is_option(path) => Some(format!("./{}", path.to_string_lossy())),
            Input::Path(path) => Some(path.to_string_lossy().into_owned()),
            Input::Stdin => Some("-".to_owned()),
            Input::Bundled { .. } => None,
        })
        .collect();
    words.extend(paths);
    let line: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    visible(&line.join(" ")).into_owned()
}

fn looks_option(looks: Looks) -> String {
    match looks {
        Looks::Once => "once".to_owned(),
        Looks::Budget(labels) => format!("budget:{labels}"),
        Looks::Halving(labels) => format!("halving:{labels}"),
    }
}

/// A word as a POSIX shell reads it back.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_from_a_shell_as_they_were() {
        assert_eq!(quoted("a/b-c.jsonl"), "a/b-c.jsonl");
        assert_eq!(quoted("words:3 tf"), "'words:3 tf'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!((quoted(""), quoted("*.md")), ("''".into(), "'*.md'".into()));
    }
}
