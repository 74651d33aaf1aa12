//! `simscope help`: the pages of the manual, and the help of each command.

use std::{
    fmt::Write as _,
    io::{self, IsTerminal},
};

use clap::CommandFactory as _;

use super::{
    args::{Args, command, new_name},
    environment, stdout, suggest,
};
use crate::{
    manual::{ManualPage, PAGES},
    text::visible::visible,
};

/// Prints the page of a topic, the help of a command or, without a topic, the list of topics; the exit code.
///
/// # Errors
/// If there is neither a page nor a command of that name: the message lists both.
pub(super) fn run(topic: Option<&str>) -> anyhow::Result<u8> {
    let Some(topic) = topic else { return stdout::print(topics().as_bytes()) };
    if let Some(page) = PAGES.iter().find(|page| page.topic == topic) {
        let is_styled = io::stdout().is_terminal() && !environment::is_colourless();
        return stdout::print(plain(page.text, is_styled).as_bytes());
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
        if is_fence {
            continue;
        }
        let line = match line {
            "" => String::new(),
            code if is_code => format!("    {code}"),
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
