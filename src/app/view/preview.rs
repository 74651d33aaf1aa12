//! The selected document's text, as Docs and Groups show it.

use crate::app::{App, wrap::wrap};

/// Wraps the selected document's text again if it or the screen changed. Costs its length.
pub(in crate::app) fn lay_out(app: &mut App) {
    let width = app.preview_width();
    let open = app.open_document();
    let knows_flags = app.analysis.flags.is_some();
    let number = app.document.number().filter(|_| open.is_some());
    let wanted = number.map(|number| (number, width, knows_flags));
    if app.docs.wrapped == wanted {
        return;
    }
    let lines = open.and_then(|open| open.lines.as_deref()).unwrap_or_default();
    let warnings = app.open_findings().into_iter();
    let warnings = warnings.map(|it| format!("! {}: {}", it.flag, it.sentence));
    let mut preview: Vec<String> = warnings.flat_map(|text| wrap(&text, width)).collect();
    let n_warnings = preview.len();
    preview.extend(lines.iter().flat_map(|line| wrap(line, width)));
    (app.docs.preview, app.docs.n_warnings) = (preview, n_warnings);
    app.docs.wrapped = wanted;
    let height = app.preview_pane().rows();
    scroll(app, 0, height);
}

/// Scrolls the text, which has `height` rows on the screen.
pub(super) fn scroll(app: &mut App, rows: isize, height: usize) {
    let last = app.docs.preview.len().saturating_sub(height);
    app.docs.preview_top = app.docs.preview_top.saturating_add_signed(rows).min(last);
}
