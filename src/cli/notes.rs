//! Everything said beside the rows, on standard error.
//!
//! Notes are silenced by `--quiet`; warnings, diagnostics and errors never are. A closed standard error
//! is no reason to stop.

use std::{
    fmt::Display,
    io::{self, Write},
};

use crate::corpus::Diagnostic;

/// The speaker: knows whether to be quiet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Notes {
    quiet: bool,
}

impl Notes {
    /// A speaker, quiet or not.
    pub(super) fn new(quiet: bool) -> Self {
        Self { quiet }
    }

    /// Whether notes and progress are silenced.
    pub(super) fn is_quiet(self) -> bool {
        self.quiet
    }

    /// Something worth knowing: `note: ...`.
    pub(super) fn note(self, text: &dyn Display) {
        if !self.quiet {
            say(&format_args!("note: {text}"));
        }
    }

    /// A line of its own form, such as the recipe; silenced like a note.
    pub(super) fn line(self, text: &dyn Display) {
        if !self.quiet {
            say(text);
        }
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

/// Why nothing was done.
pub(super) fn error(text: &dyn Display) {
    say(&format_args!("error: {text}"));
}

fn say(text: &dyn Display) {
    let _ = writeln!(io::stderr(), "{text}");
}
