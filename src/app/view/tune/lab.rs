//! The Lab view: layouts tried one after the other against exact cosines.

use std::sync::Arc;

use super::super::{
    contract::{ListOfView, View},
    go::{open_pair, prompt},
};
use crate::{
    analysis::{
        LayoutChoice, check_layout,
        lab::{USUAL_LAYOUTS, width_of},
    },
    app::{
        App, Effect,
        ask::ask,
        cursor::Cursor,
        keymap::Action,
        overlay::Purpose,
        query::{self, DerivedInput},
        screen::tune::lab::{TAUS, lab_rows},
    },
    choice::cycled,
    facts::{ExplainedNumber, layouts::evaluations},
    id::DocId,
};

/// The Lab view.
pub(in crate::app) struct LabView;

impl View for LabView {
    fn act(&self, app: &mut App, action: Action, effects: &mut Vec<Effect>) -> bool {
        let state = &mut app.tune.lab;
        match action {
            Action::Enter => enter(app, effects),
            Action::Add => prompt(app, Purpose::Layout, String::new()),
            Action::Pin => {
                let selected = state.cursor.selected;
                if state.rows.is_empty() {
                    app.say("Enter tries the layouts; then p pins a row");
                    return true;
                }
                state.pinned = (state.pinned != Some(selected)).then_some(selected);
            }
            Action::Tau => {
                state.tau = cycled(&TAUS, state.tau, 1);
                // Rows of another truth cannot be compared, so the layouts are tried again.
                let again = state.all();
                state.clear();
                state.ask(&again);
            }
            _ => return false,
        }
        true
    }

    fn list<'a>(&self, app: &'a mut App) -> Option<ListOfView<'a>> {
        let height = lab_rows(app.size);
        let state = &mut app.tune.lab;
        let (cursor, len) = match &state.listed {
            Some(listed) => (&mut state.listed_cursor, listed.pairs.len()),
            // Before the first row the layouts to try are listed.
            None if state.rows.is_empty() => (&mut state.cursor, USUAL_LAYOUTS.len()),
            None => (&mut state.cursor, state.rows.len()),
        };
        Some(ListOfView { cursor, len, height })
    }

    fn back(&self, app: &mut App) -> bool {
        app.tune.lab.listed.take().is_some()
    }

    fn documents(&self, app: &App) -> Vec<DocId> {
        selected_pair(app).map_or_else(Vec::new, |(a, b)| vec![a, b])
    }

    fn listed(&self, app: &App) -> Vec<DocId> {
        let state = &app.tune.lab;
        let pairs = state.listed.as_ref().map_or(&[][..], |listed| &listed.pairs);
        let rows = app.rows_to_know(state.listed_cursor, pairs.len(), lab_rows(app.size));
        pairs[rows].iter().flat_map(|(pair, _)| pair.documents).collect()
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let Some(row) = app.tune.lab.selected() else { return Vec::new() };
        ExplainedNumber::of(&evaluations(), &row.evaluation)
    }
}

/// Begins with the default layouts; then lists the missed and false pairs of the selected row, or the pairs that it
/// gains and loses against the pinned row; then opens a listed pair.
fn enter(app: &mut App, effects: &mut Vec<Effect>) {
    let state = &mut app.tune.lab;
    if state.listed.is_some() {
        if let Some((a, b)) = selected_pair(app) {
            open_pair(app, a, b);
        }
        return;
    }
    if state.rows.is_empty() {
        if !state.evaluation.is_running() && state.queue.is_empty() {
            state.trying = None;
            state.ask(&USUAL_LAYOUTS);
        }
        return;
    }
    let (Some(row), Some(lab)) = (state.selected(), &state.lab) else { return };
    if !lab.truth.is_exact() {
        return app
            .say("the truth is sampled: not every true pair is known, so no pairs are listed");
    }
    let lab = DerivedInput(Arc::clone(lab));
    let (pinned, row) = (DerivedInput(state.beside().cloned()), DerivedInput(row.clone()));
    ask(app, query::RowPairs { lab, pinned, row }, effects);
}

/// The selected pair, where pairs are listed.
fn selected_pair(app: &App) -> Option<(DocId, DocId)> {
    let listed = app.tune.lab.listed.as_ref()?;
    listed.pairs.get(app.tune.lab.listed_cursor.selected).map(|(pair, _)| pair.documents.into())
}

/// Takes the pairs of a row.
pub(in crate::app) fn on_pairs(app: &mut App) {
    let Some(listed) = app.tune.lab.asked_pairs.take() else { return };
    if listed.pairs.is_empty() {
        let same = "both layouts find the same true pairs";
        let all = "this layout misses no true pair and finds no false pair";
        app.say(if listed.pinned.is_some() { same } else { all });
    } else {
        app.tune.lab.listed = Some(listed);
        app.tune.lab.listed_cursor = Cursor::default();
    }
}

/// Takes a typed layout, or shows the problem with it.
pub(in crate::app) fn add(app: &mut App, text: &str) -> Result<(), String> {
    // The notation of the rows and of Layouts: 6c3k3 is six blocks at k = 3.
    let named =
        text.split_once('c').and_then(|(blocks, rest)| Some((blocks, rest.split_once('k')?.1)));
    let (text, k) = named.map_or((text, None), |(blocks, k)| (blocks, k.parse::<u32>().ok()));
    let now = app.analysis.settings.k;
    if let Some(k) = k.filter(|&k| k != now) {
        return Err(format!("that is a layout for k = {k}, but k is {now}; + and - change k"));
    }
    let layout = text.parse::<LayoutChoice>().map_err(|error| error.to_string())?;
    let own = app.analysis.settings.recipe.bits;
    let checked = check_layout(width_of(layout, &[layout], own), layout, now);
    checked.map_err(|error| error.to_string())?;
    app.tune.lab.ask(&[layout]);
    Ok(())
}

/// Takes the result of a layout.
pub(in crate::app) fn on_tried(app: &mut App) {
    let height = lab_rows(app.size);
    let state = &mut app.tune.lab;
    let Some(tried) = state.evaluation.take() else { return };
    state.took += tried.took;
    if let Some((lab, truth)) = tried.lab {
        (state.lab, state.truth) = (Some(lab), Some(truth));
    } else if tried.row.is_err() {
        // Without a truth no other layout can be tried.
        state.queue.clear();
    }
    match tried.row {
        Ok(Some(row)) => {
            state.trying = None;
            state.rows.push(row);
            state.cursor.select(state.rows.len() - 1, state.rows.len(), height);
        }
        Ok(None) => state.is_stopped = true,
        Err(problem) => {
            state.trying = None;
            state.problems.push(problem);
        }
    }
}

/// Takes the reason why a layout was not tried.
pub(in crate::app) fn on_failed(app: &mut App, problem: &str) {
    app.tune.lab.trying = None;
    app.tune.lab.problems.push(problem.to_owned());
    app.say(problem);
}

/// Starts the next layout, whatever screen is shown.
pub(in crate::app) fn go_on(app: &mut App, effects: &mut Vec<Effect>) {
    let over = (app.versions.recipe, app.analysis.len());
    let state = &mut app.tune.lab;
    if state.over != Some(over) {
        if state.over.is_some() {
            state.clear();
        }
        state.over = Some(over);
    }
    // A started evaluation continues, whatever view is shown.
    if app.running.is_some() || state.evaluation.is_running() {
        return;
    }
    let Some((layout, wanted)) = state.queue.pop_front() else { return };
    (state.trying, state.is_stopped) = (Some(layout), false);
    let lab = DerivedInput(state.lab.clone());
    let query = query::LayoutEvaluationQuery { layout, wanted, tau: state.tau, lab };
    ask(app, query, effects);
}
