//! Sections of an explanation, in one column or two.

use ratatui::text::Span;

use crate::{
    app::{
        App,
        layout::SizeClass,
        pane::{GAP, PaneLayout, TextPane},
        screen::Group,
    },
    number::counted,
    tui::widget::canvas::Canvas,
};

/// The shown rows of a pane; its last row shows how many more there are.
pub(super) fn pane(pane: &TextPane, cut: PaneLayout, canvas: &mut Canvas) {
    let theme = canvas.theme;
    for (at, row) in pane.rows.iter().skip(pane.top).take(cut.rows()).enumerate() {
        let (column, y) = (at / cut.height.max(1), at % cut.height.max(1));
        let style = if row.is_title { theme.strong() } else { theme.text() };
        let x = column * (cut.width + GAP);
        canvas.part(x, 0, cut.width, cut.height).row(y, Span::styled(row.text.clone(), style));
    }
}

/// The scroll position of a pane, for the rule above it.
pub(super) fn remark(pane: &TextPane, cut: PaneLayout, ascii: bool) -> String {
    let more = if ascii { "v" } else { "▼" };
    match pane.n_below(cut.rows()) {
        0 if pane.top > 0 => format!("{} above, K", counted(pane.top as u64, "row")),
        0 => String::new(),
        below => format!("{more} {below} more, J"),
    }
}

/// A view that is a page; its frame or the rule above it shows how many more rows there are.
pub(super) fn page(app: &App, canvas: &mut Canvas) {
    let cut = app.page_cut();
    if app.size.shape() == SizeClass::Wide {
        let remark = remark(&app.page, cut, app.ascii);
        let mut inside = canvas.framed(app.view().name(), &remark);
        return pane(&app.page, cut, &mut inside.part(1, 0, cut.width, cut.height));
    }
    let above = canvas.height().saturating_sub(cut.height);
    if above > 0 {
        canvas.rule(0, app.view().name(), &remark(&app.page, cut, app.ascii));
    }
    pane(&app.page, cut, &mut canvas.part(0, above, cut.width, cut.height));
}

/// The scroll position of a page on a small screen, which has no rule of its own for it.
pub(super) fn small_remark(app: &App) -> String {
    if app.view().groups().contains(&Group::Page) {
        return remark(&app.page, app.page_cut(), app.ascii);
    }
    String::new()
}
