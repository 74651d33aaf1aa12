//! The wishes of the command line: rows by name, and how long to repeat them.

use crate::measure::Budget;

/// The command line.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// More repeats and more of the rivals' settings.
    pub(crate) full: bool,
    /// Parts of names; none means every row.
    parts: Vec<String>,
    /// The command that repeats this run.
    pub(crate) command: String,
}

impl Asked {
    /// Reads the arguments after the program's name.
    pub(crate) fn from_arguments(arguments: impl Iterator<Item = String>) -> Self {
        // Cargo adds `--bench` for the standard harness.
        let words: Vec<_> = arguments.filter(|word| word != "--bench").collect();
        let native =
            if crate::machine::IS_NATIVE { "RUSTFLAGS=\"-C target-cpu=native\" " } else { "" };
        let mut command =
            format!("{native}cargo bench --manifest-path tests/bench/Cargo.toml --bench rivals");
        if !words.is_empty() {
            command = format!("{command} -- {}", words.join(" "));
        }
        let full = words.iter().any(|word| word == "--full");
        let parts = words.into_iter().filter(|word| !word.starts_with("--")).collect();
        Self { full, parts, command }
    }

    /// Whether to make the row of this name, and a line on standard error if so.
    pub(crate) fn wants(&self, name: &str) -> bool {
        let wanted = self.parts.is_empty() || self.parts.iter().any(|part| name.contains(part));
        if wanted {
            eprintln!("{name}");
        }
        wanted
    }

    /// How long a row may be repeated.
    pub(crate) fn budget(&self) -> Budget {
        Budget(if self.full { 60.0 } else { 8.0 })
    }
}
