//! Keys while an overlay is open.

use tui_input::Input;

use super::super::menu::Menu;
use super::super::message::ViewExportEnd;
use super::super::overlay::{Prompt, edit};
use super::super::recipe_form::RecipeForm;
use super::super::screen::learn::check::number_of;
use super::super::screen::learn::lesson::LessonPage;
use super::super::view::docs::documents::{self, filter, find_words};
use super::super::view::go::ask_again;
use super::super::view::learn::{self, lessons};
use super::super::view::review;
use super::super::view::tune::layouts;
use super::act::act;
use super::{export, menu};
use crate::analysis::dedup::UnknownPreference;
use crate::app::{App, Cursor, Key, KeyCode, Overlay, Purpose, change_recipe, refuse};
use crate::number::counted;

pub(super) fn on_overlay_key(app: &mut App, key: Key) {
    let Some(mut overlay) = app.overlay.take() else { return };
    if key.code == KeyCode::Esc {
        if let Overlay::Prompt(prompt) = &overlay
            && prompt.purpose == Purpose::Find
        {
            documents::take_find_back(app, prompt);
        }
        return;
    }
    let stays = match &mut overlay {
        Overlay::Prompt(prompt) => !on_prompt_key(app, prompt, key),
        Overlay::Recipe(form) => !on_recipe_key(app, form, key),
        Overlay::Menu(menu) => !on_menu_key(app, menu, key),
    };
    if stays && app.overlay.is_none() {
        app.overlay = Some(overlay);
    }
}

/// Moves the cursor in the list of a panel; false if the key does not.
fn moves(app: &App, cursor: &mut Cursor, code: KeyCode, n: usize) -> bool {
    let page = app.size.body().saturating_sub(4);
    let by = match code {
        KeyCode::Down => 1,
        KeyCode::Up => -1,
        KeyCode::PageDown => page as isize,
        KeyCode::PageUp => -(page as isize),
        _ => return false,
    };
    cursor.step(by, n, page);
    true
}

/// Takes a key for the menu; true if the menu closes.
fn on_menu_key(app: &mut App, menu: &mut Menu, key: Key) -> bool {
    let other = menu.of.turned();
    let code = match (key.code, other) {
        (KeyCode::Tab | KeyCode::BackTab, Some(other)) => {
            menu.of = other;
            menu.search(app);
            return false;
        }
        (KeyCode::Tab, None) => KeyCode::Down,
        (KeyCode::BackTab, None) => KeyCode::Up,
        (code, _) => code,
    };
    match code {
        KeyCode::Enter => {
            let entry = menu.found.get(menu.cursor.selected);
            if let Some(action) = entry.and_then(|entry| menu::run(app, entry)) {
                act(app, action);
            }
            return true;
        }
        _ if moves(app, &mut menu.cursor, code, menu.found.len()) => {}
        _ => {
            edit(&mut menu.line, key);
            menu.search(app);
        }
    }
    // `?` again closes the help that `?` opened.
    other.is_some() && key == Key::char('?')
}

/// Takes a key for a line being typed; true if the line closes.
fn on_prompt_key(app: &mut App, prompt: &mut Prompt, key: Key) -> bool {
    if key.code != KeyCode::Enter {
        if std::mem::take(&mut prompt.is_offered)
            && matches!(key.code, KeyCode::Char(_))
            && !key.ctrl
        {
            prompt.line = Input::default();
        }
        let before = prompt.line.value().to_owned();
        match key.code {
            KeyCode::Up => earlier(app, prompt, 1),
            KeyCode::Down => earlier(app, prompt, -1),
            _ => _ = edit(&mut prompt.line, key),
        }
        (prompt.problem, prompt.may_replace) = (None, false);
        // The list shows the first match of what is typed.
        if prompt.purpose == Purpose::Find && prompt.line.value() != before {
            let words = prompt.line.value().trim().to_owned();
            let found = documents::find_from(app, words, prompt.from);
            prompt.problem = found.err().map(|error| error.to_string());
        }
        return false;
    }
    let text = prompt.line.value().trim().to_owned();
    let typed = text.clone();
    let done = match prompt.purpose {
        Purpose::Find if documents::is_on_match(app, &text) => Ok(()),
        Purpose::Find => find_words(app, text).map_err(|error| error.to_string()),
        Purpose::Filter => filter(app, text),
        Purpose::Fields => documents::choose_fields(app, &text),
        Purpose::Layout => layouts::add(app, &text),
        Purpose::Policy => text
            .parse()
            .map(|policy| review::set_policy(app, policy))
            .map_err(|error: UnknownPreference| error.to_string()),
        Purpose::ViewFile | Purpose::Export if text.starts_with('~') => {
            Err("~ stands for no folder here; write the whole path".to_owned())
        }
        Purpose::ViewFile => export::begin(app, &text, prompt.may_replace),
        Purpose::Export => {
            let folder = if text.is_empty() { "dedup".to_owned() } else { text };
            review::write(app, folder.into());
            Ok(())
        }
        Purpose::Answer => {
            let page = app.learn.lessons.open_page();
            if page.is_some_and(LessonPage::asks_for_a_number) && number_of(&text).is_none() {
                Err(format!("{text:?} is not a number; type one such as 0.5, 50 % or 1/2"))
            } else {
                lessons::answer(app, &text);
                Ok(())
            }
        }
    };
    prompt.problem = done.err();
    if prompt.problem.is_none() && !typed.is_empty() {
        app.typed.retain(|it| *it != (prompt.purpose, typed.clone()));
        app.typed.push((prompt.purpose, typed));
    }
    prompt.problem.is_none()
}

/// Puts an earlier line of the same purpose in the place of the line, or a later one.
fn earlier(app: &App, prompt: &mut Prompt, by: isize) {
    let same = app.typed.iter().rev().filter(|(purpose, _)| *purpose == prompt.purpose);
    let lines: Vec<&String> = same.map(|(_, line)| line).collect();
    let back = prompt.back.saturating_add_signed(by).min(lines.len());
    if back == prompt.back {
        return;
    }
    if prompt.back == 0 {
        prompt.own = prompt.line.value().to_owned();
    }
    prompt.back = back;
    prompt.line = back.checked_sub(1).map_or(&prompt.own, |at| lines[at]).clone().into();
}

/// Reports that a view was written, or asks for its file again.
pub(super) fn on_exported(app: &mut App, end: ViewExportEnd) {
    match end {
        ViewExportEnd::Written(message) => app.say(message),
        ViewExportEnd::Refused { file, problem, may_replace } => {
            ask_again(app, (Purpose::ViewFile, file), &problem, may_replace);
        }
    }
}

/// Takes a key for the recipe; true if the form closes.
fn on_recipe_key(app: &mut App, form: &mut RecipeForm, key: Key) -> bool {
    if key.ctrl || key.alt {
        return false;
    }
    form.problem = None;
    match key.code {
        KeyCode::Down | KeyCode::Tab | KeyCode::Char('j') => form.step(1),
        KeyCode::Up | KeyCode::BackTab | KeyCode::Char('k') => form.step(-1),
        KeyCode::Right | KeyCode::Char('l' | ' ' | '+') => form.change(1),
        KeyCode::Left | KeyCode::Char('h' | '-') => form.change(-1),
        KeyCode::Char(c) if c.is_ascii_digit() && form.field().is_number() => {
            form.digit(c.to_digit(10).unwrap_or(0));
        }
        KeyCode::Backspace if form.field().is_number() => form.erase(),
        KeyCode::Char('q' | 'r') => return true,
        KeyCode::Enter => {
            form.problem = refuse(app, &form.settings);
            if form.problem.is_none() {
                apply(app, form);
                return true;
            }
        }
        _ => {}
    }
    false
}

fn apply(app: &mut App, form: &RecipeForm) {
    let carried = app.analysis.corpus.summary().fingerprints;
    let new_recipe = app.settings.recipe != form.settings.recipe;
    change_recipe(app, form.settings.clone());
    if new_recipe && carried > 0 {
        let rows = counted(carried, "row");
        app.say(format!(
            "given fingerprints of {rows} without text: the recipe does not change them"
        ));
    }
}

pub(super) fn paste(app: &mut App, text: &str) {
    if app.overlay.is_none() && app.screen == super::super::Screen::Learn {
        return learn::paste(app, text);
    }
    if matches!(app.overlay, Some(Overlay::Prompt(_) | Overlay::Menu(_))) {
        for c in text.chars().filter(|c| !c.is_control()).take(1000) {
            on_overlay_key(app, Key::char(c));
        }
    }
}
