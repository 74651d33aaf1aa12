//! The Why view: why the pair is found, or is not found.

use super::super::contract::{ListOfView, View};
use crate::{
    app::{App, Effect, ask::want, keymap::Action, query},
    facts::ExplainedNumber,
    id::DocId,
    number::grouped,
};

/// The Why view.
pub(in crate::app) struct WhyView;

impl View for WhyView {
    fn act(&self, app: &mut App, action: Action, _: &mut Vec<Effect>) -> bool {
        let height = app.why_cut().rows();
        match action {
            Action::Scroll(rows) => app.near.why.pane.scroll(rows, height),
            Action::FindNext(step) => app.near.why.pane.to_title(step, height),
            _ => return super::act(app, action),
        }
        true
    }

    fn list<'a>(&self, app: &'a mut App) -> Option<ListOfView<'a>> {
        Some(super::list(app))
    }

    fn documents(&self, app: &App) -> Vec<DocId> {
        super::documents(app)
    }

    fn refresh(&self, app: &mut App, effects: &mut Vec<Effect>) {
        let pair = app.near.pair().map(|(query, neighbour)| [query, neighbour.document]);
        let state = &mut app.near.why;
        if state.answer.asked().map(|before| before.0) != pair {
            state.answer.clear();
            state.pane.top = 0;
        }
        if let Some(pair) = pair {
            want(app, query::Why(pair), effects);
        }
        let cut = app.why_cut();
        app.near.why.lay_out(cut.width, app.ascii);
        app.near.why.pane.scroll(0, cut.rows());
    }

    fn listed(&self, app: &App) -> Vec<DocId> {
        super::listed(app)
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let mut numbers = super::numbers(app);
        let pair = app.near.pair().map(|(query, other)| [query, other.document]);
        let found = app.near.why.answer.answer().filter(|found| Some(found.documents) == pair);
        let texts = found.and_then(|found| found.texts.as_ref());
        let Some(overlap) = texts.map(|texts| &texts.overlap) else { return numbers };
        let (n_shared, [one, other]) = (overlap.n_shared, overlap.n_only);
        let [shared, fewer, either] = [n_shared, n_shared + one.min(other), n_shared + one + other]
            .map(|n| grouped(n as u64));
        let three = |share: Option<f64>| share.map_or("-".to_owned(), |it| format!("{it:.3}"));
        let [cosine, jaccard, contained] =
            [overlap.cosine, overlap.jaccard(), overlap.containment()].map(three);
        numbers.extend([
            ExplainedNumber::new("exact cosine", &cosine).explained(
                format!("sum of w_a w_b over shared features / (||w_a|| ||w_b||) = {cosine}"),
                "The similarity of the two texts; a distance only estimates it.",
            ),
            ExplainedNumber::new("Jaccard", &jaccard).explained(
                format!("features shared / features of either, without weights = {shared} / {either} = {jaccard}"),
                "How much the two sets of features overlap.",
            ),
            ExplainedNumber::new("containment", &contained).explained(
                format!("features shared / features of the one that has fewer = {shared} / {fewer} = {contained}"),
                "1 if one text contains all features of the other: an excerpt, which no distance shows.",
            ),
        ]);
        numbers
    }
}
