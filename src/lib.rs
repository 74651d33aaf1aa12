//! simscope: a terminal explorer for near-duplicate text.

pub mod id;
pub mod index;
pub mod progress;
pub mod simhash;
