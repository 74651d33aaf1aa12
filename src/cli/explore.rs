//! A command line without a command, or with `learn`: opens the explorer. Everything that can be checked before the
//! terminal is entered is checked here.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use anyhow::{Context as _, bail};

use super::args::{Args, LearnArgs};
use super::config::{self, Config};
use super::options::{CommandRun, warn_of_counts};
use super::{environment, similarity, suggest};
use crate::analysis::query::ReviewFile;
use crate::app::query::MarksQuery;
use crate::app::screen::learn::lessons::LearnPlace;
use crate::corpus::{Input, KeptCorpus, read_text_file};
use crate::explorer_start::ExplorerStart;
use crate::export::visible_path;
use crate::look::PrintFormat;

/// The explorer that a command line asks for.
#[derive(Clone, Debug)]
pub struct ExploreRequest {
    /// The data that it opens with.
    pub start: ExplorerStart,
    /// Keys to press first (`--keys`).
    pub keys: Option<String>,
    /// The form of the final screen if it is printed instead of shown on a terminal (`--print`).
    pub print: Option<PrintFormat>,
    /// Whether keys are read and changes written line by line (`--plain`).
    pub plain: bool,
}

/// Turns the arguments into the data that the explorer is opened with.
pub(super) fn run(mut args: Args) -> anyhow::Result<ExploreRequest> {
    refuse_rows(&args)?;
    if args.input.filter.is_some() {
        bail!(
            "--where is for commands; in the explorer press f and type the filter, or give --keys 'f..<enter>'"
        );
    }
    // A printed screen must not depend on the user's configuration.
    let config = if args.explorer.print.is_some() { Config::default() } else { config::read()? };
    let Config { theme, glyphs, recipe, k, fields, keymap, .. } = config;
    let search = &args.search;
    let has_tables = !search.blocks.is_empty() || !search.bands.is_empty();
    let has_k = search.distance.is_some() || search.similarity.is_some();
    let has_settings = args.recipe.is_given() || has_k || has_tables;
    args.output.glyphs = args.output.glyphs.or(glyphs);
    args.search.distance = args.search.distance.or(k);
    let is_index = |path: &PathBuf| KeptCorpus::is_one(path);
    if !args.recipe.is_given() && !args.paths.iter().any(is_index) {
        if let Some(recipe) = &recipe {
            warn_of_counts("the configuration", recipe);
        }
        args.recipe.recipe = recipe;
    }
    let paths = std::mem::take(&mut args.paths);
    let run = CommandRun::new(&args, paths)?;
    run.settings.check()?;
    let plain = args.explorer.plain;
    refuse_inputs(&run.inputs, plain)?;
    let run = similarity::settle(run)?;
    if let Some(labels) = &args.explorer.labels {
        run.protect(labels)?;
    }
    let marks = args.explorer.marks.as_ref().map(|path| -> anyhow::Result<_> {
        let text = read_text_file(path).context("--marks")?;
        Ok(ReviewFile { name: visible_path(path), text })
    });
    let marks = marks.transpose()?;
    let print = args.explorer.print;
    if print.is_none() && !plain && !io::stdout().is_terminal() {
        bail!(
            "standard output is not a terminal, so there is no place for the explorer; use a command \
             such as `simscope pairs`, or --print, or --plain"
        );
    }
    if run.is_sample() && print.is_some() {
        run.notes.note(&"no PATH given, so this is the bundled sample corpus");
    }
    let theme = args.explorer.theme.or(theme).unwrap_or_default();
    let look = environment::look(theme, run.ascii);
    let start = ExplorerStart {
        title: run.title(),
        settings: run.settings,
        inputs: run.inputs,
        options: run.load,
        index: run.opened.map(|opened| opened.index),
        read: run.read,
        labels: args.explorer.labels,
        has_settings,
        is_fresh: args.explorer.fresh,
        marks: marks.map(MarksQuery::Own),
        all_pairs: args.explorer.all_pairs,
        fields,
        look: if print.is_some_and(|it| it != PrintFormat::Text) {
            look.of_picture(theme)
        } else {
            look
        },
        keymap,
        learn: None,
        size: args.explorer.size,
    };
    Ok(ExploreRequest { start, keys: args.explorer.keys, print, plain })
}

/// Refuses paths that do not exist, and a standard input that is the keyboard or that `--plain` reads keys from.
fn refuse_inputs(inputs: &[Input], plain: bool) -> anyhow::Result<()> {
    for input in inputs {
        if let Input::Path(path) = input
            && let Err(error) = path.metadata()
            && error.kind() == io::ErrorKind::NotFound
        {
            bail!("{}: not found; {}", visible_path(path), suggest::remedy(path));
        }
    }
    if plain && inputs.contains(&Input::Stdin) {
        bail!("--plain reads keys from standard input; name the corpus as a PATH");
    }
    if inputs.contains(&Input::Stdin) && io::stdin().is_terminal() {
        bail!("standard input is a terminal; pipe a corpus into it, or name a PATH");
    }
    Ok(())
}

/// Refuses options for rows, since the explorer writes none.
fn refuse_rows(args: &Args) -> anyhow::Result<()> {
    let given =
        [(args.output.format.is_some(), "--format"), (args.output.output.is_some(), "--output")];
    if let Some((_, option)) = given.into_iter().find(|(is_given, _)| *is_given) {
        bail!("{option} is for rows; add a command, such as `simscope pairs`");
    }
    Ok(())
}

/// Opens the explorer on the lessons, or on one of them.
pub(super) fn learn(mut args: Args, given: LearnArgs) -> anyhow::Result<ExploreRequest> {
    args.explorer.refuse()?;
    args.explorer = given.explorer;
    args.paths.extend(given.paths);
    let mut request = run(args)?;
    request.start.learn = Some(LearnPlace { lesson: given.what, page: given.page });
    Ok(request)
}
