//! The Tune screen: its views, one at a time or, if there is room, side by side.
//!
//! ```text
//! Distances   the histogram, and below it the effect of each k
//! Layouts     the tables that could be built, their cost, their fullest bucket
//! Lab         layouts against exact cosines
//! Bands       bands over their bits and over their number
//! Label       a pair to judge, or each k by the judgements
//! Sweep       recipes as a map of their F1, each at its best k
//! Compare     pairs gained and lost against the recipe before
//! ```

pub(super) mod bands;
mod chance_grid;
pub(super) mod compare;
pub(super) mod distances;
pub(super) mod histogram;
pub(super) mod lab;
pub(super) mod label;
pub(super) mod layouts;
mod planned;
mod ready;
pub(super) mod sweep;
mod sweep_plan;
