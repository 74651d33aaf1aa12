//! Panels over a screen: the menu, the recipe, a line being typed.

use tui_input::{Input, InputRequest};

use super::menu::Menu;
use super::recipe_form::RecipeForm;
use super::screen::docs::Find;
use super::{Key, KeyCode};

/// The overlay that has the keys.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// The recipe.
    Recipe(Box<RecipeForm>),
    /// A line being typed.
    Prompt(Prompt),
    /// The menu: what can be done in the present view, its keys and its numbers.
    Menu(Menu),
}

/// The purpose of a typed line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A word to find.
    Find,
    /// A filter.
    Filter,
    /// The fields to show as columns.
    Fields,
    /// The answer to a lesson.
    Answer,
    /// A layout to try.
    Layout,
    /// A policy, which decides the documents to keep.
    Policy,
    /// The folder into which the outcome of a review is written.
    Export,
    /// The file that the view is written to.
    ViewFile,
}

/// A line being typed at the bottom of the screen.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// The purpose of the line.
    pub purpose: Purpose,
    /// The line.
    pub line: Input,
    /// The problem of the line.
    pub problem: Option<String>,
    /// Whether the line was offered and not changed yet, so that the first character takes its place.
    pub is_offered: bool,
    /// The number of lines back in the earlier ones, the last one first; 0 for the line that is typed.
    pub(super) back: usize,
    /// The line that was typed before an earlier one took its place.
    pub(super) own: String,
    /// The search that was there when the line was opened.
    pub(super) before: Option<Box<Find>>,
    /// The selected row of the list when the line was opened.
    pub(super) from: usize,
    /// Whether Enter may replace the file that the line names, because the problem has asked for it.
    pub may_replace: bool,
}

/// Gives a key to a line; false if the key has no meaning there.
pub fn edit(line: &mut Input, key: Key) -> bool {
    use InputRequest as R;
    let request = match (key.code, key.ctrl) {
        (KeyCode::Char(c), false) => R::InsertChar(c),
        (KeyCode::Backspace, _) | (KeyCode::Char('h'), true) => R::DeletePrevChar,
        (KeyCode::Delete, _) => R::DeleteNextChar,
        (KeyCode::Left, false) => R::GoToPrevChar,
        (KeyCode::Right, false) => R::GoToNextChar,
        (KeyCode::Left, true) => R::GoToPrevWord,
        (KeyCode::Right, true) => R::GoToNextWord,
        (KeyCode::Home, _) | (KeyCode::Char('a'), true) => R::GoToStart,
        (KeyCode::End, _) | (KeyCode::Char('e'), true) => R::GoToEnd,
        (KeyCode::Char('u'), true) => R::DeleteLine,
        (KeyCode::Char('w'), true) => R::DeletePrevWord,
        (KeyCode::Char('k'), true) => R::DeleteTillEnd,
        _ => return false,
    };
    line.handle(request);
    true
}
