//! A row of two texts side by side, or of both in one column.

use ratatui::text::{Line, Span};

use crate::{
    app::side_by_side::{DiffRow, RunKind, TextRun, cells},
    tui::theme::Theme,
};

/// A row of two texts: the right one this many cells from the left, or both in one column.
pub(super) fn text_row(row: &DiffRow, beside: Option<usize>, theme: Theme) -> Line<'static> {
    let mut line = Line::from(if row.changed { "~ " } else { "  " });
    let left: Vec<Span<'_>> = row.left.iter().filter_map(|part| run(part, theme)).collect();
    let used: usize = left.iter().map(|span| cells(&span.content)).sum();
    line.extend(left);
    if let Some(column) = beside {
        line.push_span(Span::raw(" ".repeat(column.saturating_sub(used))));
        let (gutter, style) = if row.changed {
            (theme.glyphs().unlike, theme.strong())
        } else {
            (theme.glyphs().like, theme.muted())
        };
        line.push_span(Span::styled(format!("{gutter} "), style));
        line.extend(row.right.iter().filter_map(|part| run(part, theme)));
    }
    line
}

/// A run of text. On a ground of its own a changed word needs no brackets, which texts may have themselves.
fn run(run: &TextRun, theme: Theme) -> Option<Span<'static>> {
    let style = |side| if side == 0 { theme.left_only() } else { theme.right_only() };
    match run.kind {
        RunKind::Shared => Some(Span::styled(run.text.clone(), theme.muted())),
        RunKind::Field => Some(Span::styled(run.text.clone(), theme.strong())),
        RunKind::Plain => Some(Span::styled(run.text.clone(), theme.text())),
        RunKind::Bracket(_) if theme.has_surfaces() => None,
        RunKind::OnlyIn(side) | RunKind::Bracket(side) => {
            Some(Span::styled(run.text.clone(), style(side)))
        }
    }
}
