//! Texts: that of the selected document, two side by side or in one, and the sections of an explanation.

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::app::App;
use crate::app::cursor::TextPane;
use crate::app::page::Tone;
use crate::app::side_by_side::{DiffRow, RunKind, TextRun, cells};
use crate::number::{counted, grouped};
use crate::sign;
use crate::tui::theme::Theme;
use crate::tui::widget::canvas::Canvas;

/// The selected document's text, wrapped, from the line scrolled to.
pub(super) fn preview(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let (width, height) = (canvas.width().saturating_sub(2), canvas.height());
    if height == 0 {
        return;
    }
    let Some(open) = app.open_document() else {
        if let Some(problem) = app.document.problem() {
            canvas.paragraph(problem, theme.warn());
        }
        return;
    };
    let Some(lines) = &open.lines else {
        canvas.row(0, Span::styled(" this row has no text", theme.muted()));
        return;
    };
    let first = app.docs.preview.first().and_then(|row| row.0.first());
    let has_warnings = first.is_some_and(|(_, tone)| *tone == Tone::Warn);
    if lines.iter().all(|line| line.trim().is_empty()) && !has_warnings {
        canvas.row(0, Span::styled(" the text is empty", theme.muted()));
        return;
    }
    let (rows, top) = (&app.docs.preview, app.docs.preview_top);
    let n_below = rows.len().saturating_sub(top + height);
    let hint = match (n_below, open.hidden_bytes) {
        (0, 0) if top > 0 => format!(" {} above, K ", counted(top as u64, "row")),
        (0, 0) => String::new(),
        (0, bytes) => format!(" and {} bytes not shown ", grouped(bytes as u64)),
        (rows, _) => format!(" {} {rows} more, J ", sign::MORE),
    };
    for (y, row) in rows.iter().skip(top).take(height).enumerate() {
        // The hint must not cover words.
        let room = if y + 1 == height { width.saturating_sub(hint.width()) } else { width };
        let mut line = Line::from(" ");
        line.extend(theme.line(row.clone()));
        canvas.part(0, y, room + 1, 1).row(0, line);
    }
    canvas.right(height - 1, Span::styled(hint, theme.muted()));
}

/// A row of two texts: the right one this many cells from the left, or both in one column.
pub(super) fn text_row(row: &DiffRow, beside: Option<usize>, theme: Theme) -> Line<'static> {
    let mut line = Line::from(if row.changed { "~ " } else { "  " });
    let left: Vec<Span<'_>> = row.left.iter().filter_map(|part| run(part, theme)).collect();
    let used: usize = left.iter().map(|span| cells(&span.content)).sum();
    line.extend(left);
    if let Some(column) = beside {
        line.push_span(Span::raw(" ".repeat(column.saturating_sub(used))));
        let (gutter, style) =
            if row.changed { (sign::UNLIKE, theme.strong()) } else { (sign::LIKE, theme.muted()) };
        line.push_span(Span::styled(format!("{gutter} "), style));
        line.extend(row.right.iter().filter_map(|part| run(part, theme)));
    }
    line
}

/// A run of text. On a ground of its own a changed word needs no brackets, which texts may have themselves.
fn run(run: &TextRun, theme: Theme) -> Option<Span<'static>> {
    let style = match run.kind {
        RunKind::Shared => theme.muted(),
        RunKind::Field => theme.strong(),
        RunKind::Plain => theme.text(),
        RunKind::Bracket(_) if theme.has_surfaces() => return None,
        RunKind::OnlyIn(side) | RunKind::Bracket(side) => theme.only_in(side),
    };
    Some(Span::styled(run.text.clone(), style))
}

/// The shown rows of a pane.
pub(super) fn sections(pane: &TextPane, canvas: &mut Canvas) {
    let theme = canvas.theme;
    for (y, row) in pane.rows.iter().skip(pane.top).take(pane.height).enumerate() {
        let style = if row.is_title { theme.strong() } else { theme.text() };
        canvas.row(y, Span::styled(row.text.clone(), style));
    }
}

/// A remark and the scroll position of a pane, for the rule above it.
pub(super) fn remark(words: &str, pane: &TextPane) -> String {
    let position = match pane.n_below() {
        0 if pane.top > 0 => format!("{} above, K", counted(pane.top as u64, "row")),
        0 => String::new(),
        below => format!("{} {below} more, J", sign::MORE),
    };
    let parts = [words, &*position].into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(", ")
}
