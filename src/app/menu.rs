//! The menu: what can be done in the present view, what can be copied, its keys and its numbers, found by some letters.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use tui_input::Input;
use unicode_segmentation::UnicodeSegmentation as _;

use super::{Action, Cursor, ViewId};
use crate::facts::ExplainedNumber;

/// An entry of the menu.
#[derive(Clone, Debug)]
pub struct MenuEntry {
    /// Its kind, such as `view`.
    pub kind: &'static str,
    /// The text that is searched.
    pub text: String,
    /// Its short name, which is searched, too, and found first: of an action, as the configuration calls it.
    pub name: String,
    /// The keys that do the same, or the value of a number; empty if there are none.
    pub keys: String,
    pub(super) choice: MenuChoice,
}

impl MenuEntry {
    /// The number that the entry explains, if it is one.
    pub fn number(&self) -> Option<&ExplainedNumber> {
        let MenuChoice::Number(number) = &self.choice else { return None };
        Some(number)
    }
}

/// The effect of an entry.
#[derive(Clone, Debug)]
pub(super) enum MenuChoice {
    Action(Action),
    View(ViewId),
    /// An action of another view, which is shown first.
    Elsewhere(ViewId, Action),
    Lesson(usize),
    Find(String),
    Copy(String),
    /// Only says something.
    Say(&'static str),
    /// Explains a number of the screen, while it is selected.
    Number(ExplainedNumber),
}

/// The entries of a menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MenuOf {
    /// Everything.
    All,
    /// The texts that can be copied.
    Copies,
    /// The keys of the view.
    Keys,
    /// The numbers of the screen below, each with its formula.
    Numbers,
}

impl MenuOf {
    /// The other page of help.
    pub(super) fn turned(self) -> Option<Self> {
        match self {
            Self::Keys => Some(Self::Numbers),
            Self::Numbers => Some(Self::Keys),
            Self::All | Self::Copies => None,
        }
    }
}

/// The open menu.
#[derive(Clone, Debug)]
pub struct Menu {
    /// Its entries.
    pub of: MenuOf,
    /// The letters that are typed.
    pub line: Input,
    /// Selection among the entries found.
    pub cursor: Cursor,
    /// The entries found, the best first.
    pub found: Vec<MenuEntry>,
}

/// The score of a letter that was found, before what beginnings of words add and gaps take away.
const LETTER: u32 = 16;

/// The rows that contain the letters of a pattern in their order, the best match first: consecutive letters and
/// beginnings of words count most, and letters scattered over a row do not count. All rows, in their order, if the
/// pattern is empty. Costs a look at each row.
pub(super) fn ranked<R>(pattern: &str, rows: Vec<R>, text: impl Fn(&R) -> &str) -> Vec<R> {
    let letters = pattern.graphemes(true).filter(|it| !it.trim().is_empty()).count() as u32;
    let pattern = Pattern::parse(pattern, CaseMatching::Ignore, Normalization::Smart);
    // `!word` leaves rows out and finds none.
    let least = if pattern.atoms.iter().any(|it| it.negative) { 0 } else { LETTER * letters };
    if pattern.atoms.is_empty() {
        return rows;
    }
    let (mut matcher, mut buffer) = (Matcher::new(Config::DEFAULT), Vec::new());
    let mut score = |row: &R| pattern.score(Utf32Str::new(text(row), &mut buffer), &mut matcher);
    let mut scored: Vec<(u32, R)> =
        rows.into_iter().filter_map(|row| Some((score(&row)?, row))).collect();
    scored.retain(|(score, _)| *score >= least);
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().map(|(_, row)| row).collect()
}
