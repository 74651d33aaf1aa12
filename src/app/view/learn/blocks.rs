//! The Tables view of Learn: flipped bits against tables.

use super::super::contract::View;
use crate::app::{
    App, Effect,
    keymap::{Action, LearnAction},
    numbers::{self, ExplainedNumber},
};

/// The Tables view of Learn.
pub(in crate::app) struct BlocksView;

impl View for BlocksView {
    fn act(&self, app: &mut App, action: Action, _: &mut Vec<Effect>) -> bool {
        let game = &mut app.learn.game;
        match action {
            Action::Probe(by) if by > 0 => game.toggle(),
            Action::Sideways(by) => game.sideways(by),
            Action::Learn(LearnAction::Block(by)) => game.to_block(by),
            Action::Learn(LearnAction::Layout(by)) => game.next_layout(by),
            Action::Probe(by) | Action::Learn(LearnAction::Walk(by)) => game.walk(by),
            Action::Learn(LearnAction::Take) => take(app),
            _ => return super::act(app, action),
        }
        true
    }

    fn step(&self, app: &mut App, rows: isize, _: &mut Vec<Effect>) {
        app.learn.game.step(rows);
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        numbers::learn::of_the_game(app)
    }
}

/// Takes the pair selected in Near.
fn take(app: &mut App) {
    let pair = app.near.pair().filter(|(query, _)| Some(*query) == app.query());
    let bits = |document| app.analysis.fingerprint(document);
    match pair.and_then(|(a, b)| Some(([a, b.document], bits(a)?, bits(b.document)?))) {
        Some((pair, one, other)) => app.learn.game.take(pair, one, other),
        None => app.notice = Some("choose a pair in Near first (2)".to_owned()),
    }
}
