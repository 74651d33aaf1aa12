//! The Distances view: the distances of all pairs, and the effect of each k.

use super::super::contract::View;
use crate::{
    app::{
        App, Effect,
        change::change_k,
        keymap::Action,
        numbers::{by_chance, unlike_pairs},
        screen::tune::distances::{distance_at, distances_layout},
    },
    facts::{
        ExplainedNumber,
        thresholds::{TunedRow, tuned},
    },
};

/// The Distances view. Its rows are the values of k.
pub(in crate::app) struct DistancesView;

impl View for DistancesView {
    fn act(&self, app: &mut App, action: Action, effects: &mut Vec<Effect>) -> bool {
        let state = &mut app.tune.distances;
        match action {
            Action::Scale => state.is_linear ^= true,
            Action::Zoom => state.is_zoomed ^= true,
            Action::Enter => {
                state.measured.retry();
                state.advised.retry();
            }
            Action::Adopt => super::evidence::adopt(app, effects),
            _ => return false,
        }
        true
    }

    fn step(&self, app: &mut App, rows: isize, effects: &mut Vec<Effect>) {
        super::evidence::step_k(app, rows, effects);
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let (Some(tuning), Some(index)) = (&app.tune.distances.tuning, &app.analysis.index) else {
            return Vec::new();
        };
        let mut numbers = vec![by_chance(app, index)];
        numbers.extend(tuning.ceiling.map(|ceiling| {
            let unlike = unlike_pairs(index);
            ExplainedNumber::new("ceiling", format!("k = {ceiling}")).explained(
                format!("the largest k with {unlike} x P(chance within k) < 1: {ceiling}"),
                "Above it some pairs are near by chance, whatever the texts are.",
            )
        }));
        let k = app.analysis.settings.k;
        if (k as usize) < tuning.rows.len() {
            let row = app.row_of(tuning, k);
            numbers.extend(ExplainedNumber::of(&tuned(), &TunedRow { tuning, row }));
        }
        numbers
    }
}

/// Shows other rows of the list: k stays.
pub(in crate::app) fn scroll(app: &mut App, rows: isize) {
    let (k, last) = (app.settings.k, app.layout().width() as usize);
    let row = app.tune.distances.middle(k).saturating_add_signed(rows).min(last);
    app.tune.distances.looked_at = Some((k, row));
}

/// Shows the row of a cell of the histogram: k stays until the marker is dragged.
pub(in crate::app) fn look(app: &mut App, column: usize, row: usize) {
    let (width, is_zoomed) = (app.layout().width(), app.tune.distances.is_zoomed);
    let layout = distances_layout(app.size, width, is_zoomed);
    if let Some(distance) = distance_at(app.size, layout, (column, row)) {
        app.tune.distances.looked_at = Some((app.settings.k, distance as usize));
    }
}

/// Moves the marker to a cell of the histogram.
pub(in crate::app) fn drag(app: &mut App, column: usize, row: usize, effects: &mut Vec<Effect>) {
    let (width, is_zoomed) = (app.layout().width(), app.tune.distances.is_zoomed);
    let layout = distances_layout(app.size, width, is_zoomed);
    if let Some(distance) = distance_at(app.size, layout, (column, row)) {
        change_k(app, distance as i32 - app.settings.k as i32, effects);
    }
}
