//! simscope's search engine beside the fastest published ones, on the same data in the same run.
//!
//! In the folder `tests/bench`:
//!
//! ```text
//! cargo bench --bench rivals                      everything, about ten minutes
//! cargo bench --bench rivals -- --full            more repeats, more block counts of the rivals
//! cargo bench --bench rivals -- pairs/1e6 scan    only rows whose name contains one of these
//! ```
//!
//! `RUSTFLAGS="-C target-cpu=native"` before it compiles both sides for this machine's processor. That
//! is the fair way: without it the rivals count bits without POPCNT, up to half as slow again, while
//! simscope finds its instructions at run time.
//!
//! Answers are checked to be equal before anything is timed. One thread and CPU time, unless a row
//! says otherwise; the two sides take turns; a ratio is the median of the turns' ratios. The tables
//! go to standard output in Markdown as they are ready, what happens meanwhile to standard error.

mod answer;
mod asked;
mod brute_force;
mod costs;
#[path = "../../support/data.rs"]
mod data;
mod hard;
mod limit;
mod machine;
mod measure;
mod memory;
mod ours;
mod pairs;
mod report;
mod theirs;

use asked::Asked;

#[global_allocator]
static ALLOCATOR: memory::CountMethod = memory::CountMethod;

fn main() {
    let asked = Asked::from_arguments(std::env::args().skip(1));
    machine::describe(&asked);
    pairs::run(&asked);
    brute_force::run(&asked);
    costs::run(&asked);
    hard::run(&asked);
}
