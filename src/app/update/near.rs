//! What keys do in the views of the Near screen, and what those have to ask for; everything not named here
//! is as on every screen.

use std::collections::HashMap;

use super::super::{
    App, Effect, Screen,
    keymap::Action,
    query,
    screen::near::{Similarities, View},
};
use super::{act, answers::want};
use crate::{id::DocId, text::visible};

/// Does an action the way this screen does it; false if it is one like on every screen.
pub(super) fn act(app: &mut App, action: Action) -> bool {
    match action {
        Action::View(by) => {
            app.near.turn(by);
            // The list has another height.
            let height = app.near_layout().list;
            app.near.cursor.fit(app.near.neighbours.len(), height);
        }
        _ if app.near.view == View::Why => return why(app, action),
        _ => return false,
    }
    true
}

/// The same in Why.
fn why(app: &mut App, action: Action) -> bool {
    let height = app.why_cut().rows();
    match action {
        Action::Scroll(rows) => app.near.why.pane.scroll(rows, height),
        Action::FindNext(step) => app.near.why.pane.to_title(step, height),
        Action::DiffView => app.notice = Some("v goes back to the texts".to_owned()),
        _ => return false,
    }
    true
}

/// Holds the selected document, or lets go the one held: it is listed whatever the query.
pub(super) fn hold(app: &mut App) {
    let selected = match app.screen {
        Screen::Near => app.near.selected().map(|neighbour| neighbour.document),
        _ => app.query(),
    };
    let Some(document) = selected else { return };
    let id = visible(app.analysis.corpus.id(document)).into_owned();
    if app.near.held == Some(document) {
        app.near.held = None;
        app.notice = Some(format!("{id} is let go"));
    } else {
        app.near.held = Some(document);
        app.notice = Some(format!("{id} is held: Near lists it beside any document, near or not"));
    }
}

/// Asks how alike the documents in the list's window are to the query: for those not known yet.
fn weigh(app: &mut App, effects: &mut Vec<Effect>) {
    let Some(query) = app.near.query.filter(|_| app.running.is_none()) else { return };
    let fingerprinted = app.versions.recipe;
    let is_known =
        |known: &Similarities| (known.query, known.fingerprinted) == (query, fingerprinted);
    if !app.near.similar.as_ref().is_some_and(is_known) {
        let of = HashMap::new();
        app.near.similar = Some(Similarities { query, fingerprinted, of });
        app.near.similarities.forget();
    }
    let near = &app.near;
    // Where the line below k is not on the screen, one more neighbour is.
    let rows = near.cursor.window(near.neighbours.len(), app.near_layout().list);
    let rows = rows.start..(rows.end + 1).min(near.neighbours.len());
    let listed = near.neighbours[rows].iter().map(|neighbour| neighbour.document);
    let wanted: Vec<DocId> =
        listed.filter(|&document| near.similarity(document).is_none()).collect();
    let asked = app.near.similarities.asked().filter(|_| app.near.similarities.is_running());
    let is_asked = asked.is_some_and(|asked| wanted.iter().all(|it| asked.others.contains(it)));
    if !wanted.is_empty() && !is_asked {
        want(app, query::Similarities { query, others: wanted }, effects);
    }
}

/// Takes how alike some documents are to the query.
pub(super) fn take_similarities(app: &mut App) {
    let found = app.near.similarities.answered();
    if let Some((asked, found)) = found
        && let Some(known) = app.near.similar.as_mut().filter(|known| known.query == asked.query)
    {
        known.of.extend(found.iter().copied());
    }
}

/// Shows the neighbours found.
pub(super) fn show_neighbours(app: &mut App) {
    let height = app.near_layout().list;
    if let Some(found) = app.near.listing.take() {
        app.near.show(found, height);
        app.near.wished = None;
    }
}

/// Shows two texts from their first difference on.
pub(super) fn show_texts(app: &mut App) {
    act::show_first_difference(app);
}

/// Shows a table around the query.
pub(super) fn show_window(app: &mut App) {
    let window = app.tables.lookup.take().flatten();
    app.tables.probes = window.as_ref().map_or(0, |window| window.steps.len());
    app.tables.window = window;
}

/// Asks why the selected pair is found or not, where that shows, and lays out what is known.
pub(super) fn derive(app: &mut App, effects: &mut Vec<Effect>) {
    if app.screen != Screen::Near {
        return;
    }
    weigh(app, effects);
    if app.near.view != View::Why {
        return;
    }
    let pair = app.near.pair().map(|(query, neighbour)| [query, neighbour.document]);
    let state = &mut app.near.why;
    if state.answer.asked().map(|before| before.0) != pair {
        state.answer.clear();
        state.pane.top = 0;
    }
    if let Some(pair) = pair {
        want(app, query::Why(pair), effects);
    }
    let cut = app.why_cut();
    app.near.why.lay_out(cut.width);
    app.near.why.pane.scroll(0, cut.rows());
}
