//! All messages besides the rows, on standard error.
//!
//! Notes are silenced by `--quiet`; warnings, diagnostics and errors never are. A closed standard error
//! is no reason to stop.

use std::{
    fmt::{self, Display},
    io::{self, IsTerminal, Write},
    sync::{Arc, Mutex},
};

use super::flags::with_flags;
use crate::{analysis::SearchSummary, corpus::Diagnostic, number::counted, text::visible::visible};

/// The speaker: knows whether to be quiet, and keeps what it said for the file beside the rows.
#[derive(Clone, Debug)]
pub(super) struct Notes {
    quiet: bool,
    said: Arc<Mutex<Vec<String>>>,
}

impl Notes {
    /// A speaker, quiet or not.
    pub(super) fn new(quiet: bool) -> Self {
        Self { quiet, said: Arc::default() }
    }

    /// Whether notes and progress are silenced.
    pub(super) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// All notes and warnings so far, also those that were silenced.
    pub(super) fn said(&self) -> Vec<String> {
        self.said.lock().map(|said| said.clone()).unwrap_or_default()
    }

    fn keep(&self, text: &dyn Display) {
        if let Ok(mut said) = self.said.lock() {
            said.push(text.to_string());
        }
    }

    /// Something worth knowing: `note: ...`.
    pub(super) fn note(&self, text: &dyn Display) {
        self.keep(text);
        if !self.quiet {
            say(&format_args!("note: {text}"));
        }
    }

    /// Something that the rows lack, which is never silenced: `warning: ...`.
    pub(super) fn warning(&self, text: &dyn Display) {
        self.keep(text);
        warning(text);
    }

    /// Reports a search with its predicted and its real cost, if stderr is a terminal.
    pub(super) fn cost(&self, search: &SearchSummary) {
        if io::stderr().is_terminal() {
            self.line(&Cost(search));
        }
    }

    /// A line of its own form, such as the recipe; silenced like a note.
    pub(super) fn line(&self, text: &dyn Display) {
        if !self.quiet {
            say(text);
        }
    }
}

/// `search: blocks 63..48, .. predicted; 0.031 s taken, 1,234 pairs`.
struct Cost<'a>(&'a SearchSummary);

impl Display for Cost<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SearchSummary { plan, pairs, took, .. } = self.0;
        write!(formatter, "search: {plan}")?;
        write!(formatter, "; {:.3} s taken, {}", took.as_secs_f64(), counted(*pairs, "pair"))
    }
}

/// Something that may not be what the user meant.
pub(super) fn warning(text: &dyn Display) {
    say(&format_args!("warning: {text}"));
}

/// Something that could not be read; it begins with its place.
pub(super) fn diagnostic(diagnostic: &Diagnostic) {
    say(diagnostic);
}

/// Reports why nothing was done.
pub(super) fn error(text: &dyn Display) {
    say(&format_args!("error: {text}"));
}

/// Lines as they are, but for what a terminal would obey.
pub(super) fn lines(text: &str) {
    for line in text.lines() {
        say(&visible(line));
    }
}

fn say(text: &dyn Display) {
    let _ = writeln!(io::stderr(), "{}", with_flags(&text.to_string()));
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::index::{Layout, Plan};

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
            Cost(&search).to_string(),
            "search: full scan for 1,000 fingerprints: 499,500 comparisons, \
             0.000 s predicted on one core; 1.250 s taken, 1 pair",
        );
        let bands = Layout::bands(64, 3, 18).unwrap();
        (search.plan, search.pairs) = (Plan::by_tables(&bands, 3), 2000);
        assert_eq!(Cost(&search).to_string(), "search: bands; 1.250 s taken, 2,000 pairs");
    }
}
