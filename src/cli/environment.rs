//! The environment variables that name the terminal, the locale and the wish for no colour.

use super::value::Glyphs;
use crate::look::{Look, ThemeChoice};

/// Whether to draw with ASCII only: by the option, or by terminal and locale without it.
pub(super) fn is_ascii(asked: Option<Glyphs>) -> bool {
    if let Some(glyphs) = asked {
        return glyphs == Glyphs::Ascii;
    }
    let is_poor = variable("TERM").is_some_and(|term| term == "dumb" || term == "linux");
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
    is_poor || locale.is_some_and(|locale| !is_utf8(&locale))
}

/// The look of the explorer on this terminal.
pub(super) fn look(theme: ThemeChoice, ascii: bool) -> Look {
    Look::of(theme, ascii, variable)
}

/// The value of an environment variable that is set, not empty, and text.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Whether the user wants no colour: `NO_COLOR` is set and not empty.
pub(super) fn is_colourless() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

fn is_utf8(locale: &str) -> bool {
    let locale = locale.to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}
