//! The pairs gained and lost against the recipe before.

use std::sync::Arc;

use crate::{
    analysis::{Analysis, Settings, changes::ChangeSide},
    app::{cursor::Cursor, query, resource::Resource},
};

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
