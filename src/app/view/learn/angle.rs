//! The Angle view: random lines between two vectors.

use super::super::contract::View;
use crate::app::{
    App, Effect,
    keymap::{Action, LearnAction},
    numbers::{self, ExplainedNumber},
};

/// The Angle view.
pub(in crate::app) struct AngleView;

impl View for AngleView {
    fn act(&self, app: &mut App, action: Action, _: &mut Vec<Effect>) -> bool {
        let angle = &mut app.learn.angle;
        match action {
            Action::Probe(by) => angle.draw(by),
            Action::Sideways(by) => angle.turn(by),
            Action::Learn(LearnAction::Play) => angle.playing ^= true,
            _ => return super::act(app, action),
        }
        true
    }

    /// Draws lines, or removes them.
    fn step(&self, app: &mut App, rows: isize, _: &mut Vec<Effect>) {
        let bits = app.learn_bits() as isize;
        app.learn.angle.draw(if rows.abs() > 100 { rows.signum() * bits } else { rows });
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        numbers::learn::of_the_angle(app)
    }
}
