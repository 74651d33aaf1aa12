//! All integration tests in one binary, a module a subject.

// Reading files: formats, encodings, folders, broken input, and reading again.
mod corpus;
