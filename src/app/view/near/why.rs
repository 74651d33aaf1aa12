//! The Why view: why the pair is found, or is not found.

use super::super::contract::{ListOfView, View};
use crate::{
    app::{
        App, Effect,
        ask::want,
        keymap::Action,
        numbers::{self, ExplainedNumber},
        query,
    },
    id::DocId,
};

/// The Why view.
pub(in crate::app) struct WhyView;

impl View for WhyView {
    fn act(&self, app: &mut App, action: Action, _: &mut Vec<Effect>) -> bool {
        let height = app.why_cut().rows();
        match action {
            Action::Scroll(rows) => app.near.why.pane.scroll(rows, height),
            Action::FindNext(step) => app.near.why.pane.to_title(step, height),
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

    fn refresh(&self, app: &mut App, effects: &mut Vec<Effect>) {
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
        app.near.why.lay_out(cut.width, app.ascii);
        app.near.why.pane.scroll(0, cut.rows());
    }

    fn listed(&self, app: &App) -> Vec<DocId> {
        super::listed(app)
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let mut numbers = numbers::pair::of_the_pair(app);
        numbers.extend(numbers::pair::of_their_features(app));
        numbers
    }
}
