//! A key that would throw long work or judgements away asks first; pressed again, it does so.

use std::time::Duration;

use super::keymap::Action;
use super::view::review;
use super::{App, Effect};
use crate::number::{counted, grouped};

/// Shorter work is not worth a question.
const LONG: Duration = Duration::from_secs(10);

/// Leaves the program; if that would lose long work, asks first.
pub(super) fn quit(app: &mut App) {
    let lost = all_at_stake(app);
    if lost.is_empty() || is_confirmed(app, Action::Quit) {
        app.effects.push(Effect::Quit);
    } else {
        let key = app.keymap.key_of(app.view(), Action::Quit);
        app.say(format!("press {key} again to leave and lose {}", lost.join(", ")));
    }
}

/// Leaves if that was asked for and nothing would be lost any more: the marks were being saved when the key came.
pub(super) fn quit_if_saved(app: &mut App) {
    if app.confirming == Some(Action::Quit) && all_at_stake(app).is_empty() {
        app.effects.push(Effect::Quit);
    }
}

/// All that would be lost on leaving, in words.
fn all_at_stake(app: &App) -> Vec<String> {
    let labels = app.lost_labels.len();
    let labels = (labels > 0)
        .then(|| format!("{} that could not be saved", counted(labels as u64, "label")));
    let works = [sweep_at_stake(app), lab_at_stake(app), review::at_stake(app), labels];
    works.into_iter().flatten().collect()
}

/// Forgets the sweep; if it took long, asks first.
pub(super) fn forget_sweep(app: &mut App) {
    let lost = sweep_at_stake(app);
    match lost.filter(|_| !is_confirmed(app, Action::Forget)) {
        Some(lost) => {
            let key = app.keymap.key_of(app.view(), Action::Forget);
            app.say(format!("press {key} again to forget {lost}"));
        }
        None if app.tune.sweep.running.is_some() => {
            app.tune.sweep.forget();
            let undo = app.undo_key();
            app.say(format!("the sweep is forgotten; {undo} brings it back"));
        }
        None => app.say("no sweep was begun, so there is none to forget"),
    }
}

/// Whether this action confirms the same action before; if not, the next may confirm this one.
fn is_confirmed(app: &mut App, action: Action) -> bool {
    app.confirming.replace(action) == Some(action)
}

fn sweep_at_stake(app: &App) -> Option<String> {
    let took = app.tune.sweep.running.as_ref()?.took;
    at_stake("the sweep", took + app.tune.sweep.step.ran_for(app.now))
}

fn lab_at_stake(app: &App) -> Option<String> {
    let lab = &app.tune.layouts;
    at_stake("the measured layouts", lab.took + lab.evaluation.ran_for(app.now))
}

fn at_stake(name: &str, took: Duration) -> Option<String> {
    (took > LONG).then(|| format!("{name} ({} s of work)", grouped(took.as_secs())))
}
