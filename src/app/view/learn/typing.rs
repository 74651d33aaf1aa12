//! Typing into the two texts of Learn.

use crate::{
    app::{
        App,
        key::{Key, KeyCode},
        overlay::edit,
        screen::learn::playground::MOST_CHARACTERS,
    },
    text::visible,
};

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
                // An emptied text is no longer the beginning of a document.
                play.is_cut[play.focus] &= !line.value().is_empty();
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
