//! Texts about the program, for standard output: `simscope help` with the pages of the manual and the help of each
//! command, `simscope completions` and `simscope man` from the definitions of the command line, and `--preset list`.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::iter;

use clap::CommandFactory as _;
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, italic, roman};

use super::args::{Args, command, new_name};
use super::{environment, suggest};
use crate::app::custom_keys::actions;
use crate::manual::{ManualPage, PAGES};
use crate::present::wrap::wrap;
use crate::simhash::Preset;
use crate::text::visible::visible;

/// Columns of the list of presets.
const WIDTH: usize = 78;

/// Writes the bytes to standard output; the exit code.
///
/// # Errors
/// If they cannot be written.
pub(super) fn print(bytes: &[u8]) -> anyhow::Result<u8> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(0)
}

/// Prints the page of a topic, the help of a command or, without a topic, the list of topics; the exit code.
///
/// # Errors
/// If there is neither a page nor a command of that name: the message lists both.
pub(super) fn help(topic: Option<&str>) -> anyhow::Result<u8> {
    let Some(topic) = topic else { return print(topics().as_bytes()) };
    if let Some(page) = PAGES.iter().find(|page| page.topic == topic) {
        let is_styled = io::stdout().is_terminal() && !environment::is_colourless();
        return print(plain(page.text, is_styled).as_bytes());
    }
    if commands().iter().any(|command| command == topic) {
        // The program's own answer to `--help`, which arrives as an error.
        if let Err(help) = command().try_get_matches_from(["simscope", topic, "--help"]) {
            help.print()?;
        }
        return Ok(0);
    }
    if let Some(new) = new_name(topic) {
        anyhow::bail!("{topic} is `simscope {new}`; `simscope {new} --help` prints its options");
    }
    anyhow::bail!("{}", unknown(topic))
}

/// The topics, each with a line about its page.
fn topics() -> String {
    let mut text = "The manual. `simscope help TOPIC` prints a page:\n\n".to_owned();
    for page in PAGES {
        let _ = writeln!(text, "  {:<13} {}", page.topic, page.summary());
    }
    text + "\n`simscope help COMMAND` prints the options of a command, `simscope --help` lists the commands.\n"
}

/// A page as it is printed: the fences of its code become an indent, its headings are bold on a terminal.
fn plain(page: &str, is_styled: bool) -> String {
    let mut text = String::new();
    let mut is_code = false;
    for line in page.lines() {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        // A comment holds the command that draws the picture below it.
        if is_fence || !is_code && line.starts_with("<!--") {
            continue;
        }
        let picture = line.strip_prefix("![").and_then(|line| line.split_once(']'));
        let line = match picture.map_or(line, |(words, _)| words) {
            "" => String::new(),
            code if is_code => format!("    {code}"),
            words if picture.is_some() => format!("(picture: {words})"),
            heading if is_styled && heading.starts_with('#') => format!("\x1b[1m{heading}\x1b[0m"),
            other => other.to_owned(),
        };
        text += &line;
        text.push('\n');
    }
    text
}

/// The commands there are.
fn commands() -> Vec<String> {
    Args::command().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

/// The message for an unknown topic: the nearest name, then all of them.
fn unknown(topic: &str) -> String {
    let topics: Vec<&str> = PAGES.iter().map(|&ManualPage { topic, .. }| topic).collect();
    let commands = commands();
    let names = topics.iter().copied().chain(commands.iter().map(String::as_str));
    let nearest = suggest::nearest(topic, names);
    let offer = nearest.map_or_else(String::new, |name| format!("; did you mean {name}?"));
    format!(
        "no page or command is called {}{offer}\ntopics: {}\ncommands: {}",
        visible(topic),
        topics.join(", "),
        commands.join(", ")
    )
}

/// Prints each preset with its recipe and its peculiarities; the exit code.
pub(super) fn presets() -> anyhow::Result<u8> {
    let mut text = String::new();
    for preset in Preset::ALL {
        let _ = writeln!(text, "{preset}\n  {}", preset.recipe());
        for line in wrap(preset.quirks(), WIDTH - 2) {
            let _ = writeln!(text, "  {line}");
        }
        text.push('\n');
    }
    text.pop();
    print(text.as_bytes())
}

/// Prints a completion script; the exit code.
pub(super) fn completions(shell: Shell) -> anyhow::Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "simscope", &mut script);
    print(&script)
}

/// Files and variables, each with its meaning. The variables are those that the program itself reads.
const FILES: &str = include_str!("../../assets/man-files.txt");
const ENVIRONMENT: &str = include_str!("../../assets/man-environment.txt");

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
        for part in iter::once(subcommand).chain(subcommand.get_subcommands()) {
            section(part).to_writer(&mut page)?;
        }
    }
    let mut roff = Roff::new();
    let keys: Vec<_> = actions().collect();
    list(&mut roff, "KEYS", keys.iter().map(|(_, keys, help)| (&**keys, &**help)));
    for (title, text) in [("FILES", FILES), ("ENVIRONMENT", ENVIRONMENT)] {
        list(&mut roff, title, text.lines().filter_map(|line| line.split_once(": ")));
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_indented_and_headings_are_bold_where_styled() {
        let page = "# a: b\n\n```text\n# 1\n\n2\n```\nend\n";
        assert_eq!(plain(page, false), "# a: b\n\n    # 1\n\n    2\nend\n");
        assert_eq!(plain(page, true), "\x1b[1m# a: b\x1b[0m\n\n    # 1\n\n    2\nend\n");
    }
}
