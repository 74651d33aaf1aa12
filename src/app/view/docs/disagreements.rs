//! The Disagreements view: pairs whose fingerprints and texts disagree.

use super::{
    super::{
        contract::{ListOfView, View},
        go::open_pair,
        similar,
    },
    documents, retry,
};
use crate::{
    app::{
        App, Effect,
        ask::want,
        keymap::Action,
        layout::SizeClass,
        numbers::{self, ExplainedNumber},
        query,
        screen::{ViewId, docs::disagreements::disagreements_rows},
    },
    id::DocId,
};

/// The Disagreements view.
pub(in crate::app) struct DisagreementsView;

impl View for DisagreementsView {
    fn act(&self, app: &mut App, action: Action, _: &mut Vec<Effect>) -> bool {
        match action {
            Action::FindNext(_) => to_other_kind(app),
            Action::Enter => open(app),
            _ => return false,
        }
        true
    }

    fn list<'a>(&self, app: &'a mut App) -> Option<ListOfView<'a>> {
        let height = disagreements_rows(app.size);
        let state = &mut app.docs.disagreements;
        let len = state.found.answer().map_or(0, |found| found.found.len());
        Some(ListOfView { cursor: &mut state.cursor, len, height })
    }

    fn back(&self, app: &mut App) -> bool {
        documents::back(app)
    }

    fn documents(&self, app: &App) -> Vec<DocId> {
        selected_pair(app).map_or_else(Vec::new, |(a, b)| vec![a, b])
    }

    fn listed(&self, app: &App) -> Vec<DocId> {
        let state = &app.docs.disagreements;
        let found = state.found.answer().map_or(&[][..], |it| &it.found);
        let rows = app.rows_to_know(state.cursor, found.len(), disagreements_rows(app.size));
        found[rows].iter().flat_map(|it| [it.pair.a, it.pair.b]).collect()
    }

    fn refresh(&self, app: &mut App, effects: &mut Vec<Effect>) {
        look(app, effects);
        // Only a wide screen has room for the texts.
        if let Some((a, b)) = selected_pair(app).filter(|_| app.size.shape() == SizeClass::Wide) {
            similar::compare(app, [a, b], effects);
        }
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        numbers::health::of_the_disagreement(app)
    }
}

/// Selects the first pair of the other kind.
fn to_other_kind(app: &mut App) {
    let height = disagreements_rows(app.size);
    let state = &mut app.docs.disagreements;
    let Some(found) = state.found.answer() else { return };
    let Some(kind) = found.found.get(state.cursor.selected).map(|it| it.kind) else { return };
    let other = found.found.iter().position(|it| it.kind != kind);
    let len = found.found.len();
    match other {
        Some(row) => state.cursor.select(row, len, height),
        None => app.notice = Some(format!("only {kind} pairs disagree")),
    }
}

/// The selected pair of Disagreements.
fn selected_pair(app: &App) -> Option<(DocId, DocId)> {
    let pair = app.docs.disagreements.selected()?.pair;
    Some((pair.a, pair.b))
}

/// Opens the selected pair in Near and states why it is listed; without a pair, searches again.
fn open(app: &mut App) {
    let Some((a, b)) = selected_pair(app) else { return retry(app) };
    open_pair(app, a, b);
    app.show(ViewId::Why);
}

/// Asks for the pairs that disagree at the present k; the pairs of another k stay until the answer comes.
fn look(app: &mut App, effects: &mut Vec<Effect>) {
    if app.analysis.index.is_none() || !app.analysis.is_complete() || app.running.is_some() {
        return;
    }
    let (k, layout) = (app.analysis.settings.k, app.analysis.settings.layout);
    let query = query::DisagreementsQuery { k, layout };
    if app.docs.disagreements.found.answered().is_some_and(|(known, _)| *known == query) {
        app.docs.disagreements.found.forget();
    } else {
        want(app, query, effects);
    }
}

/// Fits the selection into the found pairs.
pub(in crate::app) fn fit(app: &mut App) {
    if let Some(list) = DisagreementsView.list(app) {
        list.cursor.fit(list.len, list.height);
    }
}
