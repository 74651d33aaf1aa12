//! Panels over a screen: the menu, the recipe, a line being typed, problems.

use std::collections::HashMap;

use tui_input::{Input, InputRequest};

use super::menu::Menu;
use super::recipe_form::RecipeForm;
use super::screen::docs::Find;
use super::{Cursor, Key, KeyCode};
use crate::corpus::Diagnostic;

/// The overlay that has the keys.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// The recipe.
    Recipe(Box<RecipeForm>),
    /// A line being typed.
    Prompt(Prompt),
    /// The list of problems.
    Problems(Problems),
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

/// The open list of problems: a row for each kind, which opens into a row for each place.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    /// The cursor in the rows.
    pub cursor: Cursor,
    /// The kind whose places are shown, by its number from 0.
    pub open: Option<usize>,
}

/// A row of the list of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProblemRow<'a> {
    /// The number of its kind, from 0.
    pub kind: usize,
    /// The number of places with this problem; 1 in the row of a place.
    pub n: usize,
    /// Whether the row is a place of the kind above it.
    pub is_place: bool,
    /// The problem at its place; at the first place for a kind.
    pub first: &'a Diagnostic,
}

/// The rows of problems: kinds in the order of their first problems, and below the open kind its places. Costs a look at each
/// problem.
pub fn problem_rows<'a>(
    listed: impl Iterator<Item = &'a Diagnostic>,
    open: Option<usize>,
) -> Vec<ProblemRow<'a>> {
    let mut kinds: Vec<Vec<&Diagnostic>> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for problem in listed {
        let kind = *known.entry(&problem.problem).or_insert(kinds.len());
        if kind == kinds.len() {
            kinds.push(Vec::new());
        }
        kinds[kind].push(problem);
    }
    let mut rows = Vec::new();
    for (kind, places) in kinds.into_iter().enumerate() {
        let n = places.len();
        rows.push(ProblemRow { kind, n, is_place: false, first: places[0] });
        if open == Some(kind) && n > 1 {
            let row = |first| ProblemRow { kind, n: 1, is_place: true, first };
            rows.extend(places.into_iter().map(row));
        }
    }
    rows
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_problems_are_one_row_that_opens() {
        let problem = |place: &str, problem: &str| Diagnostic::new(place, problem, "");
        let all = [problem("a:1", "no text"), problem("b", "empty"), problem("a:7", "no text")];
        let shown = |open| -> Vec<(usize, String)> {
            problem_rows(all.iter(), open).iter().map(|it| (it.n, it.first.place.clone())).collect()
        };
        assert_eq!(shown(None), [(2, "a:1".into()), (1, "b".into())]);
        let opened = [(2, "a:1".into()), (1, "a:1".into()), (1, "a:7".into()), (1, "b".into())];
        assert_eq!(shown(Some(0)), opened);
        assert_eq!(shown(Some(1)), shown(None), "a single problem has nothing to open");
    }
}
