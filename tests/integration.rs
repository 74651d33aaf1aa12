//! All integration tests in one binary, a module a subject.

/// The commands as a shell sees them: rows, messages, exit codes.
mod cli;
