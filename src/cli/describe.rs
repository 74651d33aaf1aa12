//! `simscope completions` and `simscope man`: the command line described, from its own definitions.

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::{
    Man,
    roff::{Roff, bold, italic, roman},
};

use super::{args::Args, stdout::print};
use crate::app::custom_keys::{action_help, action_names, default_binding};

/// Prints a completion script; the exit code.
pub(super) fn completions(shell: Shell) -> anyhow::Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "simscope", &mut script);
    print(&script)
}

/// Files and variables, with their meaning. The variables are those that the program itself reads.
const FILES: [(&str, &str); 6] = [
    (
        "$XDG_CONFIG_HOME/simscope/config.toml",
        "The configuration of the explorer; by default below ~/.config.",
    ),
    (
        "$XDG_DATA_HOME/simscope/labels.jsonl",
        "Labels that were given by eye; by default below ~/.local/share.",
    ),
    (
        "$XDG_STATE_HOME/simscope/reviews/",
        "For each corpus its marks, k, recipe, filter and columns; by default below ~/.local/state.",
    ),
    ("$XDG_STATE_HOME/simscope/places/", "For each corpus the document that was selected."),
    ("$XDG_STATE_HOME/simscope/lessons", "The lessons that are done."),
    ("FILE.recipe", "Beside a FILE of rows: the recipe, and how the rows were made."),
];
const ENVIRONMENT: [(&str, &str); 7] = [
    ("NO_COLOR, CLICOLOR", "If the first is set, or the second is 0: no colour."),
    ("TERM, COLORTERM, COLORFGBG", "The colours of the terminal, and its ground."),
    ("LC_ALL, LC_CTYPE, LANG", "Without UTF-8 the explorer draws with ASCII."),
    ("VISUAL, EDITOR", "The editor that the explorer opens a document in; by default vi."),
    ("PAGER", "The pager that it shows a text in; by default less."),
    ("TMPDIR", "The folder of temporary files."),
    (
        "SIMSCOPE_SIMD",
        "The instruction-set level: plain, avx2 or avx512; by default the best there is.",
    ),
];

/// Prints the manual page, with a section for each command's own options; the exit code.
pub(super) fn man() -> anyhow::Result<u8> {
    let mut command = Args::command().disable_help_flag(true);
    command.build();
    let mut page = Vec::new();
    let shared = Man::new(command.clone());
    shared.render_title(&mut page)?;
    shared.render_name_section(&mut page)?;
    let mut roff = Roff::new();
    roff.control("SH", ["SYNOPSIS"]);
    roff.text([bold("simscope"), roman(" [COMMAND] [OPTIONS] [PATH ..]")]);
    roff.to_writer(&mut page)?;
    shared.render_description_section(&mut page)?;
    shared.render_options_section(&mut page)?;
    for subcommand in command.get_subcommands() {
        for part in std::iter::once(subcommand).chain(subcommand.get_subcommands()) {
            section(part).to_writer(&mut page)?;
        }
    }
    let mut roff = Roff::new();
    let key = |name: &&str| {
        let binding = default_binding(name)?;
        let keys: String = binding.keys.iter().map(|key| key.written()).collect();
        Some((keys, action_help(name)))
    };
    let names = action_names();
    let keys: Vec<(String, String)> = names.iter().filter_map(key).collect();
    list(&mut roff, "KEYS", keys.iter().map(|(keys, help)| (&**keys, &**help)));
    list(&mut roff, "FILES", FILES);
    list(&mut roff, "ENVIRONMENT", ENVIRONMENT);
    let below = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (examples, status) = below.split_once("\n\n").unwrap_or((&below, ""));
    roff.control("SH", ["EXAMPLES"]);
    roff.control("nf", []);
    for example in examples.lines().skip(1) {
        roff.text([roman(example.trim())]);
    }
    roff.control("fi", []);
    roff.control("SH", ["EXIT STATUS"]);
    roff.text([roman(status.trim_start_matches("Exit status: "))]);
    roff.to_writer(&mut page)?;
    print(&page)
}

/// A section of names and their meaning.
fn list<'a>(roff: &mut Roff, title: &str, rows: impl IntoIterator<Item = (&'a str, &'a str)>) {
    roff.control("SH", [title]);
    for (name, meaning) in rows {
        roff.control("TP", []);
        roff.text([bold(name)]);
        roff.text([roman(meaning)]);
    }
}

/// A section about a command: what it does, and the arguments only it has.
fn section(command: &clap::Command) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", [command.get_bin_name().unwrap_or_default().to_uppercase().as_str()]);
    if let Some(about) = command.get_long_about().or(command.get_about()) {
        roff.text([roman(about.to_string())]);
    }
    for arg in command.get_arguments().filter(|arg| !arg.is_global_set() && !arg.is_hide_set()) {
        let value = arg.get_value_names().and_then(|names| names.first());
        let value = value.map_or_else(|| arg.get_id().to_string(), ToString::to_string);
        roff.control("TP", []);
        match arg.get_long() {
            Some(long) if arg.get_action().takes_values() => {
                roff.text([bold(format!("--{long}")), roman(" "), italic(value)])
            }
            Some(long) => roff.text([bold(format!("--{long}"))]),
            None => roff.text([italic(value)]),
        };
        roff.text([roman(arg.get_help().map(ToString::to_string).unwrap_or_default())]);
    }
    roff
}
