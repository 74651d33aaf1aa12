//! The Tables view of Learn: flipped bits against tables.

use super::super::{contract::View, pair::chance_to_be_a_candidate};
use crate::{
    app::{
        App, Effect,
        keymap::{Action, LearnAction},
    },
    facts::{ExplainedNumber, figures::digits},
    index::{LayoutKind, load::expected_tables_hit},
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
        let game = &app.learn.game;
        let (layout, explanation) = (game.layout(), game.explanation());
        let (name, sure, d) = (layout.name(), layout.guarantee(), explanation.distance);
        let (tables, beyond) = (layout.tables().len().to_string(), sure + 1);
        let (damaged, hits) = (explanation.differing_blocks().len(), explanation.hits().count());
        let expected = digits(expected_tables_hit(&layout, d));
        let (made, caught, one_each) = match layout.kind() {
            LayoutKind::Bands { bands, .. } => (
                format!("bands: {bands}"),
                format!("bands in which no bit differs = {hits}"),
                "One table for each band; left-over bits belong to no band.",
            ),
            LayoutKind::Blocks { blocks, key }
            | LayoutKind::TwoLevel { outer: blocks, outer_key: key, .. } => (
                format!("C({blocks}, {key}) = {tables}"),
                format!("C(blocks - damaged, lead) = C({blocks} - {damaged}, {key}) = {hits}"),
                "One table for each choice of key blocks.",
            ),
        };
        let mut numbers = vec![
            ExplainedNumber::new("tables here", tables).explained(made, one_each),
            ExplainedNumber::new("tables that hit", hits.to_string()).explained(
                caught,
                "Tables whose key is equal in both: there the pair is a candidate.",
            ),
            ExplainedNumber::new("guaranteed to", format!("d = {sure}")).explained(
                format!("{name}: any {sure} differing bits leave a key intact, {beyond} may not"),
                "This many blocks or bands may differ while the pair is still a candidate in one table. It is found if d is at most k.",
            ),
            ExplainedNumber::new("to expect", &expected).explained(
                format!("mean over all places of {d} differing bits = {expected}"),
                "Differing bits in one block do less harm than bits spread over several.",
            ),
        ];
        numbers.extend(chance_to_be_a_candidate(&layout, d));
        numbers
    }
}

/// Takes the pair selected in Pair.
fn take(app: &mut App) {
    let pair = app.near.pair().filter(|(query, _)| Some(*query) == app.query());
    let bits = |document| app.analysis.fingerprint(document);
    match pair.and_then(|(a, b)| Some(([a, b.document], bits(a)?, bits(b.document)?))) {
        Some((pair, one, other)) => app.learn.game.take(pair, one, other),
        None => app.say("choose a pair in Pair first (2)"),
    }
}
