//! Text for standard output beside rows: lists, help, scripts, queries.

use std::io::{self, Write};

/// Writes the bytes to standard output; the exit code.
///
/// # Errors
/// If they cannot be written.
pub(super) fn print(bytes: &[u8]) -> anyhow::Result<u8> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(0)
}
