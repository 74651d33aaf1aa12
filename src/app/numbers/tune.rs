//! Numbers of Tune's views.

use super::{
    corpus::{by_chance, unlike_pairs},
    number::ExplainedNumber,
};
use crate::{
    analysis::changes::ChangeList,
    app::App,
    facts::{
        layouts::{LayoutRow, evaluations, layouts},
        recipes::found,
        thresholds::{JudgedRow, TunedRow, judged, tuned},
    },
};

/// Numbers of the marked k in Distances.
pub(in crate::app) fn of_k(app: &App) -> Vec<ExplainedNumber> {
    let mut numbers = Vec::new();
    let (Some(tuning), Some(index)) = (&app.tune.distances.tuning, &app.analysis.index) else {
        return numbers;
    };
    let k = app.analysis.settings.k;
    numbers.push(by_chance(app, index, k));
    if let Some(ceiling) = tuning.ceiling {
        numbers.push(ExplainedNumber::new(
            "ceiling",
            format!("k = {ceiling}"),
            format!(
                "the largest k with {} x P(chance within k) < 1: {ceiling}",
                unlike_pairs(index)
            ),
            "Above it some pairs are near by chance, whatever the texts are.",
        ));
    }
    if (k as usize) < tuning.rows.len() {
        let row = app.row_of(tuning, k);
        numbers.extend(ExplainedNumber::of(&tuned(), &TunedRow { tuning, row }));
    }
    numbers
}

/// Numbers of the selected layout.
pub(in crate::app) fn of_the_layout(app: &App) -> Vec<ExplainedNumber> {
    let state = &app.tune.layouts;
    let (Some(offer), Some(index)) = (state.selected(), &app.analysis.index) else {
        return Vec::new();
    };
    let load = state.measured(&offer.layout).map(|known| known.load.clone());
    ExplainedNumber::of(&layouts(), &LayoutRow { offer, load, n: index.n_distinct() as u64 })
}

/// Numbers of the marked k by the labels.
pub(in crate::app) fn of_the_labels(app: &App) -> Vec<ExplainedNumber> {
    let Some(assessed) = app.tune.label.assessed.answer() else { return Vec::new() };
    let k = app.analysis.settings.k as usize;
    let row = JudgedRow::all(&assessed.assessment.advice, &[]).nth(k);
    row.map_or_else(Vec::new, |row| ExplainedNumber::of(&judged(), &row))
}

/// Numbers of the selected row of the lab.
pub(in crate::app) fn of_the_trial(app: &App) -> Vec<ExplainedNumber> {
    let Some(row) = app.tune.lab.selected() else { return Vec::new() };
    ExplainedNumber::of(&evaluations(), &row.evaluation)
}

/// Numbers of the selected recipe of the sweep.
pub(in crate::app) fn of_the_cell(app: &App) -> Vec<ExplainedNumber> {
    let Some(swept) = app.tune.sweep.selected() else { return Vec::new() };
    let k = swept.k().map_or_else(|| "-".to_owned(), |k| k.to_string());
    let mut numbers = vec![ExplainedNumber::new(
        "best k",
        k.clone(),
        format!("the k with the largest F1: {k}"),
        "Each recipe has its own best k; the map compares the recipes at their best.",
    )];
    numbers.extend(ExplainedNumber::of(&found(), &(swept.settings.k, swept.at_best())));
    numbers
}

/// Numbers of the pairs that a change of the recipe gained and lost.
pub(in crate::app) fn of_the_changes(app: &App) -> Vec<ExplainedNumber> {
    let Some(found) = app.tune.compare.found.answer() else { return Vec::new() };
    let (changes, before, after) = (&found.changes, &found.before, &found.after);
    let [gained, lost] = [&changes.gained, &changes.lost].map(ChangeList::count);
    vec![
        ExplainedNumber::new(
            "gained",
            gained.clone(),
            format!(
                "pairs found at k = {} after and not at k = {} before: {gained}",
                after.k, before.k
            ),
            "Near-duplicates under the present recipe, but not under the one before.",
        ),
        ExplainedNumber::new(
            "lost",
            lost.clone(),
            format!(
                "pairs found at k = {} before and not at k = {} after: {lost}",
                before.k, after.k
            ),
            "Near-duplicates under the recipe before, but not under the present one.",
        ),
    ]
}
