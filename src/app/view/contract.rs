//! The contract of all views.

use crate::{
    app::{App, Effect, keymap::Action, numbers::ExplainedNumber},
    id::DocId,
    present::page::Section,
};

/// A view: keys, needs, selection and numbers. Pure: no reading, no work, no terminal.
pub(in crate::app) trait View {
    /// Does an action the way this view does it; false if it does it like every view, or not at all.
    fn act(&self, _: &mut App, _: Action, _: &mut Vec<Effect>) -> bool {
        false
    }

    /// Moves the selection by so many rows; scrolls a page.
    fn step(&self, app: &mut App, rows: isize, _: &mut Vec<Effect>) {
        let height = app.page_cut().rows();
        app.page.scroll(rows, height);
    }

    /// The rows that a page key moves by: the height of the list.
    fn page(&self, _: &App) -> usize {
        8
    }

    /// Goes one step back within the view: closes a list, lifts a filter; false if it is at its beginning.
    fn back(&self, _: &mut App) -> bool {
        false
    }

    /// The documents of the row under the cursor: one, the two of a pair, or none.
    fn documents(&self, _: &App) -> Vec<DocId> {
        Vec::new()
    }

    /// The documents that the view lists, whose titles it shows.
    fn listed(&self, _: &App) -> Vec<DocId> {
        Vec::new()
    }

    /// Asks for what shows and is not known, and lays out what is.
    fn refresh(&self, _: &mut App, _: &mut Vec<Effect>) {}

    /// The view as a page of text, tables and pictures. Empty for a view that has a drawing of its own.
    fn sections(&self, _: &App) -> Vec<Section<'static>> {
        Vec::new()
    }

    /// The numbers that the view shows, explained.
    fn numbers(&self, _: &App) -> Vec<ExplainedNumber> {
        Vec::new()
    }
}
