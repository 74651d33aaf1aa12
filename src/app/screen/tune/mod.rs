//! The Tune screen: what each k would do to this corpus, and the evidence for one.
//!
//! It has views, one at a time on a small screen; each remembers its own in a file of its own here.
//! There is one k in the program, and every view moves it: the marker in a view is `settings.k`.

pub mod compare;
pub mod distances;
pub mod lab;
pub mod label;
pub mod layouts;
pub mod sweep;

pub use self::{
    compare::CompareState, distances::DistancesState, lab::LabState, label::LabelState,
    layouts::LayoutsState, sweep::SweepState,
};
use crate::choice::{choice, turned};

choice! {
    /// The views of the Tune screen.
    pub enum View, "view" {
        /// How far apart all pairs are, and what each k would make of them.
        #[default]
        Distances = "Distances",
        /// Tables that could be built instead, and what each costs.
        Layouts = "Layouts",
        /// Pairs judged by eye, and the k that the judgements speak for.
        Label = "Label",
        /// Layouts against exact cosines.
        Lab = "Lab",
        /// Recipes side by side, each at its best k.
        Sweep = "Sweep",
        /// Pairs gained and lost against the recipe before.
        Compare = "Compare",
    }
}

/// What the Tune screen remembers.
#[derive(Debug, Default)]
pub struct TuneState {
    /// The view that shows.
    pub view: View,
    /// The Distances view.
    pub distances: DistancesState,
    /// The Layouts view.
    pub layouts: LayoutsState,
    /// The Label view.
    pub label: LabelState,
    /// The Lab view.
    pub lab: LabState,
    /// The Sweep view.
    pub sweep: SweepState,
    /// The Compare view.
    pub compare: CompareState,
}

impl TuneState {
    /// Turns `by` views on, round the end.
    pub fn turn(&mut self, by: isize) {
        self.view = turned(View::ALL, self.view, by);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_turn_round_the_end() {
        let mut state = TuneState::default();
        state.turn(-1);
        assert_eq!(Some(&state.view), View::ALL.last());
        state.turn(1);
        assert_eq!(state.view, View::Distances);
    }
}
