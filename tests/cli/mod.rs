//! The commands as a shell sees them: rows, messages, exit codes.

mod across;
mod advice;
mod alike;
pub(crate) mod arxiv;
mod browser;
mod by_folder;
mod carried_recipes;
#[cfg(unix)]
mod changed;
#[cfg(feature = "columnar")]
mod cluster;
#[cfg(feature = "columnar")]
mod columnar;
#[cfg(feature = "columnar")]
mod columns;
mod compare;
mod config;
mod dedup;
mod elsewhere;
mod explain;
mod faults;
mod field;
mod filter;
mod fingerprints_only;
mod frequencies;
mod help;
mod ignore;
mod index;
mod judged;
mod layouts;
mod learn;
mod levels;
mod manual;
mod messages;
mod output;
mod plain;
mod reading;
mod report;
mod round_trip;
mod rows;
pub(crate) mod shell;
mod similarity;
mod sweep;
mod view_files;
mod worst_cases;
