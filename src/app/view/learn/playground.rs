//! The Playground view: two texts, and their features, votes and bits.

use super::super::contract::View;
use crate::app::{
    App, Effect,
    keymap::Action,
    numbers::{self, ExplainedNumber},
};

/// The Playground view.
pub(in crate::app) struct PlaygroundView;

impl View for PlaygroundView {
    fn act(&self, app: &mut App, action: Action, _: &mut Vec<Effect>) -> bool {
        super::act(app, action)
    }

    /// Selects the other text.
    fn step(&self, app: &mut App, rows: isize, _: &mut Vec<Effect>) {
        if rows.abs() == 1 {
            app.learn.playground.focus = usize::from(rows > 0);
        }
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        numbers::learn::of_the_playground(app)
    }
}
