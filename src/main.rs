//! The program: parse, run, exit code.

use std::process::ExitCode;

use simscope::cli::{self, Outcome};

fn main() -> ExitCode {
    match cli::run(std::env::args_os()) {
        Outcome::Done(code) => ExitCode::from(code),
        Outcome::Explore(_) => {
            eprintln!("error: explorer not built yet");
            ExitCode::from(2)
        }
    }
}
