//! The Compare view of Tune: putting fingerprints aside before they change, and listing what changed.

use std::sync::Arc;

use super::{
    super::{
        App, Effect, Screen,
        question::{Kind, Question},
        screen::tune::{
            View,
            compare::{Before, CompareState, Found, compare_rows},
        },
    },
    act::open_pair,
};
use crate::{analysis::Settings, id::DocId, progress::Progress};

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
        stop(app);
        app.tune.compare = CompareState { before: Some(before), ..CompareState::default() };
    }
}

fn stop(app: &mut App) {
    if let Some(searching) = app.tune.compare.searching.take() {
        searching.cancel();
    }
    app.asked.forget(Kind::Changes);
}

/// Asks for what changed, where that shows and is not known.
pub(super) fn derive(app: &mut App, effects: &mut Vec<Effect>) {
    let shows = app.screen == Screen::Tune && app.tune.view == View::Compare;
    let is_settled = app.running.is_none() && app.analysis.shelf.is_some();
    if !shows || !is_settled || app.tune.compare.asked == Some(app.version) {
        return;
    }
    let Some(before) = app.tune.compare.before.clone() else { return };
    stop(app);
    let progress = Arc::new(Progress::new());
    let state = &mut app.tune.compare;
    state.asked = Some(app.version);
    state.searching = Some(Arc::clone(&progress));
    effects.push(app.ask(Question::Changes(before, progress)));
}

/// Takes what changed.
pub(super) fn take(app: &mut App, found: Result<Arc<Found>, String>) {
    let height = compare_rows(app.size);
    let state = &mut app.tune.compare;
    state.searching = None;
    match found {
        Ok(found) => {
            state.cursor.fit(found.len(), height);
            (state.found, state.problem) = (Some(found), None);
        }
        Err(problem) => (state.found, state.problem) = (None, Some(problem)),
    }
}

/// Moves the selection.
pub(super) fn step(app: &mut App, rows: isize) {
    let height = compare_rows(app.size);
    let state = &mut app.tune.compare;
    let len = state.found.as_ref().map_or(0, |found| found.len());
    state.cursor.step(rows, len, height);
}

/// The first pair of documents of the selected row.
pub(super) fn selected_pair(app: &App) -> Option<(DocId, DocId)> {
    let found = app.tune.compare.found.as_ref()?;
    let (changed, _) = found.row(app.tune.compare.cursor.selected)?;
    Some(found.changes.first(changed))
}

/// Opens the selected pair on Near.
pub(super) fn enter(app: &mut App) {
    if let Some((a, b)) = selected_pair(app) {
        open_pair(app, a, b);
    }
}
