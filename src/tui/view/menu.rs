//! The menu: the entries that match the typed letters, and below them the selected one in full.

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::overlay::boxed;
use super::page::list::list;
use crate::app::menu::{Menu, MenuEntry, MenuOf};
use crate::app::page::{Column, List, Tinted, Tone};
use crate::app::{App, Cursor, Screen, wrap};
use crate::text::visible;
use crate::tui::widget::canvas::{Canvas, edited};

/// Rows that the list of what can be copied has at least, so that its box does not jump while one types.
const COPIES: usize = 6;
/// The most cells of the menu.
const MENU: usize = 124;
/// The cells of a kind, of a heading, of the key behind a name, of the keys before a help, and of the name of a number.
const KIND: usize = 10;
const HEADING: usize = 8;
const KEY: usize = 11;
const KEYS: usize = 15;
const NUMBER: usize = 30;
/// Cells of the names, at least, beside the keys.
const LEAST_NAME: usize = 20;
/// Rows for the whole name of the selected entry, and the rows below the search from which on it has them.
const WHOLE: usize = 2;
const WHOLE_FROM: usize = 9;

/// The box. Where a name is cut off, the selected one is whole at the bottom; a number has its formula there.
pub(super) fn draw(app: &App, state: &Menu, canvas: &mut Canvas) {
    let found = &state.found;
    let (width, all) = (canvas.width().min(MENU), canvas.height().saturating_sub(1));
    // The frame and the search.
    let height = match state.of {
        MenuOf::Copies => (found.len().max(COPIES) + 3).min(all),
        _ => all,
    };
    let mut outer = boxed(canvas, width, height);
    let (theme, mut cursor) = (outer.theme, state.cursor);
    let (room, inner) = (outer.width().saturating_sub(4), outer.height().saturating_sub(3));
    let selected = found.get(cursor.selected);
    let below = selected.map_or_else(Vec::new, |it| in_full(state.of, it, room, inner));
    let rows = inner.saturating_sub(below.len()).max(1);
    cursor.fit(found.len(), rows);
    let (title, noun) = title(app, state.of);
    let mut inside = outer.framed(&title, &of_all(cursor, found.len(), rows), true);
    let entries = List::new(columns(state), found.len(), cursor);
    // The search stands in the place of a header.
    list(app, &entries, LEAST_NAME, true, &mut inside.part(0, 0, room + 2, rows + 1));
    let mut search = Line::from(Span::styled(" search: ", theme.muted()));
    search.extend(edited(&state.line, inside.width().saturating_sub(12), theme));
    inside.row(0, search);
    if found.is_empty() {
        inside.row(1, format!(" no {noun} matches; Backspace deletes letters"));
    }
    for (y, (words, tone)) in below.into_iter().enumerate() {
        inside.rows(rows + 1 + y, [words], theme.tone(tone));
    }
}

/// The title of a menu, and the word for an entry.
fn title(app: &App, of: MenuOf) -> (String, &'static str) {
    let view = app.view();
    let marks = if matches!(app.screen, Screen::Tune | Screen::Learn) { "" } else { " and marks" };
    match of {
        MenuOf::All => ("menu".to_owned(), "entry"),
        MenuOf::Copies => ("copy".to_owned(), "entry"),
        MenuOf::Keys => (format!("keys of {view}   Tab: its numbers{marks}"), "key"),
        MenuOf::Numbers => (format!("numbers of {view}   Tab: keys"), "number"),
    }
}

/// The columns: of help the keys before what they do, below headings, of numbers the values behind their names.
fn columns(state: &Menu) -> Vec<Column<'_>> {
    let entry = |at: usize| -> &MenuEntry { &state.found[at] };
    let behind_blank =
        |words: &str, tone| Tinted(vec![(" ".to_owned(), Tone::Text), (words.to_owned(), tone)]);
    let text = move |at: usize| entry(at).text.clone();
    let keys = move |at: usize| Tinted::from((entry(at).keys.clone(), Tone::Strong));
    let heading = move |at: usize| {
        let is_first = at == 0 || entry(at - 1).kind != entry(at).kind;
        behind_blank(if is_first { entry(at).kind } else { "" }, Tone::Muted)
    };
    match state.of {
        MenuOf::Keys => vec![
            Column::words("", HEADING, heading).ranked(1),
            Column::words("", KEYS, keys),
            Column::words("", None, text),
        ],
        MenuOf::Numbers => vec![
            Column::words("", NUMBER, text),
            Column::words("", None, move |at| format!(" {}", entry(at).keys)),
        ],
        MenuOf::All | MenuOf::Copies => vec![
            Column::words("", KIND, move |at| behind_blank(entry(at).kind, Tone::Muted)),
            Column::words("", None, text),
            Column::words("", KEY, move |at| behind_blank(&entry(at).keys, Tone::Strong)).ranked(1),
        ],
    }
}

/// The formula and the meaning of a number below its name, or the whole name of an entry that its column cuts off.
fn in_full(of: MenuOf, entry: &MenuEntry, room: usize, height: usize) -> Vec<(String, Tone)> {
    if let Some(number) = entry.number() {
        let rows = |words: &str, tone| wrap(words, room).into_iter().map(move |it| (it, tone));
        let formula = rows(&visible(&number.formula), Tone::Strong);
        let named = std::iter::once((number.name.clone(), Tone::Muted)).chain(formula);
        return named.chain(rows(number.meaning, Tone::Text)).collect();
    }
    let beside = match of {
        MenuOf::All => KIND + KEY,
        MenuOf::Keys => HEADING + KEYS,
        MenuOf::Copies | MenuOf::Numbers => return Vec::new(),
    };
    if height < WHOLE_FROM {
        return Vec::new();
    }
    let is_cut = entry.text.width() + beside > room;
    let mut rows = if is_cut { wrap(&entry.text, room) } else { Vec::new() };
    // The list keeps its rows while the selection moves.
    rows.resize(WHOLE, String::new());
    rows.into_iter().map(|it| (it, Tone::Muted)).collect()
}

/// `1-20 of 55`, or `5 of them` if all are shown.
fn of_all(cursor: Cursor, n: usize, rows: usize) -> String {
    if n <= rows {
        return format!("{n} of them");
    }
    let shown = cursor.window(n, rows);
    format!("{}-{} of {n}", shown.start + 1, shown.end)
}
