//! The Tune screen: distances of all pairs, and what each k would do.

use crate::{app::App, tui::widget::canvas::Canvas};

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    canvas.row(0, format!("  {}", app.screen));
}
