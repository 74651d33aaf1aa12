//! A key that would throw long work or judgements away asks first; pressed again, it does so.

use std::time::Duration;

use super::view::review;
use super::{Action, App, Effect};
use crate::number::{counted, grouped};

/// Shorter work is not worth a question.
const LONG: Duration = Duration::from_secs(10);

/// Leaves the program; if that would lose long work, asks first.
pub(super) fn quit(app: &mut App) {
    let lost = all_at_stake(app);
    if lost.is_empty() || std::mem::replace(&mut app.asks_to_quit, true) {
        app.effects.push(Effect::Quit);
    } else {
        let key = app.keymap.key_of(app.view(), Action::Quit);
        app.say(format!("press {key} again to leave and lose {}", lost.join(", ")));
    }
}

/// Leaves if that was asked for and nothing would be lost any more: the marks were being saved when the key came.
pub(super) fn quit_if_saved(app: &mut App) {
    if app.asks_to_quit && all_at_stake(app).is_empty() {
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
