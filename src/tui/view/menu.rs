//! The menu: the entries that match the typed letters.

use unicode_width::UnicodeWidthStr as _;

use super::overlay::{boxed, of_all, search};
use super::page::list::list;
use crate::app::menu::{Menu, MenuEntry};
use crate::app::page::{Column, List, Tinted, Tone};
use crate::app::{App, wrap};
use crate::tui::widget::canvas::Canvas;

/// Rows that the list of what can be copied has at least, so that its box does not jump while one types.
const COPIES: usize = 6;

/// The most cells of the menu, and those beside the names: of the frame, the cursor, the kind and the key.
const MENU: usize = 124;
const BESIDE_NAMES: usize = 26;
/// Cells of the names, at least, beside the keys.
const LEAST_NAME: usize = 20;
/// Rows for the whole name of the selected entry, and the rows of a box from which on it has them.
const WHOLE: usize = 2;
const WHOLE_FROM: usize = 12;

/// The box. Where a name is cut off, the selected one is whole at the bottom.
pub(super) fn draw(app: &App, state: &Menu, canvas: &mut Canvas) {
    let found = &state.found;
    let (width, all) = (canvas.width().min(MENU), canvas.height().saturating_sub(1));
    // The frame, the search and the header.
    let height = if state.copies { (found.len().max(COPIES) + 4).min(all) } else { all };
    let mut outer = boxed(canvas, width, height);
    let theme = outer.theme;
    let n_whole = if state.copies || outer.height() < WHOLE_FROM { 0 } else { WHOLE };
    let rows = outer.height().saturating_sub(4 + n_whole);
    let mut cursor = state.cursor;
    cursor.fit(found.len(), rows);
    let title = if state.copies { "copy" } else { "menu" };
    let mut inside = outer.framed(title, &of_all(cursor, found.len(), rows), true);
    search(&state.line, &mut inside);
    let room = inside.width();
    let entry = |at: usize| -> &MenuEntry { &found[at] };
    let behind_blank =
        |words: &str, tone| Tinted(vec![(" ".to_owned(), Tone::Text), (words.to_owned(), tone)]);
    let columns = vec![
        Column::words(" kind", 10, move |at| behind_blank(entry(at).kind, Tone::Muted)),
        Column::words("name", None, move |at| entry(at).text.clone()),
        Column::words(" key", 11, move |at| behind_blank(&entry(at).keys, Tone::Strong)).ranked(1),
    ];
    let entries = List::new(columns, found.len(), cursor);
    list(app, &entries, LEAST_NAME, true, &mut inside.part(0, 1, room, rows + 1));
    let is_cut = |entry: &&MenuEntry| entry.text.width() + BESIDE_NAMES > width;
    let selected = found.get(cursor.selected).filter(is_cut);
    let whole = selected.map_or_else(Vec::new, |it| wrap(&it.text, width.saturating_sub(4)));
    inside.rows(rows + 2, whole.into_iter().take(n_whole), theme.muted());
}
