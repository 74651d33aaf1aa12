//! The surroundings of a run: threads, and the environment variables that name the terminal, the locale and the wish
//! for no colour.

use std::{io, thread};

use anyhow::Context;

use super::args::SearchArgs;
use super::value::Glyphs;
use crate::look::{Look, ThemeChoice};

/// Threads beside the workers: one that reads, one that finds files; in the explorer one for each kind of query.
const MOST_OTHERS: usize = 32;

/// Whether to draw with ASCII only: by the option, or by terminal and locale without it.
pub(super) fn is_ascii(asked: Option<Glyphs>) -> bool {
    if let Some(glyphs) = asked {
        return glyphs == Glyphs::Ascii;
    }
    let is_poor = variable("TERM").is_some_and(|term| term == "dumb" || term == "linux");
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
    let locale = locale.map(|locale| locale.to_ascii_lowercase());
    is_poor || locale.is_some_and(|it| !it.contains("utf-8") && !it.contains("utf8"))
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

/// Starts the worker threads before any work, so that a refusal by the system is reported once.
pub(super) fn set_threads(search: &SearchArgs) -> anyhow::Result<()> {
    const REMEDY: &str = "the system gives no more threads; allow more processes (ulimit -u), or use a \
                          smaller --threads if it is large";
    let n_cores = thread::available_parallelism().map_or(1, usize::from);
    let n_threads = search.threads.map_or(n_cores, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
    pool.build_global().context(REMEDY)?;
    try_threads(MOST_OTHERS).context(REMEDY)
}

/// Starts `n` threads at once, and ends them.
fn try_threads(n: usize) -> io::Result<()> {
    thread::scope(|scope| {
        let (hold, held) = crossbeam_channel::bounded::<()>(0);
        let outcome = (0..n).try_for_each(|_| {
            let held = held.clone();
            // Ends when the other end is dropped.
            let wait = move || held.recv().is_ok();
            thread::Builder::new().spawn_scoped(scope, wait).map(drop)
        });
        drop(hold);
        outcome
    })
}
