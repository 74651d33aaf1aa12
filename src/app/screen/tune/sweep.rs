//! The map of recipes, each at its best k, filled in the background.
//!
//! ```text
//! Enter --> reference --> words:1 binary --> words:1 tf --> ..    one query after the other
//!           (true pairs)      its widths         its widths
//! ```
//!
//! A stopped sweep keeps its cells and can be resumed. Its cells are of the recipe with which it was started, even if
//! the recipe has changed.

use std::sync::Arc;
use std::time::Duration;

use crate::analysis::sweep::SweepTask;
use crate::analysis::{Reference, Settings, SweepGrid, SweptRecipe};
use crate::app::{Resource, query};
use crate::feature::{Shingling, Weighting};
use crate::simhash::Recipe;

/// The state of the map.
#[derive(Debug, Default)]
pub struct SweepState {
    /// The grid of recipes to sweep.
    pub grid: SweepGrid,
    /// The selected shingling.
    pub row: usize,
    /// The selected width of a weighting: all widths of the first, then those of the next.
    pub column: usize,
    /// The started sweep.
    pub running: Option<RunningSweep>,
    /// Its present step.
    pub step: Resource<query::SweepStep>,
}

/// A started sweep.
#[derive(Clone, Debug, Default)]
pub struct RunningSweep {
    /// The settings with which it was started: all that the grid does not vary, and the features of the truth.
    pub base: Settings,
    /// The true pairs, once they are known.
    pub reference: Option<Arc<Reference>>,
    /// The cells so far, row by row.
    pub swept: Vec<Arc<SweptRecipe>>,
    /// The time that the steps took so far.
    pub took: Duration,
    /// Whether the sweep was stopped and can be resumed.
    pub(in crate::app) is_stopped: bool,
}

impl RunningSweep {
    /// Whether its cells are those of a recipe: of all that the grid does not vary.
    pub(in crate::app) fn is_of(&self, recipe: &Recipe) -> bool {
        let Recipe { features, weights, bits, .. } = *recipe;
        Recipe { features, weights, bits, ..self.base.recipe.clone() } == *recipe
    }
}

impl SweepState {
    /// Columns of the map.
    pub fn columns(&self) -> usize {
        self.grid.weights.len() * self.grid.widths.len()
    }

    /// The shingling, the weights and the width of a cell of the map.
    pub(in crate::app) fn varied(&self, row: usize, column: usize) -> (Shingling, Weighting, u32) {
        let (grid, n_widths) = (&self.grid, self.grid.widths.len());
        (grid.features[row], grid.weights[column / n_widths], grid.widths[column % n_widths])
    }

    /// A cell of the map, if it is computed.
    pub fn cell(&self, row: usize, column: usize) -> Option<&Arc<SweptRecipe>> {
        self.running.as_ref()?.swept.get(row * self.columns() + column)
    }

    /// The selected cell, if it is computed.
    pub fn selected(&self) -> Option<&Arc<SweptRecipe>> {
        self.cell(self.row, self.column)
    }

    /// The cell with the largest F1, the first of several.
    pub fn best(&self) -> Option<&Arc<SweptRecipe>> {
        let f1 = |swept: &SweptRecipe| swept.at_best().f1().unwrap_or(0.0);
        let swept = self.running.as_ref()?.swept.iter();
        swept.reduce(|best, one| if f1(one) > f1(best) { one } else { best })
    }

    /// The finished steps and all steps: one for the true pairs, and one for each shingling with each weighting.
    pub fn steps(&self) -> (usize, usize) {
        let all = 1 + self.grid.features.len() * self.grid.weights.len();
        let done = self.running.as_ref().map_or(0, |running| {
            usize::from(running.reference.is_some()) + running.swept.len() / self.grid.widths.len()
        });
        (done, all)
    }

    /// Whether every cell is computed.
    pub fn is_done(&self) -> bool {
        let (done, all) = self.steps();
        done == all
    }

    /// The next step and its number.
    pub(in crate::app) fn next(&self) -> Option<(usize, SweepTask)> {
        let running = self.running.as_ref().filter(|_| !self.is_done())?;
        let (done, _) = self.steps();
        let settings = match done.checked_sub(1) {
            None => running.base.clone(),
            Some(at) => self.grid.settings(&running.base).swap_remove(at),
        };
        let (widths, reference) = (self.grid.widths.clone(), running.reference.clone());
        Some((done, SweepTask { settings, widths, reference }))
    }
}
