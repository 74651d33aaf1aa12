//! The Tune screen: the effect of each k on this corpus, and the evidence for one.
//!
//! The larger states are in the files of this folder. There is one k in the program, and every view changes it: the
//! marker in a view is `settings.k`.

pub mod label;
pub mod layouts;
pub mod sweep;

use std::sync::Arc;

pub use self::label::LabelState;
pub use self::layouts::LayoutsState;
pub use self::sweep::SweepState;
use crate::analysis::changes::ChangeSide;
use crate::analysis::{Analysis, Settings, Tuning};
use crate::app::{Cursor, JobNumber, Resource, query};

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

/// The state of the Tune view.
#[derive(Debug, Default)]
pub struct DistancesState {
    /// The distances of all pairs.
    pub measured: Resource<query::DistancesQuery>,
    /// The recommended k by cosines.
    pub advised: Resource<query::AdviceQuery>,
    /// The known rows, one for each k.
    pub tuning: Option<Tuning>,
    /// The inputs of these rows.
    pub(in crate::app) tuned: Option<TuningInputs>,
}

/// The inputs of a tuning: a step of k changes none of them.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct TuningInputs {
    /// The version of the fingerprints.
    pub(in crate::app) fingerprints: u64,
    /// The version of the pairs.
    pub(in crate::app) pairs: Option<u64>,
    /// The version of the analysis, if there are no pairs.
    pub(in crate::app) analysis: Option<u64>,
    /// Whether the distances were known.
    pub(in crate::app) has_distances: bool,
    /// Whether only bands were searched.
    pub(in crate::app) is_bands: bool,
    /// The number of the answer that gave the advice.
    pub(in crate::app) advice: Option<JobNumber>,
}

/// The pairs that a change of the recipe gains and loses.
#[derive(Debug, Default)]
pub struct CompareState {
    /// Whether the changes lead in Recipes and have its keys; else the map does.
    pub leads: bool,
    /// The fingerprints before the last change of the recipe.
    pub before: Option<Arc<ChangeSide>>,
    /// The present fingerprints, while the fingerprints of another recipe are computed.
    pub(in crate::app) pending: Option<Arc<ChangeSide>>,
    /// The pairs gained and lost.
    pub found: Resource<query::ChangesQuery>,
    /// Selection among the changes.
    pub cursor: Cursor,
}

impl CompareState {
    /// Keeps the present fingerprints if the `next` settings, which follow the `present` ones, will change which
    /// documents are near. Until that change, the view compares with the fingerprints that were kept before.
    pub(in crate::app) fn remember(
        &mut self,
        analysis: &Analysis,
        present: &Settings,
        next: &Settings,
    ) {
        let shown = &analysis.settings;
        let changes = (&shown.recipe, shown.k) != (&next.recipe, next.k);
        if !changes {
            self.pending = None;
        }
        // During a change the shown fingerprints are already kept.
        let is_settled = present.recipe == shown.recipe;
        let index = analysis.index.as_ref().filter(|_| is_settled && changes);
        let Some(Ok(index)) = index.map(|index| index.under(shown)) else { return };
        let before = ChangeSide { settings: shown.clone(), index: Arc::new(index) };
        self.pending = Some(Arc::new(before));
    }

    /// Compares with the kept fingerprints, once other fingerprints are shown under the settings `now`.
    pub(in crate::app) fn settle(&mut self, now: &Settings) {
        let has_changed =
            |it: &mut Arc<ChangeSide>| (&it.settings.recipe, it.settings.k) != (&now.recipe, now.k);
        if let Some(before) = self.pending.take_if(has_changed) {
            self.found.forget();
            *self = Self { before: Some(before), leads: self.leads, ..Self::default() };
        }
    }
}
