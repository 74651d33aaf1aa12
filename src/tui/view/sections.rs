//! Sections of an explanation.

use ratatui::text::Span;

use crate::{
    app::pane::{PaneSize, TextPane},
    number::counted,
    tui::widget::canvas::Canvas,
};

/// The shown rows of a pane; its last row shows how many more there are.
pub(super) fn pane(pane: &TextPane, cut: PaneSize, canvas: &mut Canvas) {
    let theme = canvas.theme;
    for (y, row) in pane.rows.iter().skip(pane.top).take(cut.height).enumerate() {
        let style = if row.is_title { theme.strong() } else { theme.text() };
        canvas.row(y, Span::styled(row.text.clone(), style));
    }
}

/// The scroll position of a pane, for the rule above it.
pub(super) fn remark(pane: &TextPane, cut: PaneSize, ascii: bool) -> String {
    let more = if ascii { "v" } else { "▼" };
    match pane.n_below(cut.height) {
        0 if pane.top > 0 => format!("{} above, K", counted(pane.top as u64, "row")),
        0 => String::new(),
        below => format!("{more} {below} more, J"),
    }
}
