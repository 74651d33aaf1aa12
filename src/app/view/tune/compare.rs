//! The Compare view: the pairs gained and lost against the recipe before.

use super::super::{
    contract::{ListOfView, NO_ROWS, View},
    go::open_pair,
};
use crate::{
    analysis::changes::ChangeList,
    app::{
        App, Effect,
        ask::want,
        keymap::Action,
        query::{self, DerivedInput},
        screen::tune::compare::compare_rows,
    },
    facts::ExplainedNumber,
    id::DocId,
};

/// The Compare view.
pub(in crate::app) struct CompareView;

impl View for CompareView {
    fn act(&self, app: &mut App, action: Action, _: &mut Vec<Effect>) -> bool {
        match action {
            Action::Enter => {
                if let Some((a, b)) = selected_pair(app) {
                    open_pair(app, a, b);
                }
            }
            _ => return false,
        }
        true
    }

    fn list<'a>(&self, app: &'a mut App) -> Option<ListOfView<'a>> {
        let height = compare_rows(app.size);
        let state = &mut app.tune.compare;
        let len = state.found.answer().map_or(0, |found| found.len());
        Some(ListOfView { cursor: &mut state.cursor, len, height })
    }

    fn about_no_rows(&self, app: &App) -> &'static str {
        if app.tune.compare.before.is_none() {
            "no two recipes to compare yet: r changes the recipe or its k"
        } else {
            NO_ROWS
        }
    }

    fn documents(&self, app: &App) -> Vec<DocId> {
        selected_pair(app).map_or_else(Vec::new, |(a, b)| vec![a, b])
    }

    fn listed(&self, app: &App) -> Vec<DocId> {
        let Some(found) = app.tune.compare.found.answer() else { return Vec::new() };
        let rows = app.rows_to_know(app.tune.compare.cursor, found.len(), compare_rows(app.size));
        let pair =
            |row| found.row(row).map(|(changed, _)| <[DocId; 2]>::from(found.first(changed)));
        rows.filter_map(pair).flatten().collect()
    }

    fn refresh(&self, app: &mut App, effects: &mut Vec<Effect>) {
        let is_settled = app.running.is_none() && app.analysis.index.is_some();
        if let Some(before) = app.tune.compare.before.clone().filter(|_| is_settled) {
            want(app, query::ChangesQuery(DerivedInput(before)), effects);
        }
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let Some(found) = app.tune.compare.found.answer() else { return Vec::new() };
        let (before, after) = (found.before.k, found.after.k);
        let [gained, lost] = [&found.gained, &found.lost].map(ChangeList::count);
        vec![
            ExplainedNumber::new("gained", &gained).explained(
                format!(
                    "pairs found at k = {after} after and not at k = {before} before: {gained}"
                ),
                "Near-duplicates under the present recipe, but not under the one before.",
            ),
            ExplainedNumber::new("lost", &lost).explained(
                format!("pairs found at k = {before} before and not at k = {after} after: {lost}"),
                "Near-duplicates under the recipe before, but not under the present one.",
            ),
        ]
    }
}

/// Fits the selection into the found pairs.
pub(in crate::app) fn fit(app: &mut App) {
    if let Some(list) = CompareView.list(app) {
        list.cursor.fit(list.len, list.height);
    }
}

/// The first pair of documents of the selected row.
fn selected_pair(app: &App) -> Option<(DocId, DocId)> {
    let found = app.tune.compare.found.answer()?;
    let (changed, _) = found.row(app.tune.compare.cursor.selected)?;
    Some(found.first(changed))
}
