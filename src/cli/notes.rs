//! All messages beside the rows, on standard error.
//!
//! `--quiet` silences notes; it never silences warnings, diagnostics and errors. The program goes on if standard error
//! is closed.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex};

use crate::analysis::SearchSummary;
use crate::corpus::{Diagnostic, in_kinds};
use crate::number::counted;
use crate::present::settings::with_flags;
use crate::text::visible::visible;

/// Writes notes unless it is quiet, and keeps all of them for the file beside the rows.
#[derive(Clone, Debug)]
pub(super) struct Notes {
    /// Whether notes and progress are silenced.
    pub(super) quiet: bool,
    written: Arc<Mutex<Vec<String>>>,
}

impl Notes {
    /// A writer of notes, quiet or not.
    pub(super) fn new(quiet: bool) -> Self {
        Self { quiet, written: Arc::default() }
    }

    /// All notes and warnings so far, including silenced ones.
    pub(super) fn written(&self) -> Vec<String> {
        self.written.lock().map(|written| written.clone()).unwrap_or_default()
    }

    fn keep(&self, text: &dyn Display) {
        if let Ok(mut written) = self.written.lock() {
            written.push(text.to_string());
        }
    }

    /// Writes a note: `note: ...`.
    pub(super) fn note(&self, text: &dyn Display) {
        self.keep(text);
        if !self.quiet {
            line(&format_args!("note: {text}"));
        }
    }

    /// Writes a warning about something that the rows lack, `warning: ...`; it is never silenced.
    pub(super) fn warning(&self, text: &dyn Display) {
        self.keep(text);
        warning(text);
    }

    /// Reports a search with its predicted and its real cost, if stderr is a terminal.
    pub(super) fn cost(&self, search: &SearchSummary) {
        if io::stderr().is_terminal() {
            self.line(&cost(search));
        }
    }

    /// Writes a line without a prefix, such as the recipe; it is silenced like a note.
    pub(super) fn line(&self, text: &dyn Display) {
        if !self.quiet {
            line(text);
        }
    }
}

/// `search: blocks 63..48, .. predicted; 0.031 s taken, 1,234 pairs`.
fn cost(search: &SearchSummary) -> String {
    let (plan, took) = (&search.plan, search.took.as_secs_f64());
    format!("search: {plan}; {took:.3} s taken, {}", counted(search.pairs, "pair"))
}

/// Warns of something that the user may not have meant.
pub(super) fn warning(text: &dyn Display) {
    line(&format_args!("warning: {text}"));
}

/// Reports inputs that could not be read, three of a kind; a message begins with its place.
pub(super) fn diagnostics<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>) {
    in_kinds(diagnostics).iter().for_each(line);
}

/// Writes a line of its own.
pub(super) fn line(text: &(impl Display + ?Sized)) {
    let _ = writeln!(io::stderr(), "{}", with_flags(&text.to_string()));
}

/// Reports the reason why nothing was done.
pub(super) fn error(text: &dyn Display) {
    line(&format_args!("error: {text}"));
}

/// Writes lines without the control characters that a terminal would obey.
pub(super) fn lines(text: &str) {
    text.lines().for_each(|it| line(&visible(it)));
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clap::CommandFactory;

    use super::*;
    use crate::cli::args::Args;
    use crate::index::{Layout, Plan};
    use crate::present::settings::SETTINGS;

    #[test]
    fn the_cost_of_a_search_is_one_line() {
        let took = Duration::from_millis(1250);
        let mut search = SearchSummary {
            plan: Plan::scan(1000, 64, 3),
            pairs: 1,
            groups: 1,
            shared: None,
            took,
        };
        assert_eq!(
            cost(&search),
            "search: full scan for 1,000 fingerprints: 499,500 comparisons, \
             0.000 s predicted on one core; 1.250 s taken, 1 pair",
        );
        let bands = Layout::bands(64, 3, 18).unwrap();
        (search.plan, search.pairs) = (Plan::by_tables(&bands, 3), 2000);
        assert_eq!(cost(&search), "search: bands; 1.250 s taken, 2,000 pairs");
    }

    #[test]
    fn every_setting_has_a_flag() {
        let command = Args::command();
        let commands = || std::iter::once(&command).chain(command.get_subcommands());
        for setting in SETTINGS {
            let has = |argument: &clap::Arg| match setting.len() {
                1 => argument.get_short() == setting.chars().next(),
                _ => argument.get_long() == Some(setting),
            };
            assert!(commands().any(|command| command.get_arguments().any(has)), "{setting}");
        }
    }
}
