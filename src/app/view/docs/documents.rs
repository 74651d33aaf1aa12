//! The Documents view: the list, and the selected document.

use super::super::{contract::View, go::from_document, preview};
use crate::{
    analysis::{
        arrangement::{List, Order},
        filter::Filter,
        query::Given,
    },
    app::{
        App, Effect, Screen,
        ask::ask,
        keymap::Action,
        layout::{PREVIEW, Shape},
        numbers::{self, Number},
        query,
    },
    choice::turned,
    id::DocId,
};

/// The Documents view.
pub(in crate::app) struct Documents;

impl View for Documents {
    fn act(&self, app: &mut App, action: Action, effects: &mut Vec<Effect>) -> bool {
        match action {
            Action::Enter => from_document(app, Screen::Near),
            Action::FindNext(step) => find(app, step, effects),
            Action::Scroll(rows) => scroll(app, rows),
            Action::Sort => {
                app.docs.order = turned(Order::ALL, app.docs.order, 1);
                (app.docs.reversed, app.docs.from_top) = (false, true);
            }
            Action::Reverse => {
                app.docs.reversed = !app.docs.reversed;
                app.docs.from_top = true;
            }
            _ => return false,
        }
        true
    }

    fn step(&self, app: &mut App, rows: isize, _: &mut Vec<Effect>) {
        step(app, rows);
    }

    fn page(&self, app: &App) -> usize {
        app.docs_layout().list
    }

    fn click(&self, app: &mut App, column: usize, row: usize, _: &mut Vec<Effect>) {
        let width = app.size.width as usize;
        let (above, list_width) =
            if app.size.shape() == Shape::Wide { (4, width - PREVIEW) } else { (3, width) };
        let Some(row) = row.checked_sub(above).filter(|_| column < list_width) else { return };
        let at = app.docs.cursor.top + row;
        if row < app.docs_layout().list && at < app.docs.len() {
            app.docs.cursor.selected = at;
        }
    }

    fn back(&self, app: &mut App) {
        back(app);
    }

    fn documents(&self, app: &App) -> Vec<DocId> {
        app.query().into_iter().collect()
    }

    fn listed(&self, app: &App) -> Vec<DocId> {
        let rows = app.docs.cursor.window(app.docs.len(), app.docs_layout().list);
        rows.filter_map(|row| app.docs.document(row)).collect()
    }

    fn numbers(&self, app: &App) -> Vec<Number> {
        numbers::corpus::of_a_document(app)
    }
}

/// Moves the selection of the list.
pub(super) fn step(app: &mut App, rows: isize) {
    let height = app.docs_layout().list;
    app.docs.cursor.step(rows, app.docs.len(), height);
}

/// Scrolls the selected document's text.
pub(super) fn scroll(app: &mut App, rows: isize) {
    let height = app.docs_layout().preview;
    preview::scroll(app, rows, height);
}

/// Stops the search for a match, or lifts the filter.
pub(super) fn back(app: &mut App) {
    if app.docs.matching.is_running() {
        app.docs.matching.forget();
    } else if !app.docs.filter.is_empty() {
        app.docs.lift_filter();
    } else {
        app.notice = Some("q leaves".to_owned());
    }
}

/// Searches the next row whose id contains the word, or the previous one.
pub(in crate::app) fn find(app: &mut App, step: isize, effects: &mut Vec<Effect>) {
    if app.docs.find.is_empty() {
        app.notice = Some("nothing to find yet; / asks for a part of an id".to_owned());
        return;
    }
    let (from, word) = (app.docs.cursor.selected, app.docs.find.clone());
    let list = Given(app.docs.list.clone());
    ask(app, query::Match { list, from, step, word }, effects);
}

/// Selects the row whose id contains the word.
pub(in crate::app) fn go_to_match(app: &mut App) {
    let height = app.docs_layout().list;
    match app.docs.matching.take().flatten() {
        // Of documents that are listed twice as rows move, the one found.
        Some((row, document)) if app.docs.document(row) == Some(document) => {
            app.docs.cursor.select(row, app.docs.len(), height);
        }
        Some((_, document)) => app.docs.select(document, height),
        None if app.docs.filter.is_empty() => {
            app.notice = Some(format!("no id holds {:?}", app.docs.find));
        }
        None => {
            app.notice =
                Some(format!("no shown id holds {:?}; Esc lifts the filter", app.docs.find));
        }
    }
}

/// Shows the rows of the list.
pub(in crate::app) fn show_rows(app: &mut App) {
    let Some(rows) = app.docs.rows.take() else { return };
    let height = app.docs_layout().list;
    let is_new = app.docs.list.arrangement() != rows.arrangement;
    let is_filtered = rows.arrangement.filter != Filter::default();
    app.docs.show(List::of(rows), height);
    if is_new && is_filtered && app.docs.is_empty() {
        let text = "no document passes the filter; f changes it, Esc clears it";
        app.notice = Some(text.to_owned());
    }
}
