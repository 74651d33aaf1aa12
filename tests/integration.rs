//! All integration tests in one binary, a module a subject.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up panics")]

/// The verdict on k beside every cosine of made corpora.
mod advice;
/// The commands as a shell sees them: rows, messages, exit codes.
mod cli;
/// Reading files: formats, encodings, folders, broken input, and reading again.
mod corpus;
/// How often printed intervals hold: simulations of the deeper run.
mod coverage;
/// Whether an answer moved.
mod digests;
/// Fingerprints to neighbours: every fast path against its slow twin.
mod index;
/// The parsers, as the fuzz targets call them.
mod parsers;
/// The program on a real pseudo-terminal: journeys, exits, and what is left behind.
#[cfg(unix)]
mod pty;
/// Every screen, driven by keys and messages without a terminal.
mod screens;
/// Laws of recipes and fingerprints.
mod simhash;
/// Generators and helpers.
mod support;
/// Words: the fast way against the annex's tables.
mod text;
