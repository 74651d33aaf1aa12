//! The Compare view of Tune: putting fingerprints aside before they change, and listing what changed.

use std::sync::Arc;

use super::{
    super::{
        App, Effect, Screen, query,
        screen::tune::{
            View,
            compare::{CompareState, compare_rows},
        },
    },
    act::open_pair,
    answers::want,
};
use crate::{analysis::Settings, analysis::before::Before, analysis::query::Given, id::DocId};

/// Puts the fingerprints on the screen aside where these settings will change what is near; until they
/// have, what was put aside before stays to be compared with.
pub(super) fn remember(app: &mut App, next: &Settings) {
    let shown = &app.analysis.settings;
    let changes = (&shown.recipe, shown.k) != (&next.recipe, next.k);
    if !changes {
        app.tune.compare.pending = None;
    }
    // While one change is under way what shows was put aside already.
    let is_settled = app.settings.recipe == shown.recipe;
    let shelf = app.analysis.shelf.as_ref().filter(|_| is_settled && changes);
    let Some(Ok(shelf)) = shelf.map(|shelf| shelf.bare(shown)) else { return };
    let before = Before { settings: shown.clone(), shelf: Arc::new(shelf) };
    app.tune.compare.pending = Some(Arc::new(before));
}

/// What was put aside is compared with, once something else shows.
pub(super) fn settle(app: &mut App) {
    let now = &app.analysis.settings;
    let has_changed =
        |it: &mut Arc<Before>| (&it.settings.recipe, it.settings.k) != (&now.recipe, now.k);
    if let Some(before) = app.tune.compare.pending.take_if(has_changed) {
        app.tune.compare.found.forget();
        app.tune.compare = CompareState { before: Some(before), ..CompareState::default() };
    }
}

/// Asks for what changed, where that shows and is not known.
pub(super) fn derive(app: &mut App, effects: &mut Vec<Effect>) {
    let shows = app.screen == Screen::Tune && app.tune.view == View::Compare;
    let is_settled = app.running.is_none() && app.analysis.shelf.is_some();
    if let Some(before) = app.tune.compare.before.clone().filter(|_| shows && is_settled) {
        want(app, query::Changes(Given(before)), effects);
    }
}

/// Fits the selection into the pairs found.
pub(super) fn fit(app: &mut App) {
    let height = compare_rows(app.size);
    let state = &mut app.tune.compare;
    if let Some(found) = state.found.answer() {
        state.cursor.fit(found.len(), height);
    }
}

/// Moves the selection.
pub(super) fn step(app: &mut App, rows: isize) {
    let height = compare_rows(app.size);
    let state = &mut app.tune.compare;
    let len = state.found.answer().map_or(0, |found| found.len());
    state.cursor.step(rows, len, height);
}

/// The first pair of documents of the selected row.
pub(super) fn selected_pair(app: &App) -> Option<(DocId, DocId)> {
    let found = app.tune.compare.found.answer()?;
    let (changed, _) = found.row(app.tune.compare.cursor.selected)?;
    Some(found.changes.first(changed))
}

/// Opens the selected pair on Near.
pub(super) fn enter(app: &mut App) {
    if let Some((a, b)) = selected_pair(app) {
        open_pair(app, a, b);
    }
}
