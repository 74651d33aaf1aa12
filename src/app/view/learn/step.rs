//! The Step view: feature by feature.

use std::sync::Arc;

use super::super::contract::View;
use crate::{
    app::{
        App, Effect,
        keymap::{Action, LearnAction},
        screen::learn::StepState,
    },
    explain::figures::weight,
    facts::ExplainedNumber,
    feature::FixedWeight,
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
        let (step, playground) = (&app.learn.step, &app.learn.playground);
        let (feature_votes, recipe) = step.subject(playground);
        let (tally, bit) = (step.tally(playground), step.bit(playground));
        let [total, left] = [tally.votes.fixed(bit), tally.left].map(|it| weight(FixedWeight(it)));
        let (cast, n, bits) = (step.cast, feature_votes.features.len(), recipe.bits);
        let (others, decided) = (n - cast, (0..bits).filter(|&it| tally.is_decided(it)).count());
        vec![
            ExplainedNumber::new(format!("V of bit {bit}"), format!("{total:+}")).explained(
                format!("sum of +w or -w over the first {cast} of {n} features = {total:+}"),
                "The running total; in the end its sign is the bit.",
            ),
            ExplainedNumber::new("still to vote", left.to_string()).explained(
                format!("weights of the other {others} features = {left}"),
                "A bit whose |V| is larger than this is decided: the other features cannot change it.",
            ),
            ExplainedNumber::new("bits decided", decided.to_string()).explained(
                format!("bits with |V| > {left}: {decided} of {bits}"),
                "Heavy features that vote early decide bits that light features never change.",
            ),
        ]
    }
}

/// Takes the selected document.
fn take(app: &mut App) {
    match app.open_document().cloned() {
        Some(document) if document.feature_votes.is_some() => {
            let document = Some(Arc::new(document));
            app.learn.step = StepState { document, ..StepState::default() };
        }
        _ => app.say(
            "the document selected in Docs has no text, no features or too many features for this view",
        ),
    }
}
