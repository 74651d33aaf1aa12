//! All integration tests in one binary, a module a subject.
