//! The data needed to make a report again: the program, the command, and the inputs with their sizes.

use std::path::Path;

use super::super::{
    args::JudgedArgs,
    options::CommandRun,
    recorded::{file, files_read},
};
use crate::{
    corpus::Corpus,
    export::{CommandLine, dedup::kept_name},
    present::page::{PageBlock, PageLine, Section},
};

/// The data needed to make a report again.
#[derive(Clone, Debug)]
pub(super) struct Manifest {
    /// The corpus by name.
    pub(super) title: String,
    /// Whether the corpus is the bundled one.
    pub(super) is_sample: bool,
    /// The command, with every option that decides a report spelled out; the output file is not part of it.
    pub(super) command: String,
    /// The command that writes the dropped documents, and the corpus without them.
    pub(super) dedup: String,
    /// The file into which that command writes the corpus without the dropped documents.
    pub(super) kept: String,
    /// The inputs by name, with a description of their size.
    pub(super) inputs: Vec<(String, String)>,
}

impl Manifest {
    /// The data of this run and its inputs. Reads the sizes of files.
    pub(super) fn new(run: &CommandRun, judged: &JudgedArgs, corpus: &Corpus) -> Self {
        let kept = kept_name(corpus, &run.inputs, &run.load);
        let mut inputs = files_read(run);
        inputs.extend(judged.truth.as_deref().map(|path| file(path, "judgements, ")));
        inputs.extend(judged.labels.as_deref().map(|path| file(path, "labels, ")));
        Self {
            title: run.title(),
            is_sample: run.is_sample(),
            command: command(run, judged),
            dedup: dedup(run, &kept),
            kept,
            inputs,
        }
    }

    /// Tells the inputs and the command.
    pub(super) fn tell(&self, section: &mut Section<'_>) {
        let input = |(name, size): &(String, String)| {
            PageLine::default().name(name).text(format!(", {size}"))
        };
        section.say("The inputs:");
        section.blocks.push(PageBlock::List(self.inputs.iter().map(input).collect()));
        section.say("This command makes the same report; -o FILE.html names the file:");
        section.blocks.push(PageBlock::Lines(vec![self.command.clone()]));
    }
}

/// The command line that makes the same report, without the name of its file.
fn command(run: &CommandRun, judged: &JudgedArgs) -> String {
    let mut line = CommandLine::new("report", &run.settings, &run.load);
    let path = |path: &Path| path.to_string_lossy().into_owned();
    line.option("--labels", judged.labels.as_deref().map(path));
    line.option("--truth", judged.truth.as_deref().map(path));
    line.option("--target", judged.target.map(|target| target.to_string()));
    line.option("--by-chance", judged.by_chance.map(|share| share.to_string()));
    line.flag("--complete-truth", judged.complete_truth);
    line.of(&run.inputs)
}

/// The command line that drops the near-duplicates at the k of the report.
fn dedup(run: &CommandRun, kept: &str) -> String {
    let mut line = CommandLine::new("dedup", &run.settings, &run.load);
    line.option("--dropped", Some("dropped.jsonl".to_owned()));
    line.option("--kept", Some(kept.to_owned()));
    line.of(&run.inputs)
}
