//! Handles one message at a time: changes the state and returns work to do.
//!
//! After every message the derived parts (neighbours, explanation, window, open document) are updated for the
//! selection; reading is left to effects.

mod act;
mod copies;
mod export;
mod jobs;
mod log;
mod menu;
mod mouse;
mod overlay;
mod refresh;
mod stop;
mod trail;
mod undo;

use super::{
    App, Effect, Message,
    alone::fit,
    key::{BareKey, Key},
    keymap::Action,
    layout::Size,
    tour,
    view::{learn, tune::label},
    waiting::{KeyMeaning, WaitingKeys},
};

/// Handles a message; returns the work it asks for.
pub fn update(app: &mut App, message: Message) -> Vec<Effect> {
    let mut effects = Vec::new();
    // A key or a click ends the notice, so that equal words afterwards count as a new notice.
    if matches!(message, Message::Key(_) | Message::Click(_)) {
        app.notice = None;
    }
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
            app.dragged = None;
            app.docs.awaited = None;
            let binding = app.keymap.lookup(app.view(), key);
            app.leaving &= binding.is_some_and(|it| it.action == Action::Cancel);
            let (confirming, digit, k) = (app.confirming, app.digit.take(), app.settings.k);
            // A digit after `#` is the count itself.
            let is_alone = app.waiting == WaitingKeys::default() && app.overlay.is_none();
            on_key(app, key, &mut effects);
            // Only the next key can confirm.
            app.confirming.take_if(|action| confirming == Some(*action));
            if let Some(binding) = binding.filter(|_| is_alone) {
                hint_at_count(app, key, binding.action, digit.filter(|_| app.settings.k != k));
            }
        }
        Message::Click(target) => {
            (app.waiting, app.digit) = (WaitingKeys::default(), None);
            mouse::on_target(app, target, &mut effects);
        }
        Message::Paste(text) => overlay::paste(app, &text, &mut effects),
        Message::Mouse(mouse) => mouse::on_mouse(app, mouse, &mut effects),
        Message::Resize { width, height } => {
            app.size = Size { width, height };
            fit(app);
        }
        Message::Tick => {
            app.ticks = app.ticks.wrapping_add(1);
            learn::tick(app);
        }
        Message::Analysed { number, analysis, finished } => {
            jobs::on_analysed(app, number, analysis, finished, &mut effects);
        }
        Message::AnalysisFailed { number, problem } => {
            jobs::on_failed(app, number, problem, &mut effects)
        }
        Message::Answered { answer, .. } => answer.deliver(app),
        Message::Notice(text) => app.notice = Some(text),
        Message::NoticeOver => app.notice = None,
        Message::ViewExported(end) => overlay::on_exported(app, end),
        Message::Labels(result) => label::on_labels(app, result),
        Message::LabelLost { entry, problem } => label::on_lost(app, &entry, problem),
    }
    refresh::derive(app, &mut effects);
    // A drag is one choice, even over many cells.
    if app.dragged.is_none() {
        undo::record(app);
    }
    trail::record(app);
    tour::go_on(app);
    log::record(app, before.as_ref());
    log::set_end(app, before.as_ref());
    effects
}

/// Notes a digit that opened a screen; if the key after it changed k there, as `5j` does, says how a count is typed.
fn hint_at_count(app: &mut App, key: Key, action: Action, digit: Option<char>) {
    match (action, key.code, digit) {
        (Action::Go(_), BareKey::Char(c), _) if c.is_ascii_digit() && !key.alt => {
            app.digit = Some(c);
        }
        (Action::Step(_), _, Some(digit)) => {
            let undo = app.keymap.first_key(app.view(), Action::Undo);
            let back = undo.map_or_else(String::new, |undo| format!("; {undo} takes it back"));
            let (k, count) = (app.settings.k, app.keymap.key_of(app.view(), Action::Count));
            let said = format!("k={k}{back}. For a count of rows type {count}{digit}{key}");
            app.notice = Some(said);
        }
        _ => {}
    }
}

fn on_key(app: &mut App, key: Key, effects: &mut Vec<Effect>) {
    if tour::is_left_by(app, key.code) {
        return;
    }
    // Esc takes the question away, and does nothing else.
    if key.code == BareKey::Esc && app.overlay.is_none() && app.confirming.take().is_some() {
        return;
    }
    // ^C, ^Z and ^L have the same meaning everywhere.
    let always = matches!(key, Key { code: BareKey::Char('c' | 'z' | 'l'), ctrl: true, .. });
    if app.overlay.is_some() && !always {
        overlay::on_overlay_key(app, key, effects);
    } else if app.screen == super::Screen::Learn && app.learn.playground.editing && !always {
        learn::typing::on_edit_key(app, key);
    } else {
        let action = app.keymap.lookup(app.view(), key).map(|binding| binding.action);
        match std::mem::take(&mut app.waiting).then(key, action) {
            KeyMeaning::Waits(keys) => {
                app.notice = Some(keys.to_string());
                app.waiting = keys;
            }
            KeyMeaning::Drops => {}
            KeyMeaning::Does(action, None) => act::act(app, action, effects),
            KeyMeaning::Does(action, Some(count)) => act::act_times(app, action, count, effects),
            KeyMeaning::Nothing => {
                let cells = usize::from(app.size.width).saturating_sub(2);
                app.notice = Some(app.keymap.unbound(app.view(), key, cells));
            }
        }
    }
}
