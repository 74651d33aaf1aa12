//! What keys do in the views of the Near screen, and what those have to ask for; everything not named here
//! is as on every screen.

use std::{collections::HashMap, sync::Arc};

use super::super::{
    App, Effect, Screen,
    keymap::Action,
    question::{FoundSimilarities, Kind, Question},
    screen::near::{Similarities, View, Why},
};
use crate::{
    analysis::{Job, Stage},
    id::DocId,
    text::visible,
};

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
    let fingerprinted = app.fingerprinted;
    let is_known =
        |known: &Similarities| (known.query, known.fingerprinted) == (query, fingerprinted);
    if !app.near.similar.as_ref().is_some_and(is_known) {
        let of = HashMap::new();
        app.near.similar = Some(Similarities { query, fingerprinted, of });
        if let Some((_, before)) = app.near.weighing.take() {
            before.progress.cancel();
        }
    }
    let near = &app.near;
    // Where the line below k is not on the screen, one more neighbour is.
    let rows = near.cursor.window(near.neighbours.len(), app.near_layout().list);
    let rows = rows.start..(rows.end + 1).min(near.neighbours.len());
    let listed = near.neighbours[rows].iter().map(|neighbour| neighbour.document);
    let wanted: Vec<DocId> =
        listed.filter(|&document| near.similarity(document).is_none()).collect();
    let is_asked = |(asked, _): &(Vec<DocId>, Arc<Job>)| {
        app.asked.awaits(Kind::Similarities) && wanted.iter().all(|it| asked.contains(it))
    };
    if wanted.is_empty() || near.weighing.as_ref().is_some_and(is_asked) {
        return;
    }
    let job = Arc::new(Job::to_begin(Stage::Compare));
    let weighing = (wanted.clone(), Arc::clone(&job));
    if let Some((_, before)) = app.near.weighing.replace(weighing) {
        before.progress.cancel();
    }
    effects.push(app.ask(Question::Similarities { query, others: wanted, job }));
}

/// Takes how alike some documents are to the query.
pub(super) fn take_similarities(app: &mut App, found: Option<(DocId, FoundSimilarities)>) {
    app.near.weighing = None;
    let known = app.near.similar.as_mut();
    if let Some((query, found)) = found
        && let Some(known) = known.filter(|known| known.query == query)
    {
        known.of.extend(found);
    }
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
