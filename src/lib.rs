//! simscope: a terminal explorer for near-duplicate text.

pub mod choice;
pub mod feature;
pub mod id;
pub mod index;
pub mod progress;
pub mod simhash;
pub mod text;
