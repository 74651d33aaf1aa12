//! Panels over a screen: help, the recipe, a line being typed, problems.

use tui_input::{Input, InputRequest};

use super::{
    cursor::Cursor,
    key::{Code, Key},
    keymap::{Binding, bindings},
    numbers::number::Number,
    recipe_form::RecipeForm,
    screen::ViewId,
};
use crate::choice::choice;

/// The overlay that has the keys.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// The list of keys.
    Help(Help),
    /// The recipe.
    Recipe(Box<RecipeForm>),
    /// A line being typed.
    Prompt(Prompt),
    /// The list of problems.
    Problems(Cursor),
}

/// The purpose of a typed line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A word to find.
    Find,
    /// A filter.
    Filter,
    /// The answer to a lesson.
    Answer,
    /// A layout to try.
    Layout,
    /// A policy that says which documents are kept.
    Policy,
    /// The folder that the outcome of a review is written to.
    Export,
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
}

choice! {
    /// A page of the help.
    pub enum Page, "page" {
        /// The keys and their actions.
        #[default]
        Keys = "keys",
        /// The formula of each number on the screen.
        Numbers = "numbers",
    }
}

/// The searchable lists of keys and of numbers.
#[derive(Clone, Debug, Default)]
pub struct Help {
    /// The page that shows.
    pub page: Page,
    /// The words to search for.
    pub line: Input,
    /// Selection among the matches.
    pub cursor: Cursor,
    /// The numbers of the screen below.
    pub numbers: Vec<Number>,
}

impl Help {
    /// The bindings of a view that match what is typed, in keymap order.
    pub fn bindings(&self, view: ViewId) -> Vec<&'static Binding> {
        let wanted = self.line.value().to_lowercase();
        bindings(view)
            .filter(|binding| {
                let keys = binding.keys.iter().any(|key| key.to_string().to_lowercase() == wanted);
                let footer = binding.footer.is_some_and(|(_, word)| word.contains(&wanted));
                keys || footer || binding.help.to_lowercase().contains(&wanted)
            })
            .collect()
    }

    /// The numbers that match what is typed, in the order of the screen.
    pub fn matching_numbers(&self) -> Vec<&Number> {
        let wanted = self.line.value().to_lowercase();
        let matches = |number: &&Number| number.name.to_lowercase().contains(&wanted);
        self.numbers.iter().filter(matches).collect()
    }
}

/// Gives a key to a line; false if it means nothing there.
pub fn edit(line: &mut Input, key: Key) -> bool {
    use InputRequest as R;
    let request = match (key.code, key.ctrl) {
        (Code::Char(c), false) => R::InsertChar(c),
        (Code::Backspace, _) | (Code::Char('h'), true) => R::DeletePrevChar,
        (Code::Delete, _) => R::DeleteNextChar,
        (Code::Left, false) => R::GoToPrevChar,
        (Code::Right, false) => R::GoToNextChar,
        (Code::Left, true) => R::GoToPrevWord,
        (Code::Right, true) => R::GoToNextWord,
        (Code::Home, _) | (Code::Char('a'), true) => R::GoToStart,
        (Code::End, _) | (Code::Char('e'), true) => R::GoToEnd,
        (Code::Char('u'), true) => R::DeleteLine,
        (Code::Char('w'), true) => R::DeletePrevWord,
        (Code::Char('k'), true) => R::DeleteTillEnd,
        _ => return false,
    };
    line.handle(request);
    true
}
