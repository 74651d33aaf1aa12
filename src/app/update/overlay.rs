//! Keys while an overlay is open.

use super::{
    super::{
        App, Effect,
        change::{change_recipe, refuse},
        cursor::Cursor,
        key::{Code, Key},
        overlay::{Help, Overlay, Page, Prompt, Purpose, edit},
        recipe_form::RecipeForm,
        view::{
            docs::documents::{filter, find_words},
            learn::{lessons, typing},
            review,
            tune::lab,
        },
    },
    act::act,
};
use crate::{choice::turned, number::counted};

pub(super) fn on_overlay_key(app: &mut App, key: Key, effects: &mut Vec<Effect>) {
    let Some(mut overlay) = app.overlay.take() else { return };
    if key.code == Code::Esc {
        return;
    }
    let page = app.size.body().saturating_sub(4);
    let stays = match &mut overlay {
        Overlay::Help(help) => on_help_key(app, help, key, effects),
        Overlay::Problems(cursor) => {
            let n = app.analysis.listed_problems().count();
            match key.code {
                Code::Down | Code::Char('j') => cursor.step(1, n, page),
                Code::Up | Code::Char('k') => cursor.step(-1, n, page),
                Code::PageDown => cursor.step(page as isize, n, page),
                Code::PageUp => cursor.step(-(page as isize), n, page),
                _ => {}
            }
            let closes = matches!(key.code, Code::Char('q' | '!') | Code::Enter);
            !closes || key.ctrl || key.alt
        }
        Overlay::Prompt(prompt) => !on_prompt_key(app, prompt, key, effects),
        Overlay::Recipe(form) => !on_recipe_key(app, form, key, effects),
    };
    if stays && app.overlay.is_none() {
        app.overlay = Some(overlay);
    }
}

/// A key for help; false when it is done.
fn on_help_key(app: &mut App, help: &mut Help, key: Key, effects: &mut Vec<Effect>) -> bool {
    let page = app.size.body().saturating_sub(4);
    let found = help.bindings(app.view());
    let n = match help.page {
        Page::Keys => found.len(),
        Page::Numbers => help.matching_numbers().len(),
    };
    match key.code {
        Code::Tab | Code::BackTab => {
            help.page = turned(Page::ALL, help.page, 1);
            (help.numbers, help.cursor) = (app.numbers(), Cursor::default());
        }
        Code::Enter => {
            if let Some(binding) =
                found.get(help.cursor.selected).filter(|_| help.page == Page::Keys)
            {
                act(app, binding.action, effects);
            }
            return false;
        }
        Code::Down => help.cursor.step(1, n, page),
        Code::Up => help.cursor.step(-1, n, page),
        Code::PageDown => help.cursor.step(page as isize, n, page),
        Code::PageUp => help.cursor.step(-(page as isize), n, page),
        _ => {
            edit(&mut help.line, key);
            help.cursor = Cursor::default();
        }
    }
    // `?` again closes what `?` opened.
    key != Key::char('?')
}

/// A key for a line being typed; true when the line is done.
fn on_prompt_key(app: &mut App, prompt: &mut Prompt, key: Key, effects: &mut Vec<Effect>) -> bool {
    if key.code != Code::Enter {
        edit(&mut prompt.line, key);
        prompt.problem = None;
        return false;
    }
    let text = prompt.line.value().trim().to_owned();
    match prompt.purpose {
        Purpose::Find => {
            if let Err(error) = find_words(app, text) {
                prompt.problem = Some(error.to_string());
                return false;
            }
        }
        Purpose::Filter => {
            if let Err(problem) = filter(app, text) {
                prompt.problem = Some(problem);
                return false;
            }
        }
        Purpose::Layout => {
            if let Err(problem) = lab::add(app, &text) {
                prompt.problem = Some(problem);
                return false;
            }
        }
        Purpose::Policy => match text.parse() {
            Ok(policy) => review::set_policy(app, policy),
            Err(error) => {
                prompt.problem = Some(error.to_string());
                return false;
            }
        },
        Purpose::Export if text.starts_with('~') => {
            prompt.problem = Some("~ stands for no folder here; write the whole path".to_owned());
            return false;
        }
        Purpose::Export => {
            let folder = if text.is_empty() { "dedup".to_owned() } else { text };
            review::write(app, folder.into(), effects);
        }
        Purpose::Answer => {
            let Ok(answer) = text.replace(',', ".").parse::<f64>() else {
                prompt.problem = Some(format!("{text:?} is no number; type one such as 0.5"));
                return false;
            };
            lessons::answer(app, answer);
        }
    }
    true
}

/// A key for the recipe; true when the form is done.
fn on_recipe_key(
    app: &mut App,
    form: &mut RecipeForm,
    key: Key,
    effects: &mut Vec<Effect>,
) -> bool {
    if key.ctrl || key.alt {
        return false;
    }
    form.problem = None;
    match key.code {
        Code::Down | Code::Tab | Code::Char('j') => form.step(1),
        Code::Up | Code::BackTab | Code::Char('k') => form.step(-1),
        Code::Right | Code::Char('l' | ' ' | '+') => form.change(1),
        Code::Left | Code::Char('h' | '-') => form.change(-1),
        Code::Char(c) if c.is_ascii_digit() && form.field().is_number() => {
            form.digit(c.to_digit(10).unwrap_or(0));
        }
        Code::Backspace if form.field().is_number() => form.erase(),
        Code::Char('q' | 'r') => return true,
        Code::Enter => {
            form.problem = refuse(app, &form.settings);
            if form.problem.is_none() {
                apply(app, form, effects);
                return true;
            }
        }
        _ => {}
    }
    false
}

fn apply(app: &mut App, form: &RecipeForm, effects: &mut Vec<Effect>) {
    let carried = app.analysis.corpus.summary().fingerprints;
    let new_recipe = app.settings.recipe != form.settings.recipe;
    change_recipe(app, form.settings.clone(), effects);
    if new_recipe && carried > 0 {
        let rows = counted(carried, "row");
        app.notice = Some(format!("{rows} without text keep the fingerprints they carry"));
    }
}

pub(super) fn paste(app: &mut App, text: &str, effects: &mut Vec<Effect>) {
    if app.overlay.is_none() && app.screen == super::super::Screen::Learn {
        return typing::paste(app, text);
    }
    if matches!(app.overlay, Some(Overlay::Prompt(_) | Overlay::Help(_))) {
        for c in text.chars().filter(|c| !c.is_control()).take(1000) {
            on_overlay_key(app, Key::char(c), effects);
        }
    }
}
