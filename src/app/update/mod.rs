//! Handles one message at a time: changes the state and returns work to do.
//!
//! After every message the derived parts (neighbours, explanation, window, open document) are updated for the
//! selection; reading is left to effects.

mod act;
mod export;
mod jobs;
mod menu;
mod mouse;
mod overlay;
mod refresh;
mod trail;
mod undo;

use std::time::Duration;

use super::view::learn;
use super::view::tune::label;
use super::{Action, App, Effect, Key, KeyCode, Message, Size};

/// Handles a message; returns the work it asks for.
pub fn update(app: &mut App, message: Message) -> Vec<Effect> {
    // A key or a click ends the notice, so that equal words afterwards count as a new notice.
    let is_by_hand = matches!(message, Message::Key(_) | Message::Click(_));
    if is_by_hand {
        app.notice = None;
    }
    let asked = app.asks_to_quit && is_by_hand;
    let before = app.notice.clone();
    app.notice_stays = matches!(
        message,
        Message::AnalysisFailed { .. }
            | Message::Notice(_)
            | Message::Labels(_)
            | Message::LabelLost { .. }
    );
    match message {
        Message::Key(key) => {
            let binding = app.keymap.lookup(app.view(), key);
            app.leaving &= binding.is_some_and(|it| it.action == Action::Stop);
            on_key(app, key);
        }
        Message::Click(target) => mouse::on_target(app, target),
        Message::Paste(text) => overlay::paste(app, &text),
        Message::Mouse(mouse) => mouse::on_mouse(app, mouse),
        Message::Resize { width, height } => {
            app.size = Size { width, height };
        }
        Message::Tick => app.ticks = app.ticks.wrapping_add(1),
        Message::Analysed { number, analysis, finished } => {
            jobs::on_analysed(app, number, analysis, finished);
        }
        Message::AnalysisFailed { number, problem } => jobs::on_failed(app, number, problem),
        Message::Answered(answer) => (answer.0)(app),
        Message::Notice(text) => app.say(text),
        Message::NoticeOver => app.notice = None,
        Message::ViewExported(end) => overlay::on_exported(app, end),
        Message::Labels(result) => label::on_labels(app, result),
        Message::LabelLost { entry, problem } => label::on_lost(app, &entry, problem),
    }
    // Only the next key or click can confirm.
    app.asks_to_quit &= !asked;
    refresh::derive(app);
    act::quit_if_saved(app);
    undo::record(app);
    trail::record(app);
    set_end(app, before.as_ref());
    std::mem::take(&mut app.effects)
}

/// Seconds that a notice is shown at least.
const SHOWN: u64 = 10;
/// Bytes of a long notice that are read in a second.
const READ: u64 = 10;

/// Sets when a notice that differs from the one `before` ends by itself: never if it asks something, or says that
/// something went wrong.
fn set_end(app: &mut App, before: Option<&String>) {
    let Some(notice) = &app.notice else { return app.notice_ends = None };
    if Some(notice) != before {
        let stays = app.asks_to_quit || app.leaving || app.notice_stays;
        let time = Duration::from_secs(SHOWN.max(notice.len() as u64 / READ));
        app.notice_ends = (!stays).then(|| app.now + time);
    }
}

fn on_key(app: &mut App, key: Key) {
    // Esc takes the question away, and does nothing else.
    if key.code == KeyCode::Esc && app.overlay.is_none() && std::mem::take(&mut app.asks_to_quit) {
        return;
    }
    // ^C, ^Z and ^L have the same meaning everywhere.
    let always = matches!(key, Key { code: KeyCode::Char('c' | 'z' | 'l'), ctrl: true, .. });
    if app.overlay.is_some() && !always {
        overlay::on_overlay_key(app, key);
    } else if app.screen == super::Screen::Learn && app.learn.playground.editing && !always {
        learn::on_edit_key(app, key);
    } else if let Some(binding) = app.keymap.lookup(app.view(), key) {
        act::act(app, binding.action);
    } else {
        let cells = usize::from(app.size.width).saturating_sub(2);
        app.say(app.keymap.unbound(app.view(), key, cells));
    }
}
