//! The views of the Near screen, and the list of neighbours that they share.

pub(in crate::app) mod texts;
pub(in crate::app) mod why;

use super::{contract::ListOfView, go::select_document, review, similar};
use crate::{
    app::{App, Effect, Screen, ask::want, geometry::Edge, keymap::Action, query},
    id::DocId,
    text::visible,
};

/// Does an action that both views share; false for other actions.
fn act(app: &mut App, action: Action) -> bool {
    match action {
        Action::Enter if app.query().is_none() => {
            app.notice = Some("no document is selected".to_owned());
        }
        Action::Enter => app.screen = Screen::Tables,
        Action::Mark => review::toggle(app),
        Action::NoDuplicates => review::not_duplicates(app),
        Action::Follow => {
            if let Some(neighbour) = app.near.selected() {
                select_document(app, neighbour.document);
            }
        }
        _ => return false,
    }
    true
}

/// Fits the selection into the list, whose height differs from view to view.
pub(in crate::app) fn fit(app: &mut App) {
    let height = app.near_layout().rows();
    app.near.cursor.fit(app.near.neighbours.len(), height);
}

/// The list of neighbours.
pub(in crate::app) fn list(app: &mut App) -> ListOfView<'_> {
    let height = app.near_layout().rows();
    ListOfView { len: app.near.neighbours.len(), height, cursor: &mut app.near.cursor }
}

/// The selected neighbour, or the query if there is none.
fn documents(app: &App) -> Vec<DocId> {
    let neighbour = app.near.selected().map(|neighbour| neighbour.document);
    neighbour.or(app.near.query).into_iter().collect()
}

/// Holds the selected document, so that it is listed whatever the query; or releases the held one.
pub(in crate::app) fn hold(app: &mut App) {
    let selected = match app.screen {
        Screen::Near => app.near.selected().map(|neighbour| neighbour.document),
        _ => app.query(),
    };
    let Some(document) = selected else { return };
    let id = visible(app.analysis.corpus.id(document)).into_owned();
    if app.near.held == Some(document) {
        app.near.held = None;
        app.notice = Some(format!("{id} is no longer held"));
    } else {
        app.near.held = Some(document);
        app.notice = Some(format!("{id} is held: Near lists it beside any document, near or not"));
    }
}

/// The query and the shown neighbours.
fn listed(app: &App) -> Vec<DocId> {
    let near = &app.near;
    // If the line below k is not on the screen, there is room for one more neighbour.
    let height = app.near_layout().rows() + 1;
    let rows = app.rows_to_know(near.cursor, near.neighbours.len(), height);
    near.query.into_iter().chain(near.neighbours[rows].iter().map(|it| it.document)).collect()
}

/// Asks for the data of both views.
pub(in crate::app) fn refresh(app: &mut App, effects: &mut Vec<Effect>) {
    texts::compare(app, effects);
    // In a box, the bits are shown with their votes.
    let pair = app.near.pair().filter(|_| app.near_layout().bits.edge == Edge::Box);
    if let Some((query, neighbour)) = pair {
        want(app, query::DifferingVotes([query, neighbour.document]), effects);
    }
    weigh(app, effects);
    review::restore(app, effects);
}

/// Asks for the similarity of the documents on the screen to the query.
fn weigh(app: &mut App, effects: &mut Vec<Effect>) {
    let Some(query) = app.near.query else { return };
    let near = &app.near;
    // If the line below k is not on the screen, there is room for one more neighbour.
    let height = app.near_layout().rows();
    let rows = app.rows_to_know(near.cursor, near.neighbours.len(), height);
    let rows = rows.start..(rows.end + 1).min(near.neighbours.len());
    let listed: Vec<DocId> = near.neighbours[rows].iter().map(|it| it.document).collect();
    similar::weigh(app, query, &listed, effects);
}

/// Shows the found neighbours.
pub(super) fn show_neighbours(app: &mut App) {
    let height = app.near_layout().rows();
    if let Some(found) = app.near.listing.take() {
        app.near.show(found, height);
        app.near.pending_selection = None;
    }
}
