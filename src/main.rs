//! The binary: its allocator, and the program.

use std::process::ExitCode;

/// Gives freed memory back to the system, also what other threads freed.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(simscope::program::run(std::env::args_os()))
}
