//! The last row: the keys that matter here, and the end of a long notice.

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::app::menu::MenuOf;
use crate::app::{Action, App, Binding, ClickTarget, Key, Keys, Overlay, Screen, ViewId};
use crate::text::visible;
use crate::tui::widget::canvas::{Canvas, clip};

/// A key with its word.
struct Hint {
    /// Where not all fit, those of the lowest rank stay.
    rank: u8,
    keys: &'static str,
    word: &'static str,
    /// The key of a click on it.
    key: Option<Key>,
}

impl Hint {
    /// Its cells, two blanks behind it counted.
    fn cells(&self) -> usize {
        self.keys.width() + self.word.width() + 3
    }

    /// One of a panel: Esc stays, then the first.
    fn of_panel(&(keys, word): &(&'static str, &'static str)) -> Self {
        // Words such as `j/k` and `^U` name no single key, so a click on them does nothing.
        let key = format!("<{keys}>").parse().ok().map(|named: Keys| named.0[0]);
        Self { rank: u8::from(keys != "Esc"), keys, word, key }
    }
}

/// The most keys of the last row: more of them nobody reads.
const MOST: usize = 8;

/// The hints of the view: an action once, and a word once.
fn of_view(app: &App) -> Vec<Hint> {
    // The keymap has the most important keys of a view first; the way back and to all others stays.
    let rank = |action, place| match action {
        Action::Help | Action::Quit => 0,
        Action::Back if app.screen != Screen::Docs => 0,
        Action::Enter | Action::NextHit => 1,
        Action::Menu => 5,
        _ => place as u8 + 2,
    };
    let mut hints: Vec<(Action, Hint)> = Vec::new();
    for binding in app.keymap.bindings(app.view()).filter(|binding| app.shows(binding.when)) {
        let Some((keys, word)) = binding.footer else { continue };
        if app.view() == ViewId::Pair && is_of_any_view(binding.action) {
            continue;
        }
        let word = word_now(app, binding).unwrap_or(word);
        if hints.iter().all(|(action, it)| *action != binding.action && it.word != word) {
            let (rank, key) = (rank(binding.action, hints.len()), Some(binding.keys[0]));
            hints.push((binding.action, Hint { rank, keys, word, key }));
        }
    }
    hints.into_iter().map(|(_, hint)| hint).collect()
}

/// Whether an action has the same effect in every view, so that a full last row leaves it out.
fn is_of_any_view(action: Action) -> bool {
    matches!(action, Action::Recipe | Action::K(_) | Action::Editor | Action::Export)
}

/// The word of a key that does one of several things, if that depends on what shows.
fn word_now(app: &App, binding: &Binding) -> Option<&'static str> {
    match (app.view(), binding.action) {
        (ViewId::Docs, Action::AllTexts) if !app.lists_groups() => Some("groups"),
        (ViewId::Docs, Action::Enter) if !app.lists_groups() => Some("compare"),
        (ViewId::Lessons, Action::Enter) if app.lesson_picture().is_some() => Some("go on"),
        (ViewId::Recipes, Action::Enter) if app.tune.compare.leads => Some("open"),
        (ViewId::Recipes, Action::Enter) if app.tune.sweep.selected().is_some() => Some("use"),
        _ => None,
    }
}

/// The keys that mean something while texts are typed: every other one is typed.
fn typing(app: &App) -> Vec<(&'static str, &'static str)> {
    let play = &app.learn.playground;
    let mut keys = vec![("typing into", if play.focus == 0 { "one" } else { "two" })];
    keys.extend([("Tab", "other text"), ("^W", "cut word"), ("^U", "cut all"), ("Esc", "done")]);
    keys
}

/// The keys of what is open: of a panel, of a text that is typed, else of the view.
fn hints(app: &App) -> Vec<Hint> {
    let panel = match &app.overlay {
        None if app.screen == Screen::Learn && app.learn.playground.editing => typing(app),
        None => return of_view(app),
        Some(Overlay::Menu(menu)) => {
            let (tab, enter) = match menu.of {
                MenuOf::Keys => (Some("numbers"), "run"),
                MenuOf::Numbers => (Some("keys"), "close"),
                MenuOf::All | MenuOf::Copies => (None, "do it"),
            };
            let rest =
                [("Up/Down", "choose"), ("Enter", enter), ("type", "to search"), ("Esc", "close")];
            tab.map(|other| ("Tab", other)).into_iter().chain(rest).collect()
        }
        Some(Overlay::Recipe(_)) => vec![
            ("j/k", "row"),
            ("h/l", "change"),
            ("0-9", "type a number"),
            ("Enter", "apply"),
            ("Esc", "leave as it was"),
        ],
        Some(Overlay::Prompt(_)) => vec![("Enter", "done"), ("^U", "cut all"), ("Esc", "cancel")],
    };
    panel.iter().map(Hint::of_panel).collect()
}

/// The hints that fit into so many cells, the most important first chosen; they keep their order.
fn fitting(mut hints: Vec<Hint>, cells: usize) -> Vec<Hint> {
    let mut order: Vec<usize> = (0..hints.len()).collect();
    order.sort_by_key(|&at| hints[at].rank);
    // One blank before the first, none after the last.
    let mut room = cells + 1;
    let mut fits = vec![false; hints.len()];
    for at in order.into_iter().take(MOST) {
        fits[at] = hints[at].cells() <= room;
        room -= if fits[at] { hints[at].cells() } else { 0 };
    }
    let mut fits = fits.into_iter();
    hints.retain(|_| fits.next() == Some(true));
    hints
}

/// The keys that matter here; over a panel a notice stands here.
pub(super) fn footer(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let notice =
        app.notice.as_ref().filter(|_| app.overlay.is_some()).map(|notice| visible(notice));
    let hints = if notice.is_some() { Vec::new() } else { hints(app) };
    let mut spans = vec![Span::raw(" ")];
    for hint in fitting(hints, canvas.width()) {
        if let Some(key) = hint.key {
            let x = spans.iter().map(Span::width).sum();
            canvas.target(x, 0, hint.cells() - 2, ClickTarget::Key(key));
        }
        spans.push(Span::styled(hint.keys, theme.key()));
        spans.push(Span::styled(format!(" {}  ", hint.word), theme.muted()));
    }
    let notice = notice.unwrap_or_default();
    let room = canvas.width().saturating_sub(1);
    spans.push(Span::styled(clip(&notice, room), theme.strong()));
    canvas.row(0, Line::from(spans));
}
