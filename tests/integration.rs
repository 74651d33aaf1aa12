//! All integration tests in one binary, a module a subject.

/// Reading files: formats, encodings, folders, broken input, and reading again.
mod corpus;
/// Fingerprints to neighbours: every fast path against its slow twin.
mod index;
/// Every screen, driven by keys and messages without a terminal.
mod screens;
/// Generators and helpers.
mod support;
