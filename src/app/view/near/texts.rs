//! The Texts view: both texts with their differences.

use super::super::contract::{ListOfView, View};
use crate::{
    app::{
        App, Effect, ask::want, keymap::Action, query, screen::near::DiffMode,
        side_by_side::places_with_edits,
    },
    choice::cycled,
    facts::ExplainedNumber,
    id::DocId,
};

/// The Texts view.
pub(in crate::app) struct TextsView;

impl View for TextsView {
    fn act(&self, app: &mut App, action: Action, _: &mut Vec<Effect>) -> bool {
        match action {
            Action::Scroll(rows) => {
                scroll_to(app, app.near.text_top.saturating_add_signed(rows));
            }
            Action::FindNext(step) => next_difference(app, step),
            Action::Columns => turn_columns(app),
            _ => return super::act(app, action),
        }
        true
    }

    fn list<'a>(&self, app: &'a mut App) -> Option<ListOfView<'a>> {
        Some(super::list(app))
    }

    fn documents(&self, app: &App) -> Vec<DocId> {
        super::documents(app)
    }

    fn listed(&self, app: &App) -> Vec<DocId> {
        super::listed(app)
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        super::numbers(app)
    }
}

/// Asks for the comparison of the query and the selected neighbour.
pub(super) fn compare(app: &mut App, effects: &mut Vec<Effect>) {
    let Some((left, neighbour)) = app.near.pair() else { return app.near.texts.clear() };
    let pair = [left, neighbour.document];
    if app.near.texts.asked().is_none_or(|before| before.pair != pair) {
        app.near.text_top = 0;
        app.near.texts.clear();
    }
    want(app, query::Texts { pair, within: app.compare_within }, effects);
}

/// Lays the two texts out again if they, the screen or the view changed. Costs their length.
pub(in crate::app) fn lay_out(app: &mut App) {
    let (column, side) = (app.text_column(), app.is_side_by_side());
    let wanted = app.near.texts.number().map(|number| (number, column, side));
    if app.near.laid_out == wanted {
        // A list of other length leaves the texts other rows.
        return scroll_to(app, app.near.text_top);
    }
    app.near.laid_out = wanted;
    let comparison = app.near.texts.answer();
    app.near.rows = comparison.map_or_else(Vec::new, |it| it.rows(column, side));
    scroll_to(app, app.near.text_top);
}

/// Makes this the first shown row of the texts, or an earlier one, so that no row below the last one is shown.
fn scroll_to(app: &mut App, row: usize) {
    let last = app.near.rows.len().saturating_sub(app.text_rows());
    app.near.text_top = row.min(last);
}

/// Changes between two columns and one, and stays at the shown difference.
fn turn_columns(app: &mut App) {
    app.near.diff_view = cycled(DiffMode::ALL, app.near.diff_view, 1);
    let rows = difference_rows(app);
    if let Some(row) = rows.get(app.near.difference) {
        scroll_to(app, row.saturating_sub(1));
    }
}

/// Rows at which a place with edits begins. A place may have several edits.
fn difference_rows(app: &mut App) -> Vec<usize> {
    lay_out(app);
    places_with_edits(&app.near.rows).collect()
}

/// Scrolls the texts to their first difference, unless their beginning shows it.
pub(in crate::app) fn show_first_difference(app: &mut App) {
    let first = difference_rows(app).first().copied().unwrap_or(0);
    app.near.difference = 0;
    scroll_to(app, if first < app.text_rows() { 0 } else { first.saturating_sub(1) });
}

fn next_difference(app: &mut App, step: isize) {
    let rows = difference_rows(app);
    if app.little_in_common().is_some() {
        return app.say("the texts have little in common: no difference is marked");
    }
    if rows.is_empty() {
        let clipped = app.near.texts.answer().is_some_and(|comparison| comparison.clipped);
        let of = if clipped { " in their first 256 kB" } else { "" };
        return app.say(format!("the texts have the same words{of}"));
    }
    // After the last difference comes the first.
    let next = (app.near.difference as isize + step).rem_euclid(rows.len() as isize) as usize;
    app.near.difference = next;
    scroll_to(app, rows[next].saturating_sub(1));
    app.say(format!("place {} of {} with edits", next + 1, rows.len()));
}
