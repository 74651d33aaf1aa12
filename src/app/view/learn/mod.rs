//! The views of the Learn screen, and their common parts: two texts, and lessons that check tasks.

pub(in crate::app) mod angle;
pub(in crate::app) mod lessons;
pub(in crate::app) mod picture;
pub(in crate::app) mod playground;

use super::go::prompt;
use crate::app::App;
use crate::app::key::{Key, KeyCode};
use crate::app::keymap::Action;
use crate::app::overlay::{Overlay, Purpose, edit};
use crate::app::screen::learn::playground::MOST_CHARACTERS;
use crate::text::visible;

/// Does an action that all views of Learn share; false for other actions.
fn act(app: &mut App, action: Action) -> bool {
    match action {
        Action::Enter => lessons::go_on(app),
        // Goes from any picture of a lesson to the list.
        Action::Back if app.learn.lessons.is_open => lessons::to_list(app),
        Action::Edit => app.learn.playground.editing = true,
        Action::Shingles => app.learn.playground.next_shingles(),
        Action::Weights => app.learn.playground.next_weights(),
        Action::Answer if !app.learn.lessons.is_open => {
            app.say("no lesson is open: choose one in Lessons and press Enter")
        }
        Action::Answer => {
            let asks = app.learn.lessons.asks();
            prompt(app, Purpose::Answer, String::new());
            // The line opens even so, because otherwise the digits would be keys.
            if let Some(Overlay::Prompt(prompt)) = app.overlay.as_mut().filter(|_| !asks) {
                prompt.problem = Some("this page needs no typed answer; press Esc".to_owned());
            }
        }
        Action::LessonBack => lessons::back(app),
        _ => return false,
    }
    true
}

// The keys while a text is edited.

/// A key typed into the texts.
pub(in crate::app) fn on_edit_key(app: &mut App, key: Key) {
    let play = &mut app.learn.playground;
    match key.code {
        KeyCode::Esc | KeyCode::Enter => play.editing = false,
        KeyCode::Tab | KeyCode::BackTab | KeyCode::Up | KeyCode::Down => play.focus ^= 1,
        _ => {
            let line = &mut play.texts[play.focus];
            let full = line.value().chars().count() >= MOST_CHARACTERS;
            if matches!(key.code, KeyCode::Char(_)) && !key.ctrl && full {
                app.say(format!("{MOST_CHARACTERS} characters are enough here"));
            } else if edit(line, key) {
                play.recount();
            }
        }
    }
}

/// Text pasted into the texts.
pub(in crate::app) fn paste(app: &mut App, text: &str) {
    if !app.learn.playground.editing {
        return;
    }
    let clean = visible(text).into_owned();
    if clean.chars().count() > MOST_CHARACTERS {
        app.say(format!("only the first {MOST_CHARACTERS} characters are taken"));
    }
    for c in clean.chars().filter(|c| !c.is_control()).take(MOST_CHARACTERS) {
        let play = &mut app.learn.playground;
        if play.texts[play.focus].value().chars().count() < MOST_CHARACTERS {
            edit(&mut play.texts[play.focus], Key::char(c));
        }
    }
    app.learn.playground.recount();
}
