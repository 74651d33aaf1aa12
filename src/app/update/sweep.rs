//! The Sweep view of Tune: beginning a sweep, going on with it, stopping it, using what it found.

use std::{sync::Arc, time::Duration};

use super::{
    super::{
        App, Effect,
        question::{Kind, Question},
        screen::tune::sweep::{Begun, SweepFound, SweepPart},
    },
    act::refuse,
    compare,
    jobs::follow_settings,
};
use crate::analysis::{Job, LayoutChoice, Settings, Stage};

/// Uses the selected recipe at its best k; where it is not known yet, begins the sweep or goes on with it.
pub(super) fn enter(app: &mut App, effects: &mut Vec<Effect>) {
    if let Some(swept) = app.tune.sweep.selected() {
        let Some(k) = swept.k() else {
            app.notice = Some("no k of this recipe finds a true pair".to_owned());
            return;
        };
        let layout = LayoutChoice::Auto;
        let settings = Settings { layout, ..swept.settings.clone() };
        if let Some(why) = refuse(app, &settings) {
            app.notice = Some(why);
            return;
        }
        app.notice = Some(format!("recipe {}, k = {k}", settings.recipe.short()));
        compare::remember(app, &settings);
        app.settings = settings;
        follow_settings(app, effects);
        return;
    }
    if app.asked.awaits(Kind::Sweep) {
        app.notice = Some("not there yet; ^C stops the sweep".to_owned());
    } else if app.running.as_ref().is_some_and(|running| running.loads) {
        app.notice = Some("a sweep can begin when the corpus is read".to_owned());
    } else if let Some(begun) = &mut app.tune.sweep.begun {
        if begun.is_in_vain() {
            app.notice =
                Some("what is true would not be found again; x leaves this sweep".to_owned());
            return;
        }
        (begun.asked, begun.problem) = (None, None);
    } else {
        app.tune.sweep.begun = Some(Begun {
            base: app.settings.clone(),
            reference: None,
            swept: Vec::new(),
            took: Duration::ZERO,
            job: Arc::default(),
            problem: None,
            asked: None,
        });
    }
}

/// Forgets the sweep, so that another can begin under the present recipe.
pub(super) fn forget(app: &mut App) {
    app.asked.forget(Kind::Sweep);
    if let Some(begun) = app.tune.sweep.begun.take() {
        begun.job.progress.cancel();
    }
}

/// Moves the selection, as far as the map goes.
pub(super) fn step(app: &mut App, rows: isize, columns: isize) {
    let state = &mut app.tune.sweep;
    let moved =
        |at: usize, by: isize, of: usize| at.saturating_add_signed(by).min(of.saturating_sub(1));
    state.row = moved(state.row, rows, state.grid.features.len());
    state.column = moved(state.column, columns, state.columns());
}

/// Asks for the next step of a sweep that was begun, on whatever screen.
pub(super) fn derive(app: &mut App, effects: &mut Vec<Effect>) {
    let Some((number, task)) = app.tune.sweep.next() else { return };
    let Some(begun) = &mut app.tune.sweep.begun else { return };
    // A step that was stopped or failed waits to be asked for again.
    if begun.asked == Some(number) {
        return;
    }
    begun.asked = Some(number);
    let first = if number == 0 { Stage::Count } else { Stage::Fingerprint };
    begun.job = Arc::new(Job::to_begin(first));
    let job = Arc::clone(&begun.job);
    effects.push(app.ask(Question::Sweep(task, job)));
}

/// Takes what a step found.
pub(super) fn take(app: &mut App, part: Result<SweepPart, String>) {
    let Some(begun) = &mut app.tune.sweep.begun else { return };
    match part {
        Ok(SweepPart { found, took }) => {
            begun.took += took;
            match found {
                SweepFound::Reference(reference) => begun.reference = Some(reference),
                SweepFound::Swept(swept) => begun.swept.extend(swept),
            }
        }
        Err(_) if begun.job.progress.is_cancelled() => {}
        Err(problem) => begun.problem = Some(problem),
    }
    // A stop that came too late for this step holds for the next one.
    if begun.job.progress.is_cancelled()
        && let Some((number, _)) = app.tune.sweep.next()
        && let Some(begun) = &mut app.tune.sweep.begun
    {
        begun.asked = Some(number);
    }
    if app.tune.sweep.is_done() {
        to_best(app);
    }
}

/// Selects the best recipe.
pub(super) fn to_best(app: &mut App) {
    let state = &mut app.tune.sweep;
    let place = state
        .best()
        .zip(state.begun.as_ref())
        .and_then(|(best, begun)| begun.swept.iter().position(|swept| Arc::ptr_eq(swept, best)));
    if let Some(place) = place {
        (state.row, state.column) = (place / state.columns(), place % state.columns());
    }
}
