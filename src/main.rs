//! The program: parse, run, exit code.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anyhow::Result;
use simscope::{
    app::{Keys, Size},
    cli::{self, Explore, Outcome},
    tui::{self, Start},
};

fn main() -> ExitCode {
    match cli::run(std::env::args_os()) {
        Outcome::Done(code) => ExitCode::from(code),
        Outcome::Explore(explore) => match open(*explore) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error:#}");
                ExitCode::from(2)
            }
        },
    }
}

/// Opens the explorer, or prints the screen that some keys lead to.
fn open(explore: Explore) -> Result<()> {
    let keys: Keys = explore.keys.as_deref().unwrap_or_default().parse()?;
    let (width, height) = explore.size.unwrap_or((80, 24));
    let start = Start {
        title: explore.title,
        settings: explore.settings,
        inputs: explore.inputs,
        options: explore.options,
        labels: explore.labels,
        ascii: explore.ascii,
        mono: explore.no_color,
    };
    if !explore.print {
        return tui::run(start, keys);
    }
    let screen = tui::print(start, &keys, Size { width, height })?;
    match io::stdout().write_all(screen.as_bytes()) {
        // A closed pipe is success: whoever reads has seen enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
