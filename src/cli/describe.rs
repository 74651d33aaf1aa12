//! `simscope completions` and `simscope man`: the command line described, from its own definitions.

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::{
    Man,
    roff::{Roff, bold, italic, roman},
};

use super::{args::Args, stdout::print};

/// Prints a completion script; the exit code.
pub(super) fn completions(shell: Shell) -> anyhow::Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "simscope", &mut script);
    print(&script)
}

/// Prints the manual page, with a section for each command's own options; the exit code.
pub(super) fn man() -> anyhow::Result<u8> {
    let mut command = Args::command().disable_help_flag(true);
    command.build();
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    for subcommand in command.get_subcommands() {
        section(subcommand).to_writer(&mut page)?;
    }
    print(&page)
}

/// A section about a command: its help, and the arguments that only this command has.
fn section(command: &clap::Command) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", [format!("simscope {}", command.get_name()).to_uppercase().as_str()]);
    if let Some(about) = command.get_long_about().or(command.get_about()) {
        roff.text([roman(about.to_string())]);
    }
    for arg in command.get_arguments().filter(|arg| !arg.is_global_set() && !arg.is_hide_set()) {
        let value = arg.get_value_names().and_then(|names| names.first());
        let value = value.map_or_else(|| arg.get_id().to_string(), ToString::to_string);
        roff.control("TP", []);
        match arg.get_long() {
            Some(long) => roff.text([bold(format!("--{long}")), roman(" "), italic(value)]),
            None => roff.text([italic(value)]),
        };
        roff.text([roman(arg.get_help().map(ToString::to_string).unwrap_or_default())]);
    }
    roff
}
