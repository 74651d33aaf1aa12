//! The menu: the entries that match the typed letters.

use ratatui::text::Span;
use unicode_width::UnicodeWidthStr as _;

use super::overlay::{boxed, of_all, search};
use crate::{
    app::{
        menu::{Menu, MenuEntry},
        wrap::wrap,
    },
    tui::widget::{
        canvas::{Canvas, fit},
        table::{Align, Column, ColumnTable},
    },
};

/// Rows that the list of what can be copied has at least, so that its box does not jump while one types.
const COPIES: usize = 6;

/// The most cells of the menu, and those beside the names: of the frame, the cursor, the kind and the key.
const MENU: usize = 124;
const BESIDE_NAMES: usize = 26;
/// Rows for the whole name of the selected entry, and the rows of a box from which on it has them.
const WHOLE: usize = 2;
const WHOLE_FROM: usize = 12;

/// The box. Where a name is cut off, the selected one is whole at the bottom.
pub(super) fn draw(state: &Menu, canvas: &mut Canvas) {
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
    let mut inside = outer
        .active(if state.copies { "copy" } else { "menu" }, &of_all(cursor, found.len(), rows));
    search(&state.line, &mut inside);
    let room = inside.width();
    let mut list = inside.part(0, 1, room, rows + 1);
    let columns = vec![
        Column::new("kind", Align::Left(10), 0, move |entry: &&MenuEntry, _| {
            Span::styled(entry.kind, theme.muted())
        }),
        Column::new("name", Align::Rest, 0, |entry: &&MenuEntry, cells| fit(&entry.text, cells)),
        Column::new("key", Align::Left(11), 1, move |entry: &&MenuEntry, _| {
            Span::styled(entry.keys.clone(), theme.strong())
        }),
    ];
    let mark = Some(theme.mark());
    ColumnTable::fitting(columns, room, &[20])
        .draw(&mut list, cursor, found.len(), mark, |at| found.get(at));
    let is_cut = |entry: &&MenuEntry| entry.text.width() + BESIDE_NAMES > width;
    let selected = found.get(cursor.selected).filter(is_cut);
    let whole = selected.map_or_else(Vec::new, |it| wrap(&it.text, width.saturating_sub(4)));
    for (y, row) in whole.into_iter().take(n_whole).enumerate() {
        inside.row(rows + 2 + y, Span::styled(format!(" {row}"), theme.muted()));
    }
}
