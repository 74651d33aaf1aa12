//! All integration tests in one binary, a module a subject.

/// Fingerprints to neighbours: every fast path against its slow twin.
mod index;
/// Generators and helpers.
mod support;
