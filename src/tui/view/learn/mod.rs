//! The Learn screen: how SimHash works, hands on.

use crate::{app::App, tui::widget::canvas::Canvas};

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    canvas.row(0, format!("  {}", app.screen));
}
