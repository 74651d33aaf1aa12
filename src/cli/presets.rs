//! `--preset list`: the recipes of other programs, with the peculiarities of each.

use std::fmt::Write;

use super::stdout;
use crate::{present::wrap::wrap, simhash::Preset};

/// Columns of the list.
const WIDTH: usize = 78;

/// Prints each preset with its recipe and its peculiarities; the exit code.
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
    stdout::print(text.as_bytes())
}
