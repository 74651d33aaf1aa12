//! The Tune screen: the effect of each k on this corpus, and the evidence for one.
//!
//! The state of each view is in a file of this folder. There is one k in the program, and every view changes it: the
//! marker in a view is `settings.k`.

pub mod compare;
pub mod distances;
pub mod label;
pub mod layouts;
pub mod sweep;

pub use self::{
    compare::CompareState, distances::DistancesState, label::LabelState, layouts::LayoutsState,
    sweep::SweepState,
};

/// The state of the Tune screen.
#[derive(Debug, Default)]
pub struct TuneState {
    /// The Tune view.
    pub distances: DistancesState,
    /// The Layouts view.
    pub layouts: LayoutsState,
    /// The Label view.
    pub label: LabelState,
    /// The map of recipes.
    pub sweep: SweepState,
    /// The pairs that a change of the recipe gains and loses.
    pub compare: CompareState,
}
