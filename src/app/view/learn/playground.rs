//! The Playground view: two texts, and their features, votes and bits.

use super::super::contract::View;
use crate::app::{
    App, Effect,
    keymap::{Action, LearnAction},
    numbers::{self, ExplainedNumber},
    screen::learn,
};

/// The Playground view.
pub(in crate::app) struct PlaygroundView;

impl View for PlaygroundView {
    fn act(&self, app: &mut App, action: Action, _: &mut Vec<Effect>) -> bool {
        match action {
            Action::Learn(LearnAction::Reset) => {
                app.learn.playground = learn::Playground::default()
            }
            _ => return super::act(app, action),
        }
        super::clamp(app);
        true
    }

    /// Turns to the other text.
    fn step(&self, app: &mut App, rows: isize, _: &mut Vec<Effect>) {
        if rows.abs() == 1 {
            app.learn.playground.focus = usize::from(rows > 0);
        }
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        numbers::learn::of_the_playground(app)
    }
}
