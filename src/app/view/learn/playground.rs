//! The Playground view: two texts, and their features, votes and bits.

use super::super::{contract::View, pair::distance};
use crate::{
    app::{App, Effect, keymap::Action},
    evaluate::{angle, interval},
    facts::{ExplainedNumber, figures::digits},
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
        let playground = &app.learn.playground;
        let bits = playground.recipe.bits;
        let mut numbers = Vec::new();
        if let (Some(a), Some(b)) = (playground.fingerprint(0), playground.fingerprint(1)) {
            let d = a.distance(b);
            let (estimate, (low, high)) = (angle::estimate(d, bits), interval::cosine(d, bits));
            numbers.push(distance(a, b));
            numbers.push(
                ExplainedNumber::new("cosine estimate", format!("{estimate:.2}")).explained(
                    format!("cos(pi x {d} / {bits}) = {estimate:.3}; 95 %: {low:.3} to {high:.3}"),
                    "The estimate from the distance; with few bits and features it is rough.",
                ),
            );
        }
        for (side, name) in ["one", "two"].into_iter().enumerate() {
            if playground.fingerprint(side).is_some() {
                let votes = &playground.feature_votes[side].votes;
                let by_margin = |&a: &u32, &b: &u32| votes.margin(a).total_cmp(&votes.margin(b));
                let bit = (0..votes.width()).min_by(by_margin).unwrap_or(0);
                let weakest = format!("{:.2} at bit {bit}", votes.margin(bit));
                // The scale of the bars under the bits.
                numbers.push(ExplainedNumber::new(format!("|V| of {name}"), &weakest).explained(
                    format!(
                        "|V| / ||w||, an eighth of the bar each 0.3; ! is below 0.1. Weakest: {weakest}"
                    ),
                    "How firmly a bit was decided: a small edit can flip a weak bit.",
                ));
            }
        }
        let overlap = playground.overlap();
        numbers.extend(overlap.cosine.map(|cosine| {
            let expected = digits(angle::expected_distance(cosine, bits));
            let (cosine, n) = (format!("{cosine:.3}"), overlap.shared.len());
            ExplainedNumber::new("exact cosine", &cosine).explained(
                format!(
                    "sum of w_a w_b over {n} shared features / (||w_a|| ||w_b||) = {cosine}; d to expect {bits} x acos({cosine}) / pi = {expected}"
                ),
                "The similarity of the two texts by their weighted features.",
            )
        }));
        numbers
    }
}
