//! What keys do in the views of the Near screen, and what those have to ask for; everything not named here
//! is as on every screen.

use std::sync::Arc;

use super::super::{
    App, Effect, Screen,
    keymap::Action,
    question::{Kind, Question},
    screen::near::{View, Why},
};
use crate::text::visible;

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

/// Asks why the selected pair is found or not, where that shows, and lays out what is known.
pub(super) fn derive(app: &mut App, effects: &mut Vec<Effect>) {
    if app.screen != Screen::Near || app.near.view != View::Why {
        return;
    }
    let pair = app.near.pair().map(|(query, neighbour)| [query, neighbour.document]);
    let wanted = pair.map(|pair| (pair, app.version));
    if app.near.why.asked != wanted {
        let state = &mut app.near.why;
        state.unreadable = None;
        if state.found.as_ref().map(|found| found.pair) != pair {
            state.found = None;
            state.pane.top = 0;
        }
        state.asked = wanted;
        app.asked.forget(Kind::Why);
        if let Some(pair) = pair {
            effects.push(app.ask(Question::Why(pair)));
        }
    }
    let cut = app.why_cut();
    app.near.why.lay_out(cut.width);
    app.near.why.pane.scroll(0, cut.rows());
}

/// Takes the answer; what was on the screen of the same pair stays scrolled as it was.
pub(super) fn take_why(app: &mut App, explained: Result<Arc<Why>, String>) {
    app.near.why.unreadable = explained.as_ref().err().cloned();
    app.near.why.found = explained.ok();
}
