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
        thresholds::{TunedRow, tuned},
    },
    number::grouped,
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
        numbers.extend(ExplainedNumber::of(tuned(), &TunedRow { tuning, row }));
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
    ExplainedNumber::of(layouts(), &LayoutRow { offer, load, n: index.n_distinct() as u64 })
}

/// Numbers of the marked k by the labels.
pub(in crate::app) fn of_the_labels(app: &App) -> Vec<ExplainedNumber> {
    let Some(assessed) = app.tune.label.assessed.answer() else { return Vec::new() };
    let assessment = &assessed.assessment;
    let k = app.analysis.settings.k as usize;
    let Some(row) = assessment.advice.evidence.rows.get(k) else { return Vec::new() };
    let at = row.at;
    let mut numbers = vec![ExplainedNumber::new(
        "at this d",
        format!("{:.2} to {:.2}", row.precision.low, row.precision.high),
        format!(
            "Jeffreys' 95 % interval, Beta(yes + 1/2, no + 1/2), for {} yes, {} no, {} unsure among {} pairs at d = {k}, narrowed by the share that is left",
            at.yes,
            at.no,
            at.unsure,
            grouped(at.pairs)
        ),
        "The share of near-duplicates among pairs at exactly this distance; unsure counts both ways.",
    )];
    if row.different > 0 {
        numbers.push(ExplainedNumber::new(
            "within k",
            format!("{:.2} to {:.2}", row.cumulative.low, row.cumulative.high),
            format!(
                "sum of precision x pairs over d = 0..{k} / {} pairs; the ends from 20,000 draws of what is not judged",
                grouped(row.different)
            ),
            "The precision of this k: the share of near-duplicates among the pairs of different texts within it.",
        ));
        let sure = format!("{:.3}", (row.bound * 1000.0).floor() / 1000.0);
        numbers.push(ExplainedNumber::new(
            "sure",
            sure.clone(),
            format!(
                "in 95 % of the same draws no k has fewer near-duplicates than its bound: {sure} here"
            ),
            "A lower bound on the precision, valid for all k at once if you decided how many pairs to judge before you began.",
        ));
        numbers.push(ExplainedNumber::new(
            "recall",
            format!("{:.2} to {:.2}", row.window_recall.low, row.window_recall.high),
            format!(
                "near-duplicates within {k} / near-duplicates within {}",
                assessment.advice.evidence.rows.len().saturating_sub(1)
            ),
            "The share of the near-duplicates among the known pairs that this k finds; pairs farther apart are unknown.",
        ));
    }
    numbers
}

/// Numbers of the selected row of the lab.
pub(in crate::app) fn of_the_trial(app: &App) -> Vec<ExplainedNumber> {
    let Some(row) = app.tune.lab.selected() else { return Vec::new() };
    ExplainedNumber::of(evaluations(), &row.evaluation)
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
    numbers.extend(ExplainedNumber::of(found(), &(swept.settings.k, swept.at_best())));
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
