//! All integration tests in one binary, a module a subject.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up panics")]

/// The commands as a shell sees them: rows, messages, exit codes.
mod cli;
