//! simscope: a terminal explorer for near-duplicate text.

pub mod analysis;
pub mod app;
pub mod choice;
pub mod cli;
pub mod corpus;
pub mod explain;
pub mod feature;
pub mod id;
pub mod index;
pub mod progress;
pub mod simhash;
pub mod text;
