//! The Angle view: random lines between two vectors.

use std::f64::consts::PI;

use super::super::contract::View;
use crate::{
    app::{
        App, Effect,
        keymap::{Action, LearnAction},
    },
    evaluate::{angle, interval},
    facts::{ExplainedNumber, figures::digits},
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
        let state = &app.learn.angle;
        let (cosine, planes) = (state.cosine(), state.planes());
        let (bits, k, theta) = (app.learn_bits(), app.learn_k(), planes.theta);
        let degrees = format!("{:.1} degrees", theta.to_degrees());
        let (share, within) = (angle::bit_differs(cosine), digits(angle::within(cosine, k, bits)));
        let mut numbers = vec![
            ExplainedNumber::new("angle", &degrees).explained(
                format!("acos({cosine:.2}) = {theta:.3} = {degrees}"),
                "Between the two feature vectors.",
            ),
            ExplainedNumber::new("chance that a line separates them", format!("{share:.3}"))
                .explained(
                    format!("theta / pi = {theta:.3} / {PI:.3} = {share:.3}"),
                    "The share of lines that separate them is their angle divided by pi.",
                ),
            ExplainedNumber::new("within k", &within).explained(
                format!(
                    "P(d <= {k}) = sum of C({bits}, i) p^i (1-p)^({bits}-i), i = 0..{k}, p = {share:.3}: {within}"
                ),
                "The share of the pairs at this cosine that the program finds.",
            ),
        ];
        let (separating, n) = (planes.n_separating(), planes.n());
        if n > 0 {
            let (low, high) = interval::jeffreys(separating, n, interval::LEVEL);
            let share = f64::from(separating) / f64::from(n);
            numbers.push(ExplainedNumber::new("share so far", format!("{share:.3}")).explained(
                format!("{separating} of {n} lines separate them; 95 %: {low:.3} to {high:.3}"),
                "Each line is a bit, so this is d / b: it closes in on theta / pi.",
            ));
        }
        numbers
    }
}
