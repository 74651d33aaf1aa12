//! simscope: a terminal explorer for near-duplicate text.

pub mod corpus;
pub mod id;
pub mod progress;
pub mod simhash;
