//! The Distances view of Tune, which has a drawing of its own; the other views are pages.

pub(super) mod distances;
pub(super) mod histogram;
mod ready;
