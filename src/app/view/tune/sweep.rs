//! The Sweep view: begins, resumes and stops a sweep, and uses its best recipe.

use std::{sync::Arc, time::Duration};

use super::super::contract::View;
use crate::{
    analysis::{LayoutChoice, Settings, sweep::SweepPart, sweep::SweepResult},
    app::{
        App, Effect,
        ask::want,
        change::{change_recipe, refuse},
        keymap::Action,
        query::{self, DerivedInput},
        screen::tune::sweep::{RunningSweep, SweepState},
        unsaved,
    },
    facts::{ExplainedNumber, recipes::found},
};

/// The Sweep view.
pub(in crate::app) struct SweepView;

impl View for SweepView {
    fn act(&self, app: &mut App, action: Action, effects: &mut Vec<Effect>) -> bool {
        match action {
            Action::Enter => enter(app, effects),
            Action::Sideways(by) => step(app, 0, by),
            Action::Forget => unsaved::forget_sweep(app),
            Action::Undo => return app.tune.sweep.bring_back(),
            Action::Best if app.tune.sweep.best().is_none() => {
                app.say("no cell is computed yet; Enter begins the sweep")
            }
            Action::Best => to_best(app),
            _ => return false,
        }
        true
    }

    fn step(&self, app: &mut App, rows: isize, _: &mut Vec<Effect>) {
        step(app, rows, 0);
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let Some(swept) = app.tune.sweep.selected() else { return Vec::new() };
        let k = swept.k().map_or_else(|| "-".to_owned(), |k| k.to_string());
        let mut numbers = vec![ExplainedNumber::new("best k", &k).explained(
            format!("the k with the largest F1: {k}"),
            "Each recipe has its own best k; the map compares the recipes at their best.",
        )];
        numbers.extend(ExplainedNumber::of(&found(), &(swept.settings.k, swept.at_best())));
        numbers
    }
}

/// Uses the selected recipe at its best k; if that is not known yet, starts or resumes the sweep.
fn enter(app: &mut App, effects: &mut Vec<Effect>) {
    if let Some(swept) = app.tune.sweep.selected() {
        let Some(k) = swept.k() else { return app.say("no k of this recipe finds a true pair") };
        let layout = LayoutChoice::Auto;
        let settings = Settings { layout, ..swept.settings.clone() };
        if let Some(why) = refuse(app, &settings) {
            return app.say(why);
        }
        app.say(format!("recipe {}, k = {k}", settings.recipe.short()));
        change_recipe(app, settings, effects);
        return;
    }
    if app.tune.sweep.step.is_running() {
        app.say("this cell is not computed yet; ^C stops the sweep");
    } else if app.running.as_ref().is_some_and(|running| running.loads) {
        app.say("the sweep can start when the corpus is read");
    } else if let Some(running) = &mut app.tune.sweep.running {
        if running.is_in_vain() {
            return app
                .say("the true pairs cannot be found, so the sweep cannot go on; x removes it");
        }
        (running.is_stopped, running.problem) = (false, None);
        app.tune.sweep.step.retry();
    } else {
        app.tune.sweep.running = Some(RunningSweep {
            base: app.settings.clone(),
            reference: None,
            swept: Vec::new(),
            took: Duration::ZERO,
            problem: None,
            is_stopped: false,
        });
    }
}

/// Moves the selection within the map.
fn step(app: &mut App, rows: isize, columns: isize) {
    let state = &mut app.tune.sweep;
    let moved =
        |at: usize, by: isize, of: usize| at.saturating_add_signed(by).min(of.saturating_sub(1));
    state.row = moved(state.row, rows, state.grid.features.len());
    state.column = moved(state.column, columns, state.columns());
}

/// Asks for the next step of a started sweep, on any screen.
pub(in crate::app) fn go_on(app: &mut App, effects: &mut Vec<Effect>) {
    let Some((number, task)) = app.tune.sweep.next() else { return };
    let Some(running) = &app.tune.sweep.running else { return };
    if !running.is_stopped {
        want(app, query::SweepStep { number, task: DerivedInput(task) }, effects);
    }
}

/// Takes the cells of a step.
pub(in crate::app) fn take(app: &mut App) {
    let SweepState { running: Some(running), step, .. } = &mut app.tune.sweep else { return };
    // A stop that came too late for this step stops the next one.
    running.is_stopped = step.was_asked_to_stop();
    let Some(SweepPart { found, took }) = step.take() else { return };
    running.took += took;
    match found {
        SweepResult::Reference(reference) => running.reference = Some(reference),
        SweepResult::Swept(swept) => running.swept.extend(swept),
    }
    if app.tune.sweep.is_done() {
        to_best(app);
    }
}

/// Takes the reason why a step failed.
pub(in crate::app) fn on_failed(app: &mut App, problem: &str) {
    if let Some(running) = &mut app.tune.sweep.running {
        running.problem = Some(problem.to_owned());
    }
}

/// Selects the best recipe.
fn to_best(app: &mut App) {
    let state = &mut app.tune.sweep;
    let place = state.best().zip(state.running.as_ref()).and_then(|(best, running)| {
        running.swept.iter().position(|swept| Arc::ptr_eq(swept, best))
    });
    if let Some(place) = place {
        (state.row, state.column) = (place / state.columns(), place % state.columns());
    }
}
