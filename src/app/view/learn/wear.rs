//! The Wear view: the selected document with some of its words changed, many times over.

use super::super::contract::View;
use crate::app::{
    App, Effect,
    ask::want,
    keymap::{Action, LearnAction},
    numbers::{self, ExplainedNumber},
    query,
};

/// The Wear view.
pub(in crate::app) struct WearView;

impl View for WearView {
    fn act(&self, app: &mut App, action: Action, _: &mut Vec<Effect>) -> bool {
        match action {
            Action::Learn(LearnAction::Take | LearnAction::Reset) => app.learn.wear.seed += 1,
            _ => return super::act(app, action),
        }
        true
    }

    /// Asks for the edits of the selected document, once for each document, recipe and seed.
    fn refresh(&self, app: &mut App, effects: &mut Vec<Effect>) {
        let Some(document) = app.query() else { return };
        let query = query::WearQuery { document, seed: app.learn.wear.seed };
        if app.analysis.fingerprint(document).is_some() && want(app, query, effects) {
            app.learn.wear.worn.take();
        }
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        numbers::learn::of_wear(app)
    }
}
