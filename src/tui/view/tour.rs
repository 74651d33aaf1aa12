//! The card of the tour, over the last rows of the screen.

use crate::{
    app::{App, overlay::Overlay, wrap::wrap},
    tui::widget::canvas::Canvas,
};

/// The most cells of a card.
const WIDTH: usize = 78;

/// Draws the card above the last rows, unless a panel other than a line being typed is open.
pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let is_free = matches!(app.overlay, None | Some(Overlay::Prompt(_)));
    let Some(card) = app.tour_card().filter(|_| is_free) else { return };
    let width = canvas.width().min(WIDTH);
    let rows = wrap(&card.text, width.saturating_sub(4));
    let height = (rows.len() + 2).min(canvas.height());
    let below = if app.size.is_small() { 1 } else { 3 };
    let (x, low) = (canvas.width() - width, canvas.height().saturating_sub(height + below));
    let covers = |top: usize, row: usize| (top..top + height).contains(&row);
    // The card stands above the row that it speaks of rather than over it.
    let y = match cursor_row(canvas) {
        Some(row) if covers(low, row) && !covers(0, row) => 0,
        _ => low,
    };
    let mut part = canvas.part(x, y, width, height);
    part.clear();
    let theme = part.theme;
    part.framed(&card.title, "Esc leaves", true).rows(0, rows, theme.strong());
}

/// The row of the selection, if the view has one.
fn cursor_row(canvas: &Canvas) -> Option<usize> {
    let cursor = canvas.theme.glyphs().cursor;
    (2..canvas.height()).find(|&row| (0..2).any(|x| canvas.holds(x, row, cursor)))
}
