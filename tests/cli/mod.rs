//! The commands as a shell sees them: rows, messages, exit codes.

mod arxiv;
mod explain;
mod help;
mod messages;
mod output;
mod round_trip;
mod rows;
mod shell;
mod worst_cases;
