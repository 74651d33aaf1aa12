//! The card of the tour, over the last rows of the screen.

use ratatui::text::Span;

use crate::{
    app::{App, overlay::Overlay, wrap::wrap},
    tui::widget::canvas::Canvas,
};

/// The most cells of a card.
const WIDTH: usize = 78;

/// Draws the card above the last two rows, unless a panel other than a line being typed is open.
pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let is_free = matches!(app.overlay, None | Some(Overlay::Prompt(_)));
    let Some(card) = app.tour_card().filter(|_| is_free) else { return };
    let width = canvas.width().min(WIDTH);
    let rows = wrap(&card.text, width.saturating_sub(4));
    let height = (rows.len() + 2).min(canvas.height());
    let (x, y) = (canvas.width() - width, canvas.height().saturating_sub(height + 3));
    let mut part = canvas.part(x, y, width, height);
    part.clear();
    let mut inside = part.active(&card.title, "Esc leaves");
    let theme = inside.theme;
    for (y, row) in rows.into_iter().enumerate() {
        inside.row(y, Span::styled(format!(" {row}"), theme.strong()));
    }
}
