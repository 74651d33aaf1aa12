//! The program from its arguments to its exit code, for the binary and for the script of the Python package.

use std::ffi::OsString;
use std::io::{self, Write};

use anyhow::Result;

use crate::app::{Keys, Size};
use crate::cli::{self, ExploreRequest, Outcome};
use crate::tui;

/// Runs the program with these arguments, the first of which is its own name; the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    match cli::run(arguments) {
        Outcome::Done(code) => code,
        Outcome::Explore(explore) => open(*explore).unwrap_or_else(|error| {
            // Standard error may be full, or its terminal gone: that is no reason to panic.
            let _ = writeln!(io::stderr(), "error: {}", cli::with_flags(&format!("{error:#}")));
            2
        }),
    }
}

/// Opens the explorer, or prints the screen that some keys lead to; the exit code, 1 if a printed screen is of
/// less than all input.
fn open(explore: ExploreRequest) -> Result<u8> {
    let ExploreRequest { start, keys, print, plain: is_plain } = explore;
    let keys: Keys = keys.as_deref().unwrap_or_default().parse()?;
    // Lines that are read cut less the wider they are, and below 110 columns no part stands beside another.
    let width = if is_plain { 109 } else { 80 };
    let size = start.size.unwrap_or(Size { width, height: 24 });
    if is_plain {
        match tui::plain(start, &keys, size, io::stdin().lock(), &mut io::stdout().lock()) {
            Err(error) if !cli::is_closed_pipe(&error) => return Err(error),
            _ => return Ok(0),
        }
    }
    let Some(format) = print else {
        return tui::run(start, keys).map(|()| 0);
    };
    let (text, problems) = tui::print(start, &keys, size, format)?;
    match io::stdout().write_all(text.as_bytes()) {
        // A closed pipe is success: whoever reads has seen enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error.into()),
        _ => {}
    }
    for problem in &problems {
        let _ = writeln!(io::stderr(), "{}", cli::with_flags(problem));
    }
    Ok(u8::from(!problems.is_empty()))
}
