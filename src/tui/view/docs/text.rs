//! The selected document's text.

use ratatui::{
    style::Style,
    text::{Line, Span},
};
use unicode_width::UnicodeWidthStr;

use crate::{
    app::App,
    number::{counted, grouped},
    tui::widget::canvas::{Canvas, clip},
};

/// A row of the text in which the found words have the style `hit`.
fn with_found(app: &App, row: usize, text: &str, style: Style, hit: Style) -> Vec<Span<'static>> {
    let found = &app.docs.preview_found;
    let found = &found[found.partition_point(|(at, _)| *at < row)..];
    let (mut spans, mut end) = (Vec::new(), 0);
    for (_, place) in found.iter().take_while(|(at, _)| *at == row) {
        // A row that was cut has no text at the later places.
        let Some((before, words)) = text.get(end..place.start).zip(text.get(place.clone())) else {
            break;
        };
        spans.push(Span::styled(before.to_owned(), style));
        spans.push(Span::styled(words.to_owned(), hit));
        end = place.end;
    }
    spans.push(Span::styled(text[end..].to_owned(), style));
    spans
}

/// The selected document's text, wrapped, from the line scrolled to.
pub(crate) fn preview(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let (width, height) = (canvas.width().saturating_sub(2), canvas.height());
    if height == 0 {
        return;
    }
    let Some(open) = app.open_document() else {
        if let Some(problem) = app.document.problem() {
            canvas.paragraph(1, 0, problem, theme.warn());
        }
        return;
    };
    let Some(lines) = &open.lines else {
        canvas.row(0, Span::styled(" this row has no text", theme.muted()));
        return;
    };
    if lines.iter().all(|line| line.trim().is_empty()) && app.docs.n_warnings == 0 {
        canvas.row(0, Span::styled(" the text is empty", theme.muted()));
        return;
    }
    let (rows, top) = (&app.docs.preview, app.docs.preview_top);
    let n_below = rows.len().saturating_sub(top + height);
    let hint = match (n_below, open.hidden_bytes) {
        (0, 0) if top > 0 => format!(" {} above, K ", counted(top as u64, "row")),
        (0, 0) => String::new(),
        (0, bytes) => format!(" and {} bytes not shown ", grouped(bytes as u64)),
        (rows, _) => format!(" {} {rows} more, J ", theme.glyphs().more),
    };
    for (y, row) in rows.iter().skip(top).take(height).enumerate() {
        // The hint must not cover words.
        let room = if y + 1 == height { width.saturating_sub(hint.width()) } else { width };
        let style = match top + y {
            at if at < app.docs.n_warnings => theme.warn(),
            at if app.docs.preview_pale.contains(&at) => theme.muted(),
            _ => theme.text(),
        };
        let mut line = Line::from(" ");
        line.extend(with_found(app, top + y, &clip(row, room), style, theme.good()));
        canvas.row(y, line);
    }
    canvas.right(height - 1, Span::styled(hint, theme.muted()));
}
