//! The card of the tour, over the last rows of the screen.

use crate::app::App;
use crate::app::overlay::Overlay;
use crate::app::wrap::wrap;
use crate::tui::widget::canvas::Canvas;

/// The most cells of a card.
const WIDTH: usize = 78;

/// Draws the card above the last rows, unless a panel other than a line being typed is open.
pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let is_free = matches!(app.overlay, None | Some(Overlay::Prompt(_)));
    let Some(card) = app.tour_card().filter(|_| is_free) else { return };
    let is_small = app.size.is_small();
    let (edge, below) = if is_small { (0, 1) } else { (1, 3) };
    let width = canvas.width().min(WIDTH);
    let rows = wrap(&card.text, width.saturating_sub(2 + 2 * edge));
    let height = (rows.len() + 1 + edge).min(canvas.height());
    let (x, low) = (canvas.width() - width, canvas.height().saturating_sub(height + below));
    let covers = |top: usize, row: usize| (top..top + height).contains(&row);
    // On a small screen the card stands above the row that it speaks of rather than over it.
    let y = match cursor_row(canvas) {
        Some(row) if is_small && covers(low, row) && !covers(0, row) => 0,
        _ => low,
    };
    let mut part = canvas.part(x, y, width, height);
    part.clear();
    let theme = part.theme;
    let mut inside = if is_small {
        part.rule(0, &card.title, "Esc leaves");
        part.part(0, 1, width, height.saturating_sub(1))
    } else {
        part.framed(&card.title, "Esc leaves", true)
    };
    inside.rows(0, rows, theme.strong());
}

/// The row of the selection, if the view has one.
fn cursor_row(canvas: &Canvas) -> Option<usize> {
    let cursor = canvas.theme.glyphs().cursor;
    (2..canvas.height()).find(|&row| (0..2).any(|x| canvas.holds(x, row, cursor)))
}
