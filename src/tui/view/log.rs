//! The log of this run over the screen: the time and the notice; the selected notice in full.

use ratatui::text::Span;

use super::overlay::boxed;
use crate::{
    app::{App, cursor::Cursor, log::LogEntry, wrap::wrap},
    number::grouped,
    text::visible,
    tui::widget::{
        canvas::{Canvas, fit},
        table::{Align, Column, ColumnTable},
    },
};

/// The most rows of the selected notice.
const MOST_ROWS: usize = 6;

pub(super) fn draw(app: &App, cursor: Cursor, canvas: &mut Canvas) {
    let (width, height) = (canvas.width(), canvas.height().saturating_sub(2));
    let n = app.log.entries().len();
    let mut outer = boxed(canvas, width, height);
    let theme = outer.theme;
    let mut inside = outer.active("log of this run", &grouped(n as u64));
    if n == 0 {
        inside.row(0, Span::styled(" no notice so far", theme.muted()));
        return;
    }
    let room = inside.width().saturating_sub(2);
    let selected = app.log.get(cursor.selected);
    let detail = selected.map_or_else(Vec::new, |entry| wrap(&visible(&entry.text), room));
    let n_detail = detail.len().min(MOST_ROWS);
    let height = inside.height().saturating_sub(n_detail + 1);
    let columns = vec![
        Column::new("min:s", Align::Right(8), 0, |entry: &&LogEntry, _| entry.time()),
        Column::new("  notice", Align::Rest, 0, |entry: &&LogEntry, cells| {
            fit(&format!("  {}", visible(&entry.text)), cells)
        }),
    ];
    let mark = Some((theme.glyphs().cursor, theme.selected()));
    let mut list = inside.part(0, 0, room + 2, height);
    let table = ColumnTable::fitting(columns, room + 2, &[20]);
    table.draw(&mut list, cursor, n, mark, |at| app.log.get(at));
    inside.rule(height, "", "");
    for (y, row) in detail.into_iter().take(n_detail).enumerate() {
        inside.row(height + 1 + y, format!(" {row}"));
    }
}
