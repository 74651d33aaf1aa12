//! The Step view: feature by feature.

use std::sync::Arc;

use super::super::contract::View;
use crate::app::{
    App, Effect,
    keymap::{Action, LearnAction},
    numbers::{self, ExplainedNumber},
    screen::learn::StepState,
};

/// The Step view.
pub(in crate::app) struct StepView;

impl View for StepView {
    fn act(&self, app: &mut App, action: Action, _: &mut Vec<Effect>) -> bool {
        let learn = &mut app.learn;
        match action {
            Action::Probe(by) => learn.step.step(by, &learn.playground),
            Action::Sideways(by) => learn.step.sideways(by, &learn.playground),
            // The blocks here are bytes.
            Action::Learn(LearnAction::Block(by)) => learn.step.sideways(8 * by, &learn.playground),
            Action::Learn(LearnAction::Take) => take(app),
            Action::Learn(LearnAction::Play) => {
                learn.step.playing ^= true;
                if learn.step.cast == learn.step.len(&learn.playground) {
                    learn.step.cast = 0;
                }
            }
            _ => return super::act(app, action),
        }
        super::clamp(app);
        true
    }

    fn step(&self, app: &mut App, rows: isize, _: &mut Vec<Effect>) {
        app.learn.step.step(rows, &app.learn.playground);
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        numbers::learn::of_the_step(app)
    }
}

/// Takes the selected document.
fn take(app: &mut App) {
    match app.open_document().cloned() {
        Some(document) if document.feature_votes.is_some() => {
            let document = Some(Arc::new(document));
            app.learn.step = StepState { document, ..StepState::default() };
        }
        _ => {
            let why = "the document selected in Docs has no text, no features or too many features for this view";
            app.notice = Some(why.to_owned());
        }
    }
}
