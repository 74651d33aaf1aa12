//! `--preset list`: the recipes of other programs, and what a user should know of each.

use std::fmt::Write;

use super::describe;
use crate::{present::wrap::wrap, simhash::Preset};

/// The value of `--preset`.
#[derive(Clone, Copy, Debug)]
pub(super) enum PresetChoice {
    /// Tell of all.
    List,
    /// One of them.
    Of(Preset),
}

impl PresetChoice {
    /// The names that it has.
    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        Preset::ALL.iter().map(|preset| preset.name()).chain(["list"])
    }
}

impl std::str::FromStr for PresetChoice {
    type Err = crate::choice::UnknownChoice;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        if name == "list" { Ok(Self::List) } else { name.parse().map(Self::Of) }
    }
}

/// Columns of the list.
const WIDTH: usize = 78;

/// Prints each preset with its recipe and its quirks; the exit code.
pub(super) fn print() -> anyhow::Result<u8> {
    let mut text = String::new();
    for preset in Preset::ALL {
        let _ = writeln!(text, "{preset}\n  {}", preset.recipe());
        for line in wrap(preset.quirks(), WIDTH - 2) {
            let _ = writeln!(text, "  {line}");
        }
        text.push('\n');
    }
    text.pop();
    describe::print(text.as_bytes())
}
